"""The growing trees of all shards, as one worker has them in memory, and how events get into them."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Final, Self

from domain.merkle import CompactRange, complete_subtrees, leaf_hash
from service.checkpoints.rows import NOTED_LEVELS, Connection, Node
from service.checkpoints.signed import Reason
from service.checkpoints.subtrees import MISSING_LEAF, SubtreeMissing, Wanted, subtrees

PAGE_EVENTS: Final = 256
"""So many events are read and hashed in one go, within two milliseconds: moves do not wait for longer."""

_ROWS: Final = """
select s.shard, e.position, e.hash{more}
from unnest($1::smallint[], $2::bigint[], $3::bigint[]) as s (shard, after, through)
cross join lateral (
    select position, hash{more} from event
    where event.shard = s.shard and event.position > s.after and event.position <= s.through
    order by event.position limit $4
) e
order by s.shard, e.position
"""
_HASHES: Final = _ROWS.format(more="")
_WHOLE: Final = _ROWS.format(more=", prev_hash, body")

Span = tuple[int, int, int]
"""A shard and its positions, those above the first number up to the second."""


class Broken(Exception):
    """The log cannot go on in this epoch: why, and where (the shard, the position from 1)."""

    def __init__(self, reason: Reason, shard: int | None = None, position: int | None = None) -> None:
        super().__init__(reason, shard, position)
        self.reason: Reason = reason
        self.shard = shard
        self.position = position


class Frontier:
    """The trees of an epoch after its checkpoint `number` (0 before the first)."""

    def __init__(self, epoch: int, number: int, trees: Sequence[CompactRange]) -> None:
        self.epoch = epoch
        self.number = number
        self._trees = list(trees)

    @classmethod
    def empty(cls, epoch: int, shards: int) -> Self:
        """The trees at the beginning of an epoch."""
        return cls(epoch, 0, [CompactRange(NOTED_LEVELS) for _ in range(shards)])

    @classmethod
    async def read(
        cls, connection: Connection, epoch: int, number: int, sizes: Sequence[int], suspects: Sequence[int]
    ) -> Self:
        """The trees at these sizes, from the stored nodes and the last events. Raises `Broken`."""
        wanted = [
            [Wanted(shard, level, index) for level, index in complete_subtrees(size)]
            for shard, size in enumerate(sizes)
        ]
        try:
            found = await subtrees(connection, epoch, (tree for trees in wanted for tree in trees), suspects)
        except SubtreeMissing as missing:
            if missing.level == 0:
                raise Broken("gap", missing.shard, missing.index + 1) from missing
            raise Broken("checkpoint_wrong", missing.shard) from missing
        trees = [
            CompactRange.of(size, [found[tree] for tree in trees], NOTED_LEVELS)
            for size, trees in zip(sizes, wanted, strict=True)
        ]
        return cls(epoch, number, trees)

    def copy(self) -> "Frontier":
        """The same trees, to be grown by themselves."""
        return Frontier(self.epoch, self.number, [tree.copy() for tree in self._trees])

    @property
    def sizes(self) -> list[int]:
        return [tree.size for tree in self._trees]

    def roots(self) -> list[bytes]:
        return [tree.root() for tree in self._trees]

    def take_nodes(self) -> list[Node]:
        """The subtrees to be stored that were completed since the last call."""
        return [
            Node(shard, noted.level, noted.index, noted.hash)
            for shard, tree in enumerate(self._trees)
            for noted in tree.take_noted()
        ]

    async def grow(self, connection: Connection, sizes: Sequence[int], suspects: Sequence[int], *, check: bool) -> None:
        """Add the events up to these sizes; with `check` each is read whole and hashed again. Raises `Broken`.

        Half of the time is left to whatever else this worker does.
        """
        for spans in pages(self.sizes, sizes):
            columns = [list(column) for column in zip(*spans, strict=True)]
            rows = await connection.fetch(_WHOLE if check else _HASHES, *columns, PAGE_EVENTS)
            begun = time.perf_counter()
            self._add(spans, rows, suspects, check=check)
            await asyncio.sleep(time.perf_counter() - begun)

    def _add(self, spans: Sequence[Span], rows: Sequence[Any], suspects: Sequence[int], *, check: bool) -> None:
        at, count = 0, len(rows)
        for shard, after, through in spans:
            tree = self._trees[shard]
            trusted_from = suspects[shard] + 1
            for position in range(after + 1, through + 1):
                row = rows[at] if at < count else None
                if row is None or row[1] != position or row[0] != shard:
                    if position >= trusted_from:
                        raise Broken("gap", shard, position)
                    tree.append(MISSING_LEAF)
                    continue
                at += 1
                if check and position >= trusted_from and not _holds(row):
                    raise Broken("row_changed", shard, position)
                tree.append(leaf_hash(row[2]))


def _holds(row: Any) -> bool:
    """Whether an event has the hash of its body upon the hash before it (formats, part 7)."""
    return bool(sha256(b"%b\n%b" % (row[3].hex().encode(), row[4])).digest() == row[2])


def pages(sizes: Sequence[int], targets: Sequence[int]) -> Iterator[list[Span]]:
    """The positions between two lists of sizes by shard, parted into lists of at most `PAGE_EVENTS` events."""
    page: list[Span] = []
    room = PAGE_EVENTS
    for shard, (after, target) in enumerate(zip(sizes, targets, strict=True)):
        while after < target:
            through = min(target, after + room)
            page.append((shard, after, through))
            room -= through - after
            after = through
            if room == 0:
                yield page
                page, room = [], PAGE_EVENTS
    if page:
        yield page


def within(sizes: Sequence[int], heads: Sequence[int], events_max: int) -> list[int]:
    """The heads, or as far towards them as so many events reach."""
    targets = []
    for size, head in zip(sizes, heads, strict=True):
        step = min(head - size, events_max)
        targets.append(size + step)
        events_max -= step
    return targets
