"""Going through whole games for the sake of one request: one game at a time, so that moves go on meanwhile.

It is done beside the event loop. But one processor does both, and with several games at once it would be for the most
part looking back.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from service.commands import Denied


class TooManyReviews(Denied):
    """As many requests wait for their turn as there may be."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class Reviews:
    """The turns of one worker."""

    def __init__(self, waiting_max: int) -> None:
        self._waiting_max = waiting_max
        self._waiting = 0
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """A turn, for as long as the block runs; nothing of a game is read before. Raises `TooManyReviews`."""
        if self._waiting >= self._waiting_max:
            raise TooManyReviews(self._waiting_max)
        self._waiting += 1
        try:
            await self._turn.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._turn.release()
