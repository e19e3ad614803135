"""The rounds of a tournament under way: begun, called at the end of their time, closed, and the next one paired."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from domain.tournaments import clocks
from domain.tournaments.at_will import free_entrants
from domain.tournaments.endings import close_round, finish
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.formats import Arena, Elimination
from domain.tournaments.given import Draw
from domain.tournaments.lapsing import lapsed
from domain.tournaments.numbering import SERVICE, numbered
from domain.tournaments.outcomes import not_come
from domain.tournaments.pairing_rounds import is_directors_own, pair_next, stage_is_over
from domain.tournaments.playing import goes_in_waves
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.results import boards_open, is_held_back, is_played_out, settle
from domain.tournaments.round_events import MatchDecided, PairingUndone, RoundPaired, RoundStarted, TimeCalled
from domain.tournaments.stages import begin_stage
from domain.tournaments.state import Match, Round, StageState, Tournament


def run_rounds(state: Tournament, now: datetime, draw: Draw) -> list[AnyTournamentEvent]:
    """The next thing that happens while a tournament is running; without `pace.automatic`, or after a reopening, what
    comes next is a director's.

    Refuses as `pair_next` and `begin_stage`; `tournament_wrong_status` after a reopening.
    """
    over = numbered(state, SERVICE, [*_times_called(state, now), *lapsed(state, now)])
    if over:
        return over
    for match in _started_matches(state):
        decided = [] if match.over else settle(state, match.id)
        if decided:
            return decided
    ending = state.stage is not None and state.stage.ending is not None
    if not ending and not state.terms.pace.automatic:
        return []
    if not ending and state.reopened:
        # Whoever reopened it has something to put right, which its end would forestall.
        raise TournamentRefused(TournamentCode.WRONG_STATUS, status="reopened", needed=["finished"])
    return _next_round(state, now, draw)


def start_round(
    state: Tournament, now: datetime, number: int | None = None, by: str = SERVICE
) -> list[AnyTournamentEvent]:
    """The round paired last, or the one named, begins, and its clock.

    Raises `TournamentRefused`: `round_not_found`, `round_wrong_status`, `consent_missing` where somebody would be
    seated who has not agreed to it.
    """
    last = state.round
    paired = state.rounds.get(last.number if last is not None and number is None else number or 0)
    if paired is None:
        raise TournamentRefused(TournamentCode.ROUND_UNKNOWN, round=number)
    if paired.status != "paired":
        raise TournamentRefused(TournamentCode.ROUND_WRONG_STATUS, status=paired.status, needed="paired")
    unasked = _not_agreed(state, paired)
    if unasked:
        needed = "everybody agreed to be seated, a substitute, or forfeit"
        raise TournamentRefused(TournamentCode.CONSENT_MISSING, entrants=unasked, round=paired.number, needed=needed)
    return numbered(state, by, [RoundStarted(round=paired.number, due_at=_end_of_clock(state, paired, now))])


def planned_end(state: Tournament, number: int) -> datetime | None:
    """When the clock of a round ends by the times of the terms; None without one."""
    time = _entry(state.terms.pace.round_ends or (), number - 1)
    return None if time is None else clocks.moment(time)


def _end_of_clock(state: Tournament, begun: Round, now: datetime) -> str | None:
    """The end of the clock of a round that begins now: as it was planned, where a hand can still begin until then."""
    stage = state.stage_terms(begun.stage)
    planned = None if goes_in_waves(stage) else planned_end(state, begun.number)
    if planned is not None and planned > now + timedelta(minutes=stage.match.last_hand_minutes):
        return clocks.text(planned)
    minutes = stage.match.minutes
    return None if minutes is None else clocks.text(now + timedelta(minutes=minutes))


def _not_agreed(state: Tournament, paired: Round) -> list[str]:
    """The entrants of a round with a person at a table who has not agreed: a bracket pairs whoever goes on."""
    seated = (
        (state.entrants[entrant], player)
        for match in state.matches_of(paired.number)
        if not match.over
        for table in match.paired.tables
        for entrant, player in zip(table.entrants, table.players, strict=True)
    )
    found = (each.id for each, player in seated if player not in each.consents and player not in each.levels)
    return [*dict.fromkeys(found)]


def start_of_round(state: Tournament, number: int) -> datetime | None:
    """When a round begins; None at once."""
    pace = state.terms.pace
    if goes_in_waves(state.stage_terms(state.rounds[number].stage)):
        return None
    time = pace.starts_at if number == 1 else _entry(pace.round_times, number - 2)
    if time is not None:
        return clocks.moment(time)
    before = state.rounds.get(number - 1)
    if before is None:
        return None
    # Where boards go round, a round is paired as soon as the one before is played, which closes with the stage.
    ended_at = before.closed_at or state.rounds[number].paired_at
    return clocks.moment(ended_at) + timedelta(seconds=pace.pause_seconds)


def due_of(state: Tournament, match: Match) -> datetime | None:
    """When the clock of a match runs out: its own time, else that of its round."""
    due_at = state.rounds[match.round].due_at if match.due_at is None else match.due_at
    return None if due_at is None else clocks.moment(due_at)


def next_wave(state: Tournament, form: Arena) -> datetime | None:
    """When an arena is paired again at the earliest; None at once."""
    started = [each.started_at for each in state.rounds.values() if each.started_at is not None]
    return clocks.moment(started[-1]) + timedelta(seconds=form.pairing_seconds) if started else None


def departed(state: Tournament, match: Match) -> tuple[bool, ...]:
    """By side, whether somebody of it has left the tournament."""
    return tuple(any(state.entrants[each].status != "entered" for each in side) for side in match.paired.sides)


def check_nobody_left(state: Tournament, paired: Round) -> None:
    """Whether everybody is there whom a round would seat. Raises `TournamentRefused`: `pairing_invalid`."""
    left = {
        match.id: [each for side in match.paired.sides for each in side if state.entrants[each].status != "entered"]
        for match in state.matches_of(paired.number)
        if not match.over and any(departed(state, match))
    }
    if left:
        raise TournamentRefused(
            TournamentCode.PAIRING_INVALID,
            needed="undo_pairing, swap, or forfeit where somebody has left",
            entrants=sorted({each for names in left.values() for each in names}),
            matches=[*left],
        )


def _times_called(state: Tournament, now: datetime) -> Iterator[AnyTournamentEvent]:
    for each in state.rounds.values():
        if each.status != "started":
            continue
        running = [match for match in state.matches_of(each.number) if not match.over and not match.time_called]
        over = [match.id for match in running if (due := due_of(state, match)) is not None and due <= now]
        if over:
            yield TimeCalled(round=each.number, matches=() if len(over) == len(running) else tuple(over))


def _started_matches(state: Tournament) -> Iterator[Match]:
    for each in state.rounds.values():
        if each.status == "started":
            yield from state.matches_of(each.number)


def _next_round(state: Tournament, now: datetime, draw: Draw) -> list[AnyTournamentEvent]:
    for each in state.rounds.values():
        if each.status == "started" and all(
            match.over and not is_held_back(match) for match in state.matches_of(each.number)
        ):
            return close_round(state, each.number)
        if each.status == "paired":
            return _before_round(state, each, now)
    stage = state.stage
    if stage is None:
        return begin_stage(state, draw)
    under_way = [each for each in state.rounds.values() if each.status != "closed"]
    if stage_is_over(state, now):
        if under_way:
            return _awaits_results(state, under_way)
        further = stage.number + 1 < len(state.terms.stages) and stage.ending != "finished"
        return begin_stage(state, draw) if further else finish(state)
    if goes_in_waves(state.stage_terms(stage.number)):
        return _wave(state, stage, now)
    return pair_next(state) if all(is_through(state, each) for each in under_way) else []


def _awaits_results(state: Tournament, under_way: list[Round]) -> list[AnyTournamentEvent]:
    """Nothing, since results are told in a moment or games are played. Raises `TournamentRefused`: `entrants_too_few`,
    where results are held back for rounds of the stage that nobody is left to play.
    """
    matches = [match for each in under_way for match in state.matches_of(each.number)]
    held_back = [match.id for match in matches if is_held_back(match) and not boards_open(state, match.id)]
    if held_back and all(is_played_out(state, match) for match in matches):
        raise TournamentRefused(TournamentCode.ENTRANTS_TOO_FEW, needed=2, held_back=held_back, offered="end_stage")
    return []


def _before_round(state: Tournament, paired: Round, now: datetime) -> list[AnyTournamentEvent]:
    """A round begins at its time. Who has left has lost a match of a bracket; other rounds are paired anew.

    A pairing by a director stays as it is, and waits for the director. Raises `TournamentRefused`: `pairing_invalid`
    there; `round_wrong_status`, where a ruling on a match of the round would be lost (`left` are the matches of those
    who have gone).
    """
    of_round = state.matches_of(paired.number)
    matches = [match for match in of_round if any(departed(state, match)) and not match.over]
    bracket = isinstance(state.stage_terms(paired.stage).format, Elimination)
    if matches and not bracket and not is_directors_own(paired):
        check_unruled(state, paired, left=[match.id for match in matches])
        return numbered(state, SERVICE, [PairingUndone(round=paired.number, reason="absence")])
    if not bracket:
        check_nobody_left(state, paired)
    begins = start_of_round(state, paired.number)
    if begins is not None and begins > now:
        return []
    walk_overs = [_walk_over(state, match) for match in matches if bracket]
    return numbered(state, SERVICE, walk_overs) or start_round(state, now, paired.number)


def is_paired_anew(state: Tournament, match: Match) -> bool:
    """Whether the round of a match is paired anew of itself where one of its sides leaves before it begins."""
    each = state.rounds[match.round]
    by_itself = state.terms.pace.automatic and not state.reopened and not is_directors_own(each)
    return by_itself and each.status == "paired" and match.paired.bracket is None and not ruled_matches(state, each)


def _walk_over(state: Tournament, match: Match) -> MatchDecided:
    """Who is there goes on; where nobody is, nobody does."""
    came = not_come(state.stage_terms(match.stage), departed(state, match))
    return MatchDecided(match=match.id, points=came.points, score=came.score, winner=came.winner, how=came.how)


def _wave(state: Tournament, stage: StageState, now: datetime) -> list[AnyTournamentEvent]:
    """Matches between those who are free, where there are any."""
    form = state.stage_terms(stage.number).format
    if isinstance(form, Arena):
        next_at = next_wave(state, form)
        if (next_at is not None and next_at > now) or len(free_entrants(state)) < 2:
            return []
    elif not state.accepted:
        return []
    return [each for each in pair_next(state) if not isinstance(each, RoundPaired) or each.matches]


def check_unruled(state: Tournament, paired: Round, **told: object) -> None:
    """Whether the pairing of a round can be taken back without losing a ruling on it.

    Raises `TournamentRefused`: `round_wrong_status`, with the matches that are `ruled`.
    """
    ruled = ruled_matches(state, paired)
    if ruled:
        needed = "rulings taken back before the pairing"
        raise TournamentRefused(
            TournamentCode.ROUND_WRONG_STATUS,
            round=paired.number,
            status=paired.status,
            ruled=ruled,
            needed=needed,
            **told,
        )


def ruled_matches(state: Tournament, paired: Round) -> list[str]:
    """The matches of a round on which a ruling stands."""
    rulings = {match.id: match.ruling for match in state.matches_of(paired.number)}
    return [each for each, ruling in rulings.items() if ruling is not None and ruling.adjustment is not None]


def is_through(state: Tournament, under_way: Round) -> bool:
    """Whether the next round may be paired: nothing of this one is played, only its boards are still sealed."""
    boards = state.terms.boards
    rotating = boards is not None and boards.movement == "rotating"
    return rotating and all(is_played_out(state, match) for match in state.matches_of(under_way.number))


def _entry(times: tuple[str, ...], place: int) -> str | None:
    return times[place] if 0 <= place < len(times) else None
