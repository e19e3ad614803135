"""Real servers for every test that asks for them: one Postgres and one Valkey for the whole run."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import count
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import hypothesis
import pytest

from service.embedded import EmbeddedServers, ephemeral
from service.migrate import migrate
from tests import browser

TEMPLATE = "template_meldhouse"
database_numbers = count(1)

# How long an example takes, or is thought out, says something of the machine and nothing of the code.
hypothesis.settings.register_profile(
    "any machine", hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
)
hypothesis.settings.load_profile("any machine")


def pytest_report_header() -> list[str]:
    return browser.header()


def on_database(url: str, name: str) -> str:
    """The same server and user, another database."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


async def run_statement(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@pytest.fixture(scope="session")
def embedded_servers() -> Iterator[EmbeddedServers]:
    with ephemeral() as servers:
        yield servers


@pytest.fixture(scope="session")
def postgres_url(embedded_servers: EmbeddedServers) -> str:
    """The superuser's address of a Postgres that does not flush to the disk."""
    return embedded_servers.database_url


@pytest.fixture(scope="session")
def redis_url(embedded_servers: EmbeddedServers) -> str:
    assert embedded_servers.redis_url is not None, embedded_servers.notes
    return embedded_servers.redis_url


@pytest.fixture(scope="session")
def migrated_template(postgres_url: str) -> str:
    """The name of a database with every migration applied, to be copied."""
    asyncio.run(run_statement(postgres_url, f"CREATE DATABASE {TEMPLATE}"))
    asyncio.run(migrate(on_database(postgres_url, TEMPLATE)))
    return TEMPLATE


@pytest.fixture
async def database(postgres_url: str, migrated_template: str) -> AsyncIterator[str]:
    """The superuser's address of a database of the test's own, with every migration applied."""
    name = f"test_{next(database_numbers)}"
    await run_statement(postgres_url, f"CREATE DATABASE {name} TEMPLATE {migrated_template} STRATEGY wal_log")
    yield on_database(postgres_url, name)
    await run_statement(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")
