"""The log of everything that persons did in a tournament."""

import re
from collections.abc import Iterable
from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.tournaments.act_log import LoggedAct, act_log
from domain.tournaments.event import Reason
from domain.tournaments.state import Tournament
from service.http.operations import AnswerKind, Call, Operation, Reply, reply
from service.http.tables import etag
from service.http.tournaments.shown import find, names_of
from service.players import ERASED_NAME
from service.store.base import VERSION_MAX
from service.tournaments.texts import texts_of

PAGE_DEFAULT: Final = 200
PAGE_MAX: Final = 1000
_ID: Final = re.compile(r"\b(?:r[0-9]+m[0-9]+|e[0-9]+|p[0-9a-f]{16,}|bot-[0-9a-z-]+)\b")
"""Of a match, an entrant, a person or a bot, in a sentence of the log."""


class ActsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The acts after event `after`, among the next `limit` events."""

    after: Annotated[int, Meta(ge=0, le=VERSION_MAX)] = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE_DEFAULT


class ActTold(Struct, frozen=True, kw_only=True):
    """One event that a person brought about: who (`token` names the one it was done with, null for a person's first),
    what in words, with the names that entrants and persons have now, why, and the text that goes with it where it was
    not taken back."""

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
    logged = act_log(happened)
    texts = await texts_of(call.service.store.pool, live.id, {each.text.id for each in logged if each.text is not None})
    called = await names_of(call, live.state, _entrants_in(live.state, (each.told for each in logged)))
    words, names = await _words(call, live.state, logged, called)
    told = tuple(
        ActTold(
            n=each.n,
            at=each.at,
            by=each.by,
            by_name=names.get(each.by),
            token=each.token,
            event=each.event,
            told=_ID.sub(lambda found: words.get(found[0], found[0]), each.told),
            reason=each.reason,
            text=None if each.text is None else texts.get(each.text.id),
        )
        for each in logged
    )
    return reply(200, ActLog(acts=told, names=called, next=last if last < version else None), etag(version))


def _entrants_in(state: Tournament, sentences: Iterable[str]) -> list[str]:
    """The entrants that sentences are about, also those of the matches that they name."""
    named = {found for sentence in sentences for found in _ID.findall(sentence)}
    seated = {
        entrant
        for match in named & state.matches.keys()
        for side in state.matches[match].paired.sides
        for entrant in side
    }
    return sorted(named & state.entrants.keys() | seated)


async def _words(
    call: Call, state: Tournament, logged: Iterable[LoggedAct], called: dict[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """What stands in the place of ids in sentences, and the names of persons."""
    bots = {bot: level for each in state.entrants.values() for bot, level in each.levels.items()}
    named = {found for each in logged for found in _ID.findall(each.told)} | {each.by for each in logged}
    persons = {each for each in named if each.startswith("p")}
    names = await call.service.players.names(persons)
    words = {person: names.get(person) or ERASED_NAME for person in persons}
    words |= {bot: f"a bot ({level})" for bot, level in bots.items()}
    words |= {entrant: f"{name} ({entrant})" for entrant, name in called.items()}
    for match in named & state.matches.keys():
        sides = [" & ".join(called[each] for each in side) for side in state.matches[match].paired.sides]
        words[match] = f"{match} ({' v '.join(sides)})"
    return words, names


OPERATIONS: Final = (
    Operation(
        id="listActs",
        method="GET",
        path="/v1/tournaments/{tournament_id}/acts",
        tag="tournaments",
        summary="Everything that persons did, with reasons",
        description="Sentences have the names that entrants and persons have now, with the ids of entrants and matches "
        "beside them; who was erased is told so. Pages are of events, and hold those that a person brought about: a "
        "page may be empty while there is a next one.",
        credential="optional",
        scope="watch",
        query=ActsQuery,
        answers=(AnswerKind(status=200, description="A page of the log.", kind=ActLog, headers=("ETag",)),),
        problems=("tournament_not_found",),
        run=get_acts,
    ),
)
