"""HTTP/1.1 as the server speaks it: one write for each answer, a problem document for what is no request at all."""

import asyncio
from http import HTTPStatus
from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from service.http.endpoints import next_request
from service.http.problems import Problem
from service.settings import Settings

CHUNKING_FACTOR_MAX: Final = 8
"""How much larger than its body a request may be: in chunks of one byte each it is six times as large."""


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


class HeadersTooLarge(Exception):
    """The address and the headers of a request are larger than they may be."""


class Protocol(HttpToolsProtocol):
    """One connection, with limits on the size of a request's head, on what a request has in all, and on its time.

    Nothing is counted header by header: most requests come whole and in one piece that is smaller than any limit.
    """

    def __init__(self, *arguments: Any, settings: Settings, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._head_max = settings.headers_bytes_max
        self._whole_max = settings.headers_bytes_max + CHUNKING_FACTOR_MAX * settings.body_bytes_max
        self._request_seconds = settings.request_seconds
        self._came = 0
        """Bytes of the request that is coming in, in the pieces before this one."""
        self._large = False
        """Whether its head may be larger than it may be."""
        self._in_head = True
        self._ended = False
        """Whether a request has ended in this piece."""
        self._begun: float | None = None
        """When the request that is coming in began; None while none is."""
        self._watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        gathering = GatheringTransport(transport, self.loop)
        self._begun = self.loop.time()
        self._watch = self.loop.call_later(self._request_seconds, self._look)
        super().connection_made(cast(asyncio.Transport, gathering))

    def connection_lost(self, exc: Exception | None) -> None:
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        size = len(data)
        self._large = self._came + size > self._head_max
        self._ended = False
        super().data_received(data)
        if self._begun is None:
            return
        # What has not ended is known to the parser only: a header without an end, trailers, endless tiny chunks.
        self._came = 0 if self._ended else self._came + size
        if self._came > self._head_max and not self.transport.is_closing():
            if self._in_head:
                self._refuse(self._head_too_large())
            elif self._came > self._whole_max:
                limit = self._whole_max
                self._refuse(
                    Problem("body_too_large", f"A request has {limit} bytes at most.", params={"limit": limit})
                )

    def on_message_begin(self) -> None:
        self._in_head = True
        self._begun = self.loop.time()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if self._large and len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > self._head_max:
            raise HeadersTooLarge
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._begun = None
        self._came = 0
        self._ended = True
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, and let go of the connection."""
        too_large = self._large and self._in_head
        self._refuse(self._head_too_large() if too_large else Problem("malformed_request", msg))

    def _head_too_large(self) -> Problem:
        limit = self._head_max
        return Problem("headers_too_large", f"Address and headers have {limit} bytes at most.", params={"limit": limit})

    def _look(self) -> None:
        """Let go of a connection whose request has been coming in for too long."""
        self._watch = self.loop.call_later(self._request_seconds, self._look)
        if self._begun is None or self.loop.time() - self._begun < self._request_seconds:
            return
        seconds = self._request_seconds
        detail = f"A request has {seconds:g} seconds to come in."
        self._refuse(Problem("request_too_slow", detail, params={"seconds": seconds}))

    def _refuse(self, problem: Problem) -> None:
        """Send a problem past the application, unless that has answered already, and close the connection."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is not None and not self._in_head and cycle.response_started:
            self.transport.close()
            return
        body = problem.body(next_request())
        headers = [
            *problem.all_headers(),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        lines = b"".join([name + b": " + value + b"\r\n" for name, value in headers])
        phrase = HTTPStatus(problem.status).phrase
        self.transport.write(f"HTTP/1.1 {problem.status} {phrase}\r\n".encode() + lines + b"\r\n" + body)
        self.transport.close()
