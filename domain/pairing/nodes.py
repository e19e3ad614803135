"""Nodes of a matching: vertices, and blossoms, odd cycles of nodes that act as one.

Vertices are 0 .. n-1, blossoms have the numbers from n on; a top is a node within no other. In a node one vertex, its
base, may be matched outside; all others in it are matched among themselves, which `rebase` can shift to any vertex.
"""

from typing import Final

NONE: Final = -1

Edge = tuple[int, int]


class Nodes:
    """Who is matched with whom, and which vertices lie in which blossoms.

    Of a blossom `children` are in the order of its cycle from the one with the base, and `links[i]` is the edge from
    child i to the next; the links 1, 3, 5 … are matched.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.mate = [NONE] * count
        self.take_apart()

    def take_apart(self) -> None:
        """Forget all blossoms."""
        count = self.count
        self.top = list(range(count))
        self.base = list(range(count))
        self.parent = [NONE] * count
        self.members: list[list[int]] = [[v] for v in range(count)]
        self.children: list[list[int]] = [[] for _ in range(count)]
        self.links: list[list[Edge]] = [[] for _ in range(count)]

    def join(self, children: list[int], links: list[Edge]) -> int:
        """Make a blossom of a cycle of tops and give its number."""
        blossom = len(self.base)
        members = [v for child in children for v in self.members[child]]
        for child in children:
            self.parent[child] = blossom
        for v in members:
            self.top[v] = blossom
        self.base.append(self.base[children[0]])
        self.parent.append(NONE)
        self.members.append(members)
        self.children.append(children)
        self.links.append(links)
        return blossom

    def open(self, blossom: int) -> None:
        """Make tops of the children of a blossom that is one."""
        for child in self.children[blossom]:
            self.parent[child] = NONE
            for v in self.members[child]:
                self.top[v] = child

    def around(self, node: int) -> list[int]:
        """The blossoms that hold a node, the smallest first."""
        around = []
        while (node := self.parent[node]) != NONE:
            around.append(node)
        return around

    def child(self, blossom: int, v: int) -> int:
        """Which child of a blossom holds a vertex, counted from the base."""
        node = v
        while self.parent[node] != blossom:
            node = self.parent[node]
        return self.children[blossom].index(node)

    def rebase(self, node: int, v: int) -> None:
        """Re-match within a node so that `v` is the one vertex in it that is matched outside."""
        work = [(node, v)]
        while work:
            node, v = work.pop()
            if node < self.count:
                continue
            children, links = self.children[node], self.links[node]
            at = self.child(node, v)
            work.append((children[at], v))
            matched = range(at + 1, len(children), 2) if at % 2 else range(at - 2, -1, -2)
            for link in matched:
                a, b = links[link]
                self.mate[a], self.mate[b] = b, a
                work.append((children[link], a))
                work.append((children[(link + 1) % len(children)], b))
            self.children[node] = children[at:] + children[:at]
            self.links[node] = links[at:] + links[:at]
            self.base[node] = v
