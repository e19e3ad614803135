"""Rounds of an elimination: every match of the bracket whose two sides are known (background b.7)."""

from typing import Final

from domain.tournaments.brackets import bracket_standing
from domain.tournaments.proposals import Proposal, ProposedMatch
from domain.tournaments.state import Tournament

ENGINE: Final = "meldhouse-bracket 1"


def ready_matches(state: Tournament) -> list[ProposedMatch]:
    """The matches of the bracket that can be played next: both sides are known, and it is not paired yet.

    Raises `TournamentRefused`: `no_pairing`, where results contradict the bracket.
    """
    if state.stage is None:
        return []
    ready = bracket_standing(state, state.stage).ready
    return [ProposedMatch(((one,), (other,)), name) for name, (one, other) in ready]


def propose_by_bracket(state: Tournament) -> Proposal:
    """All matches that can be played next. Whether entrants are still there is asked when they begin."""
    ready = ready_matches(state)
    given = {"matches": [[match.bracket, match.sides] for match in ready]}
    return Proposal(matches=tuple(ready), byes={}, engine=ENGINE, given=given, rematches=True)
