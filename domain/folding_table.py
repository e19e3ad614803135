"""How table and game events change a state: everything beside the play of a hand.

Each function changes the state that it is given, which is the fold's own copy.
"""

from msgspec.structs import replace

from domain import events
from domain.events import AnyEvent
from domain.placing import place
from domain.state import Occupant, State


def seated(state: State, event: events.Seated) -> None:
    _sit(state, event.seat, Occupant(event.player, event.kind, event.bot))


def unseated(state: State, event: events.Unseated) -> None:
    _sit(state, event.seat, None)
    table = state.table
    if table.status == "closed":
        # A seat reopened before the start: every commitment lapses, and closing is repeated (fairness, 4).
        state.table = replace(table, status="open", closed_seats=(), nonce_commitments=(), nonces=())
    elif table.status != "open":
        state.table = replace(table, departed=table.departed | {event.player})


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
    )


def nonce_revealed(state: State, event: events.NonceRevealed) -> None:
    nonces = list(state.table.nonces)
    nonces[event.seat] = event.nonce
    state.table = replace(state.table, nonces=tuple(nonces))


def started(state: State, event: events.Started) -> None:
    state.table = replace(state.table, status="started", first_dealer=event.first_dealer)


def placed(state: State, event: events.Placed) -> None:
    state.table = replace(state.table, status="playing")
    place(state, event.position)


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
