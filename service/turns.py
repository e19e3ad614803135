"""Whose move is awaited, and what hangs on it: what the store keeps beside the events of a command."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from domain import events
from domain.events import AnyEvent
from domain.state import State
from domain.waiting import missing_nonces, seat_to_act
from service.store.append import (
    DropDeadline,
    DropSecret,
    PutDeadline,
    PutSeat,
    Touch,
    Write,
)

TURN: Final = "turn"
"""The timer of the seat to act: a person's time by the table's clock, or a bot's that nobody plays."""

NONCE: Final = "nonce"
"""The timer of a closed table whose nonces have not all been revealed."""


class Patience(Struct, frozen=True):
    """How long what is nobody's own time may take, in seconds."""

    bot_seconds: float
    nonce_seconds: float


def bot_to_act(state: State) -> int | None:
    """The seat whose move is awaited, if a bot holds it."""
    seat = seat_to_act(state)
    if seat is None:
        return None
    occupant = state.table.seats[seat]
    return seat if occupant is not None and occupant.kind == "bot" else None


def awaits_nonces(state: State) -> bool:
    """Whether the start waits for seats to reveal their nonces."""
    return state.table.status == "closed" and bool(missing_nonces(state.table))


def side_writes(
    before: State | None, after: State, happened: Sequence[AnyEvent], now: datetime, patience: Patience
) -> tuple[Touch | None, list[Write]]:
    """What is kept beside the events: the seats, the timers, the end of the secret, the row for the lists."""
    writes: list[Write] = []
    ended: datetime | None = None
    for event in happened:
        match event:
            case events.Seated():
                writes.append(PutSeat(seat=event.seat, kind=event.kind, player=event.player, level=event.bot))
            case events.Unseated():
                writes.append(PutSeat(seat=event.seat, kind="open"))
            case events.Revealed():
                writes.append(DropSecret())
            case events.GameEnded():
                ended = now
            case _:
                pass
    turn = seat_to_act(after)
    due = _due(after, now, patience)
    if before is None or _turn_began(before, after, happened):
        if due is not None:
            writes.append(PutDeadline(TURN, due))
        elif before is not None and _due(before, now, patience) is not None:
            writes.append(DropDeadline(TURN))
    waits = awaits_nonces(after)
    waited = before is not None and awaits_nonces(before)
    if waits and not waited:
        writes.append(PutDeadline(NONCE, now + timedelta(seconds=patience.nonce_seconds)))
    elif waited and not waits:
        writes.append(DropDeadline(NONCE))
    if before is None:
        return None, _last_by_seat(writes)
    changed = before.table.status != after.table.status or seat_to_act(before) != turn
    touch = Touch(after.table.status, turn, ended) if changed or ended is not None else None
    return touch, _last_by_seat(writes)


def _turn_began(before: State, after: State, happened: Sequence[AnyEvent]) -> bool:
    """Whether the time of the seat to act begins anew: another seat, another turn, another holder."""
    if seat_to_act(before) != seat_to_act(after) or before.hand != after.hand:
        return True
    return any(
        isinstance(event, events.Discarded | events.Seated | events.Unseated | events.Answered) for event in happened
    )


def _due(state: State, now: datetime, patience: Patience) -> datetime | None:
    """When somebody has to look after the seat to act, if it is not left to its holder for ever."""
    if seat_to_act(state) is None:
        return None
    if bot_to_act(state) is not None:
        return now + timedelta(seconds=patience.bot_seconds)
    clock = state.table.clock
    return None if clock is None else now + timedelta(seconds=clock.move_seconds)


def _last_by_seat(writes: list[Write]) -> list[Write]:
    """One write a seat: the database takes a row once in a statement."""
    last = {write.seat: write for write in writes if isinstance(write, PutSeat)}
    kept = [write for write in writes if not isinstance(write, PutSeat)]
    return [*last.values(), *kept]
