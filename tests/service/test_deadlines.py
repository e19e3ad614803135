"""Timers as rows: claimed in order, by one worker at a time, and lost by none that dies."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import msgspec
import pytest

from service.deadlines import Deadlines, Timer
from service.games import Games
from service.offline.beacons import Chains
from service.store.append import DropDeadline, PutDeadline, Write
from service.store.postgres import PostgresStore
from service.turns import Patience
from tests.contracts.event_store import STREAM, command

LONG_AGO = datetime(2016, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
IN_A_CENTURY = LONG_AGO + timedelta(days=36500)
PATIENCE = Patience(
    bot_seconds=5.0, nonce_seconds=60.0, beacon_late_seconds=60.0, open_table_seconds=60.0, chains=Chains()
)


@pytest.fixture
async def store(database: str) -> AsyncIterator[PostgresStore]:
    opened = await PostgresStore.open(database)
    yield opened
    await opened.close()


@pytest.fixture
def deadlines(store: PostgresStore) -> Deadlines:
    """What looks for timers, without the games that it would act on."""
    nobody = cast(Any, None)
    return Deadlines(store.pool, games=nobody, bots=nobody, beacons=nobody, metrics=nobody, poll_seconds=1.0)


async def put(store: PostgresStore, *writes: Write, stream: str = STREAM) -> None:
    append = command(await store.head(stream), b"{}", stream=stream)
    await store.append(msgspec.structs.replace(append, writes=writes))


async def test_a_due_timer_is_claimed_by_one_worker_only_the_earliest_first(
    store: PostgresStore, deadlines: Deadlines, monkeypatch: pytest.MonkeyPatch
) -> None:
    due = [LONG_AGO + timedelta(seconds=number) for number in range(6)]
    for number in (3, 0, 5, 1, 4, 2):
        await put(store, PutDeadline("turn", due[number]), stream=f"g_{number}")
    await put(store, PutDeadline("turn", IN_A_CENTURY), stream="g_later")
    monkeypatch.setattr("service.deadlines.CLAIMED_MAX", 4)
    first = await deadlines._claim()
    assert sorted(first, key=lambda timer: timer.due_at) == [Timer(f"g_{n}", "turn", 1, due[n]) for n in range(4)]
    assert {timer.game for timer in await deadlines._claim()} == {"g_4", "g_5"}
    assert await deadlines._claim() == []


async def test_a_timer_of_a_worker_that_died_falls_to_another(
    store: PostgresStore, deadlines: Deadlines, monkeypatch: pytest.MonkeyPatch
) -> None:
    await put(store, PutDeadline("turn", LONG_AGO))
    monkeypatch.setattr("service.deadlines.LEASE_SECONDS", 0.0)
    assert len(await deadlines._claim()) == 1
    monkeypatch.setattr("service.deadlines.LEASE_SECONDS", 60.0)
    assert len(await deadlines._claim()) == 1
    assert await deadlines._claim() == []


async def test_a_timer_that_was_moved_meanwhile_is_another_one(store: PostgresStore, deadlines: Deadlines) -> None:
    await put(store, PutDeadline("turn", LONG_AGO))
    (claimed,) = await deadlines._claim()
    assert await deadlines._stands(claimed)
    later = LONG_AGO + timedelta(hours=1)
    await put(store, PutDeadline("turn", later))
    assert not await deadlines._stands(claimed)
    await deadlines._drop(claimed)
    assert await deadlines._claim() == [Timer(STREAM, "turn", 2, later)]
    await put(store, DropDeadline("turn"))
    assert await deadlines._claim() == []


async def test_a_timer_of_a_game_that_does_not_exist_is_dropped(store: PostgresStore) -> None:
    nobody = cast(Any, None)
    games = Games(store, store.pool, lambda _stream, _version: None, PATIENCE, games_max=10)
    looking = Deadlines(store.pool, games, bots=nobody, beacons=nobody, metrics=nobody, poll_seconds=0.02)
    await put(store, PutDeadline("turn", LONG_AGO))
    await put(store, PutDeadline("turn", IN_A_CENTURY), stream="g_later")
    looking.start()
    try:
        async with asyncio.timeout(30):
            while await store.pool.fetchval("select count(*) from deadline") > 1:
                await asyncio.sleep(0.02)
        assert looking.running
    finally:
        await looking.close()
    assert await store.pool.fetchval("select game from deadline") == "g_later"
