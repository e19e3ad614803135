"""Points of individuals at a table without partners: own place brought to 0 to 20. Scores are in hundredths."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from domain.standings.rounding import half_up


def table_points(scores: Sequence[int]) -> tuple[int, ...]:
    """20 for the best, 0 for the last, the others evenly between; equal scores share the mean of their places.

    Raises `ValueError` for a table of fewer than two.
    """
    if len(scores) < 2:
        raise ValueError(f"A table has two or more to place, not {len(scores)}.")
    ranked = sorted(scores)
    beaten = [bisect_left(ranked, score) + bisect_right(ranked, score) - 1 for score in scores]
    return tuple(half_up(1000 * twice, len(scores) - 1) for twice in beaten)
