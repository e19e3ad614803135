"""Proofs about Merkle trees: that a leaf is in one, and that a larger one begins with a smaller (RFC 6962, 2.1).

Who makes a proof has the hashes of complete subtrees; who checks one needs nothing but the two roots.
"""

from collections.abc import Sequence

from domain.merkle import EMPTY_ROOT, HASH_BYTES, SubtreeHash, node_hash


def inclusion_proof(index: int, size: int, subtree: SubtreeHash) -> list[bytes]:
    """The hashes that lead from the leaf of this index to the root of the tree of this size, from below.

    Raises `ValueError` if the tree has no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"A tree of {size} leaves has none of index {index}.")
    proof = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            proof.append(_root(middle, end, subtree))
            end = middle
        else:
            proof.append(_root(start, middle, subtree))
            start = middle
    return proof[::-1]


def consistency_proof(old_size: int, new_size: int, subtree: SubtreeHash) -> list[bytes]:
    """The hashes that show that the tree of `new_size` begins with that of `old_size`; none where that is plain.

    Raises `ValueError` if the old tree is the larger one.
    """
    if not 0 <= old_size <= new_size:
        raise ValueError(f"A tree of {new_size} leaves does not begin with one of {old_size}.")
    if old_size in (0, new_size):
        return []
    proof = []
    start, end = 0, new_size
    whole = True
    while old_size != end:
        middle = start + _split(end - start)
        if old_size <= middle:
            proof.append(_root(middle, end, subtree))
            end = middle
        else:
            proof.append(_root(start, middle, subtree))
            start = middle
            whole = False
    if not whole:
        proof.append(_root(start, end, subtree))
    return proof[::-1]


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof leads from the leaf (its hash) at this index to the root of a tree of this size.

    The algorithm of RFC 9162, 2.1.3.2.
    """
    if not 0 <= index < size or not _are_hashes(proof):
        return False
    at, last, node = index, size - 1, leaf
    for step in proof:
        if last == 0:
            return False
        if at & 1 or at == last:
            node = node_hash(step, node)
            while not at & 1 and at:
                at >>= 1
                last >>= 1
        else:
            node = node_hash(node, step)
        at >>= 1
        last >>= 1
    return last == 0 and node == root


def verify_consistency(old_size: int, old_root: bytes, new_size: int, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the tree with the new root begins with that of the old one (RFC 9162, 2.1.4.2).

    Every tree begins with the empty one.
    """
    if not 0 <= old_size <= new_size or not _are_hashes(proof):
        return False
    if old_size == 0:
        return old_root == EMPTY_ROOT and not proof and (new_size > 0 or new_root == EMPTY_ROOT)
    if old_size == new_size:
        return old_root == new_root and not proof
    steps = [old_root, *proof] if old_size & (old_size - 1) == 0 else list(proof)
    if not steps:
        return False
    at, last = old_size - 1, new_size - 1
    while at & 1:
        at >>= 1
        last >>= 1
    old = new = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            old = node_hash(step, old)
            new = node_hash(step, new)
            while not at & 1 and at:
                at >>= 1
                last >>= 1
        else:
            new = node_hash(new, step)
        at >>= 1
        last >>= 1
    return last == 0 and old == old_root and new == new_root


def _split(width: int) -> int:
    """The largest power of two below the width: so many leaves are on the left of its root."""
    return 1 << (width - 1).bit_length() - 1


def _root(start: int, end: int, subtree: SubtreeHash) -> bytes:
    """The root over the leaves from `start` to before `end`; where a tree is split, its left part is complete."""
    width = end - start
    if width & (width - 1) == 0:
        level = width.bit_length() - 1
        return subtree(level, start >> level)
    middle = start + _split(width)
    return node_hash(_root(start, middle, subtree), _root(middle, end, subtree))


def _are_hashes(proof: Sequence[bytes]) -> bool:
    return all(len(step) == HASH_BYTES for step in proof)
