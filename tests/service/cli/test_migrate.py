"""`meldhouse migrate`."""

import asyncio

import asyncpg
import pytest

from service.migrate import MIGRATIONS
from tests.service.cli.running import meldhouse, refused, told


def epoch(url: str) -> str:
    async def ask() -> str:
        connection = await asyncpg.connect(url)
        try:
            found: str = await connection.fetchval("select epoch from feed")
            return found
        finally:
            await connection.close()

    return asyncio.run(ask())


def test_what_was_applied_is_told_and_the_second_time_nothing_is(fresh_database: str) -> None:
    names = sorted(path.stem for path in MIGRATIONS.glob("*.sql"))
    assert told("migrate", DATABASE_URL=fresh_database).splitlines() == [f"applied {name}" for name in names]
    assert told("migrate", DATABASE_URL=fresh_database) == "The database is up to date.\n"


def test_a_new_epoch_begins_only_when_asked_for(fresh_database: str) -> None:
    told("migrate", DATABASE_URL=fresh_database)
    before = epoch(fresh_database)
    told("migrate", DATABASE_URL=fresh_database)
    assert epoch(fresh_database) == before
    text = told("migrate", "--new-epoch", DATABASE_URL=fresh_database)
    assert epoch(fresh_database) != before
    assert text.splitlines()[-1] == f"The feed begins a new epoch: {epoch(fresh_database)}"


def test_a_database_that_does_not_answer_is_told_in_one_line() -> None:
    assert "cannot be reached" in refused("migrate", exit_code=1, DATABASE_URL="postgresql://nobody@127.0.0.1:1/x")


@pytest.mark.parametrize("command", ["serve", "migrate"])
def test_a_name_that_looks_misspelt_is_warned_of(command: str) -> None:
    result = meldhouse(
        command, MELDHOUSE_PROT="9000", MELDHOUSE_PORT="many", MELDHOUSE_TOKEN="t", MELDHOUSE_SERVICE_HOST="x"
    )
    warning, fault = result.stderr.splitlines()
    assert warning == "Warning: MELDHOUSE_PROT is no setting; MELDHOUSE_PORT is one."
    assert "must be a whole number" in fault
