"""Signed lines by themselves: what vouches for a key, what a signature covers, what a proof of growth must show."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from domain.merkle import CompactRange, fold_level, leaf_hash
from domain.merkle_proofs import consistency_proof
from service.checkpoints.keys import SigningKey
from service.checkpoints.sealing import statement
from service.checkpoints.signed import (
    FORMAT,
    Checkpoint,
    Epoch,
    KeyRing,
    LineFault,
    Signed,
    body_bytes,
    line_bytes,
    read_line,
    verify_line,
)
from service.checkpoints.watching import Contradiction, Watch, check_growth

LOG = "ab" * 16
AT = "2026-01-02T03:04:05.678Z"
LEAVES = [leaf_hash(b"%d" % number) for number in range(40)]


def new_key() -> SigningKey:
    return SigningKey(Ed25519PrivateKey.generate())


FIRST, SECOND, THIRD, STRANGER = (new_key() for _ in range(4))


def vouched(key: SigningKey, by: SigningKey | None) -> Signed:
    return (by or key).sign(statement(key, LOG, None if by is None else by.id))


def ring_of(*lines: Signed) -> KeyRing:
    ring = KeyRing()
    for line in lines:
        ring.add(line)
    return ring


def sealed(number: int, sizes: tuple[int, ...], previous: Signed | None = None, epoch: int = 1) -> Signed:
    """A checkpoint over the first leaves in every shard."""
    roots = []
    for size in sizes:
        tree = CompactRange()
        for leaf in LEAVES[:size]:
            tree.append(leaf)
        roots.append(tree.root().hex())
    return FIRST.sign(
        Checkpoint(
            at=AT, checkpoint=FORMAT, epoch=epoch, log=LOG, number=number,
            previous=None if previous is None else previous.digest, roots=tuple(roots), sizes=sizes,
        )
    )  # fmt: skip


def announced(epoch: int, after: int) -> Signed:
    return FIRST.sign(
        Epoch(
            after=after, at=AT, epoch=epoch, epoch_begins=FORMAT, log=LOG, position=None,
            reason="first" if epoch == 1 else "restored", shard=None,
        )
    )  # fmt: skip


def grown(old: int, new: int) -> tuple[str, ...]:
    def subtree(level: int, index: int) -> bytes:
        return fold_level(LEAVES[index << level : index + 1 << level])

    return tuple(step.hex() for step in consistency_proof(old, new, subtree))


def test_a_key_is_vouched_for_by_the_newest_one_and_by_itself() -> None:
    ring = ring_of(vouched(FIRST, None), vouched(SECOND, FIRST), vouched(THIRD, SECOND))
    assert list(ring.public_keys) == [FIRST.id, SECOND.id, THIRD.id]
    second = vouched(SECOND, FIRST)
    assert not ring_of(vouched(FIRST, None), second).add(SECOND.sign(second.body))


@pytest.mark.parametrize(
    ("code", "before", "line"),
    [
        ("key_wrong", [], vouched(SECOND, FIRST)),
        ("key_wrong", [vouched(FIRST, None)], vouched(STRANGER, None)),
        ("key_wrong", [vouched(FIRST, None)], vouched(STRANGER, STRANGER)),
        # An old key, stolen perhaps, vouches for nothing any more.
        ("key_wrong", [vouched(FIRST, None), vouched(SECOND, FIRST)], vouched(THIRD, FIRST)),
        ("key_wrong", [vouched(FIRST, None)], STRANGER.sign(statement(SECOND, LOG, FIRST.id))),
        ("key_wrong", [vouched(FIRST, None)], FIRST.sign(statement(SECOND, LOG[::-1], FIRST.id))),
        (
            "signature_wrong",
            [vouched(FIRST, None)],
            Signed(vouched(SECOND, FIRST).body, vouched(SECOND, FIRST).raw, FIRST.id, bytes(64)),
        ),
    ],
)
def test_a_key_that_nothing_vouches_for_is_refused(code: str, before: list[Signed], line: Signed) -> None:
    with pytest.raises(LineFault) as caught:
        ring_of(*before).add(line)
    assert caught.value.code == code


def test_a_key_has_one_statement_and_its_own_id() -> None:
    other = FIRST.sign(replace(statement(SECOND, LOG, FIRST.id), at="2026-01-02T03:04:05.679Z"))
    with pytest.raises(LineFault, match="two statements"):
        ring_of(vouched(FIRST, None), vouched(SECOND, FIRST)).add(other)
    renamed = FIRST.sign(replace(statement(SECOND, LOG, FIRST.id), key=THIRD.id))
    with pytest.raises(LineFault, match="another id"):
        ring_of(vouched(FIRST, None)).add(renamed)


def test_a_signature_covers_the_kind_and_every_byte_of_the_body() -> None:
    keys = {FIRST.id: FIRST.public_key}
    line = sealed(1, (3, 0))
    assert verify_line(line.line, keys) == line
    for at in range(0, len(line.raw), 7):
        changed = bytearray(line.raw)
        changed[at] ^= 1
        with pytest.raises(LineFault):
            verify_line(line_bytes(bytes(changed), line.key, line.signature), keys)
    # What was signed as an epoch is no signature of a checkpoint.
    of_epoch = announced(1, 0)
    with pytest.raises(LineFault, match="not one of the key"):
        verify_line(Signed(line.body, line.raw, line.key, of_epoch.signature), keys)
    with pytest.raises(LineFault, match="nothing vouches for"):
        verify_line(line, {SECOND.id: SECOND.public_key})


@pytest.mark.parametrize(
    "edit",
    [
        lambda line: line.replace(b'"body":', b'"body": '),
        lambda line: line.replace(b'"sizes":[3,0]', b'"sizes":[3]'),
        lambda line: line.replace(b'"number":1', b'"number":1.0'),
        lambda line: line.replace(b'"number":1', b'"number":0'),
        lambda line: line.replace(b'"epoch":1,', b'"epoch":1,"extra":1,'),
        lambda line: line.replace(b'"epoch":1,', b""),
        lambda line: line.replace(b"meldhouse/1", b"meldhouse/2"),
        lambda line: line[:-1] + b',"more":1}',
        lambda line: line.upper(),
        lambda line: line + b"\n\n",
        lambda line: b"",
        lambda line: b"[" * 5000,
        lambda line: b'{"body":{},"key":"%b","signature":"%b"}' % (b"0" * 16, b"0" * 128),
    ],
)
def test_what_has_another_form_is_no_line(edit: object) -> None:
    assert callable(edit)
    line = sealed(1, (3, 0)).line
    assert read_line(line).line == line
    with pytest.raises(LineFault):
        read_line(edit(line))


def test_growth_takes_a_proof_for_every_shard() -> None:
    old, new = sealed(1, (3, 0, 7)), sealed(2, (11, 5, 7))
    proofs = [grown(3, 11), (), ()]
    check_growth(old, new, proofs)
    for wrong in (
        [], proofs[:2], [*proofs, ()], [(), (), ()], [grown(3, 11)[:-1], (), ()], [grown(4, 11), (), ()],
        [("0" * 64, *grown(3, 11)[1:]), (), ()], [("x" * 64, *grown(3, 11)[1:]), (), ()],
        [grown(3, 11), ("0" * 64,), ()],
    ):  # fmt: skip
        with pytest.raises(Contradiction) as caught:
            check_growth(old, new, wrong)
        assert (caught.value.code, caught.value.kept, caught.value.new) == ("rewritten", old, new.line)
    other = sealed(2, (11, 5, 8))
    with pytest.raises(Contradiction, match=r"in the shards \[2\]"):
        check_growth(old, other, proofs)


def test_what_comes_after_must_follow_from_what_came_before() -> None:
    first = sealed(1, (3, 3))
    second = sealed(2, (4, 3), first)
    head = [vouched(FIRST, None), announced(1, 0), first]
    for code, lines in (
        ("number_skipped", [sealed(3, (4, 3), first)]),
        ("previous_differs", [sealed(2, (4, 3), announced(1, 0))]),
        ("log_shrank", [sealed(2, (4, 2), first)]),
        ("log_shrank", [sealed(2, (3, 3), first)]),
        ("log_shrank", [sealed(2, (4,), first)]),
        ("number_reused", [second, sealed(2, (5, 3), first)]),
        ("number_reused", [second, sealed(1, (3, 3), first)]),
        ("epoch_not_announced", [sealed(2, (4, 3), first, epoch=2)]),
        ("epoch_forgets", [second, announced(2, 1)]),
        ("epoch_reused", [announced(2, 1), announced(2, 2)]),
        ("epoch_reused", [announced(3, 1), announced(2, 1)]),
        ("number_skipped", [announced(2, 5), sealed(2, (4, 3), first, epoch=2)]),
    ):
        watch = Watch()
        for line in head:
            watch.take(line)
        for line in lines[:-1]:
            assert watch.take(line) == line
        with pytest.raises(Contradiction) as caught:
            watch.take(lines[-1])
        assert caught.value.code == code


def test_a_new_epoch_is_settled_by_the_checkpoint_that_reaches_as_far_as_the_old_one() -> None:
    watch = Watch()
    first = sealed(1, (3, 3))
    lines = [vouched(FIRST, None), announced(1, 0), first, announced(2, 1)]
    for line in lines:
        watch.take(line)
    short = sealed(2, (5, 2), first, epoch=2)
    long = sealed(3, (5, 3), short, epoch=2)
    assert (watch.unsettled, watch.settles(short), watch.settles(long)) == (first, False, True)
    unsettled = []
    for line in (short, long):
        watch.take(line)
        unsettled.append(watch.unsettled)
    assert unsettled == [first, None]
    assert watch.last == long
    # A line that is known already is no news.
    assert [watch.take(line) for line in (*lines[:2], lines[3], long)] == [None] * 4


def test_the_bodies_are_canonical() -> None:
    for line in (sealed(1, (3, 0)), announced(1, 0), vouched(FIRST, None)):
        assert body_bytes(line.body) == line.raw
