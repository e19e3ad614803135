"""How the bracket of an elimination stands, from what its matches came to (background b.7)."""

from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.pairing.advancing import Standing, standing
from domain.pairing.brackets import Bracket, double_elimination, single_elimination
from domain.pairing.shapes import NoPairing
from domain.tournaments.formats import Elimination
from domain.tournaments.proposals import no_pairing
from domain.tournaments.state import StageState, Tournament

UNPAIRED: Final = 0
UNDER_WAY: Final = -1
"""In the place of a seed that won: the match is not paired yet, or it is being played."""
THIRD_PLACE_LEAST: Final = 4
"""So many entrants make a match for the third place."""


def bracket_of(form: Elimination, entrants: int) -> dict[str, Any] | None:
    """The bracket for so many entrants, as plain JSON values; None for fewer than two.

    Raises `NoPairing` for too many.
    """
    if entrants < 2:
        return None
    if form.double:
        bracket = double_elimination(entrants)
    else:
        bracket = single_elimination(entrants, form.third_place and entrants >= THIRD_PLACE_LEAST)
    plain: dict[str, Any] = msgspec.to_builtins(bracket)
    return plain


class BracketStanding(Struct, frozen=True):
    """A bracket by entrants.

    ready    the matches that can be paired, by id, with their two sides
    places   who is out or through, the best first, equals together
    """

    ready: tuple[tuple[str, tuple[str, str]], ...]
    places: tuple[tuple[str, ...], ...]


def bracket_standing(state: Tournament, stage: StageState) -> BracketStanding:
    """How the bracket of a stage stands; without a bracket nobody plays and nobody is placed.

    Raises `TournamentRefused`: `no_pairing`, where results contradict the bracket.
    """
    if stage.bracket is None:
        return BracketStanding((), ())
    results = _results(state, stage)
    try:
        now = _standing(msgspec.convert(stage.bracket, Bracket), results)
    except NoPairing as error:
        raise no_pairing(error) from error
    ready = []
    for name in now.ready:
        one, other = now.sides[name]
        if name not in results and one is not None and other is not None:
            ready.append((name, (stage.entrants[one - 1], stage.entrants[other - 1])))
    places = tuple(tuple(stage.entrants[seed - 1] for seed in seeds) for seeds in now.places)
    return BracketStanding(tuple(ready), places)


def _standing(bracket: Bracket, results: dict[str, int | None]) -> Standing:
    """The bracket by seeds.

    Where neither side came to a match, nobody goes on from it: whoever would meet nobody goes on without a match. Of
    the two one stands for nobody in the bracket; both are placed as losers of that match.
    """
    winners: dict[str, int] = {}
    nobody: dict[int, str] = {}
    while True:
        now = standing(bracket, winners, nobody)
        further: dict[str, int] = {}
        for name in now.ready:
            seeds = [seed for seed in now.sides[name] if seed is not None]
            there = [seed for seed in seeds if seed not in nobody]
            won_by = results.get(name, UNPAIRED)
            if won_by is None:
                nobody.update((seed, name) for seed in there)
            if won_by is None or (won_by == UNPAIRED and len(there) < len(seeds)):
                further[name] = (there or seeds)[0]
            elif won_by in seeds:
                # Of others than those who meet here a result says nothing.
                further[name] = won_by
        if not further:
            return now
        winners |= further


def _results(state: Tournament, stage: StageState) -> dict[str, int | None]:
    """The seeds that won matches of the bracket; None where nobody did."""
    seeds = {entrant: seed for seed, entrant in enumerate(stage.entrants, 1)}
    results: dict[str, int | None] = {}
    for number in stage.rounds:
        for match in state.matches_of(number):
            name, outcome = match.paired.bracket, match.outcome
            if name is not None and outcome is None:
                results[name] = UNDER_WAY
            elif name is not None and outcome is not None:
                winner = outcome.winner
                results[name] = None if winner is None else seeds[match.paired.sides[winner][0]]
    return results
