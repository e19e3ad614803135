"""Durable timers: set and dropped by appends, claimed here by any worker."""

from datetime import datetime

import asyncpg
from msgspec import Struct

from service.store.database import reached

CLAIM_DUE = """
update deadline set leased_until = now() + make_interval(secs => $2)
where (game, kind) in (
    select game, kind from deadline
    where due_at <= now() and (leased_until is null or leased_until <= now())
    order by due_at limit $1
    for update skip locked
)
returning game, kind, version, due_at
"""

# A timer that an append has moved meanwhile is another one: it stays.
DONE = "delete from deadline where game = $1 and kind = $2 and version = $3 and due_at = $4"

NEXT = "select min(greatest(due_at, leased_until)) from deadline"


class Deadline(Struct, frozen=True):
    """A timer that is due. It belongs to `version`: if the game has gone on since, it may have no meaning any more."""

    game: str
    kind: str
    version: int
    due_at: datetime


class Deadlines:
    """By the clock of the database, so that workers whose clocks differ agree. Raises `StoreUnavailable`."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def claim_due(self, limit: int = 100, lease_seconds: float = 10.0) -> list[Deadline]:
        """Timers that are due, the earliest first, each for one worker only until its lease is over.

        The append that deals with a timer drops or moves it; a worker that dies leaves it to another one.
        """
        with reached():
            rows = await self._pool.fetch(CLAIM_DUE, limit, lease_seconds)
        return sorted((Deadline(*row) for row in rows), key=lambda deadline: deadline.due_at)

    async def done(self, deadline: Deadline) -> None:
        """Drop a claimed timer that turned out to have no meaning any more."""
        with reached():
            await self._pool.execute(DONE, deadline.game, deadline.kind, deadline.version, deadline.due_at)

    async def next_due(self) -> datetime | None:
        """When the next timer can be claimed; None if there is none."""
        with reached():
            moment: datetime | None = await self._pool.fetchval(NEXT)
        return moment
