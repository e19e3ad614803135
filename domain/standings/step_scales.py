"""Margins turned into victory points by a table of steps, as in Burraco. Victory points are in hundredths."""

from bisect import bisect_left
from typing import Final

from msgspec import Struct


class Step(Struct, frozen=True):
    """Up to and with this margin, in points, the winner has so many victory points."""

    margin: int
    winner: int


class StepScale(Struct, frozen=True, kw_only=True):
    """The steps by rising margin, what the winner has beyond the last, and what both sides share."""

    steps: tuple[Step, ...]
    beyond: int
    total: int = 2000


def _by_ones(*margins: int) -> StepScale:
    return StepScale(steps=tuple(Step(margin, 1000 + 100 * n) for n, margin in enumerate(margins)), beyond=2000)


BURRACO_3: Final = _by_ones(50, 150, 250, 350, 500, 650, 800, 1000, 1250, 1500)
"""The table for matches of three hands."""

BURRACO_4: Final = _by_ones(100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 2000)
"""The table for matches of four hands."""


def by_steps(scale: StepScale, margin: int) -> tuple[int, int]:
    """Own and the other side's victory points for a margin, which is negative for a lost match.

    A level match is shared in halves, whatever the first step gives.
    """
    if margin == 0:
        return scale.total // 2, scale.total - scale.total // 2
    place = bisect_left(scale.steps, abs(margin), key=lambda step: step.margin)
    winner = scale.steps[place].winner if place < len(scale.steps) else scale.beyond
    return (winner, scale.total - winner) if margin > 0 else (scale.total - winner, winner)
