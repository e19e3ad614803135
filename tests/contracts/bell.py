"""The contract of `service.bell.base.Bell`: a subclass gives the fixtures `bell` and `other`, which may be the same.

`other` is the bell of another process of the same service where there are several.
"""

import asyncio
import contextlib

import pytest

from service.bell.base import Bell, BellClosed

SOON = 30.0
"""Far longer than anything takes that is waited for, and shorter than a wait that nothing ends."""

A_MOMENT = 0.1


class BellContract:
    async def test_a_ring_ends_the_wait_of_every_listener(self, bell: Bell, other: Bell) -> None:
        with bell.listen("g_1") as here, bell.listen("g_1") as too, other.listen("g_1") as there:
            waits = [asyncio.create_task(listener.wait(4, SOON)) for listener in (here, too, there)]
            await asyncio.sleep(0)
            bell.ring("g_1", 5)
            assert await asyncio.gather(*waits) == [5, 5, 5]

    async def test_a_ring_before_the_wait_is_not_lost(self, bell: Bell, other: Bell) -> None:
        with bell.listen("g_1") as listener:
            other.ring("g_1", 5)
            assert await listener.wait(4, SOON) == 5

    async def test_rings_for_what_was_read_already_end_no_wait(self, bell: Bell) -> None:
        with bell.listen("g_1") as listener:
            bell.ring("g_1", 5)
            waiting = asyncio.create_task(listener.wait(5, SOON))
            await asyncio.sleep(A_MOMENT)
            bell.ring("g_1", 5)
            bell.ring("g_1", 4)
            await asyncio.sleep(A_MOMENT)
            assert not waiting.done()
            bell.ring("g_1", 6)
            assert await waiting == 6

    async def test_a_thousand_rings_are_one_wait(self, bell: Bell) -> None:
        with bell.listen("g_1") as listener:
            for version in range(1, 1001):
                bell.ring("g_1", version)
            assert await listener.wait(0, SOON) == 1000
            assert await listener.wait(1000, A_MOMENT) == 1000

    async def test_a_ring_is_for_its_own_stream_only(self, bell: Bell) -> None:
        with bell.listen("g_1") as listener:
            bell.ring("g_2", 9)
            bell.ring("g_11", 9)
            assert await listener.wait(3, A_MOMENT) == 3

    async def test_a_wrong_ring_costs_one_reading(self, bell: Bell) -> None:
        with bell.listen("g_1") as listener:
            bell.ring("g_1", 999)
            assert await listener.wait(3, SOON) == 999
            loop = asyncio.get_running_loop()
            begun = loop.time()
            await listener.wait(3, A_MOMENT)
            assert loop.time() - begun >= A_MOMENT * 0.9

    async def test_a_cancelled_wait_leaves_the_listener_usable(self, bell: Bell) -> None:
        with bell.listen("g_1") as listener:
            waiting = asyncio.create_task(listener.wait(0, SOON))
            await asyncio.sleep(0)
            waiting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await waiting
            bell.ring("g_1", 1)
            assert await listener.wait(0, SOON) == 1

    async def test_closing_ends_every_wait_at_once(self, bell: Bell) -> None:
        with bell.listen("g_1") as one, bell.listen("g_2") as two:
            waits = [asyncio.create_task(listener.wait(0, 60.0)) for listener in (one, two)]
            await asyncio.sleep(0)
            async with asyncio.timeout(SOON):
                closing = asyncio.create_task(bell.close())
                outcomes = await asyncio.gather(*waits, return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == [BellClosed, BellClosed]
            await closing
            with pytest.raises(BellClosed):
                await one.wait(0, 60.0)
        with pytest.raises(BellClosed):
            bell.listen("g_3")
        bell.ring("g_1", 1)

    async def test_listeners_that_leave_are_forgotten(self, bell: Bell) -> None:
        for number in range(100):
            with bell.listen(f"g_{number % 7}") as listener:
                await listener.wait(0, 0.0)
        assert bell.listeners == 0
