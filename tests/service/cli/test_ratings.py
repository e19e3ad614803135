"""`meldhouse ratings`."""

import asyncio

import asyncpg

from service.ratings.results import rate_match
from tests.service.cli.running import meldhouse, told
from tests.service.ratings.archive import match, pair


def prepared(url: str, *statements: str) -> None:
    async def work() -> None:
        connection = await asyncpg.connect(url)
        async with connection.transaction():
            await rate_match(connection, match(1, pair("a", "b"), pair("c", "d")))
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    asyncio.run(work())


def test_ratings_are_checked_and_made_anew(fresh_database: str) -> None:
    told("migrate", DATABASE_URL=fresh_database)
    assert told("ratings", "check", DATABASE_URL=fresh_database) == ""
    prepared(fresh_database)
    assert told("ratings", "check", DATABASE_URL=fresh_database) == "samba-4: 1 results, as it should be\n"
    prepared(fresh_database, "update rating set estimate = 99 where subject = 'a'")
    found = meldhouse("ratings", "check", DATABASE_URL=fresh_database)
    assert found.exit_code == 1
    assert found.stdout == "samba-4: 1 results, differs\n  result 1, a: the rating is not that of the last change\n"
    assert "samba-4" in found.stderr
    assert told("ratings", "rebuild", DATABASE_URL=fresh_database) == "samba-4: 1 results folded\n"
    assert told("ratings", "check", DATABASE_URL=fresh_database) == "samba-4: 1 results, as it should be\n"
