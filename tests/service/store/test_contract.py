"""Both event stores keep the same contract."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from service.migrate import migrate
from service.store.base import EventStore
from service.store.memory import MemoryStore
from service.store.postgres import PostgresStore
from tests.contracts.event_store import EventStoreContract


class TestMemoryStore(EventStoreContract):
    @pytest.fixture
    def store(self) -> EventStore:
        return MemoryStore()

    @pytest.fixture
    def fresh_store(self) -> EventStore:
        return MemoryStore()


class TestPostgresStore(EventStoreContract):
    @pytest.fixture
    def store(self, postgres_store: PostgresStore) -> EventStore:
        return postgres_store

    @pytest.fixture
    async def fresh_store(self, store_url: str, empty_database: str) -> AsyncIterator[EventStore]:
        """The same store after all was lost in a restore: the same epoch, but nothing in it."""
        await migrate(empty_database)
        owner = await asyncpg.connect(store_url)
        epoch = await owner.fetchval("select epoch from feed")
        await owner.close()
        owner = await asyncpg.connect(empty_database)
        await owner.execute("update feed set epoch = $1", epoch)
        await owner.close()
        store = await PostgresStore.open(empty_database)
        yield store
        await store.close()
