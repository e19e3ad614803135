"""Merkle trees as RFC 6962 hashes them, grown leaf by leaf in little memory. All hashes are 32 raw bytes of SHA-256.

A subtree is named by its level and index: the one of level 3 and index 2 covers the leaves 16 to 23. It is complete
once all of its leaves are there, and never changes from then on.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final, Self

from msgspec import Struct

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = sha256(b"").digest()
"""The root of a tree without leaves (RFC 6962, 2.1)."""


class Subtree(Struct, frozen=True, gc=False):
    """A complete subtree: it covers the leaves from `index << level` on, `1 << level` of them."""

    level: int
    index: int
    hash: bytes


SubtreeHash = Callable[[int, int], bytes]
"""Gives the hash of the complete subtree of a level and index."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf that holds these bytes."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node above two others."""
    return sha256(b"\x01" + left + right).digest()


def fold_level(hashes: Sequence[bytes]) -> bytes:
    """The hash of the complete subtree above these neighbours of one level; their number is a power of two."""
    while len(hashes) > 1:
        hashes = [node_hash(hashes[at], hashes[at + 1]) for at in range(0, len(hashes), 2)]
    return hashes[0]


def complete_subtrees(size: int) -> list[tuple[int, int]]:
    """Level and index of the largest complete subtrees that together are the tree of this size, from the left."""
    found = []
    start = 0
    for level in range(size.bit_length() - 1, -1, -1):
        if size >> level & 1:
            found.append((level, start >> level))
            start += 1 << level
    return found


class CompactRange:
    """A tree as the few hashes that its root and its growth need: those of `complete_subtrees(size)`.

    Subtrees of the levels in `noted` are kept aside as they are completed, until `take_noted`.
    """

    __slots__ = ("_hashes", "_marks", "_noted", "size")

    def __init__(self, noted: Sequence[int] = ()) -> None:
        self.size = 0
        self._hashes: list[bytes] = []
        self._marks = frozenset(noted)
        self._noted: list[Subtree] = []

    @classmethod
    def of(cls, size: int, hashes: Sequence[bytes], noted: Sequence[int] = ()) -> Self:
        """The tree of this size with these hashes of its `complete_subtrees`; `ValueError` if that many it has not."""
        if len(hashes) != size.bit_count():
            raise ValueError(f"A tree of {size} leaves has {size.bit_count()} complete subtrees, not {len(hashes)}.")
        made = cls(noted)
        made.size = size
        made._hashes = list(hashes)
        return made

    @property
    def hashes(self) -> tuple[bytes, ...]:
        """Those of `complete_subtrees(size)`: with the size all that `of` needs."""
        return tuple(self._hashes)

    def copy(self) -> Self:
        """The same tree, to be grown by itself; what this one has kept aside stays with it."""
        return self.of(self.size, self._hashes, tuple(self._marks))

    def append(self, leaf: bytes) -> None:
        """Add a leaf, given by its hash."""
        node = leaf
        size = self.size
        hashes = self._hashes
        level = 0
        while size >> level & 1:
            node = sha256(b"\x01" + hashes.pop() + node).digest()
            level += 1
            if level in self._marks:
                self._noted.append(Subtree(level, size >> level, node))
        hashes.append(node)
        self.size = size + 1

    def root(self) -> bytes:
        """The root of the tree as it is now."""
        if not self._hashes:
            return EMPTY_ROOT
        root = self._hashes[-1]
        for left in self._hashes[-2::-1]:
            root = node_hash(left, root)
        return root

    def take_noted(self) -> list[Subtree]:
        """The subtrees of the noted levels that were completed since the last call, in the order of completion."""
        taken, self._noted = self._noted, []
        return taken
