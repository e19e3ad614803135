"""The writing side of a connection: one write for each answer, and no more in memory than the reader takes."""

import asyncio
from typing import Any, Final

FLUSH_BYTES: Final = 65_536
"""So much is sent at once, without waiting for what else is written in the same turn of the event loop."""


class GatheringTransport:
    """A transport that sends what was written in one turn of the event loop at once.

    The server writes the head and the body of an answer apart, and each write costs as much as a move. Whoever writes
    a long answer piece by piece is paused as soon as the reader does not take a piece whole.
    """

    __slots__ = ("_loop", "_size", "_transport", "_waiting")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        transport.set_write_buffer_limits(high=0)
        self._transport = transport
        self._loop = loop
        self._waiting: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> None:
        """Send the data together with what else is written in this turn of the loop."""
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(data)
        self._size += len(data)
        if self._size >= FLUSH_BYTES:
            self._flush()

    def close(self) -> None:
        """Send what is waiting, then close."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._waiting:
            data = b"".join(self._waiting)
            self._waiting.clear()
            self._size = 0
            # The reader may be gone since the data was written.
            if not self._transport.is_closing():
                self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
