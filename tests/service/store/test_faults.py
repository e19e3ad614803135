"""Processes of the database killed under load: nothing acknowledged is lost, nothing is doubled."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable

import asyncpg
import pytest

from domain.chain import first_prev
from service.embedded import EmbeddedServers, ephemeral
from service.migrate import APP_ROLE, migrate
from service.store.base import Appended, Head, Replayed
from service.store.database import DatabaseLimits
from service.store.errors import StoreUnavailable
from service.store.postgres import PostgresStore, StoreLimits
from service.store.writer import WriterLimits
from tests.contracts.event_store import assert_chained, command, whole_feed

PLAYERS = 24
SECONDS_MAX = 60.0


class Load:
    """Players that append one event after the other, each again with the same key until it is acknowledged."""

    def __init__(self, store: PostgresStore) -> None:
        self.store = store
        self.acknowledged = [0] * PLAYERS
        self.over = False

    async def run(self, trouble: Callable[[], Awaitable[None]]) -> None:
        players = [asyncio.create_task(self._play(number)) for number in range(PLAYERS)]
        try:
            await trouble()
            # Where there was time for little between two faults, the load goes on until it is one.
            async with asyncio.timeout(SECONDS_MAX):
                while sum(self.acknowledged) <= PLAYERS:
                    await asyncio.sleep(0.02)
        finally:
            self.over = True
        await asyncio.gather(*players)

    async def _play(self, number: int) -> None:
        stream = f"g_{number}"
        head = Head(0, first_prev(stream))
        while not self.over:
            append = command(head, b"%d" % head.version, stream=stream, key=f"k{head.version}")
            try:
                outcome = await self.store.append(append)
            except StoreUnavailable:
                await asyncio.sleep(0.02)
                continue
            assert outcome in (
                Appended(head.version + 1, head.version + 1),
                Replayed(head.version + 1, head.version + 1, None),
            )
            head = Head(head.version + 1, append.events[-1].hash)
            self.acknowledged[number] = head.version

    async def check(self) -> None:
        """Every acknowledged event is there once; of what was not acknowledged at most one is, at the end."""
        events = await whole_feed(self.store)
        for number, acknowledged in enumerate(self.acknowledged):
            stream = f"g_{number}"
            stored = await self.store.read(stream, limit=100_000)
            assert_chained(stream, stored)
            assert [event.body for event in stored] == [b"%d" % version for version in range(len(stored))]
            assert acknowledged <= len(stored) <= acknowledged + 1
            assert [event for event in events if event.stream == stream] == stored
        assert sum(self.acknowledged) > PLAYERS


async def test_backends_killed_under_load_lose_and_double_nothing(
    store_url: str, postgres_store: PostgresStore
) -> None:
    owner = await asyncpg.connect(store_url)

    async def kill() -> None:
        for _ in range(40):
            await asyncio.sleep(0.03)
            await owner.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
            )

    load = Load(postgres_store)
    await load.run(kill)
    await load.check()
    await owner.close()


@pytest.mark.parametrize("durable", [True, False], ids=["durable", "asynchronous"])
async def test_a_server_killed_under_load_loses_and_doubles_nothing(durable: bool) -> None:
    """A server set to commit asynchronously too: an append is not acknowledged before its commit is on its way."""
    with ephemeral(durable=durable) as servers:
        await migrate(servers.database_url)
        limits = StoreLimits(database=DatabaseLimits(role=APP_ROLE), writer=WriterLimits(patience_seconds=0.5))
        store = await PostgresStore.open(servers.database_url, limits)
        tending = asyncio.create_task(servers.tend())
        load = Load(store)
        await load.run(lambda: kill_server(servers, 3))
        await load.check()
        tending.cancel()
        await store.close()


async def until_back(servers: EmbeddedServers) -> None:
    """Wait until the server takes connections again."""
    async with asyncio.timeout(SECONDS_MAX):
        while True:
            await asyncio.sleep(0.05)
            try:
                connection = await asyncpg.connect(servers.database_url)
            except (OSError, asyncpg.PostgresError):
                continue
            await connection.close()
            return


async def kill_server(servers: EmbeddedServers, times: int) -> None:
    """Kill -9, wait until the server is back, and give it some load before the next time."""
    for _ in range(times):
        await asyncio.sleep(0.3)
        assert servers._postgres is not None
        assert servers._postgres.child is not None
        os.kill(servers._postgres.child.pid, signal.SIGKILL)
        await until_back(servers)
    await asyncio.sleep(0.5)
