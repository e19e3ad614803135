"""Statistics of shuffles: each test gives the probability that a fair shuffle looks at least as uneven (a p-value).

Orders are arrays with one row a deal: what stands at each position, numbers from 0. Under a fair shuffle every order is
equally likely and deals are independent; each test's distribution follows from that, exactly or by a normal limit over
thousands of deals.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import factorial
from typing import Any, Final

import numpy as np
from scipy import stats

Orders = np.ndarray[Any, np.dtype[np.int16]]

POOLED_MIN: Final = 5.0
"""Least expected count of a cell of a chi-square test; rarer outcomes are counted together."""


STAYED_MAX: Final = 12
"""More cards stay in their places once in a billion deals."""


def positions(orders: Orders) -> float:
    """Whether every card is at every position equally often.

    The counts of n cards at n positions have n - 1 by n - 1 degrees of freedom; as each deal puts every card somewhere,
    their variance is that of free counts times n / (n - 1).
    """
    return positions_from(position_counts(orders), len(orders))


def position_counts(orders: Orders) -> np.ndarray[Any, np.dtype[np.int64]]:
    """How often each card (column) was at each position (row)."""
    size = orders.shape[1]
    return np.stack([np.bincount(orders[:, place], minlength=size) for place in range(size)])


def positions_from(counts: np.ndarray[Any, np.dtype[np.int64]], deals: int) -> float:
    """`positions` from the counts of so many deals."""
    size = len(counts)
    expected = deals / size
    uneven = float(((counts - expected) ** 2).sum()) / expected * (size - 1) / size
    return float(stats.chi2.sf(uneven, (size - 1) ** 2))


def permutations(orders: Orders) -> float:
    """Whether all the orders of a few things come equally often."""
    size = orders.shape[1]
    weights = size ** np.arange(size)
    _, counts = np.unique(orders @ weights, return_counts=True)
    seen = np.zeros(factorial(size))
    seen[: len(counts)] = counts
    return float(stats.chisquare(seen).pvalue)


def rising_runs(orders: Orders) -> float:
    """Whether falls are as many as rises: a random order has (n - 1) / 2 falls, with variance (n + 1) / 12."""
    size = orders.shape[1]
    falls = (np.diff(orders, axis=1) < 0).sum(axis=1)
    return _of_mean(falls, (size - 1) / 2, (size + 1) / 12)


def turning_points(orders: Orders) -> float:
    """Whether rises and falls change as often as they should: 2 (n - 2) / 3 times, variance (16 n - 29) / 90."""
    size = orders.shape[1]
    rises = np.diff(orders, axis=1) > 0
    turns = (rises[:, 1:] != rises[:, :-1]).sum(axis=1)
    return _of_mean(turns, 2 * (size - 2) / 3, (16 * size - 29) / 90)


def serial_correlation(orders: Orders, lag: int = 1) -> float:
    """Whether a card tells something of the one so many places behind it, round the end: on average -1 / (n - 1)."""
    centred = orders - orders.mean(axis=1, keepdims=True)
    products = (centred * np.roll(centred, lag, axis=1)).sum(axis=1) / (centred**2).sum(axis=1)
    return _of_mean(products, -1 / (orders.shape[1] - 1), float(products.var()))


def old_order(orders: Orders) -> float:
    """Whether something is left of the order before the shuffle: correlations of mean 0 and variance 1 / (n - 1)."""
    return _of_mean(_correlations(orders, np.arange(orders.shape[1])), 0.0, 1 / (orders.shape[1] - 1))


def deal_to_deal(orders: Orders) -> float:
    """Whether a deal tells something of the next one."""
    return _of_mean(_correlations(orders[1:], orders[:-1]), 0.0, 1 / (orders.shape[1] - 1))


def _correlations(one: Orders, other: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    middle = (one.shape[1] - 1) / 2
    spread = ((np.arange(one.shape[1]) - middle) ** 2).sum()
    found: np.ndarray[Any, Any] = ((one - middle) * (other - middle)).sum(axis=1) / spread
    return found


def fixed_points(orders: Orders) -> float:
    """Whether as many cards stay where they were as should: of many cards a number with Poisson's distribution of 1."""
    stayed = (orders == np.arange(orders.shape[1])).sum(axis=1)
    return _of_counts(stayed, stats.poisson(1.0).pmf, max(STAYED_MAX, int(stayed.max()) + 1))


def first_steps(orders: Orders) -> float:
    """Whether the second card comes from every distance to the first one equally often."""
    return _of_steps(orders[:, 1] - orders[:, 0], orders.shape[1])


def last_steps(orders: Orders) -> float:
    """Whether the last card comes from every distance to the one before equally often."""
    return _of_steps(orders[:, -1] - orders[:, -2], orders.shape[1])


def _of_steps(steps: np.ndarray[Any, Any], size: int) -> float:
    counts = np.bincount(steps % size, minlength=size)[1:]
    return float(stats.chisquare(counts).pvalue)


def held(orders: Orders, marked: Sequence[int], players: int, hand_size: int, seat: int) -> float:
    """Whether a holding has as many of the marked cards as the hypergeometric distribution says.

    The cards are dealt one at a time (formats, part 8).
    """
    size = orders.shape[1]
    holding = orders[:, seat : players * hand_size : players]
    numbers = np.isin(holding, list(marked)).sum(axis=1)
    return _of_counts(numbers, stats.hypergeom(size, len(marked), hand_size).pmf, len(marked) + 1)


def repeated(deals: Iterable[Hashable]) -> int:
    """How many deals came before in the very same order: among all orders of a pack, none in the age of the world."""
    return sum(number - 1 for number in Counter(deals).values())


def uniform(p_values: Sequence[float]) -> float:
    """Whether p-values are spread evenly, as those of a fair shuffle are."""
    return float(stats.kstest(p_values, "uniform").pvalue)


def _of_mean(values: np.ndarray[Any, Any], mean: float, variance: float) -> float:
    away = (float(values.mean()) - mean) / (variance / len(values)) ** 0.5
    return float(2 * stats.norm.sf(abs(away)))


def _of_counts(numbers: np.ndarray[Any, Any], probability: Any, outcomes: int) -> float:
    """Chi-square of whole numbers against their probabilities, rare large and small ones counted together."""
    chances = probability(np.arange(outcomes))
    chances[-1] += 1.0 - chances.sum()
    expected = chances * len(numbers)
    seen = np.bincount(numbers, minlength=outcomes)[:outcomes].astype(float)
    while len(expected) > 2 and expected[-1] < POOLED_MIN:
        expected, seen = _pooled(expected), _pooled(seen)
    while len(expected) > 2 and expected[0] < POOLED_MIN:
        expected, seen = _pooled(expected[::-1])[::-1], _pooled(seen[::-1])[::-1]
    return float(stats.chisquare(seen, expected).pvalue)


def _pooled(cells: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.append(cells[:-2], cells[-2] + cells[-1])
