"""Games of matches, opened and begun in one go: the seats are given, and nobody has to be waited for."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from domain.beacons import BeaconShown
from domain.boards import BoardChance, board_terms
from domain.chance import Chance
from domain.events import AnyEvent, Clock, Watch
from domain.evolve import fold, initial_state
from domain.lobby import BotLevel, Kind, close, open_table, sit
from domain.playing import begin
from domain.rulesets import RuleSet
from domain.state import State


class Seating(Struct, frozen=True):
    """Who sits at a seat from the beginning; `bot` is the level of a bot."""

    player: str
    kind: Kind = "human"
    bot: BotLevel | None = None


def open_board_game(
    ruleset: RuleSet,
    seats: Sequence[Seating],
    chance: BoardChance,
    boards: Sequence[int],
    *,
    watch: Watch,
    engine: str,
    clock: Clock | None = None,
    stock: Literal["common", "striped"] = "common",
    shown: BeaconShown | None = None,
) -> tuple[list[AnyEvent], State]:
    """Every event of a game on these boards up to its first deal, and the state after them.

    `seats` has an entry a seat, in order. `shown` is the tournament's round of a beacon, its signature verified: the
    table is closed with that very round, so that the record can be checked alone (fairness, MELD-BOARD-1).
    Raises `LobbyRefused` as `boards.board_terms`, `lobby.open_table` and `lobby.sit` do.
    """
    fairness = board_terms(chance.tournament, chance.master, boards)
    return open_seated_game(
        ruleset, seats, chance, fairness, watch=watch, engine=engine, clock=clock, stock=stock, shown=shown
    )


def open_seated_game(
    ruleset: RuleSet,
    seats: Sequence[Seating],
    chance: Chance,
    fairness: dict[str, Any],
    *,
    watch: Watch,
    engine: str,
    clock: Clock | None = None,
    stock: Literal["common", "striped"] = "common",
    shown: BeaconShown | None = None,
) -> tuple[list[AnyEvent], State]:
    """Every event up to the first deal of a game whose seats are given, and the state after them.

    `fairness` is what `created` says of the deals that `chance` gives. Raises `LobbyRefused` as `lobby.open_table` and
    `lobby.sit` do.
    """
    created = open_table(ruleset, len(seats), watch=watch, engine=engine, clock=clock, stock=stock, fairness=fairness)
    happened: list[AnyEvent] = [created]
    state = initial_state(created)
    for seat, held in enumerate(seats):
        sat = sit(state, seat, held.player, held.kind, held.bot)
        happened += sat
        state = fold(state, sat)
    closing = close(state, [None] * len(seats), None if shown is None else shown.beacon)
    begun, state = begin(fold(state, closing), chance, shown)
    return [*happened, *closing, *begun], state
