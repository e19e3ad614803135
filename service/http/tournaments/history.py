"""The events of a tournament: a page as JSON or NDJSON. All of them are public."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from domain.events import encode
from domain.tournaments.events import AnyTournamentEvent
from service.http.history import PAGE_DEFAULT, PAGE_MAX
from service.http.operations import JSON, NDJSON, PRIVATE, AnswerKind, Call, Header, Operation, Reply
from service.http.tables import etag
from service.http.tournaments.shown import find
from service.store.base import VERSION_MAX


class TournamentEventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The events above `after`, at most `limit` of them."""

    after: Annotated[int, Meta(ge=0, le=VERSION_MAX)] = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE_DEFAULT


class TournamentEventPage(Struct, frozen=True, kw_only=True):
    """Events in order. `next` is the `after` of the next page, null where these are the last so far."""

    events: tuple[AnyTournamentEvent, ...]
    next: int | None


async def list_events(call: Call) -> Reply:
    query: TournamentEventsQuery = call.query
    live = await find(call)
    version = live.state.version
    limit = min(query.limit, call.service.settings.page_events_max)
    last = min(version, query.after + limit)
    lines = [encode(event) async for event in call.service.tournaments.events(live, query.after, last)]
    more = last < version
    headers: list[Header] = [PRIVATE, etag(version)]
    if more:
        following = f"/v1/tournaments/{live.id}/events?after={last}&limit={limit}"
        headers.append((b"link", f'<{following}>; rel="next"'.encode()))
    if call.accepts(NDJSON):
        return Reply(200, b"".join([line + b"\n" for line in lines]), tuple(headers), NDJSON)
    following_after = msgspec.json.encode(last if more else None)
    return Reply(200, b'{"events":[' + b",".join(lines) + b'],"next":' + following_after + b"}", tuple(headers))


OPERATIONS: Final = (
    Operation(
        id="listTournamentEvents",
        method="GET",
        path="/v1/tournaments/{tournament_id}/events",
        tag="tournaments",
        summary="What has happened in a tournament",
        description="NDJSON has one event a line; a `Link` header leads to the next page of either form.",
        credential="optional",
        scope="watch",
        query=TournamentEventsQuery,
        answers=(
            AnswerKind(
                status=200, description="A page of events.", kind=TournamentEventPage, media_types=(JSON,),
                headers=("ETag",),
            ),
            AnswerKind(
                status=200, description="A page of events.", kind=AnyTournamentEvent, media_types=(NDJSON,),
                headers=("ETag",),
            ),
        ),
        problems=("tournament_not_found",),
        run=list_events,
    ),
)  # fmt: skip
