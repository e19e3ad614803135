"""HTTP/1.1 as the server speaks it: one write for each answer, a problem document for what is no request at all."""

import asyncio
from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.http.endpoints import next_request
from service.http.problems import Problem

_STATUS_LINE: Final = b"HTTP/1.1 400 Bad Request\r\n"


class GatheringTransport:
    """A transport that sends what was written in one turn of the event loop at once.

    The server writes the head and the body of an answer apart, and each write costs as much as a move.
    """

    __slots__ = ("_loop", "_transport", "_waiting")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._waiting: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send the data together with what else is written in this turn of the loop."""
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(data)

    def close(self) -> None:
        """Send what is waiting, then close."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._waiting:
            data = b"".join(self._waiting)
            self._waiting.clear()
            self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Protocol(HttpToolsProtocol):
    """One connection."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        gathering = GatheringTransport(transport, asyncio.get_running_loop())
        super().connection_made(cast(asyncio.Transport, gathering))

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, and let go of the connection."""
        problem = Problem("malformed_request", msg)
        body = problem.body(next_request())
        headers = [
            *problem.all_headers(),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        lines = b"".join([name + b": " + value + b"\r\n" for name, value in headers])
        self.transport.write(_STATUS_LINE + lines + b"\r\n" + body)
        self.transport.close()
