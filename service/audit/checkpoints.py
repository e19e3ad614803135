"""Checks checkpoints: their form, their signatures, and that each names the one before it."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

import asyncpg
from msgspec import Struct

from service.audit.findings import MESSAGE_MAX, Finding, FindingCode, Findings, Severity
from service.audit.log import Announced, LogView
from service.audit.source import Cut
from service.checkpoints.signed import Checkpoint, LineFault, Signed, digest, holds, read_body

CHECKPOINTS_TOGETHER: Final = 2000
"""Checkpoints that are checked at a time."""

_ROWS: Final = """
select number, epoch, at, body, key, signature from checkpoint where number >= $1 and number <= $2 order by number
"""


class CheckpointsChecked(Struct):
    """How many checkpoints were looked at, and what was wrong with them."""

    checkpoints: int
    findings: Findings


class _Last(Struct, frozen=True):
    """The checkpoint before; `body` is None where it cannot be read."""

    number: int
    digest: str
    body: Checkpoint | None


async def check_checkpoints(
    connection: asyncpg.Connection, cut: Cut, log: LogView, after: int, to: int
) -> CheckpointsChecked:
    """Check the checkpoints with numbers above `after` up to `to`, the first of them beside the one before it."""
    findings = Findings()
    last: _Last | None = None
    checked = 0
    expected = after + 1
    for row in await connection.fetch(_ROWS, max(after, 1), to):
        number = row["number"]
        body, why = _read(row, log, cut)
        if number > after:
            checked += 1
            begins = log.announcement(row["epoch"])
            if begins is not None and begins.after != number - 1:
                begins = None
            # Numbers are left out where those signed under them were lost, which is announced.
            if number > expected and begins is None:
                message = f"Checkpoint {expected} is missing: {number} comes next."
                findings.add([Finding(FindingCode.CHECKPOINT_MISSING, message, checkpoint=expected)])
            expected = number + 1
            if body is None:
                findings.add([_finding(FindingCode.CHECKPOINT_WRONG, row, why)])
            else:
                findings.add(_signature_faults(row, body, log))
                findings.add(_link_faults(row, body, last, begins))
        last = _Last(number, digest(row["body"]), body)
    if expected <= to:
        message = f"Checkpoint {expected} is missing."
        findings.add([Finding(FindingCode.CHECKPOINT_MISSING, message, checkpoint=expected)])
    return CheckpointsChecked(checked, findings)


def _finding(
    code: FindingCode, row: Any, message: str, severity: Severity = "error", shard: int | None = None
) -> Finding:
    return Finding(code, message[:MESSAGE_MAX], severity, shard=shard, checkpoint=row["number"], epoch=row["epoch"])


def _read(row: Any, log: LogView, cut: Cut) -> tuple[Checkpoint | None, str]:
    """The body of a checkpoint, or why it is none that belongs into its row."""
    try:
        body = read_body(row["body"])
    except LineFault as fault:
        return None, str(fault)
    if not isinstance(body, Checkpoint):
        return None, "The body is not that of a checkpoint."
    if (body.number, body.epoch, body.log) != (row["number"], row["epoch"], log.log):
        return None, f"The body is of checkpoint {body.number} in epoch {body.epoch} of the log {body.log}."
    if datetime.fromisoformat(body.at) != row["at"]:
        return None, f"The row says {row['at'].isoformat()}, and the body {body.at}."
    if len(body.sizes) != cut.shards:
        return None, f"It covers {len(body.sizes)} shards, and the feed has {cut.shards}."
    return body, ""


def _signature_faults(row: Any, body: Checkpoint, log: LogView) -> Iterator[Finding]:
    signer = log.key_at(row["number"])
    if signer is None or row["key"] != signer:
        message = f"It is said to be signed by the key {row['key']}, and {signer} signs at this place."
        yield _finding(FindingCode.CHECKPOINT_FORGED, row, message)
    elif not holds(Signed(body, row["body"], signer, row["signature"]), log.public_keys[signer]):
        yield _finding(FindingCode.CHECKPOINT_FORGED, row, f"The signature is not one of the key {signer}.")


def _link_faults(row: Any, body: Checkpoint, last: _Last | None, begins: Announced | None) -> Iterator[Finding]:
    """Compare with the checkpoint before; the first of an epoch names the one that its announcement knew of."""
    before = None if last is None or last.number != row["number"] - 1 else last
    if begins is not None:
        if body.previous != begins.previous:
            message = "It does not name the checkpoint before it that the announcement of its epoch knew of."
            yield _finding(FindingCode.CHECKPOINT_UNLINKED, row, message)
        elif before is not None and body.previous != before.digest:
            message = f"Checkpoint {before.number} was replaced before the epoch was announced ({begins.reason})."
            yield _finding(FindingCode.CHECKPOINT_UNLINKED, row, message, "warning")
        return
    if before is None:
        if row["number"] == 1 and body.previous is not None:
            yield _finding(FindingCode.CHECKPOINT_UNLINKED, row, "The first checkpoint names one before it.")
        return
    if body.previous != before.digest:
        message = f"It does not name checkpoint {before.number} as it stands here: one of the two was replaced."
        yield _finding(FindingCode.CHECKPOINT_UNLINKED, row, message)
    if before.body is None or before.body.epoch != body.epoch:
        return
    for shard, (earlier, later) in enumerate(zip(before.body.sizes, body.sizes, strict=True)):
        if later < earlier:
            message = f"It covers {later} events, and checkpoint {before.number} before it {earlier}."
            yield _finding(FindingCode.CHECKPOINT_SHRUNK, row, message, shard=shard)
            return
