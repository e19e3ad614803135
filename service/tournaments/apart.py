"""Long work in a thread of its own: pages, exports and standings, which are made in others, do not wait for it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from service.commands import Denied

T = TypeVar("T")


class TooMuchWaits(Denied):
    """So much of it is asked for that nothing more may wait."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class Apart:
    """One piece of work at a time; `most` of them may be under way or wait."""

    def __init__(self, most: int) -> None:
        self._thread = ThreadPoolExecutor(1, "apart")
        self._most = most
        self._asked: list[Future[Any]] = []

    async def do(self, work: Callable[[], T]) -> T:
        """What it comes to. Who asked may be gone meanwhile: what has begun goes on, what waits does not begin.

        Raises `TooMuchWaits`, and whatever the work raises.
        """
        self._asked = [each for each in self._asked if not each.done()]
        if len(self._asked) >= self._most:
            raise TooMuchWaits(self._most)
        future = self._thread.submit(work)
        self._asked.append(future)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Nothing that waits begins any more."""
        self._thread.shutdown(wait=False, cancel_futures=True)
