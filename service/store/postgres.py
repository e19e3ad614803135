"""The event store on Postgres."""

import asyncio
from collections.abc import Sequence
from typing import Any, Self
from zlib import crc32

from msgspec import Struct

from domain.chain import first_prev
from domain.excerpts import DEAL, HAND_END, HAND_TYPES
from service.store.append import Append, check
from service.store.base import VERSION_MAX, FeedPage, Head, Outcome, StoredEvent
from service.store.cursor import FeedCursor, read_cursor
from service.store.database import DatabaseLimits, Pool, connect, open_pool, reached
from service.store.errors import ActorErased, CursorOutdated, KeyReused, StoreNotReady
from service.store.writer import Writer, WriterLimits

READ = """
select stream, version, type, body, prev_hash, hash, schema from event
where stream = $1 and version > $2 order by version limit $3
"""

# `domain.excerpts` says why. Deals and ends of hands are found from the end backwards, within a hand or two; the rest
# has an index of its own (migrations/0011), since it stands scattered among events of which most are left out.
EXCERPT = f"""
with deal as materialized (
    select version from event
    where stream = $1 and version <= $2 and type = '{DEAL}' order by version desc limit 1
), hand_end as materialized (
    select version from event
    where stream = $1 and version < (select version from deal) and type = '{HAND_END}' order by version desc limit 1
)
select stream, version, type, body, prev_hash, hash, schema from event
where stream = $1 and version < (select version from deal) and type <> all ('{{{",".join(HAND_TYPES)}}}')
union all
select stream, version, type, body, prev_hash, hash, schema from event
where stream = $1 and version = (select version from hand_end)
union all
select stream, version, type, body, prev_hash, hash, schema from event
where stream = $1 and version between coalesce((select version from deal), 1) and $2
order by version
"""

HEAD = "select version, hash from event where stream = $1 order by version desc limit 1"

FEED_STATE = """
select epoch, exists (
    select from unnest($1::smallint[], $2::bigint[]) as c (shard, position)
    left join shard s on s.shard = c.shard where coalesce(s.head, -1) < c.position
) as beyond
from feed
"""

# The nth events of all shards come before the next ones, so that no busy shard holds up the others.
FEED = """
select e.* from unnest($1::smallint[], $2::bigint[]) as c (shard, position)
cross join lateral (
    select shard, position, stream, version, type, body, prev_hash, hash, schema from event
    where event.shard = c.shard and event.position > c.position
    order by event.position limit $3
) e
order by e.position - c.position, e.shard limit $3
"""

# The lock has an erasure that is under way end first, and one that comes meanwhile find this row.
CLAIM = """
with person as materialized (
    select erased_at is not null as erased from player where id = $2 for share
), made as (
    insert into claim (scope, actor, command_key, command_digest, value)
    select $1, $2, $3, decode($4, 'hex'), $5 where not exists (select from person where erased)
    on conflict do nothing
)
select exists (select from person where erased)
"""

CLAIMED = """
select encode(command_digest, 'hex') as digest, value from claim
where scope = $1 and actor = $2 and command_key = $3
"""


NOT_READY = "The database is not set up: run `meldhouse migrate` on it first."


class StoreLimits(Struct, frozen=True, kw_only=True):
    """`lanes` is the number of writers, each with its own share of the shards. One is best where the processor is the
    limit; more let commits overlap where the disk or the network to the database is."""

    lanes: int = 1
    database: DatabaseLimits = DatabaseLimits()
    writer: WriterLimits = WriterLimits()


class PostgresStore:
    """Fulfils `EventStore`. Make it with `open`."""

    def __init__(self, pool: Pool, writers: Sequence[Writer], epoch: str, shards: int) -> None:
        self.pool = pool
        self._writers = writers
        self._lanes = len(writers)
        self._epoch = epoch
        self._shards = shards

    @classmethod
    async def open(cls, url: str, limits: StoreLimits | None = None) -> Self:
        """Connect. Raises `StoreUnavailable`, or `StoreNotReady` where the tables are missing."""
        limits = limits or StoreLimits()
        pool = await open_pool(url, limits.database, name="meldhouse")
        try:
            with reached():
                ready = await pool.fetchval("select to_regclass('feed') is not null")
                feed = await pool.fetchrow("select epoch, shards from feed") if ready else None
        except BaseException:
            pool.terminate()
            raise
        if feed is None:
            pool.terminate()
            raise StoreNotReady(NOT_READY)
        writers = [
            Writer(lambda: connect(url, limits.database, name="meldhouse writer"), limits.writer)
            for _ in range(limits.lanes)
        ]
        return cls(pool, writers, feed["epoch"], feed["shards"])

    @property
    def waiting(self) -> int:
        """Appends that are not answered yet, for the metrics."""
        return sum(writer.waiting for writer in self._writers)

    async def append(self, append: Append) -> Outcome:
        size = check(append)
        shard = crc32(append.stream.encode()) % self._shards
        return await self._writers[shard % self._lanes].append(append, shard, size)

    async def read(self, stream: str, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        with reached():
            rows = await self.pool.fetch(READ, stream, after, limit)
        return [_event(row) for row in rows]

    async def read_excerpt(self, stream: str, last: int | None = None) -> list[StoredEvent]:
        with reached():
            rows = await self.pool.fetch(EXCERPT, stream, VERSION_MAX if last is None else last)
        return [_event(row) for row in rows]

    async def head(self, stream: str) -> Head:
        with reached():
            row = await self.pool.fetchrow(HEAD, stream)
        return Head(0, first_prev(stream)) if row is None else Head(row["version"], row["hash"].hex())

    async def read_feed(self, cursor: str | None = None, limit: int = 500) -> FeedPage:
        place = FeedCursor(self._epoch, [0] * self._shards) if cursor is None else read_cursor(cursor)
        shards = list(range(len(place.positions)))
        with reached():
            state = await self.pool.fetchrow(FEED_STATE, shards, place.positions)
            if cursor is not None and (state["epoch"] != place.epoch or state["beyond"]):
                raise CursorOutdated("The cursor is from another life of this store.")
            rows = await self.pool.fetch(FEED, shards, place.positions, limit)
        positions = list(place.positions)
        for row in rows:
            positions[row["shard"]] = row["position"]
        return FeedPage([_event(row) for row in rows], FeedCursor(state["epoch"], positions).text())

    async def claim(self, scope: str, actor: str, key: str, digest: str, value: bytes) -> bytes:
        row = None
        # The row may go between the two, with the person who is erased; then the key is as good as new.
        while row is None:
            with reached():
                if await self.pool.fetchval(CLAIM, scope, actor, key, digest, value):
                    raise ActorErased(f"{actor} has been erased.")
                row = await self.pool.fetchrow(CLAIMED, scope, actor, key)
        if row["digest"] != digest:
            raise KeyReused(f"The key {key!r} was used for another request.")
        first: bytes = row["value"]
        return first

    async def close(self) -> None:
        await asyncio.gather(*(writer.close() for writer in self._writers))
        self.pool.terminate()


def _event(row: Any) -> StoredEvent:
    return StoredEvent(
        row["stream"],
        row["version"],
        row["type"],
        row["body"],
        row["prev_hash"].hex(),
        row["hash"].hex(),
        row["schema"],
    )
