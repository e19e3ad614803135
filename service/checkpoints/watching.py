"""What an outsider makes of signed lines, one after the other: whether each may follow those before it.

Nothing here trusts the service: keys are vouched for from the first one on, numbers go up, each checkpoint names the
one before it, sizes never fall inside an epoch. That the trees were only added to takes proofs: `check_growth`.
"""

from collections.abc import Sequence
from typing import Literal

from domain.merkle import HASH_BYTES
from service.checkpoints.proofs import consistent
from service.checkpoints.signed import Checkpoint, Epoch, Key, KeyRing, LineFault, Signed, read_line, verify_line

ContradictionCode = Literal[
    "line_wrong", "other_log", "number_reused", "number_skipped", "previous_differs", "epoch_reused",
    "epoch_not_announced", "epoch_forgets", "log_shrank", "rewritten",
]  # fmt: skip


class Contradiction(Exception):
    """Two lines that cannot both be true, or one that cannot be: `kept` was there before, `new` came after it."""

    def __init__(
        self, code: ContradictionCode, message: str, kept: Signed | None, new: Signed | bytes | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.kept = kept
        self.new = new.line if isinstance(new, Signed) else new


class Watch:
    """What is known from the lines taken so far.

    last        the last checkpoint
    epoch       the last epoch announced
    unsettled   after a new epoch, the last checkpoint of the one before, until a checkpoint of the new epoch reaches as
                far in every shard: that one can be proved to go on from it, see `settles`
    """

    def __init__(self) -> None:
        self.ring = KeyRing()
        self.last: Signed | None = None
        self.epoch: Signed | None = None
        self.unsettled: Signed | None = None
        self._epochs: dict[int, Signed] = {}
        self._key_lines: set[tuple[str, str]] = set()

    def take(self, line: bytes | Signed) -> Signed | None:
        """The next line, if it may follow; None if it is known already. Raises `Contradiction`."""
        try:
            signed = read_line(line) if isinstance(line, bytes) else line
            if isinstance(signed.body, Key):
                return self._take_key(signed, signed.body)
            verify_line(signed, self.ring.public_keys)
        except LineFault as fault:
            raise Contradiction("line_wrong", str(fault), None, line) from fault
        if signed.body.log != self.ring.log:
            raise Contradiction("other_log", "The line is of another log.", None, signed)
        if isinstance(signed.body, Epoch):
            return self._take_epoch(signed, signed.body)
        return self._take_checkpoint(signed, signed.body)

    def settles(self, signed: Signed) -> bool:
        """Whether a checkpoint reaches as far as all that was sealed before its epoch, and is the first to do so."""
        return self.unsettled is not None and _covers(checkpoint_of(signed), checkpoint_of(self.unsettled))

    def _take_key(self, signed: Signed, body: Key) -> Signed | None:
        # A key comes in two lines, and each of them once: by the key before, then by itself.
        self.ring.add(signed)
        again = (body.key, signed.key) in self._key_lines
        self._key_lines.add((body.key, signed.key))
        return None if again else signed

    def _take_epoch(self, signed: Signed, body: Epoch) -> Signed | None:
        known = self._epochs.get(body.epoch)
        if known is not None:
            if known.raw != signed.raw:
                raise Contradiction("epoch_reused", f"Epoch {body.epoch} was announced otherwise.", known, signed)
            return None
        if self.epoch is not None and body.epoch < _epoch_of(self.epoch).epoch:
            raise Contradiction("epoch_reused", f"Epoch {body.epoch} comes after a later one.", self.epoch, signed)
        if self.last is not None and body.after < checkpoint_of(self.last).number:
            kept = checkpoint_of(self.last).number
            raise Contradiction(
                "epoch_forgets",
                f"Epoch {body.epoch} is said to begin after checkpoint {body.after}, but checkpoint {kept} was signed.",
                self.last,
                signed,
            )
        if self.last is not None and self.unsettled is None:
            self.unsettled = self.last
        self._epochs[body.epoch] = signed
        self.epoch = signed
        return signed

    def _take_checkpoint(self, signed: Signed, body: Checkpoint) -> Signed | None:
        last = self.last
        announced = None if self.epoch is None else _epoch_of(self.epoch)
        if last is not None and body.number <= checkpoint_of(last).number:
            if signed.raw == last.raw:
                return None
            raise Contradiction("number_reused", f"Checkpoint {body.number} was signed otherwise.", last, signed)
        if announced is None or body.epoch != announced.epoch:
            raise Contradiction(
                "epoch_not_announced",
                f"Checkpoint {body.number} is of epoch {body.epoch}, not announced.",
                last,
                signed,
            )
        if last is not None:
            self._check_after(last, checkpoint_of(last), announced, signed, body)
        if self.settles(signed):
            self.unsettled = None
        self.last = signed
        return signed

    def _check_after(
        self, last: Signed, before: Checkpoint, announced: Epoch, signed: Signed, body: Checkpoint
    ) -> None:
        begins = before.epoch != body.epoch
        expected = announced.after + 1 if begins else before.number + 1
        if body.number != expected:
            raise Contradiction(
                "number_skipped", f"After checkpoint {before.number} comes {body.number}, not {expected}.", last, signed
            )
        if body.number == before.number + 1 and body.previous != last.digest:
            raise Contradiction(
                "previous_differs", f"Checkpoint {body.number} names another one before it.", last, signed
            )
        if not begins and (not _covers(body, before) or body.sizes == before.sizes):
            raise Contradiction(
                "log_shrank", f"Checkpoint {body.number} covers less than {before.number}.", last, signed
            )


def check_growth(old: Signed, new: Signed, proofs: Sequence[Sequence[str]]) -> None:
    """Check the proofs, one a shard in hex, that a checkpoint goes on from an earlier one. Raises `Contradiction`."""
    before, after = checkpoint_of(old), checkpoint_of(new)
    wrong = [
        shard
        for shard in range(len(before.sizes))
        if len(proofs) != len(before.sizes)
        or len(after.sizes) != len(before.sizes)
        or not consistent(before, after, shard, _raw_hashes(proofs[shard]))
    ]
    if wrong:
        raise Contradiction(
            "rewritten",
            f"Checkpoint {after.number} does not go on from {before.number} in the shards {wrong}.",
            old,
            new,
        )


def checkpoint_of(signed: Signed) -> Checkpoint:
    """The body of what is a checkpoint."""
    assert isinstance(signed.body, Checkpoint)
    return signed.body


def _epoch_of(signed: Signed) -> Epoch:
    assert isinstance(signed.body, Epoch)
    return signed.body


def _covers(new: Checkpoint, old: Checkpoint) -> bool:
    return len(new.sizes) == len(old.sizes) and all(map(int.__ge__, new.sizes, old.sizes))


def _raw_hashes(proof: Sequence[str]) -> list[bytes]:
    """The hashes of a proof; what is none fits nothing."""
    try:
        return [bytes.fromhex(step) if len(step) == 2 * HASH_BYTES else b"" for step in proof]
    except ValueError:
        return [b""]
