"""The listeners of one process."""

import asyncio
from types import TracebackType
from typing import Self

from service.bell.base import BellClosed


class Board:
    """Passes bells on to the listeners of their stream. One board belongs to one event loop."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[BoardListener]] = {}
        self.closed = False

    def listen(self, stream: str) -> "BoardListener":
        if self.closed:
            raise BellClosed
        listener = BoardListener(self, stream)
        self._listeners.setdefault(stream, set()).add(listener)
        return listener

    def leave(self, listener: "BoardListener") -> None:
        listeners = self._listeners.get(listener.stream)
        if listeners is not None:
            listeners.discard(listener)
            if not listeners:
                del self._listeners[listener.stream]

    def __contains__(self, stream: str) -> bool:
        """Whether anybody listens to the stream."""
        return stream in self._listeners

    @property
    def listeners(self) -> int:
        return sum(map(len, self._listeners.values()))

    def tell(self, stream: str, version: int) -> None:
        for listener in self._listeners.get(stream, ()):
            listener.tell(version)

    def doubt(self) -> None:
        """Bells may have been lost: let every listener read again."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.doubt()

    def close(self) -> None:
        self.closed = True
        self.doubt()


class BoardListener:
    """Fulfils `service.bell.base.Listener`. Only one task may wait at a time."""

    def __init__(self, board: Board, stream: str) -> None:
        self.stream = stream
        self._board = board
        self._heard = 0
        self._after = 0
        self._told = False
        self._doubted = False
        self._waiter: asyncio.Future[None] | None = None

    def tell(self, version: int) -> None:
        if version > self._heard:
            self._heard = version
            self._told = True
            if version > self._after:
                self._wake()

    def doubt(self) -> None:
        self._doubted = True
        self._wake()

    async def wait(self, after: int, seconds: float) -> int:
        self._after = after
        if not (self._board.closed or self._doubted or (self._told and self._heard > after)):
            await self._wait_for_news(seconds)
        if self._board.closed:
            raise BellClosed
        self._told = self._doubted = False
        return max(after, self._heard)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _wait_for_news(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        waiter = self._waiter = loop.create_future()
        timer = loop.call_later(seconds, _end, waiter)
        try:
            await waiter
        finally:
            timer.cancel()
            self._waiter = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._board.leave(self)


def _end(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)
