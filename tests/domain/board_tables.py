"""Tables on boards, played by bots to their end."""

from collections.abc import Sequence
from typing import Any, cast

from domain.beacons import Beacon, BeaconShown, shown
from domain.board_games import Seating, open_board_game
from domain.boards import BoardChance
from domain.bots import bot_of
from domain.events import AnyEvent, Dealt, Watch
from domain.lobby import BotLevel
from domain.rulesets import resolve
from domain.shuffle import words
from domain.simulation import play_on
from domain.state import State
from tests.domain.tables import MASTER

TOURNAMENT = "t" + "0a" * 16
CHANCE = BoardChance(TOURNAMENT, MASTER)
ROUND: BeaconShown = shown(Beacon("ab" * 32, 7), "cd" * 48)


def opened_on(
    boards: Sequence[int], levels: Sequence[str], *, ruleset: str = "samba-official", options: Any = None, **terms: Any
) -> tuple[list[AnyEvent], State]:
    """A game on boards of `TOURNAMENT`, begun, with a bot of a level at every seat."""
    seats = [Seating(f"bot-{seat}", "bot", cast(BotLevel, level)) for seat, level in enumerate(levels)]
    return open_board_game(
        resolve(ruleset, options), seats, CHANCE, boards, watch=Watch("anyone", 0), engine="test/1", **terms
    )


def played_on(
    boards: Sequence[int], levels: Sequence[str], seed: str = "", **terms: Any
) -> tuple[list[AnyEvent], State]:
    """Such a game played to its end; every bot's own chance follows from the seed and its seat."""
    happened, state = opened_on(boards, levels, **terms)
    bots = [bot_of(level, state.table.rules) for level in levels]
    streams = [words(f"{seed}/{seat}".encode()) for seat in range(len(levels))]
    while state.phase != "game_over":
        done, state = play_on(state, bots, streams, CHANCE)
        happened += done
    return happened, state


def deals(happened: Sequence[AnyEvent]) -> list[Dealt]:
    return [event for event in happened if isinstance(event, Dealt)]
