"""How far everybody came in a bracket, in words: what its standings are ranked by, since scores rank nobody there."""

from typing import Final

import msgspec

from domain.pairing.brackets import Bracket, BracketMatch
from domain.tournaments.brackets import bracket_standing
from domain.tournaments.formats import Elimination
from domain.tournaments.state import Match, StageState, Tournament

LAST_ROUNDS: Final = ("the final", "a semi-final", "a quarter-final")
STILL_IN: Final = "still in"


def is_bracket(state: Tournament, stage: int) -> bool:
    """Whether a stage is ranked by how far everybody came."""
    return isinstance(state.stage_terms(stage).format, Elimination)


def reached(state: Tournament, begun: StageState) -> dict[str, str]:
    """By entrant of a bracket: `winner`, `lost in the final`, `third`, `still in`, …; nobody of another stage."""
    form = state.stage_terms(begun.number).format
    if not isinstance(form, Elimination) or begun.bracket is None:
        return {}
    bracket = msgspec.convert(begun.bracket, Bracket)
    matches = {each.id: each for each in bracket.matches}
    placed = {entrant for level in bracket_standing(state, begun).places for entrant in level}
    last: dict[str, Match] = {}
    for number in begun.rounds:
        for match in state.matches_of(number):
            if match.over:
                last |= {entrant: match for side in match.paired.sides for entrant in side}
    final = None if form.double else max(each.round for each in bracket.matches if each.section == "winners")

    def words(entrant: str) -> str:
        if state.entrants[entrant].status == "disqualified":
            return "disqualified"
        played = last.get(entrant)
        if played is None or played.paired.bracket is None:
            return STILL_IN
        match, won = matches[played.paired.bracket], _won(played, entrant)
        if entrant not in placed:
            return STILL_IN if won or form.double else "plays for the third place"
        if match.section == "third":
            return "third" if won else "fourth"
        return "winner" if won else f"lost in {_called(match, final)}"

    return {entrant: words(entrant) for entrant in begun.entrants}


def _won(match: Match, entrant: str) -> bool:
    winner = None if match.outcome is None else match.outcome.winner
    return winner is not None and entrant in match.paired.sides[winner]


def _called(match: BracketMatch, final: int | None) -> str:
    """What a match is called; `final` is the last round of a single elimination."""
    if match.section == "final":
        return LAST_ROUNDS[0]
    if final is None:
        return f"{match.section}' round {match.round}"
    rest = final - match.round
    return LAST_ROUNDS[rest] if rest < len(LAST_ROUNDS) else f"round {match.round}"
