"""Lists of games: how much the database looks at for a page."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import asyncpg
import pytest

from service.listing import Wanted, asked

GAMES = 20_000
ROWS = 21
_FILL = """
insert into game (id, share_code, visibility, status, ruleset, players, practice, created_by, created_at, version)
select 'g' || n, 'c' || n,
    case when n % 5 = 0 then 'public' else 'unlisted' end,
    case when n % 3 = 0 then 'ended' else 'playing' end,
    case when n % 2 = 0 then 'bolivia' else 'samba-hoyle' end,
    4, n % 2000 = 0, 'p' || n % 1000, timestamptz '2026-01-01Z' + n * interval '1 minute', 1
from generate_series(1, $1::integer) n
"""
_SEAT = "insert into seat (game, seat, kind, player) select id, 1, 'human', 'ada' from game where id like 'g777%'"


def looked_at(plan: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """What every node of a plan reads, and how many rows it has looked at, those it dropped among them."""
    dropped = plan.get("Rows Removed by Filter", 0)
    yield plan.get("Relation Name", plan["Node Type"]), (plan["Actual Rows"] + dropped) * plan["Actual Loops"]
    for part in plan.get("Plans", ()):
        yield from looked_at(part)


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(),
        Wanted(status="playing"),
        Wanted(ruleset="bolivia"),
        Wanted(practice=True),
        Wanted(practice=False),
        Wanted(player="p7"),
        Wanted(player="ada"),
        Wanted(player="ada", status="ended"),
    ],
)
async def test_a_page_costs_no_walk_through_all_games(database: str, wanted: Wanted) -> None:
    connection = await asyncpg.connect(database)
    try:
        await connection.execute(_FILL.replace("$1", str(GAMES)))
        await connection.execute(_SEAT)
        await connection.execute("analyze game, seat")
        query, *arguments = asked(wanted).statement((datetime(2026, 6, 1, tzinfo=UTC), "g0"), ROWS)
        plan = await connection.fetchval(f"explain (analyze, format json) {query}", *arguments)
    finally:
        await connection.close()
    found = list(looked_at(json.loads(plan)[0]["Plan"]))
    assert found[0][1] > 0
    # A player's own games are sorted whole; nobody has many.
    assert max(rows for _, rows in found) <= 1200, found
