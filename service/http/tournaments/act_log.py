"""The log of everything that persons did in a tournament."""

import re
from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.tournaments.act_log import act_log
from domain.tournaments.event import Reason
from service.http.operations import AnswerKind, Call, Operation, Reply, reply
from service.http.tables import etag
from service.http.tournaments.shown import find, names_of
from service.store.base import VERSION_MAX
from service.tournaments.texts import texts_of

PAGE_DEFAULT: Final = 200
PAGE_MAX: Final = 1000
_ENTRANT: Final = re.compile(r"\be[0-9]+\b")


class ActsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The acts after event `after`, among the next `limit` events."""

    after: Annotated[int, Meta(ge=0, le=VERSION_MAX)] = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE_DEFAULT


class ActTold(Struct, frozen=True, kw_only=True):
    """One event that a person brought about: who (`token` names the one it was done with, null for a person's first),
    what in words, why, and the text that goes with it where it was not taken back."""

    n: int
    at: str
    by: str
    by_name: str | None
    token: str | None
    event: str
    told: str
    reason: Reason | None
    text: str | None


class ActLog(Struct, frozen=True, kw_only=True):
    """Acts in order, and how the entrants are called that they tell of.

    `next` is the `after` of the next page, null where these are the last so far.
    """

    acts: tuple[ActTold, ...]
    names: dict[str, str]
    next: int | None


async def get_acts(call: Call) -> Reply:
    query: ActsQuery = call.query
    live = await find(call)
    version = live.state.version
    last = min(version, query.after + min(query.limit, call.service.settings.page_events_max))
    happened = [event async for event in call.service.tournaments.events(live, query.after, last)]
    tokens = {event.n: event.token for event in happened}
    logged = act_log(happened)
    names = await call.service.players.names({each.by for each in logged})
    texts = await texts_of(call.service.store.pool, live.id, {each.text.id for each in logged if each.text is not None})
    told = tuple(
        ActTold(
            n=each.n,
            at=each.at,
            by=each.by,
            by_name=names.get(each.by),
            token=tokens[each.n],
            event=each.event,
            told=each.told,
            reason=each.reason,
            text=None if each.text is None else texts.get(each.text.id),
        )
        for each in logged
    )
    named = {entrant for each in logged for entrant in _ENTRANT.findall(each.told)} & live.state.entrants.keys()
    called = await names_of(call, live.state, sorted(named))
    return reply(200, ActLog(acts=told, names=called, next=last if last < version else None), etag(version))


OPERATIONS: Final = (
    Operation(
        id="listActs",
        method="GET",
        path="/v1/tournaments/{tournament_id}/acts",
        tag="tournaments",
        summary="Everything that persons did, with reasons",
        description="Pages are of events, and hold those that a person brought about: a page may be empty while there "
        "is a next one.",
        credential="optional",
        scope="watch",
        query=ActsQuery,
        answers=(AnswerKind(status=200, description="A page of the log.", kind=ActLog, headers=("ETag",)),),
        problems=("tournament_not_found",),
        run=get_acts,
    ),
)
