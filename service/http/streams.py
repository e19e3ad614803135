"""Live streams of a game: what its viewer may see, as it happens (`following`)."""

import time
from collections.abc import AsyncIterator, Awaitable
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from domain.events import AnyEvent, type_of
from domain.redaction import Viewer, redacted_bytes
from domain.views import record_is_public
from service.bell.base import Listener
from service.commands import GameUnknown
from service.http.access import access_of, needed_viewer
from service.http.following import follow, place_of
from service.http.games import ShareCode
from service.http.operations import EVENT_STREAM, NDJSON, AnswerKind, Call, Operation
from service.http.problems import Problem
from service.http.tables import find_game
from service.http.wire import EndReason, Wire
from service.live import LiveGame
from service.principals import Watch
from service.running import Service
from service.store.base import VERSION_MAX
from service.visible import delay_seconds, visible_version

DELAYED_LOOK_SECONDS: Final = 1.0
PAGE_EVENTS: Final = 200


class StreamQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Begin after this version; without it, and without `Last-Event-ID`, with the first event."""

    after: Annotated[int, Meta(ge=0, le=VERSION_MAX)] = 0
    code: ShareCode = ""


async def stream_game(call: Call, receive: Any, send: Any) -> int:
    """Follow a game until it is over, the reader goes away, or the service stops."""
    service = call.service
    live, allowed = await find_game(call, call.query.code)
    viewer = needed_viewer(allowed)
    after = place_of(call, call.query.after, await visible_version(service.games, live, viewer))

    def news(wire: Wire, watch: Watch) -> Awaitable[EndReason | None]:
        return _send_news(call, live, viewer, wire, watch)

    def wait(listener: Listener, wire: Wire, watch: Watch) -> Awaitable[None]:
        return _wait(service, live, viewer, listener, wire, watch)

    return await follow(call, receive, send, live.facts.id, after, news, wait)


async def _send_news(call: Call, live: LiveGame, viewer: Viewer, wire: Wire, watch: Watch) -> EndReason | None:
    """Send what the viewer may see by now; whether that was the end."""
    games = call.service.games
    while True:
        over = record_is_public(live.state)
        if not await watch.valid():
            return "access_changed"
        if not over and not await _still(call, live, viewer):
            return "access_changed"
        last = live.state.version if over else await visible_version(games, live, viewer)
        if wire.place >= last:
            return "game_over" if over else None
        async for events in _pages(call.service, live, wire.place, last):
            await wire.events((event.n, type_of(event), redacted_bytes(event, viewer)) for event in events)


async def _still(call: Call, live: LiveGame, viewer: Viewer) -> bool:
    """Whether the caller is to the game what they were when the stream began."""
    try:
        return (await access_of(call.service.invitations, live, call.principal, call.query.code)).viewer == viewer
    except (GameUnknown, Problem):
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


async def _wait(service: Service, live: LiveGame, viewer: Viewer, listener: Listener, wire: Wire, watch: Watch) -> None:
    """Until there may be news, or the token is in doubt: by the bell, the slow poll, or because a delay has passed."""
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
        if live.state.version > wire.place or watch.doubted:
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
        scope="watch",
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
