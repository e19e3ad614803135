"""Rounds and matches: who plays whom at which table, and what came of it."""

from typing import Final, Literal

from msgspec import Struct

from domain.tournaments.desk import match_of, round_of
from domain.tournaments.games import game_id, open_games
from domain.tournaments.seating import Adjustment, GameResult
from domain.tournaments.state import Match, Tournament
from service.http.operations import AnswerKind, Call, Operation, Reply, reply
from service.http.tables import etag
from service.http.tournaments.paging import PAGED, AsOfPageQuery, page_of, page_reply
from service.http.tournaments.shown import AsOfQuery, find_at, names_of
from service.http.tournaments.view import RoundClock, clock_of
from service.tournaments.texts import texts_of

MatchStatus = Literal["paired", "playing", "decided"]


class SeatAt(Struct, frozen=True, kw_only=True):
    """A seat of a table, whose it is and who plays there."""

    seat: int
    entrant: str
    player: str


class TableShown(Struct, frozen=True, kw_only=True):
    """A table of a match: its number in the room, its seats, and its games so far, in order of play."""

    table: int
    seats: tuple[SeatAt, ...]
    games: tuple[str, ...]


class RulingShown(Struct, frozen=True, kw_only=True):
    """The ruling that stands in the place of what was played; `n` is its event."""

    n: int
    at: str
    by: str
    reason: str
    adjustment: Adjustment | None
    note: str | None


class MatchShown(Struct, frozen=True, kw_only=True):
    """A match.

    `sides` are entrants by side, the first side North-South, `names` how the entrants are called. `points` and `score`
    (hundredths) are by side once it is decided; a score that compares boards with other tables stands in the
    standings. `winner` is the side that goes on. `finished` counts games on boards that have ended and whose results
    are told once all tables have played them. `due_at` is the end of the match's clock.
    """

    id: str
    round: int
    stage: int
    status: MatchStatus
    sides: tuple[tuple[str, ...], ...]
    names: dict[str, str]
    tables: tuple[TableShown, ...]
    boards: tuple[int, ...]
    bracket: str | None
    due_at: str | None
    time_called: bool
    missing: tuple[str, ...]
    finished: int
    points: tuple[int, ...] | None
    score: tuple[int, ...] | None
    winner: int | None
    how: str | None
    results: tuple[GameResult, ...]
    ruling: RulingShown | None


class RoundShown(Struct, frozen=True, kw_only=True):
    """A round with a page of its matches by table, and on the first page its byes by entrant. `engine`, `relaxations`
    and `explanation` say how it was paired.

    `names` are those of the page, `next` is the `after` of the next one, null at the end; `r3m12` has the number 12.
    """

    version: int
    clock: RoundClock
    engine: str
    relaxations: tuple[str, ...]
    explanation: tuple[str, ...]
    matches: tuple[MatchShown, ...]
    byes: dict[str, str]
    names: dict[str, str]
    next: int | None


class RoundList(Struct, frozen=True, kw_only=True):
    """Rounds in order. `next` is the `after` of the next page, null where these are the last so far."""

    version: int
    rounds: tuple[RoundClock, ...]
    next: int | None


async def get_rounds(call: Call) -> Reply:
    query: AsOfPageQuery = call.query
    _, state = await find_at(call, query.at)
    rounds, following = page_of(call, sorted(state.rounds.items()))
    clocks = tuple(clock_of(state, each) for each in rounds)
    listed = RoundList(version=state.version, rounds=clocks, next=following)
    return page_reply(call, state, "rounds", listed, following)


async def get_round(call: Call) -> Reply:
    query: AsOfPageQuery = call.query
    _, state = await find_at(call, query.at)
    played = round_of(state, number_in(call.path["round"]))
    matches, following = page_of(call, enumerate(state.matches_of(played.number), 1))
    byes: dict[str, str] = {} if query.after else {**played.byes}
    seated = {entrant for match in matches for side in match.paired.sides for entrant in side}
    names = await names_of(call, state, {*seated, *byes})
    notes = await _notes(call, state, matches)
    shown = RoundShown(
        version=state.version,
        clock=clock_of(state, played),
        engine=played.engine,
        relaxations=played.relaxations,
        explanation=played.explanation,
        matches=tuple(show_match(state, match, names, notes) for match in matches),
        byes=byes,
        names=names,
        next=following,
    )
    return page_reply(call, state, f"rounds/{played.number}", shown, following)


async def get_match(call: Call) -> Reply:
    query: AsOfQuery = call.query
    _, state = await find_at(call, query.at)
    match = match_of(state, call.path["match"])
    names = await names_of(call, state, {entrant for side in match.paired.sides for entrant in side})
    return reply(200, show_match(state, match, names, await _notes(call, state, [match])), etag(state.version))


def number_in(text: str) -> int:
    """The number in a path; 0, which no round has, for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0


async def _notes(call: Call, state: Tournament, matches: list[Match]) -> dict[str, str]:
    ids = {match.ruling.note.id for match in matches if match.ruling is not None and match.ruling.note is not None}
    return await texts_of(call.service.store.pool, state.id, ids) if ids else {}


def show_match(state: Tournament, match: Match, names: dict[str, str], notes: dict[str, str]) -> MatchShown:
    """A match, with the names of its entrants and the notes of rulings by their ids."""
    outcome = match.outcome
    status: MatchStatus = "decided" if match.over else "playing" if match.started else "paired"
    played = state.rounds[match.round]
    return MatchShown(
        id=match.id,
        round=match.round,
        stage=match.stage,
        status=status,
        sides=match.paired.sides,
        names={entrant: names[entrant] for side in match.paired.sides for entrant in side},
        tables=tuple(_table(state, match, number) for number in range(len(match.paired.tables))),
        boards=match.paired.boards,
        bracket=match.paired.bracket,
        due_at=match.due_at or played.due_at,
        time_called=match.time_called,
        missing=match.missing,
        finished=len(match.finished),
        points=None if outcome is None else outcome.points,
        score=None if outcome is None else outcome.score,
        winner=None if outcome is None else outcome.winner,
        how=None if outcome is None else outcome.how,
        results=match.results,
        ruling=_ruling(match, notes),
    )


def _table(state: Tournament, match: Match, number: int) -> TableShown:
    table = match.paired.tables[number]
    seats = tuple(
        SeatAt(seat=seat, entrant=entrant, player=player)
        for seat, (entrant, player) in enumerate(zip(table.entrants, table.players, strict=True))
    )
    known = {leg for each, leg in match.finished if each == table.table}
    known |= {result.leg for result in match.results if result.table == table.table and result.game is not None}
    if match.started and not match.over:
        known |= {leg for seats, leg in open_games(state, match) if seats.table == table.table}
    games = tuple(game_id(state.id, match.id, table.table, leg) for leg in sorted(known))
    return TableShown(table=table.table, seats=seats, games=games)


def _ruling(match: Match, notes: dict[str, str]) -> RulingShown | None:
    ruling = match.ruling
    if ruling is None or ruling.adjustment is None:
        return None
    return RulingShown(
        n=ruling.n,
        at=ruling.at,
        by=ruling.by,
        reason=ruling.reason,
        adjustment=ruling.adjustment,
        note=None if ruling.note is None else notes.get(ruling.note.id),
    )


OPERATIONS: Final = (
    Operation(
        id="listRounds",
        method="GET",
        path="/v1/tournaments/{tournament_id}/rounds",
        tag="tournaments",
        summary="The rounds so far",
        description=PAGED,
        credential="optional",
        scope="watch",
        query=AsOfPageQuery,
        answers=(AnswerKind(status=200, description="A page of rounds.", kind=RoundList, headers=("ETag", "Link")),),
        problems=("tournament_not_found", "event_not_found"),
        run=get_rounds,
    ),
    Operation(
        id="getRound",
        method="GET",
        path="/v1/tournaments/{tournament_id}/rounds/{round}",
        tag="tournaments",
        summary="A round: pairings, byes, results",
        description=f"The matches come in pages. {PAGED}",
        credential="optional",
        scope="watch",
        query=AsOfPageQuery,
        answers=(AnswerKind(status=200, description="The round.", kind=RoundShown, headers=("ETag", "Link")),),
        problems=("tournament_not_found", "round_not_found", "event_not_found"),
        run=get_round,
    ),
    Operation(
        id="getMatch",
        method="GET",
        path="/v1/tournaments/{tournament_id}/matches/{match}",
        tag="tournaments",
        summary="A match: tables, games, results, rulings",
        credential="optional",
        scope="watch",
        query=AsOfQuery,
        answers=(AnswerKind(status=200, description="The match.", kind=MatchShown, headers=("ETag",)),),
        problems=("tournament_not_found", "match_not_found", "event_not_found"),
        run=get_match,
    ),
)
