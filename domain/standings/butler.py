"""Butler scoring of one board: IMPs against the mean of the results."""

from collections.abc import Sequence

from domain.standings.imps import DIVISOR, imps
from domain.standings.rounding import half_away


def datum(results: Sequence[int], trim: int = 0) -> int:
    """The mean of the results without the `trim` highest and lowest, rounded to 10, a half away from 0.

    Raises `ValueError` if trimming leaves no result.
    """
    if trim < 0 or len(results) <= 2 * trim:
        raise ValueError(f"Of {len(results)} results, {trim} cannot be left out at either end.")
    kept = sorted(results)[trim : len(results) - trim]
    return 10 * half_away(sum(kept), 10 * len(kept))


def butler(results: Sequence[int], *, trim: int = 0, divisor: int = DIVISOR) -> tuple[int, ...]:
    """The IMPs of each result against the datum, in their order."""
    level = datum(results, trim)
    return tuple(imps(result - level, divisor) for result in results)
