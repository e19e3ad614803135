"""Whether the ratings are what follows from the results: folded anew in memory and compared row by row."""

from collections.abc import Iterator
from typing import Any, Final

import asyncpg
from msgspec import Struct

from domain.ratings.shapes import Standing
from service.ratings.projection import CHUNK, COLUMNS, STEP_SECONDS, Row, catch_up, changes_of
from service.ratings.results import effective

DIFFERENCES_MAX: Final = 100
"""Most differences that are told of a pool."""

_COMPARED: Final = tuple(column for column in COLUMNS if column not in ("pool", "next"))
_POOLS: Final = "select id from rating_pool order by id"
_FOLDED: Final = "select folded from rating_pool where id = $1"
_STORED: Final = f"""
select {", ".join(_COMPARED)} from rating_change
where pool = $1 and sequence > $2 and sequence <= $3 order by sequence, subject
"""
_BEYOND: Final = "select count(*) from rating_change where pool = $1 and sequence > $2"
# The rating of a subject is that of the last change, which alone has no next one; the others name the next.
_INCOHERENT: Final = """
with last as (
    select *, lead(sequence) over (partition by subject order by sequence) as follows
    from rating_change where pool = $1
)
select coalesce(l.subject, r.subject) as subject, coalesce(l.sequence, r.sequence) as sequence
from (select * from last where follows is null) l
full join (select * from rating where pool = $1) r using (subject)
where (l.sequence, l.kind, l.players, l.estimate, l.deviation, l.value, l.results, l.company, l.at)
    is distinct from (r.sequence, r.kind, r.players, r.estimate, r.deviation, r.value, r.results, r.company, r.at)
    or l.volatility is distinct from r.volatility
union all
select subject, sequence from last where next is distinct from follows
order by 2, 1 limit $2
"""


class Checked(Struct, frozen=True):
    """A pool as it was found: how many results it has, and what is not as it follows from them."""

    pool: str
    results: int
    differences: tuple[str, ...]


async def pools(connection: asyncpg.Connection) -> list[str]:
    """The pools that have results, or had some."""
    return [row["id"] for row in await connection.fetch(_POOLS)]


async def rebuild(connection: asyncpg.Connection, pool: str) -> int:
    """Make the ratings of a pool anew from its results; how many there are."""
    async with connection.transaction():
        return await catch_up(connection, pool, wait=True, anew=True)


async def check(connection: asyncpg.Connection, pool: str) -> Checked:
    """Compare the ratings of a pool with what follows from its results; what is waiting is folded first."""
    async with connection.transaction():
        await catch_up(connection, pool, wait=True)
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        await connection.execute(f"set local statement_timeout = '{STEP_SECONDS:.0f}s'")
        folded = await connection.fetchval(_FOLDED, pool)
        differences: list[str] = []
        standings: dict[str, Standing] = {}
        for after in range(0, folded, CHUNK):
            last = min(after + CHUNK, folded)
            counted = [each for each in await effective(connection, pool, after, last) if each.rated]
            stored = await connection.fetch(_STORED, pool, after, last)
            differences += _differences(changes_of(counted, standings), stored)
            if len(differences) >= DIFFERENCES_MAX:
                break
        beyond = await connection.fetchval(_BEYOND, pool, folded, timeout=STEP_SECONDS)
        if beyond:
            differences.append(f"{beyond} changes are of results that are not there")
        for row in await connection.fetch(_INCOHERENT, pool, DIFFERENCES_MAX, timeout=STEP_SECONDS):
            differences.append(f"result {row['sequence']}, {row['subject']}: the rating is not that of the last change")
    return Checked(pool, folded, tuple(differences[:DIFFERENCES_MAX]))


def _differences(rows: list[Row], stored: list[Any]) -> Iterator[str]:
    due = {(row.counted.sequence, row.change.subject): _compared(row) for row in rows}
    found = {(row["sequence"], row["subject"]): tuple(row) for row in stored}
    for sequence, subject in sorted(due.keys() | found.keys()):
        one, other = due.get((sequence, subject)), found.get((sequence, subject))
        if one != other:
            yield f"result {sequence}, {subject}: {_difference(one, other)}"


def _difference(due: tuple[Any, ...] | None, found: tuple[Any, ...] | None) -> str:
    if due is None or found is None:
        return "no change follows from it" if due is None else "its change is missing"
    return ", ".join(name for name, one, other in zip(_COMPARED, due, found, strict=True) if one != other)


def _compared(row: Row) -> tuple[Any, ...]:
    values = dict(zip(COLUMNS, row.values("", None), strict=True))
    return tuple(values[column] for column in _COMPARED)
