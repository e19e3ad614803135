"""Entrants: who is in, who may enter, entering."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.tournaments import entering
from domain.tournaments.act import Club, Name
from domain.tournaments.conditions import EntryVerdict, may_enter
from domain.tournaments.entry_events import Entered
from domain.tournaments.given import Person
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.terms import PLAYERS_OF_ENTRANT_MAX
from service.automata import bot_player
from service.http.opening import BotLevel, PlayerId
from service.http.operations import AnswerKind, Call, Operation, Reply, reply
from service.http.tournaments.commands import HEADERS, PROBLEMS, perform
from service.http.tournaments.paging import PAGED, AsOfPageQuery, page_of, page_reply
from service.http.tournaments.shown import AsOfQuery, EntrantShown, entrant_reply, entrants_shown, find, find_at
from service.store.append import Write
from service.tournaments.entry_codes import keyed
from service.tournaments.live import LiveTournament
from service.tournaments.persons import mean_rating, persons_of
from service.tournaments.texts import new_text

Code = Annotated[str, Meta(min_length=1, max_length=100)]


class NewEntrant(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An entry: you, and those who play with you, in the order of the line-up. Without `players` it is you alone.

    Your partners agree for themselves (`consent`). `bots` are declared stand-ins, where the terms have them. `avoid`
    are codes of clubs or households: those who share one are kept apart as long as that can be.
    """

    players: Annotated[tuple[PlayerId, ...], Meta(max_length=PLAYERS_OF_ENTRANT_MAX)] = ()
    bots: Annotated[tuple[BotLevel, ...], Meta(max_length=PLAYERS_OF_ENTRANT_MAX)] = ()
    name: Name | None = None
    code: Code | None = None
    avoid: Annotated[tuple[Club, ...], Meta(max_length=10)] = ()


class EntrantList(Struct, frozen=True, kw_only=True):
    """Entrants as they stood after event `version`, in the order of entering; `e17` has the number 17.

    `next` is the `after` of the next page, null at the end.
    """

    version: int
    entrants: tuple[EntrantShown, ...]
    next: int | None


class ConditionsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`code` is the entry code, to see whether it is right."""

    code: Annotated[str, Meta(max_length=100)] = ""


class Conditions(Struct, frozen=True, kw_only=True):
    """Whether you may enter, with a verdict on every point."""

    ok: bool
    verdicts: tuple[EntryVerdict, ...]


async def get_conditions(call: Call) -> Reply:
    live = await find(call)
    player, now = call.caller.player, datetime.now(UTC)
    persons = await persons_of(call.service.store.pool, live.state.terms, (player,), now)
    code = keyed(live.master, call.query.code) if call.query.code else None
    found = may_enter(live.state, player, persons.get(player, Person()), code, now)
    return reply(200, Conditions(ok=all(each.ok for each in found), verdicts=found))


async def enter(call: Call) -> Reply:
    """Enter; the answer to the same key names the same entrant."""
    wanted: NewEntrant = call.body
    live = await find(call)
    by = call.caller.player
    players = wanted.players or (by,)
    persons = await known_persons(call, live, players)
    levels: tuple[str | None, ...] = (None,) * len(players) + wanted.bots
    writes: tuple[Write, ...] = ()
    name = None
    if wanted.name is not None:
        name, kept = new_text("name", wanted.name, by)
        writes = (kept,)
    entry = entering.Entry(
        players=(*players, *map(bot_player, wanted.bots)),
        bots=levels,
        code=None if wanted.code is None else keyed(live.master, wanted.code),
        avoid=wanted.avoid,
        name=name,
        rating=mean_rating(players, persons),
    )
    done = await perform(
        call, live, "enterTournament", lambda state, now, _draw: entering.enter(state, entry, by, now, persons), writes
    )
    entrant = await _entrant_made(call, live, done.first_version)
    location = (b"location", f"/v1/tournaments/{live.id}/entrants/{entrant}".encode())
    return await entrant_reply(call, done.state, entrant, 201, location)


async def _entrant_made(call: Call, live: LiveTournament, version: int) -> str:
    """The entrant that was entered by the event of this version."""
    async for event in call.service.tournaments.events(live, version - 1, version):
        if isinstance(event, Entered):
            return event.entrant
    raise TournamentRefused(TournamentCode.ENTRANT_UNKNOWN)


async def known_persons(call: Call, live: LiveTournament, players: Sequence[str]) -> dict[str, Person]:
    """What there is to know of persons, all of whom exist. Raises `TournamentRefused`."""
    persons = await persons_of(call.service.store.pool, live.state.terms, players, datetime.now(UTC))
    unknown = [player for player in players if player not in persons]
    if unknown:
        raise TournamentRefused(TournamentCode.LINEUP_INVALID, needed="ids of players that there are", players=unknown)
    return persons


async def get_entrants(call: Call) -> Reply:
    query: AsOfPageQuery = call.query
    _, state = await find_at(call, query.at)
    entrants, following = page_of(call, enumerate(state.entrants.values(), 1))
    shown = await entrants_shown(call, state, entrants)
    listed = EntrantList(version=state.version, entrants=tuple(shown), next=following)
    return page_reply(call, state, "entrants", listed, following)


async def get_entrant(call: Call) -> Reply:
    query: AsOfQuery = call.query
    _, state = await find_at(call, query.at)
    return await entrant_reply(call, state, call.path["entrant"], 200)


OPERATIONS: Final = (
    Operation(
        id="getEntryConditions",
        method="GET",
        path="/v1/tournaments/{tournament_id}/conditions",
        tag="tournaments",
        summary="Whether you may enter, point by point",
        scope="play",
        query=ConditionsQuery,
        answers=(AnswerKind(status=200, description="The verdicts.", kind=Conditions),),
        problems=("tournament_not_found",),
        run=get_conditions,
    ),
    Operation(
        id="enterTournament",
        method="POST",
        path="/v1/tournaments/{tournament_id}/entrants",
        tag="tournaments",
        summary="Enter, alone or with partners",
        description="With that you agree to be seated when a round begins; your partners agree for themselves. Where "
        "no place is free you come onto the waiting list.",
        scope="play",
        body=NewEntrant,
        body_example={"name": "The Black Threes"},
        headers=HEADERS,
        answers=(
            AnswerKind(
                status=201, description="The entrant.", kind=EntrantShown, headers=("ETag", "Location"),
            ),
        ),
        problems=(
            *PROBLEMS, "lineup_invalid", "bot_not_permitted", "not_your_entrant", "registration_not_open",
            "entry_code_wrong", "player_entered_already", "entry_conditions_not_met", "tournament_full",
        ),
        run=enter,
    ),
    Operation(
        id="listEntrants",
        method="GET",
        path="/v1/tournaments/{tournament_id}/entrants",
        tag="tournaments",
        summary="The entrants, now or as of any event",
        description=PAGED,
        credential="optional",
        scope="watch",
        query=AsOfPageQuery,
        answers=(
            AnswerKind(status=200, description="A page of entrants.", kind=EntrantList, headers=("ETag", "Link")),
        ),
        problems=("tournament_not_found", "event_not_found"),
        run=get_entrants,
    ),
    Operation(
        id="getEntrant",
        method="GET",
        path="/v1/tournaments/{tournament_id}/entrants/{entrant}",
        tag="tournaments",
        summary="One entrant",
        credential="optional",
        scope="watch",
        query=AsOfQuery,
        answers=(AnswerKind(status=200, description="The entrant.", kind=EntrantShown, headers=("ETag",)),),
        problems=("tournament_not_found", "entrant_not_found", "event_not_found"),
        run=get_entrant,
    ),
)  # fmt: skip
