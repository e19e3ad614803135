"""A tournament as it is shown: its terms, where it stands, what comes next."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from msgspec import Struct, to_builtins

from domain.tournaments.games import game_id, open_games
from domain.tournaments.lapsing import answers_due
from domain.tournaments.results import is_played_out
from domain.tournaments.state import Match, Round, Status, Tournament
from domain.tournaments.terms import Terms
from service.http.operations import Call
from service.http.tournaments.shown import directs, own_entrant_of
from service.tournaments.beacons import beacon_due
from service.tournaments.texts import texts_of


class RoundClock(Struct, frozen=True, kw_only=True):
    """The last round: its status, when its clock ends, how many of its matches are `over`, and how many are `finished`:
    over, or with nothing left to be played and results that are told once others have played their boards."""

    round: int
    stage: int
    status: Literal["paired", "started", "closed"]
    matches: int
    over: int
    finished: int
    started_at: str | None
    due_at: str | None
    time_called: bool


class AnnouncementShown(Struct, frozen=True, kw_only=True):
    """`text` is null once it was taken back."""

    n: int
    at: str
    text: str | None


class BoardsShown(Struct, frozen=True, kw_only=True):
    """Duplicate boards: how many are committed to, and whether the master has been revealed.

    `beacon` is the round that they depend on, fixed once entries were closed; it comes out at `beacon_due_at`, and
    nothing starts before somebody has brought it (`beacon_shown`).
    """

    boards: int
    beacon: dict[str, object] | None
    beacon_due_at: datetime | None
    beacon_shown: bool
    revealed: bool


class Obstacle(Struct, frozen=True, kw_only=True):
    """Why nothing goes on of itself: a problem code and what belongs to it."""

    code: str
    params: dict[str, object]


class Playing(Struct, frozen=True, kw_only=True):
    """Where you are to sit: the match that is open, its table, your seat there, and the game that is in play or is
    about to be dealt; null while the round has not begun, and between two games."""

    round: int
    match: str
    table: int
    seat: int
    game: str | None


class TournamentShown(Struct, frozen=True, kw_only=True):
    """A tournament as it stood after event `version`.

    `director` says whether you may direct it, `entrant` is your own, `playing` where you are to play. `challenges` of a
    ladder wait to be answered: by the challenger who was challenged, and in `answers_due` until when. `next_at` is when
    it goes on of itself at the latest, `obstacle` why it does not; both null in a look back. `order` are the standings
    last published, in the end the final ones.
    """

    id: str
    version: int
    at: str
    title: str | None
    status: Status
    cancelled: str | None
    organiser: str
    organiser_name: str | None
    director: bool
    entrant: str | None
    playing: Playing | None
    terms: Terms
    commitment: str
    engine: str
    created_at: str
    entered: int
    waiting: int
    stage: int | None
    rounds_planned: int | None
    round: RoundClock | None
    boards: BoardsShown | None
    lots: dict[str, str]
    ladder: tuple[str, ...]
    challenges: dict[str, str]
    answers_due: dict[str, datetime]
    order: tuple[str, ...]
    announcements: tuple[AnnouncementShown, ...]
    next_at: datetime | None
    obstacle: Obstacle | None
    calendar_url: str
    page_url: str


async def show(call: Call, state: Tournament, *, now: bool = True) -> TournamentShown:
    """The tournament at a state, as the caller sees it; `now` is whether that is how it stands at present."""
    texts = await texts_of(
        call.service.store.pool, state.id, {state.title.id, *(each.text.id for each in state.announcements)}
    )
    names = await call.service.players.names({state.organiser})
    prospect = await call.service.prospects.of(state) if now else None
    hindrance = None if prospect is None else prospect.obstacle
    player = None if call.principal is None else call.principal.player
    stage = state.stage
    return TournamentShown(
        id=state.id,
        version=state.version,
        at=state.at,
        title=texts.get(state.title.id),
        status=state.status,
        cancelled=state.cancelled,
        organiser=state.organiser,
        organiser_name=names.get(state.organiser),
        director=directs(call, state),
        entrant=own_entrant_of(state, player),
        playing=None if player is None else playing_of(state, player),
        terms=state.terms,
        commitment=state.commitment,
        engine=state.engine,
        created_at=state.created_at,
        entered=len(state.active),
        waiting=sum(each.status == "waiting" for each in state.entrants.values()),
        stage=None if stage is None else stage.number,
        rounds_planned=None if stage is None else stage.rounds_planned,
        round=None if state.round is None else clock_of(state, state.round),
        boards=_boards(call, state),
        lots=state.lots,
        ladder=state.ladder,
        challenges=state.challenges,
        answers_due={**answers_due(state)},
        order=state.order,
        announcements=_announcements(state, texts),
        next_at=None if prospect is None else prospect.next_at,
        obstacle=None if hindrance is None else Obstacle(code=hindrance.code, params=to_builtins(hindrance.params)),
        calendar_url=f"{call.origin}/v1/tournaments/{state.id}/calendar.ics",
        page_url=f"{call.origin}/tournaments/{state.id}",
    )


def playing_of(state: Tournament, player: str) -> Playing | None:
    """Where a player is to sit; None for who is in no open match."""
    under_way = [each.number for each in state.rounds.values() if each.status != "closed"]
    for match in (match for number in under_way for match in state.matches_of(number) if not match.over):
        for table in match.paired.tables:
            if player in table.players:
                return Playing(
                    round=match.round,
                    match=match.id,
                    table=table.table,
                    seat=table.players.index(player),
                    game=_game_at(state, match, table.table),
                )
    return None


def _game_at(state: Tournament, match: Match, table: int) -> str | None:
    legs = [leg for seats, leg in open_games(state, match) if seats.table == table] if match.started else []
    return game_id(state.id, match.id, table, legs[0]) if legs else None


def is_finished(state: Tournament, match: Match) -> bool:
    """Whether nothing of a match is left to be played, whether its result is told yet or not."""
    return match.over or (bool(match.finished) and is_played_out(state, match))


def clock_of(state: Tournament, played: Round) -> RoundClock:
    """A round and its clock."""
    matches = state.matches_of(played.number)
    return RoundClock(
        round=played.number,
        stage=played.stage,
        status=played.status,
        matches=len(matches),
        over=sum(each.over for each in matches),
        finished=sum(is_finished(state, each) for each in matches),
        started_at=played.started_at,
        due_at=played.due_at,
        time_called=played.time_called,
    )


def _boards(call: Call, state: Tournament) -> BoardsShown | None:
    if state.terms.boards is None:
        return None
    return BoardsShown(
        boards=state.boards,
        beacon=state.beacon,
        beacon_due_at=beacon_due(call.service.chains, state),
        beacon_shown=state.beacon_shown is not None,
        revealed=state.revealed,
    )


def _announcements(state: Tournament, texts: Mapping[str, str]) -> tuple[AnnouncementShown, ...]:
    return tuple(AnnouncementShown(n=each.n, at=each.at, text=texts.get(each.text.id)) for each in state.announcements)
