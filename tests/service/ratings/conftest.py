"""A store on a database of the test's own, with people, games and results that need no playing."""

from collections.abc import AsyncIterator

import pytest

from service.store.postgres import PostgresStore
from tests.service.ratings.archive import AS_APP, Archive


@pytest.fixture
async def archive(database: str) -> AsyncIterator[Archive]:
    store = await PostgresStore.open(database, AS_APP)
    yield Archive(database, store)
    await store.close()
