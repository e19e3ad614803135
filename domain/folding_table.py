"""How table and game events change a state: everything beside the play of a hand.

Each function changes the state that it is given, which is the fold's own copy.
"""

from typing import Any

from msgspec.structs import replace

from domain import events
from domain.beacons import Beacon
from domain.events import AnyEvent
from domain.placing import carry, place
from domain.state import Occupant, State


def seated(state: State, event: events.Seated) -> None:
    _sit(state, event.seat, Occupant(event.player, event.kind, event.bot))


def unseated(state: State, event: events.Unseated) -> None:
    _sit(state, event.seat, None)
    table = state.table
    if table.status == "closed":
        # A seat reopened before the start: every commitment lapses, and closing is repeated (fairness, 4).
        state.table = replace(table, status="open", closed_seats=(), nonce_commitments=(), nonces=(), beacon=None)
    elif table.status != "open":
        state.table = replace(table, departed=table.departed.adding(event.player))


def _sit(state: State, seat: int, occupant: Occupant | None) -> None:
    seats = list(state.table.seats)
    seats[seat] = occupant
    state.table = replace(state.table, seats=tuple(seats))


def closed(state: State, event: events.Closed) -> None:
    state.table = replace(
        state.table,
        status="closed",
        closed_seats=event.seats,
        nonce_commitments=event.nonce_commitments,
        nonces=(None,) * len(event.seats),
        beacon=_beacon(event.beacon),
    )


def _beacon(beacon: dict[str, Any] | None) -> Beacon | None:
    return None if beacon is None else Beacon(beacon["chain"], beacon["round"])


def nonce_revealed(state: State, event: events.NonceRevealed) -> None:
    nonces = list(state.table.nonces)
    nonces[event.seat] = event.nonce
    state.table = replace(state.table, nonces=tuple(nonces))


def started(state: State, event: events.Started) -> None:
    randomness = None if event.beacon is None else event.beacon["randomness"]
    state.table = replace(state.table, status="started", first_dealer=event.first_dealer, randomness=randomness)


def placed(state: State, event: events.Placed) -> None:
    state.table = replace(state.table, status="playing")
    place(state, event.position)
    origin = state.table.origin
    if origin is not None and "carried" in origin:
        carry(state, origin["carried"])


def stood_in(state: State, _event: events.StoodIn) -> None:
    state.stood_in = True


def game_ended(state: State, event: events.GameEnded) -> None:
    state.table = replace(state.table, status="ended")
    state.phase = "game_over"
    state.totals = event.totals
    state.winners = event.winners
    state.end_reason = event.reason


def revealed(state: State, _event: events.Revealed) -> None:
    state.table = replace(state.table, revealed=True)


def noted(_state: State, _event: AnyEvent) -> None:
    """An event that changes nothing by itself: another one says what follows from it."""
