"""Who plays in a round: the field of a stage, and who of it is there."""

from collections.abc import Iterable
from typing import Final

from domain.pairing import whist
from domain.tournaments.formats import Arena, Danish, Howell, Individual, Ladder, Mitchell, RoundRobin, Swiss
from domain.tournaments.state import Entrant, StageState, Tournament
from domain.tournaments.terms import Stage, Terms

_OPEN: Final = (Swiss, Danish, Arena, Ladder)


def is_open(stage: Stage) -> bool:
    """Whether entrants may join and miss rounds: the format has no schedule that was fixed at its beginning."""
    if isinstance(stage.format, Individual):
        return stage.format.movement == "swiss"
    return isinstance(stage.format, _OPEN)


def goes_in_waves(stage: Stage) -> bool:
    """Whether matches begin whenever there are some, so that several rounds are played at one time."""
    return isinstance(stage.format, Arena | Ladder)


def has_schedule(state: Tournament, stage: StageState) -> bool:
    """Whether the rounds of a stage stood from its beginning."""
    form = state.stage_terms(stage.number).format
    if isinstance(form, Individual):
        return form.movement == "whist" and has_whist(state.terms, len(stage.entrants))
    return isinstance(form, RoundRobin | Mitchell | Howell)


def has_whist(terms: Terms, entrants: int) -> bool:
    """Whether there is a whist movement: tables of two pairs, one person over at most, and not too many."""
    return (
        terms.players == 4
        and terms.entrants == "individuals"
        and entrants % 4 < 2
        and whist.FEWEST <= entrants <= whist.MOST
    )


def takes_part(state: Tournament, entrant: Entrant) -> bool:
    """Whether an entrant can be seated: entered, every person agreed and, where that is asked, checked in.

    Late entrants come in person, nobody asks them to check in, nor those who are all bots.
    """
    asked = state.terms.registration.check_in_minutes and entrant.late_round is None and not all(entrant.bots)
    return entrant.status == "entered" and entrant.agreed and (entrant.checked_in or not asked)


def kept_out(state: Tournament, entrants: Iterable[Entrant]) -> dict[str, int]:
    """Why those who are entered cannot be seated, and how many of them for each reason; no reason that nobody has.

    `not_agreed` are those of whom somebody has to consent still, `not_checked_in` those who have but are not there yet.
    """
    absent = [each for each in entrants if each.status == "entered" and not takes_part(state, each)]
    agreed = sum(each.agreed for each in absent)
    counts = {"not_agreed": len(absent) - agreed, "not_checked_in": agreed}
    return {why: number for why, number in counts.items() if number}


def field_of(state: Tournament, round_number: int) -> list[str]:
    """The entrants of the present stage who have not left it, by their seeds there.

    An open first stage has besides whoever came after its beginning, in the order of entering.
    """
    stage = _needed_stage(state)
    field = [each for each in stage.entrants if state.entrants[each].status == "entered"]
    if stage.number == 0 and is_open(state.stage_terms(0)):
        known = frozenset(stage.entrants)
        field += [
            each.id
            for each in state.active
            if each.id not in known and (each.late_round or round_number) <= round_number
        ]
    return field


def present(state: Tournament, round_number: int) -> list[str]:
    """Those of the field who can be seated and did not ask for a bye in this round."""
    return [
        each
        for each in field_of(state, round_number)
        if takes_part(state, state.entrants[each]) and round_number not in state.entrants[each].byes_asked
    ]


def _needed_stage(state: Tournament) -> StageState:
    stage = state.stage
    assert stage is not None, "A round belongs to a stage."
    return stage
