"""Plackett-Luce by the library OpenSkill (Weng and Lin, algorithm 4), with its default parameters.

Its margins are left alone: of a result nothing counts but who was before whom. The library reckons in binary floating
point, so what is kept is rounded to `shapes.DECIMALS` places.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from domain.ratings.shapes import Rating, rounded

if TYPE_CHECKING:
    from openskill.models import PlackettLuce


def rated(sides: Sequence[Sequence[Rating]], ranks: Sequence[int]) -> list[list[Rating]]:
    """The ratings after a result, by side; lower ranks are better, equal ones a tie."""
    library = _library()
    teams = [[library.rating(float(one.estimate), float(one.deviation)) for one in side] for side in sides]
    after = library.rate(teams, ranks=[float(rank) for rank in ranks])
    return [[Rating(rounded(one.mu), rounded(one.sigma)) for one in side] for side in after]


@cache
def _library() -> "PlackettLuce":
    # Loaded when it is first needed, so that starting does not wait for it.
    from openskill.models import PlackettLuce

    return PlackettLuce()
