"""Whose move is awaited, and what hangs on it: what the store keeps beside the events of a command."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct

from domain import events
from domain.events import AnyEvent
from domain.state import State, Status
from domain.waiting import missing_nonces, seat_to_act
from service import before_start
from service.before_start import moment
from service.offline.beacons import Chains
from service.seals import SEAL, awaits_reveal
from service.store.append import (
    AwaitSeal,
    DropDeadline,
    DropNonce,
    DropSecret,
    FailNonce,
    PutDeadline,
    PutSeat,
    SettleNonces,
    Touch,
    Write,
)

TURN: Final = "turn"
"""The timer of the seat to act: a person's time by the table's clock, or a bot's that nobody plays."""

NONCE: Final = "nonce"
"""The timer of a closed table whose nonces have not all been revealed."""


class Patience(Struct, frozen=True, kw_only=True):
    """How long what is nobody's own time may take, in seconds; `chains` tell when a beacon's round is due."""

    bot_seconds: float
    nonce_seconds: float
    beacon_late_seconds: float
    open_table_seconds: float
    chains: Chains


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
    before: State | None, after: State, happened: Sequence[AnyEvent], now: float, patience: Patience
) -> tuple[Touch | None, list[Write]]:
    """What is kept beside the events: the seats, the timers, the end of the secret, the row for the lists."""
    if before is None:
        return None, [*_of_events(None, happened), *_timers(None, after, happened, now, patience)]
    turn = seat_to_act(after)
    moved_on = turn != seat_to_act(before)
    if before.table is after.table and not (moved_on or before.hand != after.hand or before.phase != after.phase):
        # Most moves end no turn, and leave everything but the cards as it was.
        return None, []
    ended = moment(now) if after.table.status == "ended" != before.table.status else None
    touched = moved_on or before.table.status != after.table.status
    touch = Touch(after.table.status, turn, ended) if touched else None
    writes = [] if before.table is after.table else _of_events(before.table.status, happened)
    return touch, [*writes, *_timers(before, after, happened, now, patience)]


def _of_events(before: Status | None, happened: Sequence[AnyEvent]) -> list[Write]:
    """Who holds the seats now, what becomes of commitments, and whether the secret is out.

    `before` is how far the table had come. One write a row, as the database wants it.
    """
    seats: dict[int, Write] = {}
    others: list[Write] = []
    for event in happened:
        match event:
            case events.Seated(seat=seat, kind=kind, player=player, bot=level):
                seats[seat] = PutSeat(seat=seat, kind=kind, player=player, level=level)
            case events.Unseated(seat=seat, player=player):
                seats[seat] = PutSeat(seat=seat, kind="open")
                if before == "open":
                    others.append(DropNonce(player))
                elif before == "closed":
                    # Nobody leaves a closed table but by not revealing in time (fairness, 4).
                    others.append(FailNonce(player))
            case events.Closed(nonce_commitments=commitments) if any(commitments):
                others.append(SettleNonces())
            case events.Revealed():
                others.append(DropSecret())
            case _:
                pass
    return [*seats.values(), *others]


def _timers(
    before: State | None, after: State, happened: Sequence[AnyEvent], now: float, patience: Patience
) -> list[Write]:
    """The timers that are set, moved and dropped."""
    writes: list[Write] = []
    if before is None or _turn_began(before, after, happened):
        due = _due(after, now, patience)
        if due is not None:
            writes.append(PutDeadline(TURN, due))
        elif before is not None and _due(before, now, patience) is not None:
            writes.append(DropDeadline(TURN))
    if awaits_reveal(after.table):
        writes.append(AwaitSeal())
    elif before is not None and awaits_reveal(before.table):
        writes.append(DropDeadline(SEAL))
    writes += before_start.timers(
        None if before is None else before.table,
        after.table,
        now,
        patience.chains,
        patience.beacon_late_seconds,
        patience.open_table_seconds,
    )
    waits = awaits_nonces(after)
    waited = before is not None and awaits_nonces(before)
    if waits and not waited:
        writes.append(PutDeadline(NONCE, moment(now + patience.nonce_seconds)))
    elif waited and not waits:
        writes.append(DropDeadline(NONCE))
    return writes


def _turn_began(before: State, after: State, happened: Sequence[AnyEvent]) -> bool:
    """Whether the time of the seat to act begins anew: another seat, another turn, another holder of this very seat."""
    seat = seat_to_act(after)
    if seat_to_act(before) != seat or before.hand != after.hand:
        return True
    return any(
        isinstance(event, events.Discarded | events.Answered)
        or (isinstance(event, events.Seated | events.Unseated) and event.seat == seat)
        for event in happened
    )


def _due(state: State, now: float, patience: Patience) -> datetime | None:
    """When somebody has to look after the seat to act, if it is not left to its holder for ever."""
    if seat_to_act(state) is None:
        return None
    if bot_to_act(state) is not None:
        return moment(now + patience.bot_seconds)
    clock = state.table.clock
    return None if clock is None else moment(now + clock.move_seconds)
