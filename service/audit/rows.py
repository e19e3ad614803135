"""The rows of events as the audit reads them: a whole game in one row where all may be well, else one by one."""

import sys
from array import array
from collections.abc import AsyncIterator
from typing import Final

import asyncpg
from msgspec import Struct

from domain.records.lines import LINE_BYTES_MAX
from service.audit.source import WITHIN, Cut

UNREADABLE: Final = (
    asyncpg.InternalServerError, asyncpg.DataError, asyncpg.ProgramLimitExceededError, asyncpg.OutOfMemoryError,
    UnicodeDecodeError,
)  # fmt: skip
"""What is raised over rows that Postgres cannot read, that are too large together, or whose text is none."""

EVENTS_TOGETHER: Final = 8192
"""The most events of one game that are read at a time."""

ROWS_TOGETHER: Final = 64
"""Rows that are read at a time where something is wrong: none is larger than a line may be."""

NAME_BYTES_MAX: Final = 100

_SCHEMA: Final = "schema"
_NO_SCHEMA: Final = "1::smallint"

# What is too large is left out: then the counts differ, and the rows are read one by one.
_TOGETHER: Final = f"""
select stream, count(*) as events, min(version) as low, max(version) as high,
    string_agg(case when octet_length(body) < {LINE_BYTES_MAX} then body end, e'\\n'::bytea order by version) as bodies,
    string_agg(case when octet_length(hash) = 32 then hash end, ''::bytea order by version) as hashes,
    string_agg(case when octet_length(prev_hash) = 32 then prev_hash end, ''::bytea order by version) as prevs,
    string_agg(case when octet_length(type) <= {NAME_BYTES_MAX} then type end, e'\\n' order by version) as types,
    string_agg(int8send(position), ''::bytea order by version) as positions,
    string_agg(int4send(coalesce(command_last, 0)), ''::bytea order by version) as lasts,
    min(coalesce(shard, -1)) as shard_low, max(shard) as shard_high,
    min({{schema}}) as schema_low, max({{schema}}) as schema_high
from {{source}}
group by stream order by stream
"""

_GAMES: Final = f"event where {{span}} and {WITHIN.format(1)}"

_PART: Final = f"""(
    select * from event where stream = $2 and version > $3 and {WITHIN.format(1)} order by version limit $4
) part"""

_SINGLY: Final = f"""
select version, coalesce(shard, -1) as shard, coalesce(position, 0) as position,
    coalesce(substr(textsend(type), 1, {NAME_BYTES_MAX}), '') as type,
    coalesce(substr(body, 1, $5), '') as body, coalesce(octet_length(body), 0) as size,
    coalesce(substr(prev_hash, 1, 33), '') as prev_hash, coalesce(substr(hash, 1, 33), '') as hash,
    coalesce(command_last, 0) as last, coalesce({{schema}}, 0) as schema, ctid::text as place
from event where stream = $2 and (version, ctid) > ($3, $4::text::tid) and {WITHIN.format(1)}
order by version, ctid limit {ROWS_TOGETHER}
"""


class Rows(Struct, frozen=True):
    """Events of a game that were read in one row; numbers are by event, in the order of the versions."""

    game: str
    events: int
    low: int
    high: int
    bodies: bytes
    hashes: bytes
    prevs: bytes
    types: str
    positions: list[int]
    lasts: list[int]
    shards: tuple[int, int]
    schemas: tuple[int, int]


class Row(Struct, frozen=True):
    """An event as it is stored; `body` without what is beyond the longest line, `size` whole. `last` is the version of
    the last event of the command that the event begins, else 0."""

    version: int
    shard: int
    position: int
    type: str
    body: bytes
    size: int
    prev_hash: bytes
    hash: bytes
    last: int
    schema: int


class Span(Struct, frozen=True):
    """Games by their ids in byte order: from `low` on and below `high`, None for all to the end."""

    low: str
    high: str | None

    def condition(self, column: str, first: int) -> str:
        """The span as a condition; its parameters are those from number `first` on."""
        upper = "" if self.high is None else f" and {column} < ${first + 1}"
        return f"{column} >= ${first}{upper}"

    def parameters(self) -> tuple[str, ...]:
        """The parameters of the condition."""
        return (self.low,) if self.high is None else (self.low, self.high)


def span_of(game: str) -> Span:
    """The span of one game."""
    return Span(game, game + "\x01")


async def read_games(connection: asyncpg.Connection, cut: Cut, span: Span) -> list[Rows]:
    """Every game of a span, whole. Raises what the driver raises."""
    query = _TOGETHER.format(source=_GAMES.format(span=span.condition("stream", 2)), schema=_schema(cut))
    return [_rows(row) for row in await connection.fetch(query, cut.lasts, *span.parameters())]


async def read_part(connection: asyncpg.Connection, cut: Cut, game: str, after: int) -> Rows | None:
    """The next `EVENTS_TOGETHER` events of a game after a version; None where there are none."""
    query = _TOGETHER.format(source=_PART, schema=_schema(cut))
    row = await connection.fetchrow(query, cut.lasts, game, after, EVENTS_TOGETHER)
    return None if row is None else _rows(row)


async def read_singly(
    connection: asyncpg.Connection, cut: Cut, game: str, after: int, longest: int
) -> AsyncIterator[Row]:
    """The events of a game after a version, one by one, doubled versions too; within a transaction.

    Of a body as many bytes are read as the `longest` may have.
    """
    query = _SINGLY.format(schema=_schema(cut))
    place = "(4294967295,65535)"
    while True:
        # An error over one row does not put an end to the transaction around it.
        async with connection.transaction():
            rows = await connection.fetch(query, cut.lasts, game, after, place, longest)
        for row in rows:
            version, shard, position, kind, body, size, prev_hash, hash_, last, schema, _ = row
            kind = kind.decode(errors="replace")
            yield Row(version, shard, position, kind, body, size, prev_hash, hash_, last, schema)
        if len(rows) < ROWS_TOGETHER:
            return
        after, place = rows[-1]["version"], rows[-1]["place"]


def _schema(cut: Cut) -> str:
    return _SCHEMA if cut.schemas else _NO_SCHEMA


def _rows(row: asyncpg.Record) -> Rows:
    return Rows(
        game=row["stream"],
        events=row["events"],
        low=row["low"],
        high=row["high"],
        bodies=row["bodies"] or b"",
        hashes=row["hashes"] or b"",
        prevs=row["prevs"] or b"",
        types=row["types"] or "",
        positions=_numbers("q", row["positions"] or b""),
        lasts=_numbers("i", row["lasts"] or b""),
        shards=(row["shard_low"], row["shard_high"]),
        schemas=(row["schema_low"], row["schema_high"]),
    )


def _numbers(code: str, raw: bytes) -> list[int]:
    """Integers in the byte order of the network."""
    numbers = array(code, raw)
    if sys.byteorder == "little":
        numbers.byteswap()
    return numbers.tolist()
