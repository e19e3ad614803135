"""What entrants who go on scored against one another, to be carried into the next stage (background b.8)."""

from collections.abc import Iterable

from domain.standings.rounding import half_even
from domain.tournaments.matches import Matchpoints
from domain.tournaments.round_lines import counted_rounds, on_boards
from domain.tournaments.state import Tournament


def head_to_head(state: Tournament, stage: int, entrants: Iterable[str]) -> dict[str, int]:
    """By entrant, the score in hundredths of all matches of a stage in which nobody else played.

    In matchpoints, which are a percentage, their mean.
    """
    begun = state.stages[stage]
    scores: dict[str, list[int]] = {entrant: [] for entrant in entrants}
    for number, counted in counted_rounds(state, begun, on_boards(state, begun)).items():
        for match in state.matches_of(number):
            seated = [entrant for side in match.paired.sides for entrant in side]
            if all(entrant in scores and entrant in counted.lines for entrant in seated):
                for entrant in seated:
                    scores[entrant].append(counted.lines[entrant].score)
    mean = isinstance(state.stage_terms(stage).score, Matchpoints)
    return {entrant: half_even(sum(own), len(own)) if mean and own else sum(own) for entrant, own in scores.items()}
