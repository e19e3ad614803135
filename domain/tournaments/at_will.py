"""Matches that begin whenever there are some: of an arena, and those asked for on a ladder (background b.8)."""

from collections import Counter
from typing import Final

import msgspec
from msgspec.structs import replace

from domain.pairing.arena import pair_pool
from domain.pairing.shapes import Contender
from domain.tournaments.by_standing import proposal_of
from domain.tournaments.entrants import next_round
from domain.tournaments.history import history
from domain.tournaments.playing import field_of, present
from domain.tournaments.proposals import Proposal, ProposedMatch
from domain.tournaments.standings import totals
from domain.tournaments.state import Tournament

CHALLENGES_MAX: Final = 200
"""Most matches of a round of a ladder: what they move on it is one append with the end of the round."""


def under_way(state: Tournament) -> set[str]:
    """Those in a match that is paired or being played."""
    return {
        entrant
        for each in state.rounds.values()
        if each.status != "closed"
        for match in state.matches_of(each.number)
        if not match.over
        for side in match.paired.sides
        for entrant in side
    }


def free_entrants(state: Tournament) -> list[str]:
    """Those who are there and play no match."""
    playing = under_way(state)
    return [each for each in present(state, next_round(state)) if each not in playing]


def propose_from_pool(state: Tournament) -> Proposal:
    """Matches between those who are free; who came last goes on waiting where their number is odd."""
    past = history(state)
    scores = totals(state)
    places = {entrant: number for number, entrant in enumerate(field_of(state, next_round(state)), 1)}
    last_played, played = _rounds_played(state)
    # Among those who have come at the same moment whoever has played most waits.
    arrived = sorted(free_entrants(state), key=lambda each: (last_played.get(each, 0), played[each], places[each]))
    pool = [Contender(entrant=each, seed=places[each], score=scores.get(each, 0)) for each in arrived]
    last = {each: past.of(each).last_opponents[0] for each in arrived if past.of(each).last_opponents}
    found = pair_pool(pool, last)
    if not found.pairs and len(arrived) == len(present(state, next_round(state))):
        # Nobody else will come free: those who met last meet again.
        last = {}
        found = pair_pool(pool, last)
    given = {"pool": msgspec.to_builtins(pool), "last_opponent": last}
    return replace(proposal_of(found, given, rematches=True), byes={})


def propose_challenges(state: Tournament) -> Proposal:
    """The challenges that were accepted, between those who are free, the others after them."""
    free = set(free_entrants(state))
    matches: list[ProposedMatch] = []
    for challenger, challenged in state.accepted.items():
        if {challenger, challenged} <= free and len(matches) < CHALLENGES_MAX:
            free -= {challenger, challenged}
            matches.append(ProposedMatch(((challenger,), (challenged,))))
    return Proposal(
        matches=tuple(matches),
        byes={},
        engine="meldhouse-ladder 1",
        given={"accepted": state.accepted, "ladder": state.ladder},
        rematches=True,
    )


def _rounds_played(state: Tournament) -> tuple[dict[str, int], Counter[str]]:
    """The last round that each has played in, and how many matches each has had in the present stage."""
    last: dict[str, int] = {}
    played: Counter[str] = Counter()
    for match in state.matches.values():
        for side in match.paired.sides:
            last.update(dict.fromkeys(side, match.round))
            if state.stage is not None and match.stage == state.stage.number:
                played.update(side)
    return last, played
