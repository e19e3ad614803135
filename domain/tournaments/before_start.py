"""From the announcement to the start: registration by its times, lots, boards, seeds, the first stage."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from msgspec import to_builtins

from domain.tournaments import clocks
from domain.tournaments.draws import LOTS, purpose_of
from domain.tournaments.entry_events import Seeded
from domain.tournaments.events import (
    AnyTournamentEvent,
    BoardsCommitted,
    LotsDrawn,
    RegistrationClosed,
    RegistrationOpened,
    TournamentStarted,
)
from domain.tournaments.fold import fold
from domain.tournaments.given import Draw
from domain.tournaments.numbering import SERVICE, numbered
from domain.tournaments.plans import boards_needed, check_plan
from domain.tournaments.playing import is_open, kept_out, takes_part
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.stages import begin_stage
from domain.tournaments.state import Tournament


def before_start(state: Tournament, now: datetime, draw: Draw) -> list[AnyTournamentEvent]:
    """The next thing that happens before the start. Refuses as `start`."""
    match state.status:
        case "announced":
            return opening(state, now)
        case "registration":
            closes_at = closing_time(state)
            closes = closes_at is not None and is_due(closes_at, now)
            return numbered(state, SERVICE, [RegistrationClosed()] if closes else [])
        case _:
            return _closed(state, now, draw)


def opening(state: Tournament, now: datetime) -> list[AnyTournamentEvent]:
    """Registration opens at its time, or at once without one."""
    opens = is_due(state.terms.registration.opens_at, now)
    return numbered(state, SERVICE, [RegistrationOpened()] if opens else [])


def closing_time(state: Tournament) -> str | None:
    """When registration closes: at its own time, else with the start; None where a director closes it."""
    return state.terms.registration.closes_at or state.terms.pace.starts_at


def is_due(time: str | None, now: datetime) -> bool:
    """Whether a time has come; no time at all has."""
    return time is None or clocks.moment(time) <= now


def wants_beacon(state: Tournament) -> Literal["fixed", "shown"] | None:
    """What the boards of a tournament need of a beacon: a round yet to come, or that round as it came out."""
    if state.terms.boards is None or not state.terms.boards.beacon or state.status != "closed":
        return None
    if state.beacon is None:
        return "fixed"
    return "shown" if state.beacon_shown is None else None


def start(state: Tournament, draw: Draw, by: str = SERVICE, *, forecasts: bool = True) -> list[AnyTournamentEvent]:
    """Everything that is missing up to the start, and the first stage; `forecasts` as `check_plan` has it.

    Raises `TournamentRefused`: `tournament_wrong_status`, `entrants_too_few`, `rounds_impossible` (`faults` has every
    fault of the plan), `beacon_awaited`.
    """
    if state.status != "closed":
        raise TournamentRefused(TournamentCode.WRONG_STATUS, status=state.status, needed=["closed"])
    _check(state, forecasts)
    missing = wants_beacon(state)
    if missing is not None:
        raise TournamentRefused(TournamentCode.BEACON_AWAITED, missing=missing)
    happened = _drawn(state, draw, by)
    happened += numbered(fold(state, happened), by, _seeds(state))
    happened += numbered(fold(state, happened), by, [TournamentStarted()])
    return [*happened, *begin_stage(fold(state, happened), draw, by)]


def _closed(state: Tournament, now: datetime, draw: Draw) -> list[AnyTournamentEvent]:
    if _lots_wanted(state) not in state.lots or (state.terms.boards is not None and not state.boards):
        _check(state, forecasts=True)
        return _drawn(state, draw, SERVICE)
    if not state.terms.pace.automatic or not is_due(state.terms.pace.starts_at, now):
        return []
    return start(state, draw)


def _check(state: Tournament, forecasts: bool) -> None:
    entrants = _expected(state)
    if entrants < 2:
        others = {} if is_open(state.stage_terms(0)) else kept_out(state, state.active)
        raise TournamentRefused(TournamentCode.ENTRANTS_TOO_FEW, needed=2, found=entrants, **others)
    faults = check_plan(state.terms, entrants, forecasts=forecasts)
    if faults:
        raise TournamentRefused(TournamentCode.ROUNDS_IMPOSSIBLE, entrants=entrants, faults=to_builtins(faults))


def _expected(state: Tournament) -> int:
    """How many the first stage would have."""
    open_stage = is_open(state.stage_terms(0))
    return sum(open_stage or takes_part(state, each) for each in state.active)


def _drawn(state: Tournament, draw: Draw, by: str) -> list[AnyTournamentEvent]:
    """Lots and boards that are missing."""
    happened: list[AnyTournamentEvent] = []
    purpose = _lots_wanted(state)
    if purpose not in state.lots:
        happened.append(LotsDrawn(purpose=purpose, seed=draw(purpose)))
    needed = boards_needed(state.terms, _expected(state))
    if needed > state.boards:
        happened.append(BoardsCommitted(boards=needed))
    return numbered(state, by, happened)


def _lots_wanted(state: Tournament) -> str:
    """The purpose of the lots that count: none that somebody knew before entering."""
    return purpose_of(LOTS, state.lots_known)


def _seeds(state: Tournament) -> list[AnyTournamentEvent]:
    """By rating, who has none behind all others, in the order of entering; seeds that there are stay, first."""
    active = {each.id for each in state.active}
    if state.seeding and active == set(state.seeding):
        return []
    kept = [each for each in state.seeding if each in active]
    others = [each for each in state.active if each.id not in kept]
    by_rating = sorted(others, key=lambda each: (each.rating is None, -(each.rating or 0), each.place))
    order: Sequence[str] = [*kept, *(each.id for each in by_rating)]
    return [Seeded(order=tuple(order), method=state.seeded_by if kept else "rating")]
