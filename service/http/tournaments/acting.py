"""What directors do: one command for each act, shown beforehand where that is asked."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.ratings.shapes import Standing
from domain.tournaments import acts, directing, previews
from domain.tournaments.acts import Act, text_of
from domain.tournaments.clocks import text
from domain.tournaments.desk import match_of
from domain.tournaments.events import AnyTournamentEvent, LotsDrawn
from domain.tournaments.given import Draw, Given
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.state import Tournament
from service.http.operations import AnswerKind, Call, Operation, Reply, reply
from service.http.ratings_shown import RatingShown, show_rating
from service.http.tables import etag
from service.http.tournaments.commands import HEADERS, PROBLEMS, check_expected, perform
from service.http.tournaments.entrants import known_persons
from service.http.tournaments.lineups import completed, newcomers
from service.http.tournaments.shown import find, needed_director, needed_organiser
from service.ratings.preview import PreviewTooLong
from service.store.append import Write
from service.tournaments.live import LiveTournament
from service.tournaments.local_times import moment_at, read_time
from service.tournaments.rating import results_changed
from service.tournaments.texts import TextKind, new_text
from service.tournaments.tournaments import worked_out

CHANGES_DEFAULT: Final = 500
CHANGES_MAX: Final = 20_000

Needed = Callable[[Call, Tournament], str]
"""Who directs by a call. Raises `Problem` where nobody does."""

TEXT_KINDS: Final[dict[type, TextKind]] = {acts.Announce: "announcement", acts.Enter: "name"}
"""What the text of an act is; of any other it is a note."""


class ActQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """With `dry_run` nothing happens: the answer says what would. `most` is how many entries each list may have."""

    dry_run: bool = False
    most: Annotated[int, Meta(ge=0, le=CHANGES_MAX)] = CHANGES_DEFAULT


class RatingMoved(Struct, frozen=True, kw_only=True):
    """What a rating is, and what it becomes; null for a subject that has none then."""

    subject: str
    players: tuple[str, ...]
    before: RatingShown | None
    after: RatingShown | None


class Acted(Struct, frozen=True, kw_only=True):
    """What an act has done, or with `dry_run` would do.

    `events` are those that it stored, up to event `version`; `changes` is everything that they change. `ratings` are
    told in a dry run only, since they follow a little later; null where too many results hang on it to tell. A list
    that was cut at `most` stands in `cut`, by its name, with how many entries it has. `lots` are the purposes for which
    lots would be drawn: a dry run has others in their place than those to come, which nobody knows beforehand.
    """

    dry_run: bool
    version: int
    events: tuple[AnyTournamentEvent, ...]
    changes: previews.Preview
    ratings: tuple[RatingMoved, ...] | None = ()
    cut: dict[str, int] = {}
    lots: tuple[str, ...] = ()


async def act(call: Call) -> Reply:
    live = await find(call)
    act = _at_place(completed(call.body), live.state)
    needed: Needed = needed_organiser if isinstance(act, acts.HandOver) else needed_director
    by = call.caller.player
    if not isinstance(act, acts.HandOver) or call.key is None or call.query.dry_run:
        needed(call, live.state)
    given, writes = await _given(call, live, act)
    if call.query.dry_run:
        return await _preview(call, live, act, given, needed)

    decided_on: dict[int, Tournament] = {}

    def decide(state: Tournament, now: datetime, draw: Draw) -> list[AnyTournamentEvent]:
        # It may have been handed over since; where that was done with this very key, it is told again.
        needed(call, state)
        decided_on[state.version] = state
        return directing.decide(state, act, by, now, draw, given)

    done = await perform(call, live, "actOnTournament", decide, writes)
    first, after = done.first_version or done.state.version + 1, done.state
    before = decided_on.get(first - 1) or await call.service.tournaments.at(live, first - 1)
    happened = [event async for event in call.service.tournaments.events(live, first - 1, after.version)]
    return _told(call, False, after.version, happened, await _changes(before, after))


def _at_place(act: Act, state: Tournament) -> Act:
    """An act whose time is in UTC, as events have it; what cannot be read stays, to be refused as any other time."""
    if not isinstance(act, acts.ChangeClock) or act.due_at is None:
        return act
    try:
        read = read_time(act.due_at)
    except ValueError:
        return act
    return replace(act, due_at=text(moment_at(read, state.terms.time_zone)))


async def _changes(before: Tournament, after: Tournament) -> previews.Preview:
    return await worked_out(after, lambda: previews.changes(before, after))


def _told(
    call: Call,
    dry_run: bool,
    version: int,
    happened: Sequence[AnyTournamentEvent],
    changes: previews.Preview,
    ratings: tuple[RatingMoved, ...] | None = (),
) -> Reply:
    """The answer, its lists cut where they are too long for whoever asks."""
    most = call.query.most
    lists = {field: found for field in changes.__struct_fields__ if isinstance(found := getattr(changes, field), tuple)}
    cut = {field: len(found) for field, found in lists.items() if len(found) > most}
    if len(happened) > most:
        cut["events"] = len(happened)
    if ratings is not None and len(ratings) > most:
        cut["ratings"] = len(ratings)
    shown = Acted(
        dry_run=dry_run,
        version=version,
        events=tuple(happened[:most]),
        changes=replace(changes, **{field: found[:most] for field, found in lists.items()}),
        ratings=None if ratings is None else ratings[:most],
        cut=cut,
        lots=tuple(each.purpose for each in happened if isinstance(each, LotsDrawn)) if dry_run else (),
    )
    return reply(200, shown, etag(version))


async def _preview(call: Call, live: LiveTournament, act: Act, given: Given, needed: Needed) -> Reply:
    check_expected(call, live)
    if isinstance(act, acts.Adjudicate):
        _check_called(live.state, act)
    changes: list[previews.Preview] = []

    def decide(state: Tournament, now: datetime, draw: Draw) -> list[AnyTournamentEvent]:
        happened, found = previews.preview(state, act, needed(call, state), now, draw, given)
        changes.append(found)
        return happened

    before, happened, after = await call.service.tournaments.preview(live, decide)
    ratings = await _ratings(call, before, after, changes[-1])
    return _told(call, True, before.version, happened, changes[-1], ratings)


def _check_called(state: Tournament, act: acts.Adjudicate) -> None:
    """What an open hand comes to tells of the cards in hands, so nobody just has a look at it while all play on.

    Raises `TournamentRefused`: `match_not_found`, `match_wrong_status`.
    """
    match = match_of(state, act.match)
    if not (match.over or match.time_called):
        raise TournamentRefused(
            TournamentCode.MATCH_WRONG_STATUS,
            match=match.id,
            needed="call_time before a look at what an open hand comes to, or the act itself",
        )


async def _ratings(
    call: Call, before: Tournament, after: Tournament, changes: previews.Preview
) -> tuple[RatingMoved, ...] | None:
    """What becomes of ratings: of every subject the rating before the first and after the last change."""
    if not after.terms.rated:
        return ()
    moved: dict[str, RatingMoved] = {}
    for result in results_changed(before, after, [each.match for each in changes.rated]):
        try:
            found = await call.service.ratings.preview_match(result)
        except PreviewTooLong:
            return None
        for each in found:
            known = moved.get(each.subject)
            moved[each.subject] = RatingMoved(
                subject=each.subject,
                players=each.players,
                before=_shown(each.before) if known is None else known.before,
                after=_shown(each.after),
            )
    return tuple(moved.values())


def _shown(standing: Standing | None) -> RatingShown | None:
    return None if standing is None else show_rating(standing.rating)


async def _given(call: Call, live: LiveTournament, act: Act) -> tuple[Given, tuple[Write, ...]]:
    """What the act needs besides itself, and its text as it is kept. Raises `TournamentRefused`."""
    writes: tuple[Write, ...] = ()
    text = None
    written = text_of(act)
    if written is not None:
        text, kept = new_text(TEXT_KINDS.get(type(act), "note"), written, call.caller.player)
        writes = (kept,)
    coming = newcomers(act, live.state)
    persons = await known_persons(call, live, coming)
    if isinstance(act, acts.HandOver) and not (await call.service.tokens.page(act.player, None, 1))[0]:
        raise TournamentRefused(TournamentCode.LINEUP_INVALID, needed="a player who can log in", players=[act.player])
    game = None
    if isinstance(act, acts.Adjudicate):
        game = await call.service.manager.as_it_lies(live.id, act.match, act.table, act.leg)
    return Given(text=text, persons=persons, game=game), writes


OPERATIONS: Final = (
    Operation(
        id="actOnTournament",
        method="POST",
        path="/v1/tournaments/{tournament_id}/acts",
        tag="tournaments",
        summary="Direct: one act, or a look at what it would change",
        description="`act` says what is to be done. With `dry_run=true` nothing is, and the answer names every "
        "pairing, result, rank, advancement and rating that would change. Each act is one append, whole or not at all.",
        scope="tournament",
        query=ActQuery,
        body=Act,
        body_example={"act": "pair"},
        headers=HEADERS,
        answers=(AnswerKind(status=200, description="What it did.", kind=Acted, headers=("ETag",)),),
        problems=(
            *PROBLEMS,
            "not_your_tournament",
            "tournament_too_large",
            *(code.value for code in TournamentCode if code.value not in PROBLEMS),
        ),
        run=act,
    ),
)
