"""Proofs made from what is stored: that an event is under a checkpoint, that one checkpoint goes on from another.

A proof that does not hold is not given: then the stored rows are not those that were signed, which is told instead.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from domain.merkle import SubtreeHash, leaf_hash
from domain.merkle_proofs import consistency_proof, inclusion_proof, verify_consistency, verify_inclusion
from service.checkpoints.rows import Connection
from service.checkpoints.signed import Checkpoint, LineFault, Signed, read_body
from service.checkpoints.subtrees import SubtreeMissing, Wanted, subtrees

_EVENT: Final = "select shard, position, hash from event where stream = $1 and version = $2"
_CHECKPOINT: Final = "select body, key, signature from checkpoint where number = $1"
_NEWEST: Final = "select body, key, signature from checkpoint order by number desc limit 1"
_SUSPECTS: Final = "select suspects from log_epoch where epoch = $1"


class Contradicted(Exception):
    """What is stored is not what was signed: the shard whose tree has another root now, None for the checkpoint."""

    def __init__(self, shard: int | None) -> None:
        super().__init__(shard)
        self.shard = shard


class Leaf(Struct, frozen=True):
    """An event as a leaf: its shard, its index there from 0, and its hash, which is what the leaf holds."""

    shard: int
    index: int
    hash: bytes


async def leaf_of(connection: Connection, game: str, n: int) -> Leaf | None:
    """The leaf of a game's event n."""
    row = await connection.fetchrow(_EVENT, game, n)
    return None if row is None else Leaf(row["shard"], row["position"] - 1, row["hash"])


async def checkpoint_line(connection: Connection, number: int | None) -> tuple[Checkpoint, Signed] | None:
    """The checkpoint of this number, or the newest. Raises `Contradicted` where the row holds none."""
    row = await (connection.fetchrow(_NEWEST) if number is None else connection.fetchrow(_CHECKPOINT, number))
    if row is None:
        return None
    try:
        body = read_body(row["body"])
    except LineFault as fault:
        raise Contradicted(None) from fault
    if not isinstance(body, Checkpoint):
        raise Contradicted(None)
    return body, Signed(body, row["body"], row["key"], row["signature"])


async def prove_inclusion(connection: Connection, checkpoint: Checkpoint, leaf: Leaf) -> list[bytes]:
    """The proof of a leaf that the checkpoint covers. Raises `Contradicted`."""
    size, root = checkpoint.sizes[leaf.shard], bytes.fromhex(checkpoint.roots[leaf.shard])
    needed: list[tuple[int, int]] = []
    inclusion_proof(leaf.index, size, _noting(needed))
    found = await _subtrees(connection, checkpoint.epoch, (Wanted(leaf.shard, *tree) for tree in needed))
    proof = inclusion_proof(leaf.index, size, _reading(found, leaf.shard))
    if not verify_inclusion(leaf_hash(leaf.hash), leaf.index, size, proof, root):
        raise Contradicted(leaf.shard)
    return proof


async def prove_consistency(connection: Connection, old: Checkpoint, new: Checkpoint) -> list[list[bytes]]:
    """By shard, the proof that the trees of the new checkpoint begin with those of the old one. Raises `Contradicted`.

    The proofs are made of the new checkpoint's epoch: across two epochs they show that nothing before was changed.
    """
    needed: list[Wanted] = []
    for shard, (size, new_size) in enumerate(zip(old.sizes, new.sizes, strict=True)):
        if size > new_size:
            raise Contradicted(shard)
        trees: list[tuple[int, int]] = []
        consistency_proof(size, new_size, _noting(trees))
        needed += [Wanted(shard, *tree) for tree in trees]
    found = await _subtrees(connection, new.epoch, needed)
    proofs = []
    for shard, (size, new_size) in enumerate(zip(old.sizes, new.sizes, strict=True)):
        proof = consistency_proof(size, new_size, _reading(found, shard))
        if not consistent(old, new, shard, proof):
            raise Contradicted(shard)
        proofs.append(proof)
    return proofs


def consistent(old: Checkpoint, new: Checkpoint, shard: int, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that a shard's tree of the new checkpoint begins with that of the old one."""
    old_root, new_root = bytes.fromhex(old.roots[shard]), bytes.fromhex(new.roots[shard])
    return verify_consistency(old.sizes[shard], old_root, new.sizes[shard], new_root, proof)


async def _subtrees(connection: Connection, epoch: int, wanted: Iterable[Wanted]) -> dict[Wanted, bytes]:
    row = await connection.fetchrow(_SUSPECTS, epoch)
    try:
        return await subtrees(connection, epoch, wanted, row["suspects"] if row is not None else ())
    except SubtreeMissing as missing:
        raise Contradicted(missing.shard) from missing


def _noting(needed: list[tuple[int, int]]) -> SubtreeHash:
    """Notes which subtrees a proof asks for."""

    def note(level: int, index: int) -> bytes:
        needed.append((level, index))
        return bytes(32)

    return note


def _reading(found: dict[Wanted, bytes], shard: int) -> SubtreeHash:
    return lambda level, index: found[Wanted(shard, level, index)]
