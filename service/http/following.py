"""Following a stream of the store live: the one way in which games and tournaments are followed.

    listen to the bell, then read, then drop what was sent already; whatever wakes a reader, it reads on from its place

So each reader gets every event once, in order, without a gap, also across reconnects (`Last-Event-ID`). Silence is
broken by keep-alives; the end is an explicit message, so that a broken line is never taken for one.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import structlog

from service.bell.base import BellClosed, Listener
from service.http.operations import EVENT_STREAM, NDJSON, Call
from service.http.parameters import bearer, invalid
from service.http.problems import Problem
from service.http.wire import EndReason, Wire
from service.principals import Watch
from service.running import Service
from service.store.base import VERSION_MAX
from service.store.errors import GameNewer, StoreBusy, StoreUnavailable

log = structlog.get_logger(__name__)

FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 2.0
"""How soon the database is asked again while it is gone."""

News = Callable[[Wire, Watch], Awaitable[EndReason | None]]
"""Sends what the reader may see by now; whether that was the end."""

Wait = Callable[[Listener, Wire, Watch], Awaitable[None]]
"""Returns when there may be news."""


async def follow(call: Call, receive: Any, send: Any, stream: str, after: int, news: News, wait: Wait) -> int:
    """Follow a stream to its end, until the reader goes away, or the service stops.

    Raises `Problem`, `NoStreamPlace`.
    """
    service = call.service
    wire = Wire(send, NDJSON if call.accepts(NDJSON) else EVENT_STREAM, after)
    watching = service.principals.watch(call.principal, bearer(call.headers))
    with service.stream_place(), _listen(service, stream) as listener, watching as watch:
        gone = asyncio.create_task(_disconnected(receive))
        following = asyncio.create_task(_tell(call, stream, wire, listener, watch, news, wait))
        try:
            await asyncio.wait({gone, following}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            following.cancel()
            await asyncio.gather(gone, following, return_exceptions=True)
        if not following.cancelled():
            trouble = following.exception()
            if trouble is not None:
                log.error("stream_broken", request=call.request, stream=stream, exc_info=trouble)
    return 200


def _listen(service: Service, stream: str) -> Listener:
    try:
        return service.bell.listen(stream)
    except BellClosed as closed:
        raise Problem("stopping", "Connect again in a moment.") from closed


def place_of(call: Call, after: int, version: int) -> int:
    """The version after which the stream begins: that of `Last-Event-ID`, else `after`.

    Raises `Problem` where there is no such place up to `version`.
    """
    value = call.headers.get(b"last-event-id")
    if value is not None:
        text = value.decode("latin-1")
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(VERSION_MAX))):
            raise invalid("Last-Event-ID", "the `id` of an event of this stream")
        after = int(text)
    if after > version:
        raise Problem(
            "position_unknown",
            f"This is at version {version}: there is nothing after {after} to go on from.",
            params={"current_version": version},
        )
    return after


async def _disconnected(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _tell(call: Call, stream: str, wire: Wire, listener: Listener, watch: Watch, news: News, wait: Wait) -> None:
    """Tell the reader everything, to the end. While the database is gone there is no news, and the line is kept."""
    await wire.open()
    pause = FIRST_PAUSE_SECONDS
    try:
        while True:
            try:
                reason = await news(wire, watch)
                if reason is not None:
                    await wire.end(reason)
                    return
                await wait(listener, wire, watch)
                pause = FIRST_PAUSE_SECONDS
            except (StoreUnavailable, StoreBusy) as trouble:
                # There may be thousands of streams, and others warn that the database is gone.
                log.debug("stream_waits", request=call.request, stream=stream, why=str(trouble))
                await wire.break_silence(call.service.settings.keep_alive_seconds)
                await listener.wait(wire.place, pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
    except BellClosed:
        await wire.end("stopping")
    except GameNewer as newer:
        # Who connects again may come to a worker that can go on.
        log.error("game_newer", request=call.request, game=newer.game, why=str(newer))
        await wire.end("stopping")
