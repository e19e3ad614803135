"""Direct encounter: the scores of level entrants among one another, if all of them have met."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from domain.standings.field import Field


def scores_among(field: Field, group: Sequence[int]) -> list[Fraction] | None:
    """What each of the group scored against the others, in hundredths, or None if two of them have not met.

    Those who met more than once count the mean of their meetings (FIDE C.07, 6.1.2). Forfeits are no meetings, except
    in a round robin.
    """
    members = {field.entries[place].entrant for place in group}
    others = len(members) - 1
    found = []
    for place in group:
        met: defaultdict[str, list[int]] = defaultdict(list)
        for line in field.lines[place]:
            if line.kind in field.meeting:
                for opponent in line.opponents:
                    if opponent in members:
                        met[opponent].append(line.score)
        if len(met) != others:
            return None
        found.append(sum((Fraction(sum(scores), len(scores)) for scores in met.values()), Fraction(0)))
    return found


def encounter_order(field: Field, group: Sequence[int]) -> list[list[int]]:
    """A group of level entrants parted by direct encounter, best first; who stays level stays together.

    Those level again are compared once more among themselves only. A group in which two have not met stays whole.
    """
    if len(group) < 2:
        return [list(group)]
    scores = scores_among(field, group)
    if scores is None:
        return [list(group)]
    by_score: defaultdict[Fraction, list[int]] = defaultdict(list)
    for place, score in zip(group, scores, strict=True):
        by_score[score].append(place)
    if len(by_score) == 1:
        return [list(group)]
    return [level for score in sorted(by_score, reverse=True) for level in encounter_order(field, by_score[score])]
