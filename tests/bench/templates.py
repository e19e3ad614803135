"""Played games whose events fit any game id: fair ones on boards, whose deals are bound to a tournament instead."""

from collections.abc import Iterator
from functools import lru_cache
from hashlib import shake_256
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain import shuffle
from domain.boards import BoardChance, board_terms
from domain.bots import bot_of
from domain.decide import decide_all
from domain.ending import adjudication
from domain.events import AnyEvent, Watch, encode, type_of
from domain.evolve import fold, initial_state
from domain.fairness import MASTER_BYTES
from domain.legal import legal_moves
from domain.lobby import close, open_table, sit
from domain.playing import begin, complete
from domain.refusals import Refusal
from domain.rulesets import PRESETS, resolve
from domain.state import State
from domain.views import view_for
from domain.waiting import seat_to_act

HANDS_MAX: Final = 6
TOURNAMENT: Final = "t-bench"
LEVEL: Final = "random"


class Template(Struct, frozen=True):
    """A finished game: its events as they are stored but for the chain, and what its row and seats say.

    lasts     by event the version of the last event of the append that it begins, else 0
    version   that of the last append which changed turn or status
    """

    ruleset: str
    players: int
    types: list[str]
    bodies: list[bytes]
    lasts: list[int]
    version: int
    status: str
    seats: list[tuple[int, str, str, str | None]]


@lru_cache(maxsize=1)
def templates() -> tuple[Template, ...]:
    """One game of every preset and number of seats."""
    return tuple([_played(name, players) for name in PRESETS for players in resolve(name).players])


def _played(ruleset: str, players: int) -> Template:
    happened: list[AnyEvent] = []
    lasts: list[int] = []
    touched, standing = 0, None
    state: State | None = None
    for events_, state in _steps(ruleset, players):
        lasts += [state.version, *[0] * (len(events_) - 1)]
        happened += events_
        now = seat_to_act(state), state.table.status
        if now != standing:
            standing = now
            touched = state.version
    assert state is not None
    stamped = [_stamped(event) for event in happened]
    return Template(
        ruleset=ruleset,
        players=players,
        types=[type_of(event) for event in stamped],
        bodies=[encode(event) for event in stamped],
        lasts=lasts,
        version=touched,
        status=state.table.status,
        seats=[
            (seat, holder.kind, holder.player, holder.bot)
            for seat, holder in enumerate(state.table.seats)
            if holder is not None
        ],
    )


def _steps(ruleset: str, players: int) -> Iterator[tuple[list[AnyEvent], State]]:
    """The appends of a game, each with the state after it."""
    chance = BoardChance(TOURNAMENT, shake_256(f"{ruleset}/{players}".encode()).digest(MASTER_BYTES))
    fairness = board_terms(TOURNAMENT, chance.master, range(1, HANDS_MAX + 1))
    created = open_table(
        resolve(ruleset), players, watch=Watch("anyone", 0), engine="meldhouse-bench/1", fairness=fairness
    )
    state = initial_state(created)
    happened: list[AnyEvent] = [created]
    for place in range(players):
        sat = sit(state, place, f"bot-{place}", "bot", LEVEL)
        happened += sat
        state = fold(state, sat)
    yield happened, state
    closed = close(state, [None] * players)
    begun, state = begin(fold(state, closed), chance)
    yield [*closed, *begun], state
    rules = state.table.rules
    bots = [bot_of(LEVEL, rules) for _ in range(players)]
    streams = [shuffle.words(f"{ruleset}/{players}/{seat}".encode()) for seat in range(players)]
    while (seat := seat_to_act(state)) is not None:
        decided = decide_all(
            state, seat, bots[seat].choose(view_for(state, seat), legal_moves(state, seat), streams[seat])
        )
        assert not isinstance(decided, Refusal)
        done, after = decided
        if after.phase == "hand_over" and after.hand == HANDS_MAX:
            ruling = adjudication(after, None, "time")
            done += ruling
            after = fold(after, ruling)
        done, state = complete(after, done, chance)
        yield done, state


def _stamped(event: AnyEvent) -> AnyEvent:
    minutes, seconds = divmod(event.n, 60)
    salt = shake_256(event.n.to_bytes(4, "big")).hexdigest(16)
    return replace(event, at=f"2026-01-01T{minutes // 60:02}:{minutes % 60:02}:{seconds:02}.000Z", salt=salt)
