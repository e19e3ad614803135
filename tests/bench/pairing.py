"""How long a Swiss round takes to pair: 128, 500 and 1,000 entrants in rounds 1, 6 and 11, beside plain networkx.

    python -m tests.bench.pairing

Figures are milliseconds: the median of some events, and the fastest and slowest. The yardstick is what the rule says
word for word, networkx' matching of the complete graph, for 128 entrants; both find pairings of the same cost.
"""

import gc
import statistics
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

import networkx as nx

from domain.pairing.shapes import Contender, Couple, Field, Pairing, couple
from domain.pairing.swiss import pair_swiss, ranking, scale

SIZES: Final = (128, 500, 1000)
ROUNDS: Final = (1, 6, 11)
EVENTS: Final = 5
GOALS: Final = {128: 200.0, 1000: 5000.0}
RESULTS: Final = ("points", "wins", "draws")
"""Victory points of a normal spread, wins and losses only (many ties), and draws only (all scores equal)."""


def history(entrants: int, before: int, results: str, seed: int) -> Field:
    """The field before a round of an event that was paired by the same engine."""
    random = Random(seed)
    strength = [random.gauss(0, 1) for _ in range(entrants)]
    scores = [0] * entrants
    met: dict[Couple, int] = {}
    for number in range(1, before):
        for pair in pair_swiss(_field(scores, number, met)).pairs:
            one, other = int(pair.ns), int(pair.ew)
            points = {
                "points": min(
                    2000, max(0, round(1000 + 350 * (strength[one] - strength[other]) + random.gauss(0, 400)))
                ),
                "wins": random.choice([0, 2000]),
                "draws": 1000,
            }[results]
            scores[one] += points
            scores[other] += 2000 - points
            met[couple(pair.ns, pair.ew)] = number
    return _field(scores, before, met)


def _field(scores: list[int], number: int, met: dict[Couple, int]) -> Field:
    return Field(tuple(Contender(str(i), i, score) for i, score in enumerate(scores)), number, dict(met))


def complete_graph(field: Field) -> int:
    """The least sum of squared score differences by networkx on every permitted pair."""
    ranked = ranking(field)
    factor = scale(len(ranked))
    barred = {couple(*pair) for pair in field.met}
    graph = nx.Graph()
    costs = {
        (v, w): (one.score - other.score) ** 2 * factor + (v - w) ** 2
        for v, one in enumerate(ranked)
        for w, other in enumerate(ranked[v + 1 :], v + 1)
        if couple(one.entrant, other.entrant) not in barred
    }
    most = max(costs.values())
    graph.add_weighted_edges_from((v, w, most - cost) for (v, w), cost in costs.items())
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    return sum(costs[min(pair), max(pair)] for pair in pairs) // factor


def _timed(work: Callable[[], Pairing | int]) -> tuple[float, Pairing | int]:
    gc.collect()
    begun = time.perf_counter()
    answer = work()
    return (time.perf_counter() - begun) * 1000, answer


def main() -> int:
    """Print the figures; 1 where a goal is missed or networkx finds another cost."""
    failed = False
    for size in SIZES:
        for results in RESULTS:
            for number in ROUNDS:
                fields = [history(size, number, results, seed) for seed in range(EVENTS)]
                times, ratios = [], []
                for field in fields:
                    taken, pairing = _timed(partial(pair_swiss, field))
                    times.append(taken)
                    if size == SIZES[0] and number > 1:
                        yardstick, cost = _timed(partial(complete_graph, field))
                        ratios.append(yardstick / taken)
                        failed |= not isinstance(pairing, Pairing) or pairing.cost != cost
                goal = GOALS.get(size)
                failed |= goal is not None and statistics.median(times) > goal
                line = f"{size:5d} {results:7s} round {number:2d}: {statistics.median(times):8.1f} ms"
                line += f" ({min(times):.1f} to {max(times):.1f})"
                if ratios:
                    line += f", networkx takes {statistics.median(ratios):.0f} times as long"
                print(line, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
