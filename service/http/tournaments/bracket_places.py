"""Matches of a bracket in words, and who waits in it for the next one."""

from typing import Final

import msgspec
from msgspec.structs import replace

from domain.pairing.brackets import Bracket, BracketMatch
from domain.tournaments.brackets import bracket_standing
from domain.tournaments.formats import Elimination
from domain.tournaments.state import Round, StageState, Tournament

LAST_ROUNDS: Final = ("Final", "Semi-final", "Quarter-final")


def places_in_bracket(state: Tournament, begun: StageState) -> dict[str, str]:
    """By its id in the bracket of a stage, what a match is called: `Semi-final`, `Losers, round 4`; none elsewhere."""
    form = state.stage_terms(begun.number).format
    if not isinstance(form, Elimination) or begun.bracket is None:
        return {}
    matches = msgspec.convert(begun.bracket, Bracket).matches
    last = max(each.round for each in matches if each.section == "winners")
    return {each.id: _double(each) if form.double else _single(each, last) for each in matches}


def _single(match: BracketMatch, last: int) -> str:
    if match.section == "third":
        return "Third place"
    rest = last - match.round
    return LAST_ROUNDS[rest] if rest < len(LAST_ROUNDS) else f"Round {match.round}"


def _double(match: BracketMatch) -> str:
    if match.section == "final":
        return "Final, second match" if match.reset else "Final"
    return f"{match.section.capitalize()}, round {match.round}"


def waiting(state: Tournament, played: Round) -> dict[str, str]:
    """By entrant, in the order of the seeds: who is in the bracket of a round and has no match in it, and what that is.

    Whoever has played nothing yet has a bye, the others wait for who is to meet them.
    """
    begun = state.stages[played.stage]
    earlier = tuple(number for number in begun.rounds if number < played.number)
    if begun.bracket is None:
        return {}
    done = {
        entrant for level in bracket_standing(state, replace(begun, rounds=earlier)).places for entrant in level
    } | _seated(state, played.number)
    met = {entrant for number in earlier for entrant in _seated(state, number)}
    return {each: "waits for an opponent" if each in met else "bye" for each in begun.entrants if each not in done}


def _seated(state: Tournament, number: int) -> set[str]:
    return {entrant for match in state.matches_of(number) for side in match.paired.sides for entrant in side}
