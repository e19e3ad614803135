"""The statistics of many deals, as a command:

    python -m tests.domain.shuffle_study --decks 1000000

Deals are made as the service makes them, from master to order, in as many processes as there are processors. Each test
is made on every ten thousand deals; its p-values must be spread evenly, and none may be under 1e-6.
"""

import argparse
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final

import numpy as np
from msgspec import Struct

from tests.domain import shuffle_statistics as statistics
from tests.domain.shufflers import SIZE, dealt, orders_of
from tests.domain.test_shuffle_statistics import FAIR, TESTS

PART: Final = 10_000


class Part(Struct):
    """What is found of ten thousand deals."""

    p_values: dict[str, float]
    counts: Any
    digests: list[bytes]


def studied(start: int) -> Part:
    """The tests on the deals from this one."""
    orders = orders_of(dealt, SIZE, range(start, start + PART))
    return Part(
        p_values={name: test(orders) for name, test in TESTS.items()},
        counts=statistics.position_counts(orders),
        digests=[order[:16].tobytes() for order in orders.astype(np.uint8)],
    )


def study(decks: int, processes: int) -> Iterator[str]:
    """The lines of the report."""
    begun = time.monotonic()
    counts = np.zeros((SIZE, SIZE), dtype=np.int64)
    p_values: dict[str, list[float]] = {name: [] for name in TESTS}
    seen: set[bytes] = set()
    with ProcessPoolExecutor(processes) as pool:
        for part in pool.map(studied, range(0, decks, PART)):
            counts += part.counts
            seen.update(part.digests)
            for name, value in part.p_values.items():
                p_values[name].append(value)
    every = [value for values in p_values.values() for value in values]
    yield f"{decks} decks of {SIZE} cards, {time.monotonic() - begun:.0f} s with {processes} processes"
    yield f"positions of all decks together: p = {statistics.positions_from(counts, decks):.4f}"
    yield f"first 16 cards that came before: {decks - len(seen)}"
    yield f"{len(every)} tests on {PART} decks each: least p = {min(every):.2g}, allowed is {FAIR}"
    for name, values in p_values.items():
        yield f"  {name:28} least {min(values):.4f}   spread evenly: p = {statistics.uniform(values):.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=1_000_000, help=f"a multiple of {PART}")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    if given.decks < PART or given.decks % PART:
        parser.error(f"--decks must be a multiple of {PART}")
    for line in study(given.decks, given.processes):
        print(line)


if __name__ == "__main__":
    main()
