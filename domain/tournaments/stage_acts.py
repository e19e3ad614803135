"""Director's acts on stages and the whole: standings, the next stage, announcements, the end."""

from msgspec.structs import replace

from domain.tournaments import acts
from domain.tournaments.before_start import start
from domain.tournaments.corrections import begin_anew
from domain.tournaments.desk import Desk
from domain.tournaments.endings import close_round, finish, publish
from domain.tournaments.entrants import BEFORE_START, NOT_OVER, check_status, nothing_to_change
from domain.tournaments.events import (
    Announced,
    HandedOver,
    RegistrationClosed,
    TermsChanged,
    TournamentCancelled,
    TournamentReopened,
)
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.results import boards_open, is_held_back, is_played_out
from domain.tournaments.round_events import PairingUndone, StageShortened
from domain.tournaments.rounds_running import check_unruled
from domain.tournaments.stages import begin_stage, is_unstarted
from domain.tournaments.state import Tournament


def begin(desk: Desk, _act: acts.Start, *, forecasts: bool = True) -> None:
    """Everything that is missing up to the beginning of the first stage; `forecasts` as `check_plan` has it."""
    check_status(desk.state, *BEFORE_START)
    if desk.state.status != "closed":
        desk.add(RegistrationClosed())
    desk.take(start(desk.state, desk.draw, desk.by, forecasts=forecasts))


def publish_standings(desk: Desk, _act: acts.PublishStandings) -> None:
    """Raises `TournamentRefused`: `tournament_wrong_status`."""
    check_status(desk.state, "running")
    desk.take(publish(desk.state, desk.by))


def end_stage(desk: Desk, _act: acts.EndStage) -> None:
    """The stage ends with the rounds that it has had, and the next one begins; after the last one the tournament ends.

    Raises `TournamentRefused`: as `begin_stage` does, `tournament_wrong_status`, `round_wrong_status`.
    """
    check_status(desk.state, "running")
    if not _close_rounds(desk, finished=False):
        return
    if len(desk.state.stages) < len(desk.state.terms.stages):
        desk.take(begin_stage(desk.state, desk.draw, desk.by))
    else:
        desk.take(finish(desk.state, desk.by))


def advance(desk: Desk, act: acts.Advance) -> None:
    """A number of qualifiers other than that of the terms changes the terms first.

    Raises `TournamentRefused`: `tournament_wrong_status`, `stage_over`, `stage_wrong`, `round_wrong_status`.
    """
    check_status(desk.state, "running")
    terms = desk.state.terms
    number = len(desk.state.stages) - act.anew
    if act.anew:
        _check_unstarted(desk.state)
    if number >= len(terms.stages):
        raise TournamentRefused(TournamentCode.STAGE_OVER, stage=number - 1, needed="a further stage")
    if act.qualifiers is not None and act.qualifiers != terms.stages[number].qualifiers:
        stages = [*terms.stages]
        stages[number] = replace(stages[number], qualifiers=act.qualifiers)
        desk.add(TermsChanged(terms=replace(terms, stages=tuple(stages))))
    if act.anew:
        begin_anew(desk)
    elif _close_rounds(desk, finished=False):
        desk.take(begin_stage(desk.state, desk.draw, desk.by))


def _check_unstarted(state: Tournament) -> None:
    """Raises `TournamentRefused`: `stage_wrong` in the first stage, `round_wrong_status` where one has started."""
    stage = state.stage
    if stage is None or stage.number == 0:
        raise TournamentRefused(TournamentCode.STAGE_WRONG, needed="a stage that others went on to")
    if not is_unstarted(state, stage):
        raise TournamentRefused(
            TournamentCode.ROUND_WRONG_STATUS,
            stage=stage.number,
            rounds=list(stage.rounds),
            needed="a stage of which nothing has been played or ruled",
        )


def end(desk: Desk, _act: acts.Finish) -> None:
    """The tournament ends with the rounds that it has had.

    Raises `TournamentRefused`: `tournament_wrong_status`, `round_wrong_status`.
    """
    check_status(desk.state, "running")
    if _close_rounds(desk, finished=True):
        desk.take(finish(desk.state, desk.by))


def _close_rounds(desk: Desk, *, finished: bool) -> bool:
    """Rounds that are over are closed, one that has not begun is taken back.

    False where results are held back for rounds to come of boards that go round: there will be none, so that all may
    be told, and what is asked for comes of itself when they are. Raises `TournamentRefused`: `round_wrong_status` while
    a match is open, or where a ruling on a round that has not begun would be lost.
    """
    for each in [*desk.state.rounds.values()]:
        if each.status == "paired":
            check_unruled(desk.state, each)
            desk.add(PairingUndone(round=each.number))
    state = desk.state
    started = [each.number for each in state.rounds.values() if each.status == "started"]
    matches = [match for number in started for match in state.matches_of(number)]
    if any(is_held_back(match) and not boards_open(state, match.id) for match in matches):
        still_open = [match.id for match in matches if not is_played_out(state, match)]
        if still_open:
            raise TournamentRefused(TournamentCode.ROUND_WRONG_STATUS, status="started", open=still_open)
        stage = state.stage
        assert stage is not None, "A round belongs to a stage."
        desk.add(StageShortened(stage=stage.number, rounds=len(stage.rounds), finished=finished))
        return False
    for number in started:
        desk.take(close_round(desk.state, number, desk.by))
    return True


def hand_over(desk: Desk, act: acts.HandOver) -> None:
    """At any time, also after the end: there are rulings then, too.

    Raises `TournamentRefused`: `lineup_invalid` for nobody that there is, `nothing_to_change`.
    """
    if act.player == desk.state.organiser:
        raise nothing_to_change(organiser=act.player)
    if act.player not in desk.given.persons:
        raise TournamentRefused(
            TournamentCode.LINEUP_INVALID, needed="the id of a player that there is", players=[act.player]
        )
    desk.add(HandedOver(organiser=act.player, note=desk.given.text))


def announce(desk: Desk, _act: acts.Announce) -> None:
    """A text for everybody, kept beside the log."""
    text = desk.given.text
    assert text is not None, "The service keeps the text of an announcement and hands in where."
    desk.add(Announced(text=text))


def reopen(desk: Desk, act: acts.Reopen) -> None:
    """A tournament that has ended goes on by its director's acts.

    Raises `TournamentRefused`: `tournament_wrong_status`.
    """
    check_status(desk.state, "finished")
    desk.add(TournamentReopened(reason=act.reason))


def cancel(desk: Desk, act: acts.Cancel) -> None:
    """The tournament will not be played to its end.

    Raises `TournamentRefused`: `tournament_wrong_status`.
    """
    check_status(desk.state, *NOT_OVER)
    desk.add(TournamentCancelled(reason=act.reason, note=desk.given.text))
