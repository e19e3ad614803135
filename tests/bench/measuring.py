"""Timing in interleaved rounds, so that a noisy machine spoils a bench and its yardstick alike."""

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

ROUNDS: Final = 7
ROUND_SECONDS: Final = 0.4

Batch = Callable[[], int]
"""Does some work and returns how many units it did."""


class Yardstick(Struct, frozen=True):
    """Somebody else's program, measured beside ours."""

    name: str
    batch: Batch


class Bench(Struct, frozen=True):
    """One thing to measure: units a second, at least `goal` of them on a quiet machine of the kind in the README."""

    name: str
    unit: str
    batch: Batch
    goal: float | None = None
    yardstick: Yardstick | None = None


class Result(Struct, frozen=True):
    """A figure: the median of the rounds, its spread, and the median ratio to the yardstick of the same rounds."""

    name: str
    value: float
    unit: str
    goal: float | None
    met: bool | None
    yardstick: str | None
    ratio: float | None
    spread: float = 0.0
    yardstick_value: float | None = None


def rate(batch: Batch, seconds: float = ROUND_SECONDS) -> float:
    """Units a second over about `seconds`."""
    done = 0
    gc.collect()
    begin = time.perf_counter()
    while (elapsed := time.perf_counter() - begin) < seconds:
        done += batch()
    return done / elapsed


def measure(bench: Bench, rounds: int = ROUNDS) -> Result:
    """Run a bench and its yardstick in turns."""
    bench.batch()
    if bench.yardstick is not None:
        bench.yardstick.batch()
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(rounds):
        ours.append(rate(bench.batch))
        if bench.yardstick is not None:
            theirs.append(rate(bench.yardstick.batch))
    beside = None if bench.yardstick is None else bench.yardstick.name
    return summarise(bench.name, bench.unit, ours, bench.goal, beside, theirs)


def summarise(
    name: str,
    unit: str,
    ours: Sequence[float],
    goal: float | None = None,
    yardstick: str | None = None,
    theirs: Sequence[float] = (),
    *,
    low_is_good: bool = False,
) -> Result:
    """One figure from the rounds of a bench and of its yardstick."""
    value = statistics.median(ours)
    met = None if goal is None else (value <= goal if low_is_good else value >= goal)
    ratio = statistics.median(our / their for our, their in zip(ours, theirs, strict=True)) if theirs else None
    spread = (max(ours) - min(ours)) / value if value else 0.0
    return Result(
        name=name,
        value=value,
        unit=unit,
        goal=goal,
        met=met,
        yardstick=yardstick if theirs else None,
        ratio=ratio,
        spread=spread,
        yardstick_value=statistics.median(theirs) if theirs else None,
    )
