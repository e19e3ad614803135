"""Checks of the play: every move is decided anew, and what a move or a ruling brings about must follow it."""

from typing import Final, get_args

import msgspec
from msgspec.structs import replace

from domain import ending, events
from domain.decide import Decision, decide
from domain.events import AnyEvent, type_of
from domain.moves import check_form
from domain.records.course import Course, compare, fault
from domain.records.faults import RecordFaultCode as Code
from domain.records.faults import RecordInvalidError
from domain.records.moves import move_of
from domain.refusals import Refusal, Refused
from domain.state import State

Move = (
    events.Drew | events.TookPile | events.TookUpcard | events.Melded | events.LaidRedThree | events.Asked
    | events.Answered | events.Discarded | events.Passed
)  # fmt: skip
Ending = events.Resigned | events.TimedOut | events.Adjudicated | events.Aborted

MOVES: Final[frozenset[type[AnyEvent]]] = frozenset(get_args(Move))
"""The events that a seat's move makes happen, but for a resignation."""

_ABORTED_BEFORE: Final = ("open", "closed")
"""How far a table may have come that is given up before its first deal."""


def check_move(course: Course, event: Move) -> None:
    """Check the event of a seat's move by deciding the move; what else it makes happen is due next."""
    state = course.state
    if state.table.status != "playing":
        raise fault(event, Code.OUT_OF_PLACE, f"Nothing is played before the first deal: {type_of(event)}.")
    if not 0 <= event.seat < state.table.rules.players:
        raise _no_seat(event, event.seat)
    if not course.redecide:
        return
    move = move_of(state, event)
    assert move is not None, "Only moves come here."
    try:
        check_form(move)
    except Refused as refused:
        raise _turned_down(event, refused.refusal()) from refused
    decision = decide(state, event.seat, move)
    if isinstance(decision, Refusal):
        raise _turned_down(event, decision)
    compare(event, decision[0])
    if len(decision) > 1:
        course.due = decision[:0:-1]
    course.moves += 1


def _no_seat(event: AnyEvent, seat: int) -> RecordInvalidError:
    return fault(event, Code.UNKNOWN_SEAT, f"There is no seat {seat} at this table.")


def _turned_down(event: AnyEvent, refusal: Refusal) -> RecordInvalidError:
    params = msgspec.json.encode(refusal.params, order="sorted").decode()
    message = f"The move behind this {type_of(event)} is refused: {refusal.code} {params}."
    return fault(event, Code.MOVE_REFUSED, message)


def check_ending(course: Course, event: Ending) -> None:
    """Check an event that gives a game up or rules on it (rule book 12.3, 12.4); its end is due next."""
    state = course.state
    table = state.table
    aborts = isinstance(event, events.Aborted)
    if table.status != "playing" and not (aborts and table.status in _ABORTED_BEFORE):
        raise fault(event, Code.OUT_OF_PLACE, f"No game ends here like this: {type_of(event)}.")
    if isinstance(event, events.Resigned) and not 0 <= event.seat < table.rules.players:
        raise _no_seat(event, event.seat)
    if event.side is not None and not 0 <= event.side < len(table.rules.sides):
        raise fault(event, Code.UNKNOWN_SEAT, f"There is no side {event.side} at this table.")
    expected = _ended(state, event)
    compare(event, expected[0])
    course.due = expected[:0:-1]


def _ended(state: State, event: Ending) -> Decision:
    if isinstance(event, events.Aborted):
        return ending.abort(state, event.reason)
    if isinstance(event, events.Adjudicated):
        return ending.adjudication(state, event.side, event.reason)
    if isinstance(event, events.TimedOut):
        if event.side is None:
            raise fault(event, Code.ILL_TYPED, "A game is lost on time by a side.")
        return ending.time_out(state, event.side, event.reason)
    resigned, over = ending.resignation(state, event.seat)
    assert isinstance(resigned, events.Resigned), "A resignation begins with this."
    return [replace(resigned, reason=event.reason), over]


def check_outcome(course: Course, event: events.HandEnded | events.GameEnded) -> None:
    """Check the end of a hand or of the game, which no move brought about."""
    ends_game = isinstance(event, events.GameEnded)
    if course.redecide or course.state.phase not in (("hand_over",) if ends_game else ("draw", "play", "answer")):
        raise fault(event, Code.OUT_OF_PLACE, f"Nothing that happened leads to {type_of(event)} here.")
