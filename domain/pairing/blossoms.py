"""Alternating trees with blossoms: the search behind a perfect matching of least cost (Edmonds 1965, primal-dual).

    slack(v, w) = cost(v, w) - y[v] - y[w] + sum of z over the blossoms that hold both  >= 0, and 0 where matched

One tree grows at a time, from a free vertex, so that a search stays where the trouble is. While it grows by `delta`
the duals of its outer vertices rise and those of its inner vertices fall; so as not to change them one by one, `y`
holds the value less `delta` for an outer vertex and plus `delta` for an inner one (`z` likewise, by twice `delta`).
All costs are even integers, so that every dual stays an integer.
"""

from heapq import heappop, heappush

from msgspec import Struct

from domain.pairing.nodes import NONE, Edge, Nodes

_UNLABELLED, _OUTER, _INNER = 0, 1, 2
_EDGE, _EXPANSION = 0, 1


class Tree(Struct, frozen=True):
    """Why a vertex stays free: whatever is matched, `outer`, which borders on `inner` only, has one vertex too many.

    Any one of `outer` can be the one that is left over.
    """

    outer: tuple[int, ...]
    inner: tuple[int, ...]


class Forest:
    """A matching under way, its duals and its blossoms, over edges that may still be added."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.costs: list[dict[int, int]] = [{} for _ in range(count)]
        self._nodes = Nodes(count)
        self.mate = self._nodes.mate
        self.y = [0] * count
        self._without_blossoms()

    def _without_blossoms(self) -> None:
        self._z: dict[int, int] = {}
        self._label = [_UNLABELLED] * self.count
        self._entry: list[Edge] = [(NONE, NONE)] * self.count
        self._labelled: list[int] = []
        self._heap: list[tuple[int, int, int, int]] = []
        self._delta = 0

    def add(self, v: int, w: int, cost: int) -> None:
        """Add an edge with an even cost."""
        self.costs[v][w] = self.costs[w][v] = cost

    def begin(self) -> None:
        """Duals that fit the edges, and a first matching of tight edges."""
        for v, costs in enumerate(self.costs):
            self.y[v] = min(costs.values(), default=0) // 2
        for v, costs in enumerate(self.costs):
            if self.mate[v] == NONE and costs:
                slack, _, w = min((cost - self.y[v] - self.y[w], self.mate[w] != NONE, w) for w, cost in costs.items())
                self.y[v] += slack
                if self.mate[w] == NONE:
                    self.mate[v], self.mate[w] = w, v

    def within(self, v: int) -> dict[int, int]:
        """For the other vertices of the blossoms around `v`: the sum of the duals of those that hold both."""
        sums: dict[int, int] = {}
        around = self._nodes.around(v)
        total = sum(self._z[blossom] for blossom in around)
        inside = v
        for blossom in around:
            for child in self._nodes.children[blossom]:
                if child != inside:
                    sums.update(dict.fromkeys(self._nodes.members[child], total))
            total -= self._z[blossom]
            inside = blossom
        return sums

    def same_top(self, v: int, w: int) -> bool:
        """Whether both lie in one blossom."""
        return self._nodes.top[v] == self._nodes.top[w]

    def search(self, root: int) -> Tree | None:
        """Match a free vertex, re-matching others where need be; the tree that shows it impossible by these edges."""
        self._delta = 0
        self._heap.clear()
        self._make_outer(self._nodes.top[root])
        found = False
        while self._heap and not found:
            time, kind, v, w = heappop(self._heap)
            if kind == _EDGE:
                found = self._meet(time, v, w)
            elif self._label[v] == _INNER and self._z[v] == 2 * time:
                self._delta = time
                self._expand(v)
        tree = None if found else self._tree()
        self._settle()
        return tree

    def dissolve(self) -> None:
        """Take every blossom apart with duals that still fit all edges, and free what is matched by a loose edge."""
        for blossom, z in self._z.items():
            for v in self._nodes.members[blossom]:
                self.y[v] -= z // 2
        self._nodes.take_apart()
        self._without_blossoms()
        self.free_loose()

    def free_loose(self) -> None:
        """Free both ends of matched edges that are not tight; only where there is no blossom."""
        for v, w in enumerate(self.mate):
            if w > v and self.costs[v][w] != self.y[v] + self.y[w]:
                self.mate[v] = self.mate[w] = NONE

    def _meet(self, time: int, v: int, w: int) -> bool:
        """Follow an edge from an outer vertex when it has become tight; whether the root is matched by it."""
        near, far = self._nodes.top[v], self._nodes.top[w]
        label = self._label[far]
        if near == far or label == _INNER:
            return False
        slack = self.costs[v][w] - self.y[v] - self.y[w]
        if time != (slack if label == _UNLABELLED else slack // 2):
            return False
        self._delta = time
        if label == _OUTER:
            self._shrink(v, w)
            return False
        mate = self.mate[self._nodes.base[far]]
        if mate == NONE:
            self._augment(v, w)
            return True
        self._make_inner(far, (v, w))
        self._make_outer(self._nodes.top[mate])
        return False

    def _make_outer(self, node: int) -> None:
        self._label[node] = _OUTER
        self._labelled.append(node)
        if node >= self.count:
            self._z[node] -= 2 * self._delta
        for v in self._nodes.members[node]:
            self.y[v] -= self._delta
        for v in self._nodes.members[node]:
            self._scan(v)

    def _make_inner(self, node: int, entry: Edge) -> None:
        self._label[node] = _INNER
        self._entry[node] = entry
        self._labelled.append(node)
        for v in self._nodes.members[node]:
            self.y[v] += self._delta
        self._await_expansion(node)

    def _await_expansion(self, node: int) -> None:
        if node >= self.count:
            self._z[node] += 2 * self._delta
            heappush(self._heap, (self._z[node] // 2, _EXPANSION, node, NONE))

    def _scan(self, v: int) -> None:
        """Note when the edges of an outer vertex become tight."""
        top, label, y, heap = self._nodes.top, self._label, self.y, self._heap
        near, dual = top[v], y[v]
        for w, cost in self.costs[v].items():
            far = top[w]
            if far != near:
                kind = label[far]
                if kind == _UNLABELLED:
                    heappush(heap, (cost - dual - y[w], _EDGE, v, w))
                elif kind == _OUTER:
                    heappush(heap, ((cost - dual - y[w]) // 2, _EDGE, v, w))

    def _rescan(self, v: int) -> None:
        """Note when the edges of outer vertices to one that has lost its label become tight."""
        for w, cost in self.costs[v].items():
            if self._label[self._nodes.top[w]] == _OUTER:
                heappush(self._heap, (cost - self.y[v] - self.y[w], _EDGE, w, v))

    def _cycle(self, v: int, w: int) -> tuple[list[int], list[Edge]]:
        """The cycle that an edge between two outer nodes closes: its nodes, the uppermost first, and its edges."""
        paths: tuple[list[int], list[int]] = [self._nodes.top[v]], [self._nodes.top[w]]
        edges: tuple[list[Edge], list[Edge]] = [], []
        places: tuple[dict[int, int], dict[int, int]] = {self._nodes.top[v]: 0}, {self._nodes.top[w]: 0}
        side = 0
        while (node := paths[side][-1]) not in places[1 - side]:
            base = self._nodes.base[node]
            if (mate := self.mate[base]) != NONE:
                inner = self._nodes.top[mate]
                above, below = self._entry[inner]
                node = self._nodes.top[above]
                paths[side].extend((inner, node))
                edges[side].extend(((base, mate), (below, above)))
                places[side][node] = len(paths[side]) - 1
            side = 1 - side
        end = places[1 - side][node]
        del paths[1 - side][end + 1 :], edges[1 - side][end:]
        return paths[0][::-1] + paths[1][:-1], [(b, a) for a, b in reversed(edges[0])] + [(v, w)] + edges[1]

    def _shrink(self, v: int, w: int) -> None:
        """Make an outer blossom of the cycle that a tight edge between two outer nodes closes."""
        children, links = self._cycle(v, w)
        twice = 2 * self._delta
        risen: list[int] = []
        for child in children:
            inner = self._label[child] == _INNER
            if child >= self.count:
                self._z[child] += -twice if inner else twice
            if inner:
                risen.extend(self._nodes.members[child])
            self._label[child] = _UNLABELLED
        blossom = self._nodes.join(children, links)
        self._label.append(_OUTER)
        self._entry.append((NONE, NONE))
        self._labelled.append(blossom)
        self._z[blossom] = -twice
        for x in risen:
            self.y[x] -= twice
        for x in risen:
            self._scan(x)

    def _expand(self, blossom: int) -> None:
        """Take an inner blossom whose dual has come down to 0 apart; an even way through it stays in the tree."""
        children, links = self._nodes.children[blossom], self._nodes.links[blossom]
        entry = self._entry[blossom]
        at = self._nodes.child(blossom, entry[1])
        self._label[blossom] = _UNLABELLED
        del self._z[blossom]
        self._nodes.open(blossom)
        if at % 2:
            way = [*range(at, len(children)), 0]
            edges = links[at:]
        else:
            way = list(range(at, -1, -1))
            edges = [(b, a) for a, b in reversed(links[:at])]
        inner = way[::2]
        for step, place in enumerate(inner):
            child = children[place]
            self._label[child] = _INNER
            self._entry[child] = edges[2 * step - 1] if step else entry
            self._labelled.append(child)
            self._await_expansion(child)
        freed = [v for place, child in enumerate(children) if place not in inner for v in self._nodes.members[child]]
        for v in freed:
            self.y[v] -= self._delta
        for place in way[1::2]:
            self._make_outer(children[place])
        for v in freed:
            if self._label[self._nodes.top[v]] == _UNLABELLED:
                self._rescan(v)

    def _augment(self, v: int, w: int) -> None:
        """Match along the tree from a free node's vertex `w` and its outer neighbour `v` up to the root."""
        self._nodes.rebase(self._nodes.top[w], w)
        self.mate[w] = v
        while True:
            node = self._nodes.top[v]
            mate = self.mate[self._nodes.base[node]]
            self._nodes.rebase(node, v)
            self.mate[v] = w
            if mate == NONE:
                return
            inner = self._nodes.top[mate]
            above, below = self._entry[inner]
            self._nodes.rebase(inner, below)
            self.mate[below] = above
            v, w = above, below

    def _tree(self) -> Tree:
        sides: dict[int, set[int]] = {_OUTER: set(), _INNER: set()}
        for node in self._labelled:
            if self._label[node] != _UNLABELLED:
                sides[self._label[node]].update(self._nodes.members[node])
        return Tree(tuple(sorted(sides[_OUTER])), tuple(sorted(sides[_INNER])))

    def _settle(self) -> None:
        """Give every dual of the tree its value and take the labels away."""
        for node in self._labelled:
            label = self._label[node]
            if label != _UNLABELLED:
                delta = self._delta if label == _OUTER else -self._delta
                for v in self._nodes.members[node]:
                    self.y[v] += delta
                if node >= self.count:
                    self._z[node] += 2 * delta
                self._label[node] = _UNLABELLED
        self._labelled.clear()
