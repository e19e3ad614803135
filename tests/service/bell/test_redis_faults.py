"""Redis killed, paused, restarted, and bells lost, doubled or made up: only time is lost."""

import asyncio
import signal
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis

from service.bell.base import Listener
from service.bell.redis import BellLimits, RedisBell
from tests.service.bell.conftest import Valkey
from tests.service.bell.test_contract import connected

LIMITS = BellLimits(connect_seconds=15.0, ping_seconds=15.0, longest_pause_seconds=0.2)
IMPATIENT = replace(LIMITS, connect_seconds=0.3, ping_seconds=0.3)
"""For a server that falls silent. A busy machine is silent for so long too, and then every listener reads again."""

SECONDS_MAX = 20.0
FOR_EVER = 60.0
"""A wait that must be ended by news."""


@pytest.fixture
def limits() -> BellLimits:
    return LIMITS


@pytest.fixture
async def bell(valkey: Valkey, limits: BellLimits) -> AsyncIterator[RedisBell]:
    bell = await connected(RedisBell.start(valkey.url, limits))
    yield bell
    await bell.close()


@pytest.fixture
async def other(valkey: Valkey, limits: BellLimits) -> AsyncIterator[RedisBell]:
    bell = await connected(RedisBell.start(valkey.url, limits))
    yield bell
    await bell.close()


async def heard(listener: Listener, version: int) -> None:
    """Wait until a listener is told of a version, however often it is told to read again before."""
    async with asyncio.timeout(SECONDS_MAX):
        while await listener.wait(version - 1, FOR_EVER) != version:
            pass


async def deaf(*bells: RedisBell) -> None:
    async with asyncio.timeout(SECONDS_MAX):
        while any(bell.connected for bell in bells):
            await asyncio.sleep(0.005)


async def test_every_listener_reads_again_after_redis_came_back(
    valkey: Valkey, bell: RedisBell, other: RedisBell
) -> None:
    with other.listen("g_1") as listener, other.listen("g_2") as quiet:
        assert await quiet.wait(3, 0.05) == 3
        await valkey.kill()
        await deaf(bell, other)
        waits = [asyncio.create_task(listener.wait(4, FOR_EVER)), asyncio.create_task(quiet.wait(3, FOR_EVER))]
        await asyncio.sleep(0.3)
        assert not any(wait.done() for wait in waits)
        await valkey.begin()
        async with asyncio.timeout(SECONDS_MAX):
            assert await asyncio.gather(*waits) == [4, 3]


async def test_a_ring_without_redis_is_made_good_when_it_is_back(
    valkey: Valkey, bell: RedisBell, other: RedisBell
) -> None:
    """By the bell itself, or by the reading that the new subscription asks for."""
    await valkey.kill()
    await deaf(bell, other)
    with other.listen("g_1") as listener:
        bell.ring("g_1", 5)
        assert await listener.wait(4, 0.2) == 4
        await valkey.begin()
        async with asyncio.timeout(SECONDS_MAX):
            await listener.wait(4, FOR_EVER)


async def test_rings_go_on_after_several_restarts(valkey: Valkey, bell: RedisBell, other: RedisBell) -> None:
    with other.listen("g_1") as listener:
        for version in range(1, 4):
            await valkey.kill()
            await deaf(bell, other)
            await valkey.begin()
            await connected(bell)
            await connected(other)
            bell.ring("g_1", version)
            await heard(listener, version)


@pytest.mark.parametrize("limits", [IMPATIENT])
async def test_a_paused_redis_is_noticed_and_missed_by_nobody_for_long(
    valkey: Valkey, bell: RedisBell, other: RedisBell
) -> None:
    valkey.send(signal.SIGSTOP)
    try:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await deaf(bell, other)
        # Twice the time after which it is pinged, and whatever a busy machine adds.
        assert loop.time() - begun < LIMITS.ping_seconds
        begun = loop.time()
        for version in range(1, 10_000):
            bell.ring(f"g_{version}", version)
        # No ring waits for the server: one that did would take as long as all of them may.
        assert loop.time() - begun < 10 * IMPATIENT.ping_seconds
        with bell.listen("g_1") as listener:
            waiting = asyncio.create_task(listener.wait(1, SECONDS_MAX))
            await asyncio.sleep(0)
            bell.ring("g_1", 2)
            assert await waiting == 2
        with other.listen("g_7") as listener:
            valkey.send(signal.SIGCONT)
            async with asyncio.timeout(SECONDS_MAX):
                await listener.wait(6, FOR_EVER)
    finally:
        valkey.send(signal.SIGCONT)


async def test_a_subscription_that_was_cut_comes_back(valkey: Valkey, bell: RedisBell, other: RedisBell) -> None:
    async with Redis.from_url(valkey.url) as client:
        with other.listen("g_1") as listener:
            waiting = asyncio.create_task(listener.wait(4, FOR_EVER))
            await asyncio.sleep(0.05)
            await client.client_kill_filter(_type="pubsub")
            async with asyncio.timeout(SECONDS_MAX):
                assert await waiting == 4
            await connected(bell)
            bell.ring("g_1", 5)
            await heard(listener, 5)


async def test_a_ring_that_could_not_be_sent_is_sent_again(valkey: Valkey, bell: RedisBell, other: RedisBell) -> None:
    """Only the ringing side has lost Redis, so nothing else would tell the listeners to read again."""
    bell.ring("g_0", 1)
    await asyncio.sleep(0.05)
    async with Redis.from_url(valkey.url) as client:
        await client.config_set("maxclients", 1)
        await client.client_kill_filter(_type="normal", skipme=True)
        with other.listen("g_1") as listener:
            bell.ring("g_1", 5)
            assert await listener.wait(4, 0.3) == 4
            await client.config_set("maxclients", 1000)
            await heard(listener, 5)


async def test_strange_messages_are_passed_over(valkey: Valkey, other: RedisBell) -> None:
    async with Redis.from_url(valkey.url) as client:
        with other.listen("g_1") as listener:
            for message in (b"\xff\xfe\x00", b"", b"g_1", b"g_1:", b"g_1:x", b"g_1:-1", b"g_1:" + b"9" * 400, b":::"):
                await client.publish(LIMITS.channel, message)
            await client.publish(LIMITS.channel, b"nonsense g_1:5 g_1:\xd9\xa3")
            await heard(listener, 5)
            assert other.connected


async def test_lost_doubled_and_reordered_bells_cost_only_time(valkey: Valkey, other: RedisBell) -> None:
    """A reader with a slow poll follows a stream whose bells are lost, doubled and mixed up."""
    truth = 0
    seen = 0

    async def reader() -> None:
        nonlocal seen
        with other.listen("g_1") as listener:
            while seen < 200:
                await listener.wait(seen, 0.1)
                seen = truth

    async with Redis.from_url(valkey.url) as client:
        reading = asyncio.create_task(reader())
        for version in range(1, 201):
            truth = version
            if version % 3:
                await client.publish(LIMITS.channel, f"g_1:{version}")
            if version % 7 == 0:
                await client.publish(LIMITS.channel, f"g_1:{version} g_1:{version - 5}")
        async with asyncio.timeout(SECONDS_MAX):
            await reading


async def test_thousands_of_rings_a_second_become_few_messages(valkey: Valkey, other: RedisBell) -> None:
    gather_seconds = 0.02
    bell = await connected(RedisBell.start(valkey.url, replace(LIMITS, gather_seconds=gather_seconds)))
    loop = asyncio.get_running_loop()
    async with Redis.from_url(valkey.url) as client:
        before = (await client.info("commandstats")).get("cmdstat_publish", {"calls": 0})["calls"]
        begun = loop.time()
        for version in range(1, 201):
            for game in range(10):
                bell.ring(f"g_{game}", version)
            await asyncio.sleep(0.001)
        with other.listen("g_9") as listener:
            bell.ring("g_9", 201)
            await heard(listener, 201)
        after = (await client.info("commandstats"))["cmdstat_publish"]["calls"]
        # However long two thousand rings take on this machine: no more messages than fit into the time.
        assert after - before <= (loop.time() - begun) / gather_seconds + 2
    await bell.close()


async def test_a_process_alone_sends_little_and_notices_another(valkey: Valkey, bell: RedisBell) -> None:
    loop = asyncio.get_running_loop()
    async with Redis.from_url(valkey.url) as client:
        begun = loop.time()
        for version in range(1, 201):
            bell.ring("g_1", version)
            await asyncio.sleep(0.001)
        calls = (await client.info("commandstats"))["cmdstat_publish"]["calls"]
        assert calls <= (loop.time() - begun) / LIMITS.alone_seconds + 2
    newcomer = await connected(RedisBell.start(valkey.url, LIMITS))
    with newcomer.listen("g_1") as listener:
        for version in (201, 202, 203):
            bell.ring("g_1", version)
            await heard(listener, version)
    await newcomer.close()


async def test_closing_does_not_wait_for_a_server_that_is_silent(valkey: Valkey) -> None:
    bell = await connected(RedisBell.start(valkey.url, LIMITS))
    valkey.send(signal.SIGSTOP)
    try:
        async with asyncio.timeout(LIMITS.ping_seconds / 2):
            await bell.close()
    finally:
        valkey.send(signal.SIGCONT)
