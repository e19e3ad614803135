"""A migrated database of the test's own, and stores on it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from service.migrate import APP_ROLE, migrate
from service.store.database import DatabaseLimits
from service.store.postgres import PostgresStore, StoreLimits
from service.store.writer import WriterLimits

AS_APP = DatabaseLimits(role=APP_ROLE, connections=4, wait_seconds=15.0)
numbers = count(1)


class DatabaseUrl(str):
    """An address whose database and user can be told and changed."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return urlsplit(self).path[1:]

    def as_user(self, user: str, password: str) -> str:
        split = urlsplit(self)
        return urlunsplit(split._replace(netloc=f"{user}:{password}@{split.netloc.rpartition('@')[2]}"))


@asynccontextmanager
async def on_new_database(server: str) -> AsyncIterator[tuple[DatabaseUrl, asyncpg.Connection]]:
    """An empty database and a superuser's connection to the server."""
    admin = await asyncpg.connect(server)
    name = f"store_{next(numbers)}"
    await admin.execute(f"create database {name}")
    try:
        yield DatabaseUrl(urlunsplit(urlsplit(server)._replace(path=f"/{name}"))), admin
    finally:
        await admin.execute(f"drop database if exists {name} with (force)")
        await admin.close()


@pytest.fixture
async def empty_database(postgres_url: str) -> AsyncIterator[str]:
    async with on_new_database(postgres_url) as (url, _):
        yield url


@pytest.fixture
async def store_url(database: str) -> str:
    """The owner's address of a migrated database."""
    await migrate(database)
    return database


@pytest.fixture
async def postgres_store(store_url: str) -> AsyncIterator[PostgresStore]:
    """A store that works as the application's role, over two lanes."""
    limits = StoreLimits(lanes=2, database=AS_APP, writer=WriterLimits(batch_appends=32))
    store = await PostgresStore.open(store_url, limits)
    yield store
    await store.close()
