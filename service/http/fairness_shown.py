"""How the deals of a table come about, as everybody who may know of the table is told before the first card."""

from datetime import datetime

from msgspec import Struct

from domain.boards import boards_of
from domain.labels import ChosenBy, chosen_by, meaning
from domain.state import Table
from domain.waiting import awaited_beacon, missing_nonces
from service.before_start import beacon_times, moment
from service.http.operations import Call
from service.live import LiveGame


class TableBeacon(Struct, frozen=True, kw_only=True):
    """The beacon of a table: a chain of drand by its name and hash, and once the table is closed a round of it.

    `due_at` is when the round comes out, `aborted_at` when the game is aborted if nobody has brought the round by then;
    both are null unless the start waits for it.
    """

    chain: str
    name: str | None
    round: int | None
    due_at: datetime | None
    aborted_at: datetime | None


class TableFairness(Struct, frozen=True, kw_only=True):
    """How the deals come about (fairness document).

    commitment      to the master of the deals, made before anybody sat down
    beacon          null for a table that uses none
    nonces          by seat, whether it has committed to a nonce
    awaited_nonces  seats whose nonce the start waits for
    awaits_beacon   whether the start waits for the beacon's round
    chosen_by       who chose the deals; null until the table is closed and it is settled
    meaning         the same as a sentence
    tournament      where the deals are boards of a tournament: its id; null otherwise, as `boards`
    boards          the board of every hand in turn
    """

    algorithm: str
    mode: str | None
    commitment: str
    beacon: TableBeacon | None
    nonces: tuple[bool, ...]
    awaited_nonces: tuple[int, ...]
    awaits_beacon: bool
    chosen_by: ChosenBy | None
    meaning: str | None
    tournament: str | None
    boards: tuple[int, ...] | None


async def show_fairness(call: Call, live: LiveGame, table: Table, seat: int | None) -> TableFairness | None:
    """How the deals of a table come about; None for a practice table, and for those to whom a seal shows nothing."""
    terms = table.fairness
    if terms is None or (live.sealed and seat is None):
        return None
    closed = table.status == "closed"
    return TableFairness(
        algorithm=terms["algorithm"],
        mode=terms.get("mode"),
        commitment=terms["commitment"],
        beacon=_beacon(call, live, table),
        nonces=await _nonces(call, live, table),
        awaited_nonces=missing_nonces(table) if closed else (),
        awaits_beacon=awaited_beacon(table) is not None,
        chosen_by=chosen_by(table),
        meaning=meaning(table),
        tournament=terms.get("tournament"),
        boards=boards_of(table),
    )


def _beacon(call: Call, live: LiveGame, table: Table) -> TableBeacon | None:
    """What closing has fixed, or before that what the table was opened for."""
    fixed = None if table.beacon is None else table.beacon.chain
    handle = fixed if table.closed_seats else live.facts.beacon
    if handle is None:
        return None
    chains = call.service.chains
    chain = chains.of(handle)
    times = beacon_times(table, chains, call.service.settings.beacon_late_seconds)
    due_at, aborted_at = (None, None) if times is None else map(moment, times)
    return TableBeacon(
        chain=handle,
        name=None if chain is None else chain.name,
        round=None if table.beacon is None else table.beacon.round,
        due_at=due_at,
        aborted_at=aborted_at,
    )


async def _nonces(call: Call, live: LiveGame, table: Table) -> tuple[bool, ...]:
    """By seat whether it has committed to a nonce: in the events once the table is closed, until then beside them."""
    if table.closed_seats:
        return tuple(committed is not None for committed in table.nonce_commitments)
    terms = table.fairness
    if table.status != "open" or terms is None or terms.get("mode") != "players" or not any(table.seats):
        return (False,) * len(table.seats)
    committed = await call.service.nonces.committed(live.facts.id)
    return tuple(held is not None and held.player in committed for held in table.seats)
