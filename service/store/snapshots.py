"""Snapshots of streams: disposable, never trusted without the hash of their event."""

import asyncpg
from msgspec import Struct

from service.store.database import reached

SAVE = """
insert into snapshot (stream, version, hash, format, state) values ($1, $2, decode($3, 'hex'), $4, $5)
on conflict (stream) do update
set version = excluded.version, hash = excluded.hash, format = excluded.format, state = excluded.state
where snapshot.version < excluded.version or snapshot.format <> excluded.format
"""

# Joined with the event, so that a snapshot of another history is never handed out.
LOAD = """
select s.stream, s.version, encode(s.hash, 'hex') as hash, s.format, s.state
from snapshot s join event e on e.stream = s.stream and e.version = s.version and e.hash = s.hash
where s.stream = $1 and s.format = $2
"""


class Snapshot(Struct, frozen=True):
    """The state after the event at `version` with that `hash` (hex), in a named format of the program."""

    stream: str
    version: int
    hash: str
    format: str
    state: bytes


class Snapshots:
    """One for each stream, the newest. Raises `StoreUnavailable`."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def save(self, snapshot: Snapshot) -> None:
        with reached():
            await self._pool.execute(
                SAVE, snapshot.stream, snapshot.version, snapshot.hash, snapshot.format, snapshot.state
            )

    async def load(self, stream: str, form: str) -> Snapshot | None:
        """The newest snapshot in this format that belongs to the stored events."""
        with reached():
            row = await self._pool.fetchrow(LOAD, stream, form)
        return None if row is None else Snapshot(*row)
