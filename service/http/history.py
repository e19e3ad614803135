"""The events of a game as the caller may see them: a page as JSON or NDJSON."""

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from domain.events import AnyEvent
from domain.redaction import redacted_bytes
from service.http.access import needed_viewer
from service.http.games import ShareCode
from service.http.operations import JSON, NDJSON, PRIVATE, AnswerKind, Call, Operation, Reply
from service.http.tables import etag, find_game
from service.store.base import VERSION_MAX
from service.visible import visible_version

PAGE_DEFAULT: Final = 500
PAGE_MAX: Final = 1000


class EventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The events above `after`, at most `limit` of them. `code` is that of a share link."""

    after: Annotated[int, Meta(ge=0, le=VERSION_MAX)] = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE_DEFAULT
    code: ShareCode = ""


class EventPage(Struct, frozen=True, kw_only=True):
    """Events in order. `next` is the `after` of the next page, null where these are the last so far."""

    events: tuple[AnyEvent, ...]
    next: int | None


async def list_events(call: Call) -> Reply:
    query: EventsQuery = call.query
    live, allowed = await find_game(call, query.code)
    viewer = needed_viewer(allowed)
    games = call.service.games
    version = await visible_version(games, live, viewer)
    limit = min(query.limit, call.service.settings.page_events_max)
    last = min(version, query.after + limit)
    lines = [redacted_bytes(event, viewer) async for event in games.events(live, query.after, last)]
    more = last < version
    headers: list[Any] = [PRIVATE, etag(version)]
    if more:
        following = f"/v1/games/{live.facts.id}/events?after={last}&limit={limit}"
        headers.append((b"link", f'<{following}>; rel="next"'.encode()))
    if call.accepts(NDJSON):
        return Reply(200, b"".join([line + b"\n" for line in lines]), tuple(headers), NDJSON)
    following_after = msgspec.json.encode(last if more else None)
    content = b'{"events":[' + b",".join(lines) + b'],"next":' + following_after + b"}"
    return Reply(200, content, tuple(headers))


OPERATIONS: Final = (
    Operation(
        id="listEvents",
        method="GET",
        path="/v1/games/{game_id}/events",
        tag="games",
        summary="What has happened, as you may see it",
        description="NDJSON has one event a line; a `Link` header leads to the next page of either form.",
        credential="optional",
        scope="watch",
        query=EventsQuery,
        answers=(
            AnswerKind(
                status=200, description="A page of events.", kind=EventPage, media_types=(JSON,), headers=("ETag",)
            ),
            AnswerKind(
                status=200, description="A page of events.", kind=AnyEvent, media_types=(NDJSON,), headers=("ETag",)
            ),
        ),
        problems=("game_not_found", "watching_not_allowed", "game_sealed"),
        run=list_events,
    ),
)
