"""Director's acts on stages and the whole: standings, the next stage, announcements, the end."""

from msgspec.structs import replace

from domain.tournaments import acts
from domain.tournaments.before_start import start
from domain.tournaments.desk import Desk
from domain.tournaments.endings import close_round, finish, publish
from domain.tournaments.entrants import BEFORE_START, NOT_OVER, check_status
from domain.tournaments.events import (
    Announced,
    RegistrationClosed,
    TermsChanged,
    TournamentCancelled,
    TournamentReopened,
)
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_events import PairingUndone
from domain.tournaments.stages import begin_stage


def begin(desk: Desk, _act: acts.Start) -> None:
    """Everything that is missing up to the beginning of the first stage."""
    check_status(desk.state, *BEFORE_START)
    if desk.state.status != "closed":
        desk.add(RegistrationClosed())
    desk.take(start(desk.state, desk.draw, desk.by))


def publish_standings(desk: Desk, _act: acts.PublishStandings) -> None:
    check_status(desk.state, "running")
    desk.take(publish(desk.state, desk.by))


def end_stage(desk: Desk, _act: acts.EndStage) -> None:
    check_status(desk.state, "running")
    _close_rounds(desk)
    if len(desk.state.stages) < len(desk.state.terms.stages):
        desk.take(begin_stage(desk.state, desk.draw, desk.by))
    else:
        desk.take(finish(desk.state, desk.by))


def advance(desk: Desk, act: acts.Advance) -> None:
    """A number of qualifiers other than that of the terms changes the terms first."""
    check_status(desk.state, "running")
    terms = desk.state.terms
    number = len(desk.state.stages)
    if number >= len(terms.stages):
        raise TournamentRefused(TournamentCode.STAGE_OVER, stage=number - 1, needed="a further stage")
    _close_rounds(desk)
    if act.qualifiers is not None and act.qualifiers != terms.stages[number].qualifiers:
        stages = [*terms.stages]
        stages[number] = replace(stages[number], qualifiers=act.qualifiers)
        desk.add(TermsChanged(terms=replace(terms, stages=tuple(stages))))
    desk.take(begin_stage(desk.state, desk.draw, desk.by))


def end(desk: Desk, _act: acts.Finish) -> None:
    check_status(desk.state, "running")
    _close_rounds(desk)
    desk.take(finish(desk.state, desk.by))


def _close_rounds(desk: Desk) -> None:
    """Rounds that are over are closed, one that has not begun is taken back.

    Raises `TournamentRefused`: `round_wrong_status` while a match is open.
    """
    for each in [*desk.state.rounds.values()]:
        if each.status == "started":
            desk.take(close_round(desk.state, each.number, desk.by))
        elif each.status == "paired":
            desk.add(PairingUndone(round=each.number))


def announce(desk: Desk, _act: acts.Announce) -> None:
    text = desk.given.text
    assert text is not None, "The service keeps the text of an announcement and hands in where."
    desk.add(Announced(text=text))


def reopen(desk: Desk, act: acts.Reopen) -> None:
    check_status(desk.state, "finished")
    desk.add(TournamentReopened(reason=act.reason))


def cancel(desk: Desk, act: acts.Cancel) -> None:
    check_status(desk.state, *NOT_OVER)
    desk.add(TournamentCancelled(reason=act.reason, note=desk.given.text))
