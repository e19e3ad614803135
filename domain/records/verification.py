"""Verifying a record offline: its form, its chain, every event by the rules, every deal by the master.

lines -> verify -> Verdict          a judgement, whatever the lines are
lines -> replay_record -> State     the final state of a record whose form and chain are right
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from domain import events
from domain.beacons import BeaconChains
from domain.events import AnyEvent, type_of
from domain.evolve import fold_into, initial_state
from domain.records.course import Course, compare, fault
from domain.records.deal_checks import check_deals_before, check_dealt, check_revealed
from domain.records.faults import RecordFault, RecordInvalidError
from domain.records.faults import RecordFaultCode as Code
from domain.records.play_checks import MOVES, check_ending, check_move, check_outcome
from domain.records.reader import RecordReader
from domain.records.shapes import Player
from domain.records.table_checks import TABLE_CHECKS, check_table, open_course
from domain.records.verdicts import Progress, Verdict, verdict_on
from domain.state import State

_UNFOLDABLE: Final = (
    LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError, msgspec.MsgspecError,
)  # fmt: skip
"""What folding an event that cannot be may raise."""


def verify(lines: Iterable[bytes], *, redecide: bool = True, beacon: BeaconChains | None = None) -> Verdict:
    """Judge a record line by line; without `redecide` the moves are folded as they stand and not decided anew.

    `lines` come with their line feeds (`lines.split_lines`). `beacon` are the chains by which the signature of a beacon
    is checked. Nothing is raised, whatever the lines hold.
    """
    progress = Progress(redecide, beacon)
    try:
        _run(progress, lines)
    except RecordInvalidError as invalid:
        return verdict_on(progress, _first_fault(progress, invalid.fault))
    return verdict_on(progress, None)


def replay_record(lines: Iterable[bytes]) -> State:
    """The final state of a record, its form and chain checked and every event folded; no rule is consulted.

    Raises `RecordInvalidError`.
    """
    state: State | None = None
    for happened in RecordReader(lines).batches():
        state = fold_on(state, happened)
    if state is None:
        raise _nothing_happened()
    return state


def fold_on(state: State | None, happened: Sequence[AnyEvent]) -> State:
    """The state after more events, folded as they stand into the one given; where that is None they begin a game.

    Raises `RecordInvalidError` (`out_of_place`, `does_not_fold`).
    """
    try:
        if state is None:
            state = _first_state(happened[0])
            happened = happened[1:]
        fold_into(state, happened)
    except RecordInvalidError:
        raise
    except _UNFOLDABLE as error:
        raise _unfoldable(state) from error
    return state


def _first_state(event: AnyEvent) -> State:
    if not isinstance(event, events.Created):
        raise fault(event, Code.OUT_OF_PLACE, f"created should stand here, not {type_of(event)}.")
    return initial_state(event)


def _nothing_happened() -> RecordInvalidError:
    return RecordInvalidError(2, Code.OUT_OF_PLACE, "A record begins with created.")


def _unfoldable(state: State | None) -> RecordInvalidError:
    line = 2 if state is None else state.version + 1
    return RecordInvalidError(line, Code.DOES_NOT_FOLD, "The event does not fit what went before.")


def _run(progress: Progress, lines: Iterable[bytes]) -> None:
    reader = RecordReader(lines)
    progress.header = reader.header
    stream = iter(reader)
    first = next(stream, None)
    if first is None:
        raise _nothing_happened()
    course = progress.course = open_course(reader.header, first, redecide=progress.redecide, chains=progress.chains)
    progress.rest = stream
    follow(course, stream)
    progress.trailer = reader.trailer
    _check_end(course)


def _first_fault(progress: Progress, found: RecordFault) -> RecordFault:
    """The fault that was found, or one of an earlier deal, which only the reveal further down can show."""
    course = progress.course
    if course is None:
        return found
    try:
        # What follows need not be right any more, but for its form and chain.
        later = next((event for event in progress.rest if isinstance(event, events.Revealed)), None)
        if later is not None:
            check_deals_before(course, later)
    except RecordInvalidError as invalid:
        return invalid.fault if invalid.fault.line < found.line else found
    return found


def follow(course: Course, happened: Iterable[AnyEvent]) -> None:
    """Check the events that come next in the course of a game, and fold them. Raises `RecordInvalidError`."""
    state = course.state
    for event in happened:
        kind = type(event)
        if course.due:
            compare(event, course.due.pop())
        else:
            # A move decided anew is refused where it has no place.
            if kind not in MOVES or not course.redecide:
                _check_place(course, event)
            _CHECKS[kind](course, event)
        try:
            fold_into(state, (event,))
        except _UNFOLDABLE as error:
            raise _unfoldable(state) from error


def _check_place(course: Course, event: AnyEvent) -> None:
    """Check that an event which nothing before it had made due may come at this point of a game."""
    kind = type(event)
    state = course.state
    status = state.table.status
    if status == "ended" and kind is not events.Revealed:
        raise fault(event, Code.OUT_OF_PLACE, f"Nothing follows the end of a game but its reveal: {type_of(event)}.")
    if status == "started" and kind not in _BEGIN_HAND:
        raise fault(event, Code.OUT_OF_PLACE, f"A deal should follow started, not {type_of(event)}.")
    if state.phase == "hand_over" and kind not in _AFTER_HAND:
        raise fault(event, Code.OUT_OF_PLACE, f"The next deal or an end should follow, not {type_of(event)}.")


_BEGIN_HAND: Final = frozenset({events.Dealt, events.Placed})
_ENDINGS: Final = (events.Resigned, events.TimedOut, events.Adjudicated, events.Aborted)
_AFTER_HAND: Final = frozenset({events.Dealt, events.GameEnded, *_ENDINGS})

_CHECKS: Final[dict[type[AnyEvent], Callable[[Course, Any], None]]] = {
    **dict.fromkeys(TABLE_CHECKS, check_table),
    events.Dealt: check_dealt,
    **dict.fromkeys(MOVES, check_move),
    events.HandEnded: check_outcome,
    events.GameEnded: check_outcome,
    events.Resigned: check_ending,
    events.TimedOut: check_ending,
    events.Adjudicated: check_ending,
    events.Aborted: check_ending,
    events.Revealed: check_revealed,
}


def _check_end(course: Course) -> None:
    """Check what the whole record must come to: an ended game, revealed if it is a fair one, and its header."""
    state = course.state
    table = state.table
    after = state.version + 2
    if course.due:
        raise RecordInvalidError(after, Code.NOT_ENDED, f"{type_of(course.due[-1])} should follow, not the trailer.")
    if table.status != "ended":
        raise RecordInvalidError(after, Code.NOT_ENDED, "The game has not ended.")
    if table.origin is None and not table.revealed:
        raise RecordInvalidError(after, Code.NOT_REVEALED, "The master of the deals has not been revealed.")
    result = course.header.result
    if (result.totals, result.winners) != (state.totals, state.winners):
        raise RecordInvalidError(1, Code.HEADER_DIFFERS, "The result is not that of game_ended.")
    _check_players(course, course.header.players)


def _check_players(course: Course, players: Iterable[Player]) -> None:
    """Check that the header names who held each seat last: everyone who holds one, in the order of the seats."""
    named = [player.seat for player in players]
    held = course.last_holders
    seats = course.state.table.seats
    kept = [seat for seat, occupant in enumerate(seats) if occupant is not None]
    wrong = any(held.get(player.seat) != player.kind for player in players)
    if wrong or named != sorted(set(named)) or not set(named).issuperset(kept):
        raise RecordInvalidError(1, Code.HEADER_DIFFERS, "The players are not those who held the seats last.")
