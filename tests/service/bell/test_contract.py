"""Both bells keep the same contract."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from service.bell.base import Bell
from service.bell.in_process import InProcessBell
from service.bell.redis import BellLimits, RedisBell
from tests.contracts.bell import BellContract


async def connected(bell: RedisBell) -> RedisBell:
    async with asyncio.timeout(30):
        while not bell.connected:
            await asyncio.sleep(0.005)
    return bell


class TestInProcessBell(BellContract):
    @pytest.fixture
    async def bell(self) -> AsyncIterator[Bell]:
        bell = InProcessBell()
        yield bell
        await bell.close()

    @pytest.fixture
    def other(self, bell: Bell) -> Bell:
        return bell


class TestRedisBell(BellContract):
    @pytest.fixture
    def limits(self, request: pytest.FixtureRequest) -> BellLimits:
        # Whoever takes a silence of a busy machine for a fault connects anew, and then every listener reads again.
        return BellLimits(channel=f"test:{request.node.name}", connect_seconds=30.0, ping_seconds=30.0)

    @pytest.fixture
    async def bell(self, redis_url: str, limits: BellLimits) -> AsyncIterator[Bell]:
        bell = await connected(RedisBell.start(redis_url, limits))
        yield bell
        await bell.close()

    @pytest.fixture
    async def other(self, redis_url: str, limits: BellLimits) -> AsyncIterator[Bell]:
        bell = await connected(RedisBell.start(redis_url, limits))
        yield bell
        await bell.close()


class TestRedisBellWithoutRedis(BellContract):
    """Without its server the bell rings inside its own process."""

    @pytest.fixture
    async def bell(self) -> AsyncIterator[Bell]:
        bell = RedisBell.start("redis://127.0.0.1:1/0")
        yield bell
        await bell.close()

    @pytest.fixture
    def other(self, bell: Bell) -> Bell:
        return bell
