"""One archive for all tests: they change it inside of transactions that are taken back, or change a copy of it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

import asyncpg
import pytest
from msgspec import Struct

from tests.conftest import on_database, run_statement
from tests.service.audit.archive import build
from tests.service.audit.tampered import Archive, unguarded

ARCHIVE = "audit_archive"
copies = count(1)


class Shared(Struct, frozen=True):
    """The archive's address, what a witness kept of it, and the directory of the keys that signed it."""

    url: str
    witness: list[bytes]
    keys: Path


@pytest.fixture(scope="session")
def shared(postgres_url: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    asyncio.run(run_statement(postgres_url, f"create database {ARCHIVE} template {migrated_template} strategy wal_log"))
    url = on_database(postgres_url, ARCHIVE)
    keys = tmp_path_factory.mktemp("keys")
    kept = asyncio.run(build(url, keys))
    yield Shared(url, kept.witness, keys)
    asyncio.run(run_statement(postgres_url, f"drop database {ARCHIVE} with (force)"))


@pytest.fixture
async def connection(shared: Shared) -> AsyncIterator[asyncpg.Connection]:
    """A superuser's connection to the archive, without any guard, in a transaction that is taken back."""
    connected = await asyncpg.connect(shared.url)
    transaction = connected.transaction()
    await transaction.start()
    await unguarded(connected)
    yield connected
    await transaction.rollback()
    await connected.close()


@pytest.fixture
async def archive(connection: asyncpg.Connection) -> Archive:
    """What is in the archive."""
    return await Archive.read(connection)


@pytest.fixture
async def copy(postgres_url: str, shared: Shared) -> AsyncIterator[str]:
    """The address of a copy of the archive."""
    name = f"audit_copy_{next(copies)}"
    await run_statement(postgres_url, f"create database {name} template {ARCHIVE} strategy wal_log")
    yield on_database(postgres_url, name)
    await run_statement(postgres_url, f"drop database {name} with (force)")


@pytest.fixture
def shared_url(shared: Shared) -> str:
    """The address of the archive as it is."""
    return shared.url
