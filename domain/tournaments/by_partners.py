"""Rounds in which neighbours by standing share a table, with new partners where a side has several (background b.6).

Where the number does not fill tables of the usual size, some are larger or smaller; who is left over has a bye.
"""

from collections.abc import Mapping
from itertools import combinations, product
from typing import Final

import msgspec

from domain.pairing.shapes import NoPairing, couple
from domain.pairing.table_mixes import Individual as Player
from domain.pairing.table_mixes import individual_swiss, table_mix
from domain.tournaments.entrants import next_round
from domain.tournaments.history import history
from domain.tournaments.playing import field_of
from domain.tournaments.proposals import Proposal, ProposedMatch, no_pairing
from domain.tournaments.seating import Bye
from domain.tournaments.standings import totals
from domain.tournaments.state import Match, Tournament
from domain.tournaments.tables import sides_of
from domain.tournaments.terms import Terms

_MIXES: Final[Mapping[int, tuple[int, ...]]] = {2: (2,), 3: (3, 5), 4: (3, 4, 5), 5: (3, 5), 6: (3, 5, 6)}
"""Sizes of tables beside the usual one, in persons; at all but those of four and six everybody plays alone."""

Times = dict[tuple[str, str], int]


def sizes_for(terms: Terms, entrants: int) -> tuple[tuple[int, ...], int] | None:
    """The sizes of tables, in entrants, that seat as many as can be, and how many are left over; None for too few.

    The usual size alone where that comes out even, or where nothing else does.
    """
    usual, permitted = _sizes(terms)
    for left_over in range(entrants - 1):
        for sizes in ((usual,), permitted):
            try:
                table_mix(entrants - left_over, sizes)
            except NoPairing:
                continue
            return sizes, left_over
    return None


def propose_by_partners(state: Tournament, there: list[str]) -> Proposal:
    """The next round. Raises `TournamentRefused`: `no_pairing`."""
    found = sizes_for(state.terms, len(there))
    places = {entrant: number for number, entrant in enumerate(field_of(state, next_round(state)), 1)}
    scores = totals(state)
    past = history(state)
    sizes, left_over = ((), len(there)) if found is None else found
    worst_first = sorted(there, key=lambda each: (past.of(each).byes, scores.get(each, 0), -places[each]))
    byes: dict[str, Bye] = dict.fromkeys(worst_first[:left_over], "bye")
    partnered, opposed, odd = _together(state)
    players = [
        Player(
            entrant=each,
            seed=places[each],
            score=scores.get(each, 0),
            rating=max(state.entrants[each].rating or 0, 0) // 100,
            odd_tables=odd.get(each, 0),
        )
        for each in there
        if each not in byes
    ]
    try:
        grouping = individual_swiss(players, partnered, opposed, sizes) if players else None
    except NoPairing as error:
        raise no_pairing(error) from error
    return Proposal(
        matches=() if grouping is None else tuple(ProposedMatch(sides) for sides in grouping.tables),
        byes=byes,
        engine="meldhouse 1" if grouping is None else f"{grouping.engine.name} {grouping.engine.version}",
        given={
            "players": msgspec.to_builtins(players),
            "partnered": _listed(partnered),
            "opposed": _listed(opposed),
            "sizes": sizes,
            "byes": byes,
        },
        relaxations=tuple(f"second_bye:{each}" for each in byes if past.of(each).byes),
        explanation=() if grouping is None else grouping.explanation,
        rematches=True,
    )


def _sizes(terms: Terms) -> tuple[int, tuple[int, ...]]:
    """The usual size of a table in entrants, and all that may be."""
    if terms.entrants != "individuals":
        side = len(sides_of(terms, terms.players)[0])
        if side > 1:
            # Pairs at tables of three sides, or of two where the rule set has those.
            usual = terms.players // side
            return usual, (2, usual) if 2 * side in terms.ruleset.players else (usual,)
    permitted = tuple(size for size in _MIXES[terms.players] if size in terms.ruleset.players)
    return terms.players, permitted


def _together(state: Tournament) -> tuple[Times, Times, dict[str, int]]:
    """How often two were partners and opponents in the stage, and how often each sat at a table of another size."""
    partnered: Times = {}
    opposed: Times = {}
    odd: dict[str, int] = {}
    stage = state.stage
    for match in state.matches.values():
        if stage is None or match.stage != stage.number:
            continue
        for side in match.paired.sides:
            for pair in combinations(side, 2):
                partnered[couple(*pair)] = partnered.get(couple(*pair), 0) + 1
        for one, other in combinations(match.paired.sides, 2):
            for pair in product(one, other):
                opposed[couple(*pair)] = opposed.get(couple(*pair), 0) + 1
        if _persons(match) != state.terms.players:
            for entrant in (each for side in match.paired.sides for each in side):
                odd[entrant] = odd.get(entrant, 0) + 1
    return partnered, opposed, odd


def _persons(match: Match) -> int:
    return len(match.paired.tables[0].players)


def _listed(times: Times) -> list[list[str | int]]:
    return [[*pair, number] for pair, number in sorted(times.items())]
