"""Checks a shard of the feed: every position once, and the tree over its events against all that was signed of it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

import asyncpg
import msgspec
from msgspec import Struct

from domain.merkle import CompactRange, Subtree, leaf_hash
from service.audit.findings import Finding, FindingCode, Findings, Severity
from service.audit.log import EpochView, LogView
from service.audit.source import Cut
from service.checkpoints.rows import NOTED_LEVELS
from service.checkpoints.subtrees import MISSING_LEAF

POSITIONS_TOGETHER: Final = 1 << 16
"""Positions of a shard that are read at a time."""

CHECKPOINTS_TOGETHER: Final = 1000

GAPS_TOLD: Final = 100
"""The most gaps of one reading that are told one by one."""

HASH_BYTES: Final = 32

WITNESSED: Final = 0
"""In place of an epoch: what was witnessed, and is not stored so."""

_TOGETHER: Final = """
select count(*) as events, string_agg(case when octet_length(hash) = 32 then hash end, ''::bytea order by position)
    as hashes, count(distinct position) as positions
from event where shard = $1 and position > $2 and position <= $3
"""

_SINGLY: Final = """
select position, hash from event where shard = $1 and position > $2 and position <= $3 order by position
"""

_CHECKPOINTS: Final = """
select number, body from checkpoint where number > $1 and number <= $2 and epoch = $3 order by number limit $4
"""

_NODES: Final = """
select level, index, hash from merkle_node
where epoch = $1 and shard = $2 and level = $3 and index >= $4 and ($5::bigint < 0 or index < $5)
"""


class SignedRoot(Struct, frozen=True):
    """What was signed of a shard: at this size its tree has this root; `number` is the first checkpoint to say so."""

    size: int
    root: str
    epoch: int
    number: int


class ShardState(Struct):
    """How far a shard has been checked.

    position, hashes  the tree so far, as `CompactRange` holds it
    read              by epoch, the last checkpoint that was compared
    fine              by epoch, the last checkpoint whose root was right
    wrong             the epochs of which something wrong was told, in a tree or in its stored nodes
    """

    shard: int
    position: int = 0
    hashes: tuple[bytes, ...] = ()
    read: dict[int, int] = {}
    fine: dict[int, int] = {}
    wrong: list[int] = []


class ShardChecked(Struct):
    """A shard after some more positions, and what was wrong with them."""

    state: ShardState
    events: int
    roots: int
    findings: Findings


class _Extent(Struct):
    """The parts of a checkpoint that are compared here; the rest is for who checks the checkpoint itself."""

    sizes: list[int]
    roots: list[str]


_extent: Final = msgspec.json.Decoder(_Extent)


async def check_shard(
    connection: asyncpg.Connection, cut: Cut, log: LogView, state: ShardState, witnessed: Sequence[SignedRoot] = ()
) -> ShardChecked:
    """Check the next `POSITIONS_TOGETHER` positions of a shard at most, up to the cut.

    `witnessed` are the roots of this shard that are to be compared beside those of the stored checkpoints.
    """
    last = cut.last(state.shard)
    begun = state.position
    to = min(begun + POSITIONS_TOGETHER, last)
    findings = Findings()
    tree = CompactRange.of(begun, state.hashes, NOTED_LEVELS)
    leaves = iter(await _leaves(connection, state.shard, begun, to, findings))
    signed = [entry for entry in witnessed if begun < entry.size <= to or (to == last < entry.size)]
    for epoch in log.epochs:
        signed += await _signed(connection, state, epoch, to, last)
    for entry in sorted(signed, key=lambda entry: (entry.size, entry.number)):
        for leaf in islice(leaves, max(0, min(entry.size, to) - tree.size)):
            tree.append(leaf)
        findings.add(_compare(log, state, entry, tree, last))
    for leaf in leaves:
        tree.append(leaf)
    noted = tree.take_noted()
    for epoch in log.epochs:
        findings.add(await _check_nodes(connection, log, state, epoch, noted, to == last))
    state.hashes = tree.hashes
    state.position = to
    return ShardChecked(state, to - begun, len(signed), findings)


async def _leaves(connection: asyncpg.Connection, shard: int, after: int, to: int, findings: Findings) -> list[bytes]:
    """The leaves of the tree between two positions; where an event is missing there is a leaf that says so."""
    row = await connection.fetchrow(_TOGETHER, shard, after, to)
    hashes: bytes = row["hashes"] or b""
    if row["events"] == row["positions"] == to - after and len(hashes) == HASH_BYTES * (to - after):
        return [leaf_hash(hashes[at : at + HASH_BYTES]) for at in range(0, len(hashes), HASH_BYTES)]
    by_position: dict[int, bytes] = {}
    for position, hash_ in await connection.fetch(_SINGLY, shard, after, to):
        if position in by_position:
            message = "Two events are at this position."
            findings.add([Finding(FindingCode.POSITION_REPEATED, message, shard=shard, position=position)])
        by_position.setdefault(position, leaf_hash(hash_[:HASH_BYTES]))
    findings.add(islice(_gaps(shard, after, to, by_position.keys()), GAPS_TOLD))
    return [by_position.get(position, MISSING_LEAF) for position in range(after + 1, to + 1)]


def _gaps(shard: int, after: int, to: int, found: Iterable[int]) -> Iterator[Finding]:
    position = after + 1
    for there in [*sorted(found), to + 1]:
        if there > position:
            until = f" to {there - 1}" if there - 1 > position else ""
            message = f"There is no event at position {position}{until}."
            yield Finding(FindingCode.POSITION_MISSING, message, shard=shard, position=position)
        position = there + 1


async def _signed(
    connection: asyncpg.Connection, state: ShardState, epoch: EpochView, to: int, last: int
) -> list[SignedRoot]:
    """What the checkpoints of an epoch say of the shard up to a position; once that is the last, one more beyond it."""
    found: dict[tuple[int, str], SignedRoot] = {}
    read = state.read.get(epoch.number, epoch.first - 1)
    while read < epoch.last:
        rows = await connection.fetch(_CHECKPOINTS, read, epoch.last, epoch.number, CHECKPOINTS_TOGETHER)
        for number, body in rows:
            extent = _read(body, state.shard)
            if extent is not None:
                size, root = extent
                if size > to:
                    if to == last:
                        found[extent] = SignedRoot(size, root, epoch.number, number)
                    state.read[epoch.number] = read
                    return list(found.values())
                if extent not in found:
                    found[extent] = SignedRoot(size, root, epoch.number, number)
            read = number
        if len(rows) < CHECKPOINTS_TOGETHER:
            read = epoch.last
    state.read[epoch.number] = read
    return list(found.values())


def _read(body: bytes, shard: int) -> tuple[int, str] | None:
    try:
        extent = _extent.decode(body)
        return extent.sizes[shard], extent.roots[shard]
    except (msgspec.MsgspecError, ValueError, IndexError):
        return None


def _compare(log: LogView, state: ShardState, entry: SignedRoot, tree: CompactRange, last: int) -> Iterator[Finding]:
    """Compare one root; of every epoch the first that is wrong is told."""
    epoch, number, shard = entry.epoch, entry.number, state.shard
    if tree.size == entry.size and tree.root().hex() == entry.root:
        state.fine[epoch] = number
        return
    if epoch in state.wrong or tree.size > entry.size:
        return
    state.wrong.append(epoch)
    witnessed = epoch == WITNESSED
    severity: Severity = "error" if witnessed else log.severity(epoch)
    if entry.size > last:
        code, position = FindingCode.CHECKPOINT_BEYOND, last + 1
        message = f"It covers {entry.size} events of the shard, and there are {last}"
    else:
        code, position = FindingCode.ROOT_WRONG, None
        before = state.fine.get(epoch)
        since = "" if before is None else f"; that of checkpoint {before} is still right"
        message = f"The first {entry.size} events of the shard do not give its root{since}"
    if witnessed:
        code = FindingCode.WITNESS_ROOT_WRONG
    yield Finding(
        code, f"{message}{log.announced(epoch)}.", severity, shard=shard, position=position, checkpoint=number,
        epoch=None if witnessed else epoch,
    )  # fmt: skip


async def _check_nodes(
    connection: asyncpg.Connection,
    log: LogView,
    state: ShardState,
    epoch: EpochView,
    noted: Sequence[Subtree],
    is_last: bool,
) -> list[Finding]:
    """Compare the stored nodes of an epoch with those of the tree; the first of a shard that is wrong is told."""
    size = epoch.size(state.shard)
    if epoch.number in state.wrong:
        return []
    expected = {(node.level, node.index): node.hash for node in noted if (node.index + 1) << node.level <= size}
    stored: dict[tuple[int, int], bytes] = {}
    for level in NOTED_LEVELS:
        indexes = [index for at, index in expected if at == level]
        beyond = size >> level
        first, end = (min(indexes), max(indexes) + 1) if indexes else (beyond, 0)
        if indexes or is_last:
            # At the end of the shard there is to be no node that covers more than was signed.
            rows = await connection.fetch(
                _NODES, epoch.number, state.shard, level, min(first, beyond), -1 if is_last else end
            )
            stored |= {(row["level"], row["index"]): row["hash"] for row in rows}
    for place in sorted(expected.keys() | stored.keys()):
        if expected.get(place) == stored.get(place):
            continue
        state.wrong.append(epoch.number)
        level, index = place
        code = FindingCode.NODE_WRONG if place in stored else FindingCode.NODE_MISSING
        why = "is not what the events give" if place in expected else "covers more than was signed"
        message = f"Node {index} of level {level} {'is missing' if code is FindingCode.NODE_MISSING else why}"
        position = (index << level) + 1
        severity = log.severity(epoch.number)
        return [
            Finding(
                code, f"{message}{log.announced(epoch.number)}.", severity, shard=state.shard, position=position,
                epoch=epoch.number,
            )
        ]  # fmt: skip
    return []
