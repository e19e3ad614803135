"""What counts of a game: read from its events, without those of its hands.

Rated are the persons who held the seats when the game began: whoever leaves, or is stood in for, keeps the result that
the seat comes to, so leaving saves nobody, and a stand-in earns nothing.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from domain import events
from domain.events import AnyEvent
from domain.ratings.models import model_of
from domain.ratings.pools import pool_of
from domain.ratings.shapes import Result

Unrated = Literal["practice", "not_started", "aborted", "bot", "no_discard"]
"""Why a game does not count: played for practice, never begun, broken off, a bot at a seat when it began, or given up
before the first discard."""

_GIVEN_UP = ("resigned", "timed_out", "adjudicated")


class RatedGame(Struct, frozen=True):
    """A game that counts."""

    pool: str
    result: Result


def rated_game(happened: Iterable[AnyEvent], *, discarded: bool) -> RatedGame | Unrated:
    """What counts of a game that has ended; `discarded` says whether any card was ever discarded in it.

    `happened` are its events in order; those of hands need not be among them.
    """
    seats: dict[int, events.Seated] = {}
    beginners: tuple[events.Seated, ...] = ()
    created = ended = None
    beaten: int | None = None
    for event in happened:
        match event:
            case events.Created():
                created = event
            case events.Seated():
                seats[event.seat] = event
            case events.Unseated():
                seats.pop(event.seat, None)
            case events.Started():
                beginners = tuple(seats[seat] for seat in sorted(seats))
            case events.Resigned(side=side) | events.TimedOut(side=side) | events.Adjudicated(side=side):
                beaten = side
            case events.GameEnded():
                ended = event
            case _:
                pass
    assert created is not None
    assert ended is not None
    why = _unrated(created, beginners, ended, discarded=discarded)
    if why is not None:
        return why
    pool = pool_of(created.ruleset, created.players)
    sides = tuple((tuple(beginners[seat].player for seat in side),) for side in created.sides)
    return RatedGame(pool, Result(sides=sides, ranks=ranks_of(ended, beaten), model=model_of(pool).id))


def ranks_of(ended: events.GameEnded, beaten: int | None) -> tuple[int, ...]:
    """The ranks of the sides, 1 the best: the winners, several of whom are a draw, then the others by their totals, and
    last the side against which the game was ended."""
    best = max(ended.totals)
    merits = [
        (True, True, best) if side in ended.winners else (False, side != beaten, total)
        for side, total in enumerate(ended.totals)
    ]
    return tuple(1 + sum(other > merit for other in merits) for merit in merits)


def _unrated(
    created: events.Created, beginners: tuple[events.Seated, ...], ended: events.GameEnded, *, discarded: bool
) -> Unrated | None:
    if created.fairness is None:
        return "practice"
    if not beginners:
        return "not_started"
    if ended.reason == "aborted":
        return "aborted"
    if any(seated.kind == "bot" for seated in beginners):
        return "bot"
    if ended.reason in _GIVEN_UP and not discarded:
        return "no_discard"
    return None
