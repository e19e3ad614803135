"""What a tournament does of itself, one step at a time: a pure function of its state and of the time.

    registration opens, closes -> lots, boards, (beacon) -> seeds, start, stage -> round paired, started, time called,
    closed with its standings -> next round or stage -> finished -> boards revealed

A step is one append. Asked twice on one state it says the same; where nothing can happen it says nothing, and
`obstacle` tells why. Without `pace.automatic` a director seeds, starts, pairs, closes and finishes.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from domain.tournaments import clocks
from domain.tournaments.before_start import before_start, closing_time
from domain.tournaments.endings import reveal
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.formats import Arena, Ladder
from domain.tournaments.given import Draw
from domain.tournaments.lapsing import answers_due
from domain.tournaments.missing import entrants_missing
from domain.tournaments.pairing_rounds import end_of_waves
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.rounds_running import due_of, next_wave, run_rounds, start_of_round
from domain.tournaments.state import Round, Tournament


def step(state: Tournament, now: datetime, draw: Draw) -> list[AnyTournamentEvent]:
    """The next thing that happens of itself; nothing where that is not yet, or where something stands in the way.

    A cancelled tournament is to be asked only when its games have ended: it shows its master.
    """
    try:
        return _step(state, now, draw)
    except TournamentRefused:
        return []


def obstacle(state: Tournament, now: datetime) -> TournamentRefused | None:
    """Why a tournament that should go on does not; None where it does, or where its time has not come."""
    try:
        goes_on = _step(state, now, _no_seed)
    except TournamentRefused as refusal:
        return refusal
    return None if goes_on or not state.terms.pace.automatic else entrants_missing(state, now)


def next_moment(state: Tournament, now: datetime) -> datetime | None:
    """The earliest time to come at which something may happen of itself; None where only others can make it happen."""
    return min((each for each in _moments(state) if each is not None and each > now), default=None)


def no_show_at(state: Tournament, each: Round) -> datetime | None:
    """When an entrant who has made no move in a round is noted as missing."""
    minutes = state.terms.pace.no_show_minutes
    if minutes is None or each.started_at is None:
        return None
    return clocks.moment(each.started_at) + timedelta(minutes=minutes)


def _step(state: Tournament, now: datetime, draw: Draw) -> list[AnyTournamentEvent]:
    match state.status:
        case "running":
            return run_rounds(state, now, draw)
        case "finished" | "cancelled":
            return reveal(state, draw)
        case _:
            return before_start(state, now, draw)


def _moments(state: Tournament) -> Iterator[datetime | None]:
    match state.status:
        case "announced":
            yield _moment(state.terms.registration.opens_at)
        case "registration":
            yield _moment(closing_time(state))
        case "closed" if state.terms.pace.automatic:
            yield _moment(state.terms.pace.starts_at)
        case "running":
            yield from _moments_of_rounds(state)
        case _:
            pass


def _moments_of_rounds(state: Tournament) -> Iterator[datetime | None]:
    for each in state.rounds.values():
        if each.status == "paired" and state.terms.pace.automatic:
            yield start_of_round(state, each.number)
        if each.status == "started":
            yield no_show_at(state, each)
            yield from (due_of(state, match) for match in state.matches_of(each.number) if not match.over)
    yield from answers_due(state).values()
    if state.stage is not None:
        form = state.stage_terms(state.stage.number).format
        if isinstance(form, Arena | Ladder):
            yield end_of_waves(state.stage, form)
        if isinstance(form, Arena):
            yield next_wave(state, form)


def _moment(time: str | None) -> datetime | None:
    return None if time is None else clocks.moment(time)


def _no_seed(_purpose: str) -> str:
    return "00" * 32
