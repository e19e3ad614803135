"""The database as an audit reads it: connections that cannot write, and the cut at which everything is looked at."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

import asyncpg
from msgspec import Struct

from service.audit.findings import Finding, FindingCode

READER: Final = "pg_read_all_data"
"""The role of Postgres that may read everything and write nothing; taken on where the login may."""

CONNECT_SECONDS: Final = 10.0
QUERY_SECONDS: Final = 600.0
"""Longest wait for one page: a page is read in far less, unless the disk is at its end."""

SETTINGS: Final = {
    "application_name": "meldhouse audit",
    "default_transaction_read_only": "on",
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
}

HAS_COLUMN: Final = """
select exists (select from pg_attribute where attrelid = to_regclass($1) and attname = $2 and not attisdropped)
"""

# Shards that only events know are found by skipping through the index from one to the next.
HEADS: Final = """
with recursive used (shard) as (
    (select shard from event order by shard limit 1)
    union all
    select (select e.shard from event e where e.shard > used.shard order by e.shard limit 1)
    from used where used.shard is not null
)
select shard, s.head, coalesce((select max(position) from event e where e.shard = n.shard), 0) as last
from (
    select shard from used where shard is not null
    union select shard from shard
    union select generate_series(0, (select shards from feed) - 1)::smallint
) n
left join shard s using (shard)
order by shard
"""


class AuditImpossible(Exception):
    """The audit cannot be carried out; the message says why and what to do."""


class ShardHead(Struct, frozen=True):
    """A shard at the cut: its counter (None where it has none), and the last position that an event has."""

    shard: int
    head: int | None
    last: int


class Cut(Struct, frozen=True):
    """What is looked at: everything up to these heads, which were read in one snapshot; what is newer is left alone.

    feed_epoch, database   which archive it is
    checkpoint             the number of the last checkpoint; None where the database has no table of them
    schemas, seals, boards  whether events have a schema of their own, games a seal, and tournaments boards
    """

    at: str
    database: str
    postgres: str
    feed_epoch: str
    shards: int
    heads: tuple[ShardHead, ...]
    checkpoint: int | None
    schemas: bool
    seals: bool
    boards: bool = False

    @property
    def events(self) -> int:
        """How many events there are up to the cut, if there are no gaps."""
        return sum(head.last for head in self.heads)

    def last(self, shard: int) -> int:
        """The last position of a shard."""
        return next((head.last for head in self.heads if head.shard == shard), 0)

    @property
    def lasts(self) -> list[int | None]:
        """The last position by shard, None for a shard without one."""
        known = {head.shard: head.last for head in self.heads}
        return [known.get(shard) for shard in range(max(known, default=-1) + 1)]


async def connect(url: str) -> asyncpg.Connection:
    """A connection that cannot write. Raises what the driver raises."""
    connection = await asyncpg.connect(
        url, timeout=CONNECT_SECONDS, command_timeout=QUERY_SECONDS, server_settings=SETTINGS
    )
    needed = "set" if connection.get_server_version().major >= 16 else "member"
    if await connection.fetchval("select pg_has_role(current_user, $1::name, $2)", READER, needed):
        await connection.execute(f"set role {READER}")
    return connection


async def read_cut(connection: asyncpg.Connection) -> Cut:
    """The cut as the database stands now. Raises `AuditImpossible` where it is none of ours."""
    if not await connection.fetchval("select to_regclass('feed') is not null and to_regclass('event') is not null"):
        raise AuditImpossible("The database holds no archive: its tables are missing.")
    feed = await connection.fetchrow("select epoch, shards from feed")
    if feed is None:
        raise AuditImpossible("The database was never set up: it has no feed.")
    sealed = await connection.fetchval("select to_regclass('checkpoint') is not null")
    return Cut(
        at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        database=await connection.fetchval("select current_database()"),
        postgres=await connection.fetchval("show server_version"),
        feed_epoch=feed["epoch"],
        shards=feed["shards"],
        heads=tuple([ShardHead(*row) for row in await connection.fetch(HEADS)]),
        checkpoint=await connection.fetchval("select coalesce(max(number), 0) from checkpoint") if sealed else None,
        schemas=await connection.fetchval(HAS_COLUMN, "event", "schema"),
        seals=await connection.fetchval(HAS_COLUMN, "game", "sealed_until"),
        boards=await connection.fetchval(HAS_COLUMN, "board_set", "opened_at"),
    )


def check_cut(cut: Cut) -> Iterator[Finding]:
    """What the counters of the shards say against the events."""
    for head in cut.heads:
        if head.head is None or not 0 <= head.shard < cut.shards:
            counter = "no counter" if head.head is None else f"a counter at {head.head}"
            message = (
                f"The feed has the shards 0 to {cut.shards - 1}; this one has {counter}, its last event at {head.last}."
            )
            yield Finding(FindingCode.SHARD_UNKNOWN, message, shard=head.shard, position=head.last)
        elif head.head > head.last:
            message = f"The counter is at {head.head}, and the last event is at {head.last}: the end is missing."
            yield Finding(FindingCode.HEAD_AHEAD, message, shard=head.shard, position=head.last + 1)
        elif head.head < head.last:
            message = f"The counter is at {head.head}, and the last event is at {head.last}."
            yield Finding(FindingCode.HEAD_BEHIND, message, shard=head.shard, position=head.head + 1)


WITHIN: Final = "(position <= (${0}::bigint[])[shard + 1]) is not false"
"""The condition that an event is not newer than the cut. One of a shard without a head is never newer."""
