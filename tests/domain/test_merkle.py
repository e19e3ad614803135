"""Merkle trees and proofs against the published vectors of RFC 6962, a naive tree, and another library."""

from importlib import import_module
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.merkle import (
    EMPTY_ROOT,
    CompactRange,
    Subtree,
    complete_subtrees,
    fold_level,
    leaf_hash,
    node_hash,
)
from domain.merkle_proofs import consistency_proof, inclusion_proof, verify_consistency, verify_inclusion

SIZES = 300

VECTOR_LEAVES = (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)  # fmt: skip
VECTOR_ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)

LEAVES = [leaf_hash(b"%d" % number) for number in range(SIZES + 1)]


def naive_root(leaves: list[bytes]) -> bytes:
    """The definition of RFC 6962, 2.1, word for word."""
    if not leaves:
        return EMPTY_ROOT
    if len(leaves) == 1:
        return leaves[0]
    middle = 1
    while middle * 2 < len(leaves):
        middle *= 2
    return node_hash(naive_root(leaves[:middle]), naive_root(leaves[middle:]))


ROOTS = [naive_root(LEAVES[:size]) for size in range(SIZES + 1)]


def subtree(level: int, index: int) -> bytes:
    return fold_level(LEAVES[index << level : index + 1 << level])


def test_the_roots_are_those_of_the_published_vectors() -> None:
    tree = CompactRange()
    for data, root in zip(VECTOR_LEAVES, VECTOR_ROOTS, strict=True):
        tree.append(leaf_hash(bytes.fromhex(data)))
        assert tree.root().hex() == root


def test_the_empty_tree_has_the_hash_of_nothing_as_its_root() -> None:
    assert CompactRange().root().hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_tree_grown_leaf_by_leaf_has_the_root_of_the_definition_at_every_size() -> None:
    tree = CompactRange()
    for size in range(SIZES + 1):
        assert (tree.size, tree.root()) == (size, ROOTS[size])
        tree.append(LEAVES[size])


def test_a_tree_made_anew_from_its_complete_subtrees_is_the_same() -> None:
    for size in range(SIZES):
        tree = CompactRange.of(size, [subtree(*place) for place in complete_subtrees(size)])
        assert tree.root() == ROOTS[size]
        tree.append(LEAVES[size])
        assert tree.root() == ROOTS[size + 1]


def test_a_tree_is_not_made_from_another_number_of_hashes() -> None:
    with pytest.raises(ValueError, match="2 complete subtrees, not 1"):
        CompactRange.of(5, [LEAVES[0]])


def test_a_copy_grows_by_itself() -> None:
    tree = CompactRange()
    tree.append(LEAVES[0])
    copy = tree.copy()
    copy.append(LEAVES[1])
    assert (tree.root(), copy.root()) == (ROOTS[1], ROOTS[2])


def test_subtrees_of_the_noted_levels_are_told_once_each_when_they_are_complete() -> None:
    tree = CompactRange((2, 4))
    told: list[Subtree] = []
    for size in range(1, SIZES + 1):
        tree.append(LEAVES[size - 1])
        noted = tree.take_noted()
        assert all(each.index + 1 << each.level == size for each in noted)
        told += noted
    assert [each for each in told if each.level == 2] == [Subtree(2, n, subtree(2, n)) for n in range(SIZES // 4)]
    assert [each for each in told if each.level == 4] == [Subtree(4, n, subtree(4, n)) for n in range(SIZES // 16)]


def test_every_leaf_of_every_tree_is_proved() -> None:
    for size in (*range(1, 70), 127, 128, 129, 255, 256, 257, 299, 300):
        for index in range(size):
            proof = inclusion_proof(index, size, subtree)
            assert verify_inclusion(LEAVES[index], index, size, proof, ROOTS[size]), (index, size)


def test_every_tree_is_proved_to_go_on_from_every_smaller_one() -> None:
    for new in (*range(70), 127, 128, 129, 255, 256, 257, 300):
        for old in range(new + 1):
            proof = consistency_proof(old, new, subtree)
            assert verify_consistency(old, ROOTS[old], new, ROOTS[new], proof), (old, new)


def test_what_is_not_in_the_tree_has_no_proof() -> None:
    for index, size in ((0, 0), (5, 5), (-1, 5)):
        with pytest.raises(ValueError, match="has none of index"):
            inclusion_proof(index, size, subtree)
    with pytest.raises(ValueError, match="does not begin with"):
        consistency_proof(6, 5, subtree)


@given(st.data())
def test_a_forged_inclusion_is_refused(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, SIZES))
    index = data.draw(st.integers(0, size - 1))
    proof = inclusion_proof(index, size, subtree)
    leaf, root = LEAVES[index], ROOTS[size]
    other = data.draw(st.integers(0, size - 1).filter(lambda other: other != index))
    assert not verify_inclusion(LEAVES[other], index, size, proof, root)
    assert not verify_inclusion(leaf, other, size, proof, root)
    assert not verify_inclusion(leaf, index, size, proof, ROOTS[size - 1])
    assert not verify_inclusion(leaf, index, size, [*proof, proof[0]], root)
    assert not verify_inclusion(leaf, index, size, proof[:-1], root)
    assert not verify_inclusion(leaf, index, size, proof[1:], root)
    assert not verify_inclusion(root, 0, 1, [], ROOTS[size - 1])
    at = data.draw(st.integers(0, len(proof) - 1))
    bit = data.draw(st.integers(0, 255))
    flipped = (int.from_bytes(proof[at]) ^ 1 << bit).to_bytes(32)
    assert not verify_inclusion(leaf, index, size, [*proof[:at], flipped, *proof[at + 1 :]], root)
    assert not verify_inclusion(leaf, index, size, [*proof[:at], proof[at][:31], *proof[at + 1 :]], root)


@given(st.data())
def test_a_forged_consistency_is_refused(data: st.DataObject) -> None:
    new = data.draw(st.integers(3, SIZES))
    old = data.draw(st.integers(2, new - 1))
    proof = consistency_proof(old, new, subtree)
    assert not verify_consistency(old, ROOTS[old - 1], new, ROOTS[new], proof)
    assert not verify_consistency(old, ROOTS[old], new, ROOTS[new - 1], proof)
    assert not verify_consistency(old - 1, ROOTS[old], new, ROOTS[new], proof)
    assert not verify_consistency(old, ROOTS[old], new, ROOTS[new], [])
    assert not verify_consistency(old, ROOTS[old], new, ROOTS[new], proof[:-1])
    assert not verify_consistency(old, ROOTS[old], new, ROOTS[new], [*proof, proof[0]])
    at = data.draw(st.integers(0, len(proof) - 1))
    bit = data.draw(st.integers(0, 255))
    flipped = (int.from_bytes(proof[at]) ^ 1 << bit).to_bytes(32)
    assert not verify_consistency(old, ROOTS[old], new, ROOTS[new], [*proof[:at], flipped, *proof[at + 1 :]])


def test_trees_of_one_size_have_one_root_and_sizes_do_not_fall() -> None:
    assert not verify_consistency(5, ROOTS[5], 5, ROOTS[6], [])
    assert not verify_consistency(5, ROOTS[5], 5, ROOTS[5], [ROOTS[5]])
    assert not verify_consistency(6, ROOTS[6], 5, ROOTS[5], [])
    assert not verify_consistency(0, ROOTS[1], 5, ROOTS[5], [])
    assert not verify_consistency(0, EMPTY_ROOT, 5, ROOTS[5], [ROOTS[5]])
    assert not verify_consistency(0, EMPTY_ROOT, 0, ROOTS[1], [])
    assert not verify_consistency(-1, EMPTY_ROOT, 0, EMPTY_ROOT, [])


def test_a_change_of_any_leaf_breaks_the_growth_from_every_tree_that_held_it() -> None:
    changed = [*LEAVES[:9], leaf_hash(b"another"), *LEAVES[10:]]

    def rewritten(level: int, index: int) -> bytes:
        return fold_level(changed[index << level : index + 1 << level])

    root = naive_root(changed[:40])
    for old in range(1, 40):
        held = verify_consistency(old, ROOTS[old], 40, root, consistency_proof(old, 40, rewritten))
        assert held == (old <= 9), old


def test_another_library_has_the_same_roots_and_the_same_proofs() -> None:
    pymerkle: Any = import_module("pymerkle")
    tree = pymerkle.InmemoryTree(algorithm="sha256")
    for size in range(1, 66):
        tree.append_entry(b"%d" % (size - 1))
        assert tree.get_root(size) == ROOTS[size]
        for index in range(size):
            # The other library counts leaves from 1, and lists the leaf among the hashes of its path.
            path = tree.prove_inclusion(index + 1, size).serialize()["path"]
            proof = inclusion_proof(index, size, subtree)
            assert sorted(path) == sorted(each.hex() for each in (LEAVES[index], *proof)), (index, size)


def test_the_largest_complete_subtrees_cover_a_tree_without_gap() -> None:
    for size in range(SIZES):
        spans = [(index << level, index + 1 << level) for level, index in complete_subtrees(size)]
        assert [start for start, _ in spans[:1]] == [0] * bool(size)
        assert all(first[1] == second[0] for first, second in pairwise(spans))
        assert sum(end - start for start, end in spans) == size
