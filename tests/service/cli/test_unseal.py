"""`meldhouse unseal`."""

import asyncio
from datetime import UTC, datetime

import asyncpg

from service.seals import UNTIL_LIFTED
from tests.service.cli.running import refused, told

GAME = """
insert into game (
    id, share_code, visibility, status, ruleset, players, practice, created_by, created_at, version, sealed_until
) values ('g1', 'c', 'public', 'ended', 'samba-official', 2, false, 'p1', now(), 9, $1)
"""
TIMER = "insert into deadline (game, kind, version, due_at) values ('g1', 'seal', 9, $1)"
TIMES = "select sealed_until, due_at from game join deadline on game = id"


def sealed(url: str) -> None:
    async def put() -> None:
        connection = await asyncpg.connect(url)
        await connection.execute(GAME, UNTIL_LIFTED)
        await connection.execute(TIMER, UNTIL_LIFTED)
        await connection.close()

    told("migrate", DATABASE_URL=url)
    asyncio.run(put())


def times(url: str) -> tuple[datetime, datetime]:
    async def ask() -> tuple[datetime, datetime]:
        connection = await asyncpg.connect(url)
        row = await connection.fetchrow(TIMES)
        await connection.close()
        return row["sealed_until"], row["due_at"]

    return asyncio.run(ask())


def test_a_seal_is_moved_to_an_earlier_time_and_lifted_and_to_no_later_one(fresh_database: str) -> None:
    sealed(fresh_database)
    text = told("unseal", "g1", "--at", "2100-01-01T00:00:00Z", DATABASE_URL=fresh_database)
    assert text == "The seal of g1 ends at 2100-01-01T00:00:00+00:00.\n"
    assert times(fresh_database) == (datetime(2100, 1, 1, tzinfo=UTC),) * 2
    told("unseal", "g1", DATABASE_URL=fresh_database)
    lifted, due = times(fresh_database)
    assert lifted == due <= datetime.now(UTC)
    later = refused("unseal", "g1", "--at", "2100-01-01T00:00:00Z", exit_code=1, DATABASE_URL=fresh_database)
    assert "no game g1 that is sealed for longer" in later
    assert times(fresh_database) == (lifted, due)


def test_what_is_no_sealed_game_is_told(fresh_database: str) -> None:
    told("migrate", DATABASE_URL=fresh_database)
    assert "no game g2" in refused("unseal", "g2", exit_code=1, DATABASE_URL=fresh_database)
    assert "--at" in refused("unseal", "g2", "--at", "tomorrow", DATABASE_URL=fresh_database)
    assert "does not answer" in refused("unseal", "g2", exit_code=1, DATABASE_URL="postgresql://nobody@127.0.0.1:1/x")
