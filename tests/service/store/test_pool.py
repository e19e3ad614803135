"""Connections for everything but appends: how many wait for one, and for how long."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from service.store.database import DatabaseLimits, Pool, open_pool
from service.store.errors import StoreBusy

LIMITS = DatabaseLimits(connections=1, wait_seconds=0.2, waiting=2)
PATIENT = DatabaseLimits(connections=1, wait_seconds=10.0, waiting=2)


@asynccontextmanager
async def pool_of(url: str, limits: DatabaseLimits) -> AsyncIterator[Pool]:
    pool = await open_pool(url, limits, name="test")
    try:
        yield pool
    finally:
        pool.terminate()


async def test_who_waits_too_long_for_a_connection_hears_that_all_are_busy(database: str) -> None:
    async with pool_of(database, LIMITS) as pool:
        async with pool.acquire():
            begun = time.monotonic()
            with pytest.raises(StoreBusy):
                await pool.fetchval("select 1")
            assert 0.15 < time.monotonic() - begun < PATIENT.wait_seconds
        assert await pool.fetchval("select 1") == 1


async def test_no_more_wait_for_a_connection_than_may(database: str) -> None:
    async with pool_of(database, PATIENT) as pool:
        async with pool.acquire():
            waiting = [asyncio.create_task(pool.fetchval("select 1")) for _ in range(2)]
            await asyncio.sleep(0)
            begun = time.monotonic()
            with pytest.raises(StoreBusy) as caught:
                await pool.fetch("select 1")
            assert time.monotonic() - begun < PATIENT.wait_seconds / 2
            assert caught.value.limit == 2
        assert await asyncio.gather(*waiting) == [1, 1]


async def test_who_goes_away_while_waiting_leaves_the_place_to_others(database: str) -> None:
    async with pool_of(database, PATIENT) as pool:
        for _ in range(3):
            async with pool.acquire():
                waiting = [asyncio.create_task(pool.fetchval("select 1")) for _ in range(2)]
                await asyncio.sleep(0)
                for task in waiting:
                    task.cancel()
                await asyncio.gather(*waiting, return_exceptions=True)
        assert await pool.fetchrow("select 1 as one") == (1,)


async def test_a_connection_that_cannot_be_made_keeps_no_place(database: str, tmp_path: Path) -> None:
    async with pool_of(f"postgresql://nobody@/none?host={tmp_path}", LIMITS) as pool:
        for _ in range(3):
            with pytest.raises(OSError, match="No such file"):
                await pool.execute("select 1")
