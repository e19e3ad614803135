"""HTTP/1.1 as the server speaks it: limits on every connection, a problem document for what is no request at all."""

import asyncio
from http import HTTPStatus
from typing import Any, Final, cast

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from service.http.bodies import UPLOAD_PATHS
from service.http.endpoints import next_request
from service.http.problems import Problem
from service.http.transport import GatheringTransport
from service.settings import Settings

CHUNKING_FACTOR_MAX: Final = 8
"""How much larger than its body a request may be: in chunks of one byte each it is six times as large."""

HEADER_SYNTAX_BYTES: Final = 4
"""What a header has beside its name and value: a colon, a blank, the end of the line."""


class HeadersTooLarge(Exception):
    """The address and the headers of a request are larger than they may be."""


class Protocol(HttpToolsProtocol):
    """One connection, with limits on the size of a request's head, on what a request has in all, and on its time.

    Nothing is counted header by header: most requests come whole and in one piece that is smaller than any limit.
    A reader who takes nothing of what is sent for a while is cut off, whatever it is: an answer, a record, a stream.
    """

    def __init__(self, *arguments: Any, settings: Settings, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._connections_max = settings.connections_max
        self._head_max = settings.headers_bytes_max
        self._settings = settings
        self._whole_max = 0
        self._request_seconds = 0.0
        self._limit(settings.body_bytes_max, settings.request_seconds)
        self._send_seconds = settings.stream_send_seconds
        self._came = 0
        """Bytes of the request that is coming in, in the pieces before this one."""
        self._large = False
        """Whether its head may be larger than it may be."""
        self._in_head = True
        """Whether the head of the next request is awaited or coming in."""
        self._ended = False
        """Whether a request has ended in this piece."""
        self._begun: float | None = None
        """When the request that is coming in began, with whatever bytes; None while none is."""
        self._answering: RequestResponseCycle | None = None
        """The request that is being answered, or was last; those behind it wait."""
        self._coming: asyncio.TimerHandle | None = None
        self._going: asyncio.TimerHandle | None = None
        self._unread = 0
        """Bytes that the reader had not taken when that was last looked at."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        gathering = GatheringTransport(transport, self.loop)
        super().connection_made(cast(asyncio.Transport, gathering))
        if len(self.connections) > self._connections_max:
            limit = self._connections_max
            detail = f"{limit} connections are open here."
            self._refuse(Problem("too_many_connections", detail, params={"limit": limit}))
            return
        self._begun = self.loop.time()
        self._await_end(self._begun)

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._coming, self._going):
            if timer is not None:
                timer.cancel()
        # The server tells only the last request that came in, be it one that waits behind others.
        answering = self._answering
        if answering is not None and not answering.response_complete:
            answering.disconnected = True
            answering.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        size = len(data)
        self._large = self._came + size > self._head_max
        self._ended = False
        # Be it only empty lines, which are no request yet: time and size count for them too.
        self._begin()
        super().data_received(data)
        if self._begun is None:
            return
        if self._coming is None:
            self._await_end(self._begun)
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

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_reader()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._going is not None:
            self._going.cancel()
            self._going = None

    def on_message_begin(self) -> None:
        self._begin()
        if self._request_seconds != self._settings.request_seconds and self._coming is not None:
            # The timer of an upload on this connection would leave what follows it as much time.
            self._coming.cancel()
            self._coming = None
        self._limit(self._settings.body_bytes_max, self._settings.request_seconds)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if self._large:
            lines = sum(len(name) + len(value) + HEADER_SYNTAX_BYTES for name, value in self.headers)
            if len(self.url) + lines > self._head_max:
                raise HeadersTooLarge
        if self.url.partition(b"?")[0] in UPLOAD_PATHS:
            self._limit(self._settings.verification_bytes_max, self._settings.verification_seconds)
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._begun = None
        self._came = 0
        self._in_head = True
        self._ended = True
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, and let go of the connection."""
        too_large = self._large and self._in_head
        self._refuse(self._head_too_large() if too_large else Problem("malformed_request", msg))

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def _head_too_large(self) -> Problem:
        limit = self._head_max
        return Problem("headers_too_large", f"Address and headers have {limit} bytes at most.", params={"limit": limit})

    def _limit(self, body_bytes: int, seconds: float) -> None:
        """What the request that is coming in may have."""
        self._whole_max = self._head_max + CHUNKING_FACTOR_MAX * body_bytes
        self._request_seconds = seconds

    def _begin(self) -> None:
        if self._begun is None:
            self._begun = self.loop.time()

    def _await_end(self, begun: float) -> None:
        self._coming = self.loop.call_at(begun + self._request_seconds, self._look_at_request)

    def _look_at_request(self) -> None:
        """Let go of a connection whose request has been coming in for too long.

        The timer is left alone while requests come and go, which costs them nothing; it may be one of a request that
        has long ended.
        """
        self._coming = None
        if self._begun is None:
            return
        now = self.loop.time()
        if self._answers_another():
            # Its time begins once the one before it is answered.
            self._begun = now
        if now < self._begun + self._request_seconds:
            self._await_end(self._begun)
            return
        seconds = self._request_seconds
        detail = f"A request has {seconds:g} seconds to come in."
        self._refuse(Problem("request_too_slow", detail, params={"seconds": seconds}))

    def _await_reader(self) -> None:
        self._unread = self.transport.get_write_buffer_size()
        self._going = self.loop.call_later(self._send_seconds, self._look_at_reader)

    def _look_at_reader(self) -> None:
        """Cut off a reader who has taken nothing since the last look, and what is meant for them with it."""
        if self.transport.get_write_buffer_size() < self._unread:
            self._await_reader()
        else:
            self.transport.abort()

    def _answers_another(self) -> bool:
        """Whether a request before the one that is coming in is still being answered."""
        answering = self._answering
        if answering is None or answering.response_complete:
            return False
        return self._in_head or answering is not self.cycle

    def _refuse(self, problem: Problem) -> None:
        """Send a problem past the application, unless that has begun to answer already, and close the connection."""
        answering = self._answering
        answered = answering is not None and answering.response_complete and self._in_head
        if answering is not None and answering.response_started and not answered:
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
