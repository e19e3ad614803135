"""One board compared over all its tables, with adjusted scores beside ordinary results. Scores are in hundredths.

An adjusted score takes no part in the comparison: ordinary results are compared with one another, and those of
matchpoints are brought to the board's full top by Neuberg's formula.
"""

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from domain.standings.butler import butler
from domain.standings.cross_imps import cross_imps
from domain.standings.imps import DIVISOR
from domain.standings.matchpoints import neuberg, top
from domain.standings.rounding import half_up

Comparison = Literal["matchpoints", "cross_imps", "butler"]
Share = Literal["plus", "even", "minus"]
"""Not at fault, partly at fault, at fault."""

PERCENT: Final[dict[Share, int]] = {"plus": 60, "even": 50, "minus": 40}
IMPS: Final[dict[Share, int]] = {"plus": 3, "even": 0, "minus": -3}


class Adjusted(Struct, frozen=True):
    """A board that was not played to a result, with what each side is given instead."""

    north_south: Share
    east_west: Share


class BoardScore(Struct, frozen=True):
    """What the two sides of a table have of a board: matchpoints or IMPs, in hundredths."""

    north_south: int
    east_west: int


def board_scores(
    results: Sequence[int | Adjusted], comparison: Comparison, *, divisor: int = DIVISOR, trim: int = 0
) -> tuple[BoardScore, ...]:
    """The scores of every table of a board, in their order. A result is North-South's margin in points.

    Matchpoints of an adjusted score are 60, 50 or 40 % of the top. Its IMPs are +3, 0 or −3 for each comparison: once
    against the datum, or once for every other table where IMPs are summed over the tables.
    """
    played = [result for result in results if not isinstance(result, Adjusted)]
    scores = iter(_played_scores(played, len(results), comparison, divisor, trim))
    return tuple(
        BoardScore(
            _share(result.north_south, len(results), comparison), _share(result.east_west, len(results), comparison)
        )
        if isinstance(result, Adjusted)
        else next(scores)
        for result in results
    )


def _played_scores(
    played: Sequence[int], tables: int, comparison: Comparison, divisor: int, trim: int
) -> list[BoardScore]:
    if not played:
        return []
    if comparison == "matchpoints":
        full = top(tables)
        return [BoardScore(points, full - points) for points in neuberg(played, tables)]
    compared = cross_imps(played, divisor) if comparison == "cross_imps" else butler(played, trim=trim, divisor=divisor)
    return [BoardScore(100 * score, -100 * score) for score in compared]


def _share(share: Share, tables: int, comparison: Comparison) -> int:
    if comparison == "matchpoints":
        return half_up(top(tables) * PERCENT[share], 100)
    return 100 * IMPS[share] * (tables - 1 if comparison == "cross_imps" else 1)
