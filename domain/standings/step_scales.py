"""Margins turned into victory points by a table of steps, as in Burraco. Victory points are in hundredths."""

from bisect import bisect_left
from itertools import pairwise
from typing import Final

from msgspec import Struct

MOST_STEPS: Final = 200


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


def check_steps(scale: StepScale) -> None:
    """Raises `ValueError` unless margins rise, victory points never fall, and a winner never has less than half."""
    if not 1 <= len(scale.steps) <= MOST_STEPS:
        raise ValueError(f"A step table has 1 to {MOST_STEPS} steps, not {len(scale.steps)}.")
    if scale.steps[0].margin < 0:
        raise ValueError(f"The first margin is 0 or more, not {scale.steps[0].margin}.")
    for one, next_one in pairwise(scale.steps):
        if next_one.margin <= one.margin:
            raise ValueError(f"Margins rise from step to step: {next_one.margin} stands behind {one.margin}.")
    winners = [step.winner for step in scale.steps] + [scale.beyond]
    for less, more in pairwise(winners):
        if more < less:
            raise ValueError(f"A greater margin never gives less: {more} stands behind {less}.")
    if winners[0] * 2 < scale.total:
        raise ValueError(f"The winner has half of {scale.total} or more, not {winners[0]}.")
    if winners[-1] > scale.total:
        raise ValueError(f"The winner has {scale.total} at most, not {winners[-1]}.")
    if scale.steps[0].margin == 0 and winners[0] * 2 != scale.total:
        raise ValueError(f"A margin of 0 gives each side half of {scale.total}.")


def by_steps(scale: StepScale, margin: int) -> tuple[int, int]:
    """Own and the other side's victory points for a margin, which is negative for a lost match.

    A level match is shared in halves, whatever the first step gives.
    """
    if margin == 0:
        return scale.total // 2, scale.total - scale.total // 2
    place = bisect_left(scale.steps, abs(margin), key=lambda step: step.margin)
    winner = scale.steps[place].winner if place < len(scale.steps) else scale.beyond
    return (winner, scale.total - winner) if margin > 0 else (scale.total - winner, winner)
