"""Matches that were paired by the outcome of another one, and who goes on to the next stage."""

from domain.tournaments.standings import standings
from domain.tournaments.state import Tournament


def dependants(state: Tournament, match_id: str) -> tuple[str, ...]:
    """Later matches of the bracket of a match whose entrants came from it, straight or through others, by round."""
    match = state.matches[match_id]
    if match.paired.bracket is None:
        return ()
    reached = {entrant for side in match.paired.sides for entrant in side}
    found = []
    for number in state.stages[match.stage].rounds:
        if number <= match.round:
            continue
        for later in state.matches_of(number):
            entrants = {entrant for side in later.paired.sides for entrant in side}
            if entrants & reached:
                reached |= entrants
                found.append(later.id)
    return tuple(found)


def qualified(state: Tournament, stage: int) -> frozenset[str]:
    """Who would go on from a stage as it stands to the next one; nobody after the last stage."""
    if stage + 1 >= len(state.terms.stages) or stage >= len(state.stages):
        return frozenset()
    rows = standings(state, stage).rows
    qualifiers = state.terms.stages[stage + 1].qualifiers
    going = [row.entrant for row in rows if state.entrants[row.entrant].status == "entered"]
    return frozenset(going[:qualifiers])
