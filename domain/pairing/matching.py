"""Perfect matchings of least cost, in whole numbers.

Pairs of a round are sought among near neighbours first. Then every pair that was left out is held against the duals of
that matching: where one of them could make it cheaper it is added and the search goes on from where it was, so that the
result is the cheapest of all, with a proof, without the time that all pairs at once would take.
"""

from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Final

from msgspec import Struct

from domain.pairing.blossoms import Forest, Tree
from domain.pairing.nodes import NONE

REACH: Final = 10
"""How many permitted neighbours on each side, by number, a vertex is tried with at first."""

Cost = Callable[[int, int], int | None]
"""What it costs to match two vertices, the lower number first; None where they may not be matched."""

Floor = Callable[[int, int], int]
"""What two vertices cost at least, the lower number first; it never falls as the higher number rises."""


class Matched(Struct, frozen=True):
    """A perfect matching of least cost: whom each vertex is matched with."""

    mates: tuple[int, ...]
    cost: int


def match(count: int, cost: Cost, floor: Floor | None = None) -> Matched | Tree:
    """The cheapest perfect matching of the vertices 0 .. count-1, or a tree that shows that there is none.

    The same input gives the same matching always. Costs are integers, and 0 or more. A `floor` only saves time.
    """
    forest = _forest(count, cost)
    while True:
        tree = _complete(forest, cost, 1)
        if tree:
            return tree[0]
        total = sum(forest.costs[v][w] for v, w in enumerate(forest.mate)) // 4
        cheaper = _cheaper(forest, cost, floor or _nothing) if total else []
        if not cheaper:
            return Matched(tuple(forest.mate), total)
        _add(forest, cheaper)


def spare(count: int, permitted: Callable[[int, int], bool]) -> tuple[int, ...]:
    """Of an odd number of vertices those without which the others can all be matched, in order."""
    trees = surplus(count, permitted, 2)
    return trees[0].outer if len(trees) == 1 else ()


def surplus(count: int, permitted: Callable[[int, int], bool], enough: int = 1) -> list[Tree]:
    """Trees of vertices that stay free however many are matched, up to `enough` of them; none where all can be matched.

    Without any one of a tree's outer vertices there is one tree less.
    """

    def cost(v: int, w: int) -> int | None:
        return 0 if permitted(v, w) else None

    return _complete(_forest(count, cost), cost, enough)


def _forest(count: int, cost: Cost) -> Forest:
    forest = Forest(count)
    for v in range(count):
        for others in (range(v + 1, count), range(v - 1, -1, -1)):
            for w, price in _permitted(v, others, cost, REACH):
                forest.add(v, w, price)
    forest.begin()
    return forest


def _permitted(v: int, others: Iterable[int], cost: Cost, most: int) -> list[tuple[int, int]]:
    """The first vertices that `v` may be matched with, and twice the costs."""
    found: list[tuple[int, int]] = []
    for w in others:
        price = cost(v, w) if v < w else cost(w, v)
        if price is not None:
            found.append((w, 2 * price))
            if len(found) == most:
                break
    return found


def _complete(forest: Forest, cost: Cost, enough: int) -> list[Tree]:
    """Match every vertex that can be; the trees of those that cannot, up to `enough` of them."""
    trees: list[Tree] = []
    while True:
        trees.clear()
        more: list[tuple[int, int, int]] = []
        for root in range(forest.count):
            if forest.mate[root] == NONE and (tree := forest.search(root)):
                more = _ways_out(forest, tree, cost)
                if more:
                    break
                trees.append(tree)
                if len(trees) == enough:
                    return trees
        if not more:
            return trees
        _add(forest, more)


def _ways_out(forest: Forest, tree: Tree, cost: Cost) -> list[tuple[int, int, int]]:
    """Pairs not tried yet that lead out of a tree."""
    inner = set(tree.inner)
    more: list[tuple[int, int, int]] = []
    for v in tree.outer:
        by_nearness = sorted(range(forest.count), key=lambda w: (abs(w - v), w))
        tried = forest.costs[v]
        others = (w for w in by_nearness if w not in inner and w not in tried and not forest.same_top(v, w))
        more.extend((v, w, price) for w, price in _permitted(v, others, cost, REACH))
    return more


def _cheaper(forest: Forest, cost: Cost, floor: Floor) -> list[tuple[int, int, int]]:
    """Pairs not tried yet that the duals do not rule out."""
    y = forest.y
    highest = list(accumulate(reversed(y), max))[::-1]
    more: list[tuple[int, int, int]] = []
    for v in range(forest.count):
        dual = y[v]
        within = forest.within(v)
        for w in range(v + 1, forest.count):
            least = 2 * floor(v, w) - dual
            if least >= highest[w]:
                break
            if least < y[w]:
                price = cost(v, w)
                if price is not None and (below := 2 * price - dual - y[w]) < 0 and below + within.get(w, 0) < 0:
                    more.append((v, w, 2 * price))
    return more


def _nothing(_v: int, _w: int) -> int:
    return 0


def _add(forest: Forest, edges: list[tuple[int, int, int]]) -> None:
    forest.dissolve()
    for v, w, price in edges:
        forest.add(v, w, price)
        forest.y[v] += min(0, price - forest.y[v] - forest.y[w])
    forest.free_loose()
