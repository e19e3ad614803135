"""Director's acts on penalties: hundredths of score that an entrant loses or gets."""

from msgspec.structs import replace

from domain.tournaments import acts
from domain.tournaments.corrections import follow, publish_again, reopen_ended
from domain.tournaments.desk import Desk, round_of
from domain.tournaments.entrants import check_status, entrant_of, nothing_to_change
from domain.tournaments.entries import penalties_of
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_events import PenaltyGiven


def penalise(desk: Desk, act: acts.Penalise) -> None:
    check_status(desk.state, "running", "finished")
    entrant_of(desk.state, act.entrant)
    stage = len(desk.state.stages) - 1 if act.round is None else round_of(desk.state, act.round).stage
    if act.score == 0:
        raise nothing_to_change(entrant=act.entrant, score=0)
    _penalty(desk, stage, PenaltyGiven(entrant=act.entrant, round=act.round, score=act.score, reason=act.reason))


def lift_penalty(desk: Desk, act: acts.LiftPenalty) -> None:
    check_status(desk.state, "running", "finished")
    given = desk.state.penalties.get(act.penalty)
    if given is None:
        raise TournamentRefused(
            TournamentCode.PENALTY_UNKNOWN, penalty=act.penalty, penalties=sorted(desk.state.penalties)
        )
    lifted = PenaltyGiven(entrant=given.entrant, round=given.round, score=0, reason=act.reason, lifts=act.penalty)
    stage = next(each.number for each in desk.state.stages if given in penalties_of(desk.state, each))
    _penalty(desk, stage, lifted)


def _penalty(desk: Desk, stage: int, penalty: PenaltyGiven) -> None:
    before = desk.state
    ended = reopen_ended(desk, penalty.reason)
    desk.add(replace(penalty, note=desk.given.text))
    follow(desk, before, stage)
    publish_again(desk, stage, ended)
