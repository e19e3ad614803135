"""Long work in a thread of its own: pages, exports and standings, which are made in others, do not wait for it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
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
        self._most = most
        self._asked: list[Future[Any]] = []
        self._waiting: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        # A process that is asked to stop does not wait for it.
        Thread(target=self._work_off, name="apart", daemon=True).start()

    async def do(self, work: Callable[[], T]) -> T:
        """What it comes to. Who asked may be gone meanwhile: what has begun goes on, what waits does not begin.

        Raises `TooMuchWaits`, and whatever the work raises.
        """
        self._asked = [each for each in self._asked if not each.done()]
        if len(self._asked) >= self._most:
            raise TooMuchWaits(self._most)
        future: Future[T] = Future()
        self._asked.append(future)
        self._waiting.put((future, work))
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Nothing that waits begins any more."""
        for each in self._asked:
            each.cancel()
        self._waiting.put(None)

    def _work_off(self) -> None:
        while (asked := self._waiting.get()) is not None:
            future, work = asked
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work())
            except BaseException as trouble:  # noqa: BLE001 – it is for whoever asked
                future.set_exception(trouble)
