"""Rounds of a schedule that stands from the beginning: round robin, Mitchell, Howell, whist (background b.4 to b.6)."""

from functools import lru_cache

from msgspec.structs import asdict

from domain.pairing.berger import round_robin
from domain.pairing.howell import howell
from domain.pairing.mitchell import mitchell, most_rounds
from domain.pairing.movements import Movement
from domain.pairing.whist import whist
from domain.tournaments.formats import Howell, Individual, Mitchell, RoundRobin
from domain.tournaments.proposals import Proposal, ProposedMatch
from domain.tournaments.seating import Bye
from domain.tournaments.state import StageState, Tournament

Scheduled = RoundRobin | Mitchell | Howell | Individual


@lru_cache(maxsize=64)
def schedule(form: Scheduled, entrants: int) -> Movement:
    """The movement of a format for so many entrants, with the rounds asked for or as many of them as there can be.

    Raises `NoPairing` where there is none.
    """
    match form:
        case RoundRobin():
            return round_robin(entrants, form.cycles == 2)
        case Mitchell():
            most = most_rounds(entrants)
            rounds = min(form.rounds or most, most)
            return mitchell(entrants, rounds, arrow_switched=min(form.arrow_switched_rounds, rounds))
        case Howell():
            return howell(entrants)
        case _:
            return whist(entrants)


def propose_by_schedule(state: Tournament, form: Scheduled, stage: StageState, there: list[str]) -> Proposal:
    """The next round of the schedule. Whoever would meet somebody who is not there has a bye."""
    movement = schedule(form, len(stage.entrants))
    number = len(stage.rounds)
    planned = movement.rounds[number]
    present = set(there)
    rotating = state.terms.boards is not None and state.terms.boards.movement == "rotating"
    matches = []
    for table in planned.tables:
        sides = tuple(tuple(stage.entrants[each - 1] for each in side) for side in table.sides)
        if all(entrant in present for side in sides for entrant in side):
            matches.append(ProposedMatch(sides, boards=table.boards if rotating else None))
    seated = {entrant for match in matches for side in match.sides for entrant in side}
    byes: dict[str, Bye] = {entrant: "bye" for entrant in there if entrant not in seated}
    return Proposal(
        matches=tuple(matches),
        byes=byes,
        engine=f"meldhouse-{movement.name} 1",
        given={
            "movement": movement.name,
            "format": asdict(form),
            "round": number + 1,
            "order": stage.entrants,
            "there": there,
        },
        rematches=True,
    )
