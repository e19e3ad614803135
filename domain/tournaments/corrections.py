"""What a correction of what has counted already brings with it: the end is none, later stages have something else from
the corrected one, and standings are published anew.
"""

from contextlib import suppress

from domain.tournaments.dependants import changed_cuts
from domain.tournaments.desk import Desk
from domain.tournaments.endings import finish, publish
from domain.tournaments.event import Reason
from domain.tournaments.events import TournamentReopened
from domain.tournaments.pairing_rounds import is_directors_own, pair_next, stage_is_over
from domain.tournaments.playing import goes_in_waves
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_events import CarriedChanged, PairingUndone, StageUndone
from domain.tournaments.stages import begin_stage, carried_into, going_on, is_unstarted
from domain.tournaments.state import Tournament


def reopen_ended(desk: Desk, reason: Reason) -> bool:
    """Whether the tournament had ended."""
    if desk.state.status != "finished":
        return False
    desk.add(TournamentReopened(reason=reason))
    return True


def follow(desk: Desk, before: Tournament, stage: int) -> int | None:
    """What stages have from those before them, from the corrected `stage` on; `before` is without the correction.

    A stage that others, or the same in another order, would go on to begins anew while nothing of it has started, and
    its number is given back. A stage that has started keeps its entrants and pairings, and what they carry follows.
    """
    for number in range(stage + 1, len(before.stages)):
        last = number + 1 == len(before.stages)
        if last and is_unstarted(before, before.stages[number]):
            there, here = (going_on(state, number, desk.draw)[0] for state in (before, desk.state))
            if there != here:
                begin_anew(desk)
                return number
        begun = desk.state.stages[number]
        carried = carried_into(desk.state, number, begun.entrants)
        if carried != tuple(begun.carried.get(each, 0) for each in begun.entrants):
            desk.add(CarriedChanged(stage=number, carried=carried))
    return None


def check_cuts(desk: Desk, before: Tournament, stage: int, anew: int | None, accepted: bool, **told: object) -> None:
    """Where others would go on now to a stage that has started, `accept_dependants` has to say that it stays as it is.

    `anew` is the stage that `follow` has begun anew. Raises `TournamentRefused`: `dependants_not_accepted`.
    """
    for number in changed_cuts(before, desk.state, stage):
        if number != anew:
            later = [each.id for each in before.matches.values() if each.stage >= number and each.started]
            check_accepted(accepted, stage=number, matches=later, **told)


def check_accepted(accepted: bool, **hanging: object) -> None:
    """Raises `TournamentRefused`: `dependants_not_accepted`, with what hangs on the act."""
    if not accepted:
        raise TournamentRefused(TournamentCode.DEPENDANTS, needed="accept_dependants", **hanging)


def begin_anew(desk: Desk) -> None:
    """The present stage, of which nothing has started, with those who go on to it now; its round is paired anew, but
    not where it was the director's own.
    """
    stage = desk.state.stage
    assert stage is not None, "Only a stage that has begun begins anew."
    paired = [desk.state.rounds[each] for each in stage.rounds]
    for each in reversed(paired):
        desk.add(PairingUndone(round=each.number))
    desk.add(StageUndone(stage=stage.number))
    desk.take(begin_stage(desk.state, desk.draw, desk.by))
    by_format = bool(paired) and not is_directors_own(paired[-1])
    if by_format and not goes_in_waves(desk.state.stage_terms(stage.number)) and not stage_is_over(desk.state):
        # A round that cannot be paired is no reason to turn a just ruling down: it is told when it is to be paired.
        with suppress(TournamentRefused):
            desk.take(pair_next(desk.state, by=desk.by))


def publish_again(desk: Desk, stage: int, ended: bool, round_number: int | None = None) -> None:
    """Standings that have been published are published anew, from those of `stage` to those of the present one, where
    the round (None: any) counted in them; a tournament that had ended ends again.
    """
    state = desk.state
    counted = round_number is None or state.rounds[round_number].status == "closed"
    if state.published and counted:
        for number in range(stage, len(state.stages)):
            desk.take(publish(desk.state, desk.by, number))
    if ended:
        desk.take(finish(desk.state, desk.by))
