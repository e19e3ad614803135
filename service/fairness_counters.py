"""Public counters (fairness, 7): what was dealt and not shown, and what was dropped, counted from the events."""

import asyncio
import time
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

from service.store.database import Pool, reached

COUNT: Final = """
select count(*) as ended,
    count(r.stream) as revealed,
    count(*) filter (where r.stream is null and (g.sealed_until > now() or b.closed)) as sealed,
    count(*) filter (where r.stream is null and not coalesce(g.sealed_until > now() or b.closed, false)) as unrevealed,
    count(*) filter (where b.closed is not null) as on_boards,
    count(a.stream) as aborted,
    count(*) filter (where a.stream is not null and s.stream is not null) as aborted_after_deal,
    (select count(*) from event where type = 'unseated' and actor = 'timer') as nonces_unrevealed,
    (select count(*) from board_set) as board_sets,
    (select count(*) from board_set where opened_at is null) as board_sets_closed
from event e
join game g on g.id = e.stream and not g.practice
left join event r on r.type = 'revealed' and r.stream = e.stream
left join event a on a.type = 'aborted' and a.stream = e.stream
left join event s on s.type = 'started' and s.stream = e.stream
left join (
    select t.game, o.opened_at is null as closed
    from tournament_game t left join board_set o on o.tournament = t.tournament where t.on_boards
) b on b.game = e.stream
where e.type = 'game_ended'
"""
LATE: Final = """
select count(*) from event a
cross join lateral (
    select body from event c where c.type = 'closed' and c.stream = a.stream order by c.version desc limit 1
) closed
where a.type = 'aborted'
    and convert_from(a.body, 'UTF8')::jsonb ->> 'reason' = 'technical'
    and convert_from(closed.body, 'UTF8')::jsonb -> 'beacon' <> 'null'
    and not exists (select from event s where s.type = 'started' and s.stream = a.stream)
"""


COUNTING_SECONDS_MAX: Final = 60
"""The longest that counting may take: it grows with the games that have ended, to some seconds at a million."""

REST: Final = 20
"""Counting is done again after this many times as long as it took, if that is longer than the setting."""


class FairnessCounts(Struct, frozen=True, kw_only=True):
    """The counters at a time; practice games are not among them.

    ended               games that have ended, aborted ones included
    revealed            of those, games whose master is revealed
    sealed              of those, games that are sealed: their master is revealed when the seal ends, or on boards when
                        the last of the tournament's boards has been played
    unrevealed          of those, all others: each is a broken promise
    on_boards           of those that ended, games on the boards of a tournament
    aborted             games that were broken off, before their start or after
    aborted_after_deal  of those, games of which a hand had been dealt
    nonces_unrevealed   seats that committed to a nonce and did not reveal it in time
    beacons_late        games that were broken off because the round of their beacon did not come
    board_sets          tournaments that have committed to the master of their boards
    board_sets_closed   of those, tournaments whose master is not revealed yet: some of their boards are to be played
    """

    counted_at: datetime
    ended: int
    revealed: int
    sealed: int
    unrevealed: int
    on_boards: int
    aborted: int
    aborted_after_deal: int
    nonces_unrevealed: int
    beacons_late: int
    board_sets: int
    board_sets_closed: int

    @property
    def numbers(self) -> dict[str, int]:
        """The counters by name."""
        return {name: number for name, number in asdict(self).items() if isinstance(number, int)}


class FairnessCounters:
    """The counters, counted anew when they are older than `seconds`, once for all who ask meanwhile.

    A large archive takes its time: then they are older, so that counting never takes more than a twentieth of it.
    """

    def __init__(self, pool: Pool, seconds: float) -> None:
        self._pool = pool
        self._seconds = seconds
        self._counts: FairnessCounts | None = None
        self._until = 0.0
        self._counting = asyncio.Lock()

    async def counts(self) -> FairnessCounts:
        """The counters. Raises `StoreUnavailable`, `StoreBusy`."""
        async with self._counting:
            if self._counts is None or time.monotonic() >= self._until:
                begun = time.monotonic()
                self._counts = await self._count()
                counted = time.monotonic()
                self._until = counted + max(self._seconds, REST * (counted - begun))
            return self._counts

    async def _count(self) -> FairnessCounts:
        now = datetime.now(UTC)
        with reached():
            # One snapshot for both, so that no game is in one count and not in the other.
            async with self._pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
                await connection.execute(f"set local statement_timeout = '{COUNTING_SECONDS_MAX}s'")
                row = await connection.fetchrow(COUNT)
                late = await connection.fetchval(LATE)
        return FairnessCounts(counted_at=now, beacons_late=late, **row)
