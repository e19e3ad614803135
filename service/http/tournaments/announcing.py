"""Tournaments: announced, listed, shown, their title and terms changed."""

import secrets
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct

from domain.fairness import MASTER_BYTES
from domain.tournaments import announcing
from domain.tournaments.event import Text
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.given import Draw
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.state import Status, Tournament
from service.cursors import CursorUnreadable
from service.http.games import PAGE_DEFAULT, PAGE_MAX
from service.http.operations import AnswerKind, Call, Header, Operation, Reply, reply
from service.http.parameters import if_none_match
from service.http.problems import Problem
from service.http.tables import etag
from service.http.tournaments.commands import HEADERS, PROBLEMS, perform
from service.http.tournaments.shown import AsOfQuery, find, find_at, needed_director
from service.http.tournaments.terms_wanted import Changes, TermsWanted, Title, resolved
from service.http.tournaments.view import TournamentShown, show
from service.store.append import Write
from service.tournaments.ids import new_tournament_id
from service.tournaments.listing import WantedTournaments, list_tournaments
from service.tournaments.local_times import zones
from service.tournaments.opening import open_tournament
from service.tournaments.texts import new_text


class NewTournament(TermsWanted, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A tournament to be announced: its title, and its terms."""

    title: Title


class ListedTournament(Struct, frozen=True, kw_only=True):
    """What a list tells of a tournament; `entered` counts the entrants, `round` is the last one paired (0: none)."""

    id: str
    title: str | None
    status: Status
    organiser: str
    organiser_name: str | None
    ruleset: str
    players: int
    entrants: Literal["fixed", "individuals", "teams"]
    shown: Literal["public", "unlisted"]
    created_at: datetime
    starts_at: datetime | None
    entered: int
    round: int
    finished_at: datetime | None


class TournamentList(Struct, frozen=True, kw_only=True):
    """A page of tournaments, newest first; `next` is the cursor of the page after it, null at the end."""

    tournaments: tuple[ListedTournament, ...]
    next: str | None


class TournamentsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Filters; an empty text means any. `entered` gives those that you are entered in, `mine` those you organise."""

    status: Literal["", "announced", "registration", "closed", "running", "finished", "cancelled"] = ""
    ruleset: Annotated[str, Meta(pattern=r"^[a-z0-9-]{0,64}$(?!\n)")] = ""
    mine: bool = False
    entered: bool = False
    cursor: Annotated[str, Meta(max_length=200)] = ""
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE_DEFAULT


async def announce(call: Call) -> Reply:
    wanted: NewTournament = call.body
    key, digest = call.key, sha256(call.raw).hexdigest()
    organiser = call.caller.player
    tournament_id = new_tournament_id()
    if key is not None:
        bound = await call.service.store.claim("announceTournament", organiser, key, digest, tournament_id.encode())
        tournament_id = bound.decode()
    master = secrets.token_bytes(MASTER_BYTES)
    done = await open_tournament(
        call.service.tournaments,
        tournament_id=tournament_id,
        organiser=organiser,
        title=wanted.title,
        terms=resolved(wanted, master),
        now=datetime.now(UTC),
        zones=zones(),
        key=key,
        digest=None if key is None else digest,
        master=master,
    )
    return await _reply(call, done.state, 201, (b"location", f"/v1/tournaments/{tournament_id}".encode()))


async def get_tournament(call: Call) -> Reply:
    query: AsOfQuery = call.query
    live, state = await find_at(call, query.at)
    if if_none_match(call.headers, state.version):
        return Reply(304, b"", (etag(state.version),))
    return reply(200, await show(call, state, now=state.version == live.state.version), etag(state.version))


async def get_tournaments(call: Call) -> Reply:
    query: TournamentsQuery = call.query
    if (query.mine or query.entered) and call.principal is None:
        raise Problem("credential_missing", "Your own tournaments can be listed with your token only.")
    wanted = WantedTournaments(
        status=query.status or None,
        ruleset=query.ruleset or None,
        player=call.caller.player if query.entered else None,
        organiser=call.caller.player if query.mine else None,
    )
    limit = min(query.limit, call.service.settings.page_items_max)
    try:
        page = await list_tournaments(call.service.store.pool, wanted, query.cursor or None, limit)
    except CursorUnreadable as error:
        raise Problem("cursor_invalid", "Take the cursor from `next` of the page before.") from error
    names = await call.service.players.names({row["organiser"] for row in page.rows})
    listed = tuple(ListedTournament(organiser_name=names.get(row["organiser"]), **row) for row in map(dict, page.rows))
    return reply(200, TournamentList(tournaments=listed, next=page.next))


async def change(call: Call) -> Reply:
    """The title, and before the start the terms: one append for each that is given."""
    wanted: Changes = call.body
    live = await find(call)
    by = needed_director(call, live.state)
    title: Text | None = None
    writes: tuple[Write, ...] = ()
    if wanted.title is not UNSET:
        title, kept = new_text("title", wanted.title, by)
        writes = (kept,)
    terms = None if wanted.terms is UNSET else resolved(wanted.terms, live.master, live.state.terms)
    if title is None and terms is None:
        raise TournamentRefused(TournamentCode.NOTHING_TO_CHANGE, needed="title or terms")

    def decide(state: Tournament, now: datetime, _draw: Draw) -> list[AnyTournamentEvent]:
        # It may have been handed over since.
        needed_director(call, state)
        return announcing.change(state, title, terms, by, now, zones())

    done = await perform(call, live, "changeTournament", decide, writes)
    return await _reply(call, done.state, 200)


async def _reply(call: Call, state: Tournament, status: int, *headers: Header) -> Reply:
    return reply(status, await show(call, state), etag(state.version), *headers)


SWISS_EXAMPLE: Final = {
    "title": "Tuesday pairs",
    "ruleset": "samba-official",
    "players": 4,
    "stages": [{"format": {"kind": "swiss", "rounds": 5}, "match": "4x50"}],
    "time_zone": "Europe/Rome",
    "pace": {"automatic": False},
}

OPERATIONS: Final = (
    Operation(
        id="announceTournament",
        method="POST",
        path="/v1/tournaments",
        tag="tournaments",
        summary="Announce a tournament",
        description="You are its organiser. Make tokens with the scope `tournament` for those who direct it with you.",
        scope="tournament",
        beyond=True,
        body=NewTournament,
        body_example=SWISS_EXAMPLE,
        headers=("Idempotency-Key",),
        answers=(
            AnswerKind(
                status=201, description="The tournament.", kind=TournamentShown, headers=("ETag", "Location"),
                links={"getTournament": "/id", "enterTournament": "/id", "actOnTournament": "/id"},
            ),
        ),
        problems=("ruleset_invalid", "tournament_terms_invalid", "idempotency_key_reused"),
        run=announce,
    ),
    Operation(
        id="listTournaments",
        method="GET",
        path="/v1/tournaments",
        tag="tournaments",
        summary="Listed tournaments, or your own",
        credential="optional",
        scope="watch",
        query=TournamentsQuery,
        answers=(AnswerKind(status=200, description="A page of tournaments.", kind=TournamentList),),
        problems=("cursor_invalid",),
        run=get_tournaments,
    ),
    Operation(
        id="getTournament",
        method="GET",
        path="/v1/tournaments/{tournament_id}",
        tag="tournaments",
        summary="A tournament, now or as of any of its events",
        credential="optional",
        scope="watch",
        query=AsOfQuery,
        headers=("If-None-Match",),
        answers=(
            AnswerKind(status=200, description="The tournament.", kind=TournamentShown, headers=("ETag",)),
            AnswerKind(status=304, description="You have this version already.", headers=("ETag",)),
        ),
        problems=("tournament_not_found", "event_not_found"),
        run=get_tournament,
    ),
    Operation(
        id="changeTournament",
        method="PATCH",
        path="/v1/tournaments/{tournament_id}",
        tag="tournaments",
        summary="Change its title, or before the start its terms",
        scope="tournament",
        body=Changes,
        body_example={"title": "Tuesday pairs, second edition"},
        headers=HEADERS,
        answers=(AnswerKind(status=200, description="The tournament.", kind=TournamentShown, headers=("ETag",)),),
        problems=(
            *PROBLEMS, "not_your_tournament", "nothing_to_change", "tournament_terms_invalid", "ruleset_invalid",
            "tournament_too_large",
        ),
        run=change,
    ),
)  # fmt: skip
