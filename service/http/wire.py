"""The wire of a live stream: server-sent events, or NDJSON, kept alive in silence and ended by an explicit message."""

import time
from collections.abc import Iterable
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from service.http.operations import EVENT_STREAM, PRIVATE

RETRY_MILLISECONDS: Final = 1000

EndReason = Literal["game_over", "tournament_over", "access_changed", "stopping"]


class StreamEnd(Struct, frozen=True, kw_only=True, tag_field="type", tag="end"):
    """The last message of a stream. Only after `game_over` or `tournament_over` there is nothing more to come, unless a
    director opens a tournament that was over again.

    After `access_changed` ask again: you sat down, left your seat, may no longer watch, or the token ended; nothing
    that happened since was shown. After `stopping` connect again, from `version` on.
    """

    reason: EndReason
    version: int


class Wire:
    """How messages are written on one kind of stream, and sent."""

    def __init__(self, send: Any, media_type: str, after: int) -> None:
        self._send = send
        self._sse = media_type == EVENT_STREAM
        self._media_type = media_type
        self.place = after
        """The version up to which the reader has been told everything."""
        self.written_at = time.monotonic()

    async def open(self) -> None:
        headers = [
            (b"content-type", self._media_type.encode()),
            PRIVATE,
            (b"x-accel-buffering", b"no"),
        ]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        await self._write(b"retry: %d\n\n" % RETRY_MILLISECONDS if self._sse else b"\n")

    async def events(self, events: Iterable[tuple[int, str, bytes]]) -> None:
        """Send events, each by its number, type and JSON; one write for all of them."""
        parts = []
        place = self.place
        for place, kind, body in events:
            if self._sse:
                parts.append(b"id: %d\nevent: %b\ndata: %b\n\n" % (place, kind.encode(), body))
            else:
                parts.append(body + b"\n")
        await self._write(b"".join(parts))
        self.place = place

    async def beside(self, kind: str, body: bytes) -> None:
        """Send a message that is no event and has no place of its own."""
        await self._write(b"event: %b\ndata: %b\n\n" % (kind.encode(), body) if self._sse else body + b"\n")

    async def break_silence(self, longest: float) -> None:
        """Send a keep-alive where nothing was sent for so many seconds."""
        if time.monotonic() - self.written_at >= longest:
            await self._write(b": keep-alive\n\n" if self._sse else b"\n")

    async def end(self, reason: EndReason) -> None:
        body = msgspec.json.encode(StreamEnd(reason=reason, version=self.place))
        await self._write(b"event: end\ndata: %b\n\n" % body if self._sse else body + b"\n")
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _write(self, data: bytes) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": True})
        self.written_at = time.monotonic()
