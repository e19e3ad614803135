"""Bridge matchpoints of one board: 2 for every result beaten, 1 for every equal one. Scores are in hundredths."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from domain.standings.rounding import half_up


def top(expected: int) -> int:
    """The most that one side can have on a board with so many results, in hundredths."""
    return 200 * max(expected - 1, 0)


def matchpoints(results: Sequence[int]) -> tuple[int, ...]:
    """What each result has among the others, in their order. Together they have half of top × results."""
    ranked = sorted(results)
    return tuple(
        100 * (bisect_left(ranked, result) + bisect_right(ranked, result) - 1)
        for result in results
    )  # fmt: skip


def neuberg(results: Sequence[int], expected: int) -> tuple[int, ...]:
    """The same where fewer results are there than expected, brought to the expected top by Neuberg's formula.

    Of A results where E were expected, M matchpoints become (M·E + E − A)/A, rounded half up to a hundredth.
    Raises `ValueError` if there are more results than expected.
    """
    actual = len(results)
    if actual > expected:
        raise ValueError(f"{actual} results are more than the {expected} expected.")
    if actual == expected:
        return matchpoints(results)
    return tuple(half_up(points * expected + 100 * (expected - actual), actual) for points in matchpoints(results))
