"""What is kept beside the events of a tournament, in the same append: its row, its players, and its timers."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from domain.tournaments.clocks import moment
from domain.tournaments.entrants import OVER
from domain.tournaments.entry_events import Entered, Substituted
from domain.tournaments.events import AnyTournamentEvent, BoardsCommitted
from domain.tournaments.games import game_id
from domain.tournaments.process import next_moment
from domain.tournaments.round_events import GameFinished, ResultRecorded, RoundStarted
from domain.tournaments.state import Tournament
from service.store.append import (
    DropDeadline,
    DropTournamentPlayer,
    PutBoardSet,
    PutDeadline,
    PutToldGame,
    PutTournament,
    PutTournamentPlayer,
    Write,
)

PROCESS: Final = "process"
"""The timer of what happens by the clock: openings, starts, ends of rounds."""

WORK: Final = "work"
"""The timer of what follows from an append: whoever made it does that at once, and takes the timer away."""

NO_SHOW: Final = "no_show:"
"""The timer of a round, its number behind the colon, at which who has not moved is missing."""


def side_writes(
    before: Tournament | None, after: Tournament, happened: Sequence[AnyTournamentEvent], now: datetime, patience: float
) -> list[Write]:
    """What comes with the events; `patience` is after how many seconds another worker takes up what follows."""
    return [
        _row(after),
        *_players(before, happened),
        *(PutBoardSet(after.commitment, event.boards) for event in happened if isinstance(event, BoardsCommitted)),
        *_told(after, happened),
        PutDeadline(WORK, now + timedelta(seconds=patience)),
        process_timer(after, now),
        *_no_shows(after, happened, now),
    ]


def process_timer(state: Tournament, now: datetime) -> Write:
    """The timer of what comes next by the clock."""
    due = next_moment(state, now)
    return DropDeadline(PROCESS) if due is None else PutDeadline(PROCESS, due)


def _row(state: Tournament) -> PutTournament:
    starts_at = state.terms.pace.starts_at
    return PutTournament(
        organiser=state.organiser,
        status=state.status,
        shown=state.terms.shown,
        title=state.title.id,
        ruleset=state.terms.ruleset.name,
        players=state.terms.players,
        entrants=state.terms.entrants,
        entered=len(state.active),
        round=len(state.rounds),
        created_at=moment(state.created_at),
        starts_at=None if starts_at is None else moment(starts_at),
        finished_at=moment(state.at) if state.status in OVER else None,
    )


def _players(before: Tournament | None, happened: Sequence[AnyTournamentEvent]) -> list[Write]:
    """Who came into a line-up and who left one. One write a player, as the database wants it."""
    standing = {} if before is None else {entrant.id: entrant.players for entrant in before.entrants.values()}
    writes: dict[str, Write] = {}
    for event in happened:
        if not isinstance(event, Entered | Substituted):
            continue
        for player in standing.get(event.entrant, ()):
            writes[player] = DropTournamentPlayer(player)
        for player in event.players:
            writes[player] = PutTournamentPlayer(player, event.entrant)
        standing[event.entrant] = event.players
    return [*writes.values()]


def _told(state: Tournament, happened: Sequence[AnyTournamentEvent]) -> list[Write]:
    """What is now known of the ends of games. One write a game, as the database wants it."""
    told: dict[str, str] = {}
    for event in happened:
        if isinstance(event, GameFinished):
            told.setdefault(game_id(state.id, event.match, event.table, event.leg), "finish")
        elif isinstance(event, ResultRecorded):
            result = event.result
            told[game_id(state.id, result.match, result.table, result.leg)] = "result"
    return [PutToldGame(game, what) for game, what in told.items()]


def _no_shows(after: Tournament, happened: Sequence[AnyTournamentEvent], now: datetime) -> list[Write]:
    minutes = after.terms.pace.no_show_minutes
    if minutes is None:
        return []
    return [
        PutDeadline(f"{NO_SHOW}{event.round}", now + timedelta(minutes=minutes))
        for event in happened
        if isinstance(event, RoundStarted)
    ]
