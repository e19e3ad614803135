"""Hashes of complete subtrees, read from the stored nodes and the events in as many queries as there are levels."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from domain.merkle import fold_level, leaf_hash
from service.checkpoints.rows import NOTED_LEVELS, Connection

MISSING_LEAF: Final = leaf_hash(b"")
"""Stands for a position without its event, in an epoch that was announced because of it."""

_BASES: Final = (0, *NOTED_LEVELS)

_LEAVES: Final = """
select w.place, e.position - 1 as index, e.hash
from unnest($1::integer[], $2::smallint[], $3::bigint[], $4::bigint[]) as w (place, shard, first, beyond)
cross join lateral (
    select position, hash from event
    where event.shard = w.shard and event.position > w.first and event.position <= w.beyond
    order by event.position limit 256
) e
order by w.place, e.position
"""

_NODES: Final = """
select w.place, n.index, n.hash
from unnest($1::integer[], $2::smallint[], $3::bigint[], $4::bigint[]) as w (place, shard, first, beyond)
cross join lateral (
    select index, hash from merkle_node
    where epoch = $5 and level = $6 and merkle_node.shard = w.shard
        and merkle_node.index >= w.first and merkle_node.index < w.beyond
    order by merkle_node.index limit 256
) n
order by w.place, n.index
"""


class Wanted(Struct, frozen=True):
    """A complete subtree of a shard's tree."""

    shard: int
    level: int
    index: int


class SubtreeMissing(Exception):
    """A subtree cannot be made: `shard` and `index` tell where, `level` is 0 for an event, else that of a node."""

    def __init__(self, shard: int, level: int, index: int) -> None:
        super().__init__(f"The tree of shard {shard} lacks its node {index} of level {level}.")
        self.shard = shard
        self.level = level
        self.index = index


async def subtrees(
    connection: Connection, epoch: int, wanted: Iterable[Wanted], suspects: Sequence[int] = ()
) -> dict[Wanted, bytes]:
    """The hashes of these subtrees of an epoch's trees. Raises `SubtreeMissing`.

    A subtree is folded from at most 128 hashes of the stored level below it. Up to the positions `suspects` (by shard)
    an event may be missing: it has the empty leaf.
    """
    found: dict[Wanted, bytes] = {}
    by_base: dict[int, list[Wanted]] = {}
    for subtree in dict.fromkeys(wanted):
        by_base.setdefault(max(base for base in _BASES if base <= subtree.level), []).append(subtree)
    for base, trees in by_base.items():
        spans = [(tree.index << tree.level - base, tree.index + 1 << tree.level - base) for tree in trees]
        columns = [
            list(range(len(trees))), [tree.shard for tree in trees],
            [first for first, _ in spans], [beyond for _, beyond in spans],
        ]  # fmt: skip
        rows = await (
            connection.fetch(_LEAVES, *columns) if base == 0 else connection.fetch(_NODES, *columns, epoch, base)
        )
        read: list[dict[int, bytes]] = [{} for _ in trees]
        for row in rows:
            read[row["place"]][row["index"]] = leaf_hash(row["hash"]) if base == 0 else row["hash"]
        for tree, (first, beyond), hashes in zip(trees, spans, read, strict=True):
            found[tree] = fold_level(
                [_one(hashes, tree.shard, base, index, suspects) for index in range(first, beyond)]
            )
    return found


def _one(hashes: dict[int, bytes], shard: int, base: int, index: int, suspects: Sequence[Any]) -> bytes:
    known = hashes.get(index)
    if known is not None:
        return known
    if base == 0 and shard < len(suspects) and index < suspects[shard]:
        return MISSING_LEAF
    raise SubtreeMissing(shard, base, index)
