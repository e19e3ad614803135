"""What a table waits for before its first card, the timers that end the waiting, and what they then do.

Nonces have a time of their own (`turns.NONCE`). A beacon's round is looked for from when it is due; where it is very
late the game is aborted and its master revealed. No round is fixed anew because one is late: whoever knows the master
could then drop the rounds that he does not like, one after the other, and nobody would count them. Where a nonce does
not come the table is closed anew, with a round of its own (fairness, 4); every such failure is counted.
"""

from datetime import UTC, datetime
from typing import Final

from domain.ending import abort
from domain.events import AnyEvent
from domain.evolve import fold
from domain.lobby import leave, reopen
from domain.playing import complete
from domain.state import State, Table
from domain.waiting import awaited_beacon, missing_nonces
from service.automata import NothingToDo
from service.commands import Decided
from service.live import LiveGame
from service.offline.beacons import Chains
from service.store.append import DropDeadline, PutDeadline, Write

BEACON: Final = "beacon"
"""The timer of a closed table whose beacon's round should have come out."""

BEACON_LATE: Final = "beacon_late"
"""The timer of a closed table whose beacon's round is given up."""

UNSTARTED: Final = "unstarted"
"""The timer of a table that has never started."""

_NOT_STARTED: Final = ("open", "closed")


def beacon_times(table: Table, chains: Chains, late_seconds: float) -> tuple[float, float] | None:
    """When the awaited round is due, and when it is given up, in seconds since 1970; None where none is awaited.

    A round of a chain that is not known any more is due at once: then it is looked for in vain until it is given up.
    """
    beacon = awaited_beacon(table)
    if beacon is None:
        return None
    chain = chains.of(beacon.chain)
    due = 0.0 if chain is None else float(chain.due(beacon.round))
    return due, due + late_seconds


def timers(
    before: Table | None, after: Table, now: float, chains: Chains, late_seconds: float, open_seconds: float
) -> list[Write]:
    """The timers of the waiting that are set and dropped with an append made `now`."""
    writes: list[Write] = []
    if before is None:
        # A game of a tournament is opened and begun in one.
        if after.status in _NOT_STARTED:
            writes.append(PutDeadline(UNSTARTED, moment(now + open_seconds)))
    elif before.status in _NOT_STARTED and after.status not in _NOT_STARTED:
        writes.append(DropDeadline(UNSTARTED))
    awaited = awaited_beacon(after)
    if awaited == (None if before is None else awaited_beacon(before)):
        return writes
    times = beacon_times(after, chains, late_seconds)
    if times is None:
        return [*writes, DropDeadline(BEACON), DropDeadline(BEACON_LATE)]
    due, late = times
    return [
        *writes,
        PutDeadline(BEACON, moment(max(now, due))),
        PutDeadline(BEACON_LATE, moment(max(now, due) + late - due)),
    ]


def free_unrevealed(state: State) -> tuple[list[AnyEvent], State, list[str]]:
    """Seats that did not reveal their nonce are free again, and the table is open (fairness, 4); who held them.

    Raises `NothingToDo`.
    """
    if state.table.status != "closed" or not missing_nonces(state.table):
        raise NothingToDo
    happened: list[AnyEvent] = []
    failed: list[str] = []
    for seat in missing_nonces(state.table):
        occupant = state.table.seats[seat]
        assert occupant is not None
        failed.append(occupant.player)
        # The first one opens the table; the others leave it then.
        events = leave(state, seat, occupant.player) if happened else reopen(state, seat)
        happened += events
        state = fold(state, events)
    return happened, state, failed


def give_up_beacon(live: LiveGame, state: State) -> Decided:
    """The beacon's round has not come: the game is aborted and revealed. Raises `NothingToDo`."""
    if awaited_beacon(state.table) is None:
        raise NothingToDo
    happened = abort(state, "technical")
    return complete(fold(state, happened), happened, live.chance)


def give_up_table(live: LiveGame, state: State) -> Decided:
    """The table has never started: it is aborted. A closed one is about to start or to open. Raises `NothingToDo`."""
    if state.table.status != "open":
        raise NothingToDo
    happened = abort(state, "time")
    return complete(fold(state, happened), happened, live.chance)


def moment(seconds: float) -> datetime:
    """A time in seconds since 1970, in UTC."""
    return datetime.fromtimestamp(seconds, UTC)
