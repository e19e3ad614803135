"""Director's acts on penalties: hundredths of score that an entrant loses or gets."""

from msgspec.structs import replace

from domain.tournaments import acts
from domain.tournaments.corrections import check_cuts, follow, publish_again, reopen_ended
from domain.tournaments.desk import Desk, round_of
from domain.tournaments.entrants import check_status, entrant_of, nothing_to_change
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_events import PenaltyGiven
from domain.tournaments.standings import standings
from domain.tournaments.state import Tournament


def penalise(desk: Desk, act: acts.Penalise) -> None:
    """A penalty (or, below zero, a bonus) for a round, or for the stage that has begun last, of somebody in its
    standings: of others it would change nothing.

    Raises `TournamentRefused`: as `give` does, `entrant_not_found` with the `stage`.
    """
    stage = _stage_of(desk.state, act)
    if all(row.entrant != act.entrant for row in standings(desk.state, stage).rows):
        raise TournamentRefused(TournamentCode.ENTRANT_UNKNOWN, entrant=act.entrant, stage=stage)
    give(desk, act)


def give(desk: Desk, act: acts.Penalise) -> None:
    """The penalty, whether or not the entrant stands in its stage.

    Raises `TournamentRefused`: `tournament_wrong_status`, `entrant_not_found`, `round_not_found`, `nothing_to_change`,
    `dependants_not_accepted`.
    """
    stage = _stage_of(desk.state, act)
    if act.score == 0:
        raise nothing_to_change(entrant=act.entrant, score=0)
    given = PenaltyGiven(entrant=act.entrant, round=act.round, score=act.score, reason=act.reason)
    _penalty(desk, stage, given, act.accept_dependants)


def lift_penalty(desk: Desk, act: acts.LiftPenalty) -> None:
    """A penalty is taken back.

    Raises `TournamentRefused`: `tournament_wrong_status`, `penalty_not_found`, `dependants_not_accepted`.
    """
    check_status(desk.state, "running", "finished")
    given = desk.state.penalties.get(act.penalty)
    if given is None:
        raise TournamentRefused(
            TournamentCode.PENALTY_UNKNOWN, penalty=act.penalty, penalties=sorted(desk.state.penalties)
        )
    lifted = PenaltyGiven(entrant=given.entrant, round=given.round, score=0, reason=act.reason, lifts=act.penalty)
    _penalty(desk, given.stage, lifted, act.accept_dependants)


def _stage_of(state: Tournament, act: acts.Penalise) -> int:
    check_status(state, "running", "finished")
    entrant_of(state, act.entrant)
    return len(state.stages) - 1 if act.round is None else round_of(state, act.round).stage


def _penalty(desk: Desk, stage: int, penalty: PenaltyGiven, accept_dependants: bool) -> None:
    before = desk.state
    ended = reopen_ended(desk, penalty.reason)
    desk.add(replace(penalty, note=desk.given.text))
    anew = follow(desk, before, stage)
    check_cuts(desk, before, stage, anew, accept_dependants, entrant=penalty.entrant)
    publish_again(desk, stage, ended)
