"""The ratings as they follow from the results: folded on as results come, and again from where one was superseded.

A step is one transaction, so nobody ever sees a pool half folded. One worker folds a pool at a time; who adds results
does not wait for it.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import asyncpg
from msgspec import Struct

from domain.ratings.folding import fold, subjects_of
from domain.ratings.models import value_of
from domain.ratings.shapes import Change, Rating, Standing
from service.ratings.results import Counted, effective

LOCK_SPACE: Final = 0x6D656C64
"""First half of the advisory lock of a pool's fold, the letters "meld"; the second half is of the pool's name."""

CHUNK: Final = 500
"""Results that are folded at a time."""

STEP_SECONDS: Final = 300.0
"""Longest that one statement of a step may take: a superseded result may lie far back in a large pool."""

_POOLS: Final = """
select id from rating_pool
where stale_from is not null or folded < head
order by id
"""
_TAKE_TURN: Final = "select pg_try_advisory_xact_lock($1, hashtext($2))"
_WAIT_TURN: Final = "select pg_advisory_xact_lock($1, hashtext($2))"
_STATE: Final = "select head, folded, stale_from, superseded from rating_pool where id = $1"
_STANDINGS: Final = """
select subject, estimate, deviation, volatility, results, company, sequence from rating
where pool = $1 and subject = any($2)
"""
_FORGET_CHANGES: Final = "delete from rating_change where pool = $1 and sequence > $2"
_FORGET_RATINGS: Final = "delete from rating where pool = $1 and sequence > $2 returning subject"
_LAST_AGAIN: Final = """
update rating_change set next = null
where pool = $1 and kind = any('{person,partnership}') and next > $2
"""
_RATINGS_AGAIN: Final = """
insert into rating (
    pool, subject, kind, players, estimate, deviation, volatility, value, results, company, sequence, at
)
select pool, subject, kind, players, estimate, deviation, volatility, value, results, company, sequence, at
from unnest($2::text[]) s (name) cross join lateral (
    select * from rating_change where pool = $1 and subject = s.name order by sequence desc limit 1
) c
on conflict (pool, subject) do update
set estimate = excluded.estimate, deviation = excluded.deviation, volatility = excluded.volatility,
    value = excluded.value, results = excluded.results, company = excluded.company, sequence = excluded.sequence,
    at = excluded.at
"""
_OUTDATE: Final = """
update rating_change c set next = n.next
from unnest($2::text[], $3::bigint[], $4::bigint[]) n (subject, sequence, next)
where c.pool = $1 and c.subject = n.subject and c.sequence = n.sequence
"""
# Who superseded a result meanwhile has counted on: then it stays stale, and is folded again.
_DONE: Final = """
update rating_pool
set folded = $2, stale_from = case when superseded = $3 then null else stale_from end
where id = $1
"""
COLUMNS: Final = (
    "pool", "sequence", "subject", "kind", "players", "key", "public", "model", "rank", "of_sides",
    "estimate_before", "deviation_before", "volatility_before", "estimate", "deviation", "volatility", "value",
    "results", "company", "next", "at",
)  # fmt: skip


class Row(Struct, frozen=True):
    """A change as a row of `rating_change`, but for `next`, which later results set."""

    counted: Counted
    change: Change

    def values(self, pool: str, following: int | None) -> tuple[Any, ...]:
        """The row in the order of `COLUMNS`."""
        counted, change = self.counted, self.change
        before, after = change.before, change.after
        return (
            pool, counted.sequence, change.subject, change.kind, list(change.players), counted.key, counted.public,
            counted.result.model, change.rank, len(counted.result.sides),
            before.estimate, before.deviation, before.volatility,
            after.rating.estimate, after.rating.deviation, after.rating.volatility,
            value_of(after.rating), after.results, after.company, following, counted.at,
        )  # fmt: skip


async def waiting_pools(connection: asyncpg.Connection) -> list[str]:
    """The pools with something to be folded."""
    return [row["id"] for row in await connection.fetch(_POOLS)]


async def catch_up(connection: asyncpg.Connection, pool: str, *, wait: bool = False, anew: bool = False) -> int:
    """Fold what is to be folded of a pool, in the caller's transaction: how many results.

    Nothing where another worker is at it, unless told to `wait`. `anew` folds everything from the start.
    """
    turn = await connection.fetchval(_WAIT_TURN if wait else _TAKE_TURN, LOCK_SPACE, pool)
    state = await connection.fetchrow(_STATE, pool)
    if turn is False or state is None:
        return 0
    begun = folded = 0 if anew else state["folded"]
    if anew:
        await _rewind(connection, pool, 0)
    elif state["stale_from"] is not None and state["stale_from"] <= folded:
        begun = folded = state["stale_from"] - 1
        await _rewind(connection, pool, folded)
    while folded < state["head"]:
        last = min(folded + CHUNK, state["head"])
        await _fold_chunk(connection, pool, folded, last)
        folded = last
    await connection.execute(_DONE, pool, folded, state["superseded"])
    return folded - begun


async def _rewind(connection: asyncpg.Connection, pool: str, last: int) -> None:
    """Back to the ratings as they were after the result `last`."""
    await connection.execute(f"set local statement_timeout = '{STEP_SECONDS:.0f}s'")
    await connection.execute(_FORGET_CHANGES, pool, last, timeout=STEP_SECONDS)
    forgotten = await connection.fetch(_FORGET_RATINGS, pool, last, timeout=STEP_SECONDS)
    await connection.execute(_LAST_AGAIN, pool, last, timeout=STEP_SECONDS)
    await connection.execute(_RATINGS_AGAIN, pool, [row["subject"] for row in forgotten], timeout=STEP_SECONDS)


async def _fold_chunk(connection: asyncpg.Connection, pool: str, after: int, last: int) -> None:
    counted = [each for each in await effective(connection, pool, after, last) if each.rated]
    subjects = sorted({subject for each in counted for subject in subjects_of(each.result)})
    known = await connection.fetch(_STANDINGS, pool, subjects)
    standings = {row["subject"]: standing_of(row) for row in known}
    # Beside the loop, so that requests are served meanwhile.
    rows = await asyncio.to_thread(changes_of, counted, standings)
    following, outdated = _chained(rows, {row["subject"]: row["sequence"] for row in known})
    records = [row.values(pool, next_one) for row, next_one in zip(rows, following, strict=True)]
    await connection.copy_records_to_table("rating_change", records=records, columns=COLUMNS)
    await connection.execute(_OUTDATE, pool, *([each[column] for each in outdated] for column in range(3)))
    await connection.execute(_RATINGS_AGAIN, pool, subjects)


def changes_of(counted: Sequence[Counted], standings: dict[str, Standing]) -> list[Row]:
    """The changes by results, in order; the standings are brought up to date."""
    folded = fold([each.result for each in counted], standings)
    return [Row(each, change) for each, changes in zip(counted, folded, strict=True) for change in changes]


def standing_of(row: Any) -> Standing:
    """A standing from the columns of `rating` or `rating_change`."""
    return Standing(Rating(row["estimate"], row["deviation"], row["volatility"]), row["results"], row["company"])


def _chained(rows: Sequence[Row], last: dict[str, int]) -> tuple[list[int | None], list[tuple[str, int, int]]]:
    """By row the number of the subject's next result among these; and the results of before, given by subject in
    `last`, that are followed by one of these, as subject, number and next number."""
    following: list[int | None] = [None] * len(rows)
    outdated: list[tuple[str, int, int]] = []
    places: dict[str, int] = {}
    for place, row in enumerate(rows):
        subject, sequence = row.change.subject, row.counted.sequence
        if subject in places:
            following[places[subject]] = sequence
        elif subject in last:
            outdated.append((subject, last[subject], sequence))
        places[subject] = place
    return following, outdated
