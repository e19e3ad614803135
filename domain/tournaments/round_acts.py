"""Director's acts on the clock of a round and who is missing."""

from datetime import timedelta

from domain.tournaments import acts
from domain.tournaments.asked_times import asked_time
from domain.tournaments.clocks import moment, text
from domain.tournaments.desk import Desk, match_of, open_matches_of, round_at, side_of
from domain.tournaments.endings import close_round
from domain.tournaments.entrants import nothing_to_change
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_events import ClockChanged, NoShowNoted, TimeCalled
from domain.tournaments.rounds_running import start_round
from domain.tournaments.state import Match, Round


def begin_round(desk: Desk, act: acts.StartRound) -> None:
    round_at(desk.state, act.round, "paired")
    desk.take(start_round(desk.state, desk.now, act.round, desk.by))


def end_round(desk: Desk, act: acts.CloseRound) -> None:
    round_at(desk.state, act.round, "started")
    desk.take(close_round(desk.state, act.round, desk.by))


def change_clock(desk: Desk, act: acts.ChangeClock) -> None:
    """Matches whose clocks end at different times are each moved by as much."""
    changed = round_at(desk.state, act.round, "started")
    if (act.minutes is None) == (act.due_at is None):
        raise TournamentRefused(TournamentCode.TIME_INVALID, needed="either minutes or due_at")
    ids = open_matches_of(desk.state, act.round, act.matches)
    ends: dict[str, list[str]] = {}
    if not ids:
        ends[_end(desk, changed, None, act)] = []
    for each in ids:
        ends.setdefault(_end(desk, changed, desk.state.matches[each], act), []).append(each)
    for due_at, matches in ends.items():
        desk.add(ClockChanged(round=act.round, due_at=due_at, matches=tuple(matches)))


def _end(desk: Desk, changed: Round, match: Match | None, act: acts.ChangeClock) -> str:
    """The new end of the clock. Raises `TournamentRefused`: `time_invalid`, `nothing_to_change`."""
    known = match.due_at if match is not None and match.due_at is not None else changed.due_at
    if act.due_at is not None:
        asked = asked_time(act.due_at)
        if asked is None:
            raise TournamentRefused(TournamentCode.TIME_INVALID, due_at=act.due_at, needed="RFC 3339 in UTC")
        due = asked
    else:
        # A clock that has run out, or was not there, is set going from now on.
        called = match.time_called if match is not None else changed.time_called
        base = desk.now if known is None or called else moment(known)
        due = base + timedelta(minutes=act.minutes or 0)
    if due <= desk.now:
        raise TournamentRefused(
            TournamentCode.TIME_INVALID, due_at=text(due), needed=f"after {text(desk.now)}; to end it now, call_time"
        )
    if known is not None and moment(known) == due:
        raise nothing_to_change(round=changed.number, due_at=known)
    return text(due)


def call_time(desk: Desk, act: acts.CallTime) -> None:
    called = round_at(desk.state, act.round, "started")
    ids = open_matches_of(desk.state, act.round, act.matches)
    if called.time_called or (ids and all(desk.state.matches[each].time_called for each in ids)):
        raise nothing_to_change(round=act.round, time_called=True)
    desk.add(TimeCalled(round=act.round, matches=ids))


def note_no_show(desk: Desk, act: acts.NoteNoShow) -> None:
    match = match_of(desk.state, act.match)
    round_at(desk.state, match.round, "started")
    side_of(match, act.entrant)
    if match.over:
        raise TournamentRefused(TournamentCode.MATCH_WRONG_STATUS, match=match.id, needed="a match that is not over")
    if act.entrant in match.missing:
        raise nothing_to_change(match=match.id, entrant=act.entrant, missing=True)
    desk.add(NoShowNoted(match=match.id, entrant=act.entrant))
