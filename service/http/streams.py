"""Live streams of a game: server-sent events, or NDJSON by `Accept`.

    listen to the bell, then read, then drop what was sent already; whatever wakes a reader, it reads on from its place

So each viewer gets every event once, in order, without a gap, also across reconnects (`Last-Event-ID`). Silence is
broken by keep-alives; the end is an explicit message, so that a broken line is never taken for one.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final, Literal

import msgspec
import structlog
from msgspec import Meta, Struct

from domain.events import AnyEvent, type_of
from domain.redaction import Viewer, redacted_bytes
from domain.views import record_is_public
from service.bell.base import BellClosed, Listener
from service.commands import GameUnknown
from service.http.access import access_of, needed_viewer
from service.http.games import ShareCode
from service.http.operations import EVENT_STREAM, NDJSON, PRIVATE, AnswerKind, Call, Operation
from service.http.parameters import invalid
from service.http.problems import Problem
from service.http.tables import find_game
from service.live import LiveGame
from service.running import Service
from service.store.base import VERSION_MAX
from service.store.errors import GameNewer, StoreBusy, StoreUnavailable
from service.visible import delay_seconds, visible_version

log = structlog.get_logger(__name__)

DELAYED_LOOK_SECONDS: Final = 1.0
FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 2.0
"""How soon the database is asked again while it is gone."""
RETRY_MILLISECONDS: Final = 1000
PAGE_EVENTS: Final = 200

EndReason = Literal["game_over", "access_changed", "stopping"]


class StreamQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Begin after this version; without it, and without `Last-Event-ID`, with the first event."""

    after: Annotated[int, Meta(ge=0, le=VERSION_MAX)] = 0
    code: ShareCode = ""


class StreamEnd(Struct, frozen=True, kw_only=True, tag_field="type", tag="end"):
    """The last message of a stream. Only after `game_over` there is nothing more to come.

    After `access_changed` ask again: you sat down, left your seat, or may no longer watch; nothing that happened since
    was shown. After `stopping` connect again, from `version` on.
    """

    reason: EndReason
    version: int


class _Wire:
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

    async def events(self, events: list[AnyEvent], viewer: Viewer) -> None:
        """Send events; one write for all of them."""
        parts = []
        for event in events:
            body = redacted_bytes(event, viewer)
            if self._sse:
                parts.append(b"id: %d\nevent: %b\ndata: %b\n\n" % (event.n, type_of(event).encode(), body))
            else:
                parts.append(body + b"\n")
        await self._write(b"".join(parts))
        self.place = events[-1].n

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


async def stream_game(call: Call, receive: Any, send: Any) -> int:
    """Follow a game until it is over, the reader goes away, or the service stops."""
    service = call.service
    live, allowed = await find_game(call, call.query.code)
    viewer = needed_viewer(allowed)
    after = _place(call, await visible_version(service.games, live, viewer))
    media_type = NDJSON if call.accepts(NDJSON) else EVENT_STREAM
    wire = _Wire(send, media_type, after)
    with service.stream_place(), _listen(service, live) as listener:
        gone = asyncio.create_task(_disconnected(receive))
        following = asyncio.create_task(_follow(call, live, viewer, wire, listener))
        try:
            await asyncio.wait({gone, following}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            following.cancel()
            await asyncio.gather(gone, following, return_exceptions=True)
        if not following.cancelled():
            trouble = following.exception()
            if trouble is not None:
                log.error("stream_broken", request=call.request, game=live.facts.id, exc_info=trouble)
    return 200


def _listen(service: Service, live: LiveGame) -> Listener:
    try:
        return service.bell.listen(live.facts.id)
    except BellClosed as closed:
        raise Problem("stopping", "Connect again in a moment.") from closed


def _place(call: Call, version: int) -> int:
    """The version after which the stream begins. Raises `Problem` where the game has no such place."""
    query: StreamQuery = call.query
    after = query.after
    value = call.headers.get(b"last-event-id")
    if value is not None:
        text = value.decode("latin-1")
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(VERSION_MAX))):
            raise invalid("Last-Event-ID", "the `id` of an event of this stream")
        after = int(text)
    if after > version:
        raise Problem(
            "position_unknown",
            f"The game is at version {version}: there is nothing after {after} to go on from.",
            params={"current_version": version},
        )
    return after


async def _disconnected(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _follow(call: Call, live: LiveGame, viewer: Viewer, wire: _Wire, listener: Listener) -> None:
    """Tell the reader everything, to the end. While the database is gone there is no news, and the line is kept."""
    await wire.open()
    pause = FIRST_PAUSE_SECONDS
    try:
        while True:
            try:
                reason = await _send_news(call, live, viewer, wire)
                if reason is not None:
                    await wire.end(reason)
                    return
                await _wait(call.service, live, viewer, listener, wire)
                pause = FIRST_PAUSE_SECONDS
            except (StoreUnavailable, StoreBusy) as trouble:
                # There may be thousands of streams, and others warn that the database is gone.
                log.debug("stream_waits", request=call.request, game=live.facts.id, why=str(trouble))
                await wire.break_silence(call.service.settings.keep_alive_seconds)
                await listener.wait(wire.place, pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
    except BellClosed:
        await wire.end("stopping")
    except GameNewer as newer:
        # Who connects again may come to a worker that can go on.
        log.error("game_newer", request=call.request, game=newer.game, why=str(newer))
        await wire.end("stopping")


async def _send_news(call: Call, live: LiveGame, viewer: Viewer, wire: _Wire) -> EndReason | None:
    """Send what the viewer may see by now; whether that was the end."""
    games = call.service.games
    while True:
        over = record_is_public(live.state)
        if not over and not await _still(call, live, viewer):
            return "access_changed"
        last = live.state.version if over else await visible_version(games, live, viewer)
        if wire.place >= last:
            return "game_over" if over else None
        async for events in _pages(call.service, live, wire.place, last):
            await wire.events(events, viewer)


async def _still(call: Call, live: LiveGame, viewer: Viewer) -> bool:
    """Whether the caller is to the game what they were when the stream began."""
    try:
        return (await access_of(call.service.invitations, live, call.principal, call.query.code)).viewer == viewer
    except GameUnknown:
        return False


async def _pages(service: Service, live: LiveGame, after: int, last: int) -> AsyncIterator[list[AnyEvent]]:
    """The events above `after` up to `last`: those at hand, or from the store in portions."""
    recent = live.recent(after)
    if recent is not None:
        events = [event for event in recent if event.n <= last]
        if events:
            yield events
        return
    page: list[AnyEvent] = []
    async for event in service.games.events(live, after, last):
        page.append(event)
        if len(page) == PAGE_EVENTS:
            yield page
            page = []
    if page:
        yield page


async def _wait(service: Service, live: LiveGame, viewer: Viewer, listener: Listener, wire: _Wire) -> None:
    """Until there may be news: by the bell, by the slow poll, or because a delay has passed."""
    settings = service.settings
    poll = DELAYED_LOOK_SECONDS if delay_seconds(live.state, viewer) else settings.bell_poll_seconds
    while True:
        moment = time.monotonic()
        heard = await listener.wait(max(wire.place, live.state.version), poll)
        if heard > live.state.version:
            await service.games.read_up_to(live, heard)
        else:
            await service.games.read_since(live, moment)
        await wire.break_silence(settings.keep_alive_seconds)
        if live.state.version > wire.place:
            return


OPERATIONS: Final = (
    Operation(
        id="streamGame",
        method="GET",
        path="/v1/games/{game_id}/stream",
        tag="games",
        summary="Follow a game live",
        description="Server-sent events (`id` is the version, `event` the type, `data` the event), or with "
        "`Accept: application/x-ndjson` one event a line. The last message has the type `end`.",
        credential="optional",
        query=StreamQuery,
        headers=("Last-Event-ID",),
        answers=(
            AnswerKind(
                status=200, description="Events as they happen.", kind=AnyEvent, media_types=(EVENT_STREAM, NDJSON)
            ),
        ),
        problems=(
            "game_not_found", "watching_not_allowed", "game_sealed", "position_unknown", "too_many_streams", "stopping",
        ),
        run_raw=stream_game,
    ),
)  # fmt: skip
