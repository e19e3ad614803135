"""Director's acts on the clock of a round and who is missing."""

from datetime import datetime, timedelta

from domain.tournaments import acts
from domain.tournaments.asked_times import TIME_MAX, asked_time
from domain.tournaments.clocks import moment, text
from domain.tournaments.desk import Desk, match_of, open_matches_of, round_at, side_of
from domain.tournaments.endings import close_round
from domain.tournaments.entrants import nothing_to_change
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_events import ClockChanged, NoShowNoted, TimeCalled
from domain.tournaments.rounds_running import check_nobody_left, start_round
from domain.tournaments.state import Match, Round


def begin_round(desk: Desk, act: acts.StartRound) -> None:
    """Not with a match that somebody has left since it was paired: the director pairs it anew, swaps, or forfeits it.

    Raises `TournamentRefused`: as `round_at` and `start_round` do, `pairing_invalid`.
    """
    state = desk.state
    paired = round_at(state, act.round, "paired")
    check_nobody_left(state, paired)
    desk.take(start_round(state, desk.now, act.round, desk.by))


def end_round(desk: Desk, act: acts.CloseRound) -> None:
    """Raises `TournamentRefused`: as `round_at` and `close_round` do."""
    round_at(desk.state, act.round, "started")
    desk.take(close_round(desk.state, act.round, desk.by))


def change_clock(desk: Desk, act: acts.ChangeClock) -> None:
    """Matches whose clocks end at different times are each moved by as much, also those of a round that is moved.

    Raises `TournamentRefused`: as `round_at` and `open_matches_of` do, `time_invalid`, `nothing_to_change`.
    """
    state = desk.state
    changed = round_at(state, act.round, "started")
    if (act.minutes is None) == (act.due_at is None):
        raise TournamentRefused(TournamentCode.TIME_INVALID, needed="either minutes or due_at")
    ids = open_matches_of(state, act.round, act.matches)
    ends: dict[datetime, list[str]] = {}
    if not ids:
        due = _end(desk, changed, None, act)
        desk.add(ClockChanged(round=act.round, due_at=text(due)))
        for match in state.matches_of(act.round):
            if match.due_at is not None and not (match.over or match.time_called):
                ends.setdefault(_moved_along(desk, changed, match, due), []).append(match.id)
    for each in ids:
        ends.setdefault(_end(desk, changed, state.matches[each], act), []).append(each)
    for due, matches in ends.items():
        desk.add(ClockChanged(round=act.round, due_at=text(due), matches=tuple(matches)))


def _end(desk: Desk, changed: Round, match: Match | None, act: acts.ChangeClock) -> datetime:
    """The new end of the clock. Raises `TournamentRefused`: `time_invalid`, `nothing_to_change`."""
    known = match.due_at if match is not None and match.due_at is not None else changed.due_at
    if act.due_at is not None:
        asked = asked_time(act.due_at)
        if asked is None:
            raise TournamentRefused(
                TournamentCode.TIME_INVALID, due_at=act.due_at, needed="a time as in RFC 3339", latest=text(TIME_MAX)
            )
        due = asked
    else:
        # A clock that has run out, or was not there, is set going from now on.
        called = match.time_called if match is not None else changed.time_called
        base = desk.now if known is None or called else moment(known)
        due = base + timedelta(minutes=act.minutes or 0)
    _check_end(desk, due, match)
    if known is not None and moment(known) == due:
        raise nothing_to_change(round=changed.number, due_at=known)
    return due


def _moved_along(desk: Desk, changed: Round, match: Match, due: datetime) -> datetime:
    """The end of a match that has one of its own, once the end of its round is at `due`."""
    assert match.due_at is not None
    own = moment(match.due_at)
    if changed.due_at is not None:
        own += due - moment(changed.due_at)
    _check_end(desk, own, match)
    return own


def _check_end(desk: Desk, due: datetime, match: Match | None) -> None:
    """Raises `TournamentRefused`: `time_invalid`."""
    if not desk.now < due <= TIME_MAX:
        raise TournamentRefused(
            TournamentCode.TIME_INVALID,
            due_at=text(due),
            needed=f"after {text(desk.now)}; to end it now, call_time",
            latest=text(TIME_MAX),
            match=None if match is None else match.id,
        )


def call_time(desk: Desk, act: acts.CallTime) -> None:
    """A match that had more time after its round was called is called again.

    Raises `TournamentRefused`: as `round_at` and `open_matches_of` do, `nothing_to_change`.
    """
    called = round_at(desk.state, act.round, "started")
    ids = open_matches_of(desk.state, act.round, act.matches)
    matches = [desk.state.matches[each] for each in ids]
    if not matches:
        matches = [match for match in desk.state.matches_of(act.round) if not match.over]
    if (ids or called.time_called) and all(match.time_called for match in matches):
        raise nothing_to_change(round=act.round, time_called=True)
    desk.add(TimeCalled(round=act.round, matches=ids))


def note_no_show(desk: Desk, act: acts.NoteNoShow) -> None:
    """Raises `TournamentRefused`: `match_not_found`, as `round_at` does, `entrant_not_found`, `match_wrong_status`,
    `nothing_to_change`.
    """
    match = match_of(desk.state, act.match)
    round_at(desk.state, match.round, "started")
    side_of(match, act.entrant)
    if match.over:
        raise TournamentRefused(TournamentCode.MATCH_WRONG_STATUS, match=match.id, needed="a match that is not over")
    if act.entrant in match.missing:
        raise nothing_to_change(match=match.id, entrant=act.entrant, missing=True)
    desk.add(NoShowNoted(match=match.id, entrant=act.entrant))
