"""The signed log as a whole: its keys and its epochs, each of which must have been announced."""

from typing import Any, Final

import asyncpg
from msgspec import Struct

from service.audit.findings import MESSAGE_MAX, Finding, FindingCode, Severity
from service.audit.source import Cut
from service.checkpoints.rows import key_lines
from service.checkpoints.signed import Checkpoint, Epoch, Key, KeyRing, LineFault, Signed, read_body, verify_line

_KEYS: Final = """
select number, key, after, body, signer, signature, own_signature from log_key order by number
"""

_EPOCHS: Final = "select epoch, at, after, previous, body, key, signature from log_epoch order by epoch"

# `number` alone would be quicker, but a checkpoint whose epoch was changed is to be seen.
_SPANS: Final = """
select epoch, min(number) as first, max(number) as last from checkpoint where number <= $1 group by epoch order by epoch
"""

_BODY: Final = "select body from checkpoint where number = $1"


LOSSES: Final = ("restored",)
"""Reasons of an epoch by which what was signed before may have been lost: the operator has said so. Every other one
tells of damage, or of a loss that nobody has owned up to (`shrunk`)."""


class EpochView(Struct, frozen=True):
    """An epoch that checkpoints are in: its number, the first and last of them, the sizes by shard in the last one."""

    number: int
    first: int
    last: int
    sizes: tuple[int, ...] = ()

    def size(self, shard: int) -> int:
        """How much of a shard was signed in all."""
        return self.sizes[shard] if shard < len(self.sizes) else 0


class Announced(Struct, frozen=True):
    """What the announcement of an epoch says, its signature checked."""

    epoch: int
    after: int
    reason: str
    previous: str | None
    """The digest of the checkpoint `after`, as the row beside the announcement has it."""


class SigningKey(Struct, frozen=True):
    """A key that may sign checkpoints above the number `after`, until there is a later one. `public_key` is hex."""

    id: str
    public_key: str
    after: int


class LogView(Struct, frozen=True):
    """The signed log up to the cut; empty where there is none."""

    log: str | None = None
    keys: tuple[SigningKey, ...] = ()
    epochs: tuple[EpochView, ...] = ()
    announcements: tuple[Announced, ...] = ()

    @property
    def public_keys(self) -> dict[str, bytes]:
        """Raw public keys by id."""
        return {key.id: bytes.fromhex(key.public_key) for key in self.keys}

    def severity(self, epoch: int) -> Severity:
        """How bad it is that rows do not fit an epoch: no error where the next one told of a loss."""
        later = self._successor(epoch)
        return "warning" if later is not None and later.reason in LOSSES else "error"

    def announced(self, epoch: int) -> str:
        """What a later epoch tells of the end of this one, as the end of a sentence."""
        later = self._successor(epoch)
        return "" if later is None else f"; epoch {later.epoch} was announced since ({later.reason})"

    def key_at(self, number: int) -> str | None:
        """The key that signs the checkpoint of a number."""
        return next((key.id for key in reversed(self.keys) if key.after < number), None)

    def announcement(self, epoch: int) -> Announced | None:
        """The announcement of an epoch."""
        return next((found for found in self.announcements if found.epoch == epoch), None)

    def _successor(self, epoch: int) -> Announced | None:
        return next((found for found in self.announcements if found.epoch > epoch > 0), None)


async def read_log(connection: asyncpg.Connection, cut: Cut) -> tuple[LogView, list[Finding]]:
    """The log up to the cut, and what is wrong with its keys and epochs."""
    if cut.checkpoint is None:
        return LogView(), []
    ring, keys, found = _ring(await connection.fetch(_KEYS))
    epochs = []
    for row in await connection.fetch(_SPANS, cut.checkpoint):
        body = await connection.fetchval(_BODY, row["last"])
        epochs.append(EpochView(row["epoch"], row["first"], row["last"], _sizes(body)))
    announcements = []
    rows = await connection.fetch(_EPOCHS)
    for row in rows:
        try:
            announcements.append(_announcement(row, ring))
        except LineFault as fault:
            found.append(Finding(FindingCode.EPOCH_WRONG, str(fault)[:MESSAGE_MAX], epoch=row["epoch"]))
    known = {row["epoch"] for row in rows}
    last = max([*known, *(epoch.number for epoch in epochs)], default=0)
    for epoch in sorted({*range(1, last + 1), *(epoch.number for epoch in epochs)} - known):
        found.append(Finding(FindingCode.EPOCH_MISSING, "The epoch was never announced.", epoch=epoch))
    return LogView(ring.log, tuple(keys), tuple(epochs), tuple(announcements)), found


def _ring(rows: list[Any]) -> tuple[KeyRing, list[SigningKey], list[Finding]]:
    ring = KeyRing()
    keys: list[SigningKey] = []
    found = []
    for number, row in enumerate(rows, 1):
        try:
            if row["number"] != number:
                raise LineFault("malformed", f"Key {number} of the log is missing.")
            for line in key_lines(row):
                if not isinstance(line.body, Key) or line.body.key != row["key"]:
                    raise LineFault("key_wrong", "The statement is of another key than its row.")
                if row["after"] < (keys[-1].after if keys else 0):
                    raise LineFault("key_wrong", "The key is said to sign from an earlier place than the one before.")
                ring.add(line)
        except LineFault as fault:
            found.append(Finding(FindingCode.KEY_WRONG, f"Key {row['key']}: {fault}"[:MESSAGE_MAX]))
            break
        keys.append(SigningKey(row["key"], ring.public_keys[row["key"]].hex(), row["after"]))
    return ring, keys, found


def _announcement(row: Any, ring: KeyRing) -> Announced:
    """The announcement in a row. Raises `LineFault`."""
    signed = verify_line(Signed(read_body(row["body"]), row["body"], row["key"], row["signature"]), ring.public_keys)
    body = signed.body
    if not isinstance(body, Epoch) or (body.epoch, body.after, body.log) != (row["epoch"], row["after"], ring.log):
        raise LineFault("malformed", "The row says something else than the announcement in it.")
    previous = None if row["previous"] is None else row["previous"].hex()
    if (previous is None) != (body.after == 0):
        raise LineFault("malformed", "The row does not name the checkpoint before the epoch.")
    return Announced(body.epoch, body.after, body.reason, previous)


def _sizes(body: bytes | None) -> tuple[int, ...]:
    try:
        read = None if body is None else read_body(body)
    except LineFault:
        return ()
    return read.sizes if isinstance(read, Checkpoint) else ()
