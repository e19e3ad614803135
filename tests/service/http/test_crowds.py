"""One table that is slow, and many who ask for it: the others are answered."""

import asyncio
import time
from collections import Counter

import asyncpg
import httpx
import pytest
from msgspec.structs import replace

from service.settings import Settings
from tests.service.http.conftest import running
from tests.service.http.patience import eventually
from tests.service.http.tables import guest, problem

CROWD = 40


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, database_wait_seconds=1.0)


async def test_a_crowd_before_one_slow_table_starves_nobody_for_long(client: httpx.AsyncClient, database: str) -> None:
    headers = await guest(client)
    connection = await asyncpg.connect(database)
    try:
        async with connection.transaction():
            await connection.execute("lock table game in access exclusive mode")
            crowd = [asyncio.create_task(client.get("/v1/games")) for _ in range(CROWD)]
            await asyncio.sleep(0.2)
            begun = time.monotonic()
            # A token that was not seen before is looked up.
            other = await client.get("/v1/me", headers={"Authorization": "Bearer " + "x" * 43})
            waited = time.monotonic() - begun
            answers = await asyncio.gather(*crowd)
            took = time.monotonic() - begun
    finally:
        await connection.close()
    assert problem(other, "busy")["status"] == 503
    assert other.headers["retry-after"] == "1"
    # Those at the table wait for its lock, two seconds; one after the other they would take five times as long.
    assert waited < 8
    assert took < 8
    told = Counter(answer.json()["code"] for answer in answers)
    assert told["busy"] > told["store_unavailable"] > 0, told
    assert (await client.get("/v1/me", headers=headers)).status_code == 200
    assert (await client.get("/v1/games")).status_code == 200


async def test_how_many_wait_and_how_long_is_the_operators_to_set(settings: Settings, database: str) -> None:
    impatient = replace(
        settings,
        database_connections_max=4,
        database_waiting_max=1,
        database_wait_seconds=1.0,
        deadline_poll_seconds=60.0,
        checkpoint_seconds=60.0,
        erasure_poll_seconds=60.0,
        rating_poll_seconds=60.0,
        tournament_feed_seconds=60.0,
    )
    connection = await asyncpg.connect(database)
    try:
        async with running(impatient) as (_, client), connection.transaction():
            # What the worker itself looks for at its start is found by then.
            await asyncio.sleep(0.5)
            await eventually(lambda: is_served(client))
            await connection.execute("lock table game in access exclusive mode")
            begun = time.monotonic()
            crowd = [asyncio.create_task(client.get("/v1/games")) for _ in range(6)]
            done, crowding = await asyncio.wait(crowd, return_when=asyncio.FIRST_COMPLETED)
            assert time.monotonic() - begun < 0.9
            assert [problem(task.result(), "busy")["status"] for task in done] == [503]
            done, _ = await asyncio.wait(crowding, return_when=asyncio.FIRST_COMPLETED)
            # Those with a connection wait for the lock for two seconds, and have no answer before.
            assert 0.9 < time.monotonic() - begun < 2
            assert [problem(task.result(), "busy")["status"] for task in done] == [503]
            await asyncio.gather(*crowd)
    finally:
        await connection.close()


async def is_served(client: httpx.AsyncClient) -> bool:
    """Whether a list is answered."""
    return (await client.get("/v1/games")).status_code == 200
