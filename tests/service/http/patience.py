"""Waiting for what comes a moment later, on a busy machine as well."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

SECONDS_MAX: Final = 30.0
LOOK_SECONDS: Final = 0.02


async def until(holds: Callable[[], object]) -> None:
    """Wait until something in this process holds."""
    async with asyncio.timeout(SECONDS_MAX):
        while not holds():
            await asyncio.sleep(LOOK_SECONDS)


async def eventually(holds: Callable[[], Awaitable[object]]) -> None:
    """Wait until something that has to be asked for holds."""
    async with asyncio.timeout(SECONDS_MAX):
        while not await holds():
            await asyncio.sleep(LOOK_SECONDS)
