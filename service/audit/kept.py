"""What was kept outside: heads of games that players have, and signed lines that a witness has.

Whoever can change everything in the database can make it all fit again; what is outside the database stays as it was.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Final

import asyncpg
import msgspec
from msgspec import Meta, Struct

from domain.records.lines import LINE_BYTES_MAX as HEAD_BYTES_MAX
from service.audit.feed import WITNESSED, SignedRoot
from service.audit.findings import MESSAGE_MAX, Finding, FindingCode, Findings
from service.audit.source import AuditImpossible
from service.checkpoints.signed import (
    LINE_BYTES_MAX,
    Checkpoint,
    Epoch,
    Key,
    KeyRing,
    LineFault,
    read_line,
    verify_line,
)
from service.store.base import VERSION_MAX

LINES_TOGETHER: Final = 500
"""Lines of a file that are compared at a time."""

ROOTS_MAX: Final = 500
"""The most witnessed roots of a shard that are compared with the rows; of more every second one is left out."""

_EVENTS: Final = """
select k.line, k.n, e.hash, (select coalesce(max(version), 0) from event where stream = k.game) as newest
from unnest($1::integer[], $2::text[], $3::integer[]) as k (line, game, n)
left join event e on e.stream = k.game and e.version = k.n
order by k.line
"""

_STORED_CHECKPOINTS: Final = "select number, body from checkpoint where number = any ($1::bigint[])"
_STORED_EPOCHS: Final = "select epoch, body from log_epoch where epoch = any ($1::bigint[])"
_NEWEST_EPOCH: Final = "select max(epoch) from log_epoch"
_STORED_KEYS: Final = "select key, body from log_key"


class KeptHead(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody kept of a game: the hash of its event `n`."""

    game: Annotated[str, Meta(min_length=1, max_length=64)]
    n: Annotated[int, Meta(ge=1, le=VERSION_MAX)]
    hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$(?!\\n)")]


class KeptLine(Struct, frozen=True):
    """A line of a witness file and its number."""

    number: int
    raw: bytes


class HeadsChecked(Struct):
    """How many heads were compared, and what was wrong."""

    heads: int
    findings: Findings


class WitnessChecked(Struct):
    """How many lines were compared, what was wrong, and by shard the roots that the rows are to be compared with."""

    lines: int
    findings: Findings
    roots: dict[int, list[SignedRoot]]


_head: Final = msgspec.json.Decoder(KeptHead)


def read_heads(lines: Iterable[bytes]) -> Iterator[tuple[int, KeptHead]]:
    """The heads of a file by line. Raises `AuditImpossible` for a line that is none."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            if len(line) > HEAD_BYTES_MAX:
                raise ValueError("it is too long")
            head = _head.decode(line)
            if not head.game.isprintable():
                raise ValueError("no game has such an id")
            yield number, head
        except (msgspec.MsgspecError, ValueError) as error:
            raise AuditImpossible(f"Line {number} of the kept heads is none: {error}.") from error


async def check_heads(connection: asyncpg.Connection, heads: Sequence[tuple[int, KeptHead]]) -> HeadsChecked:
    """Compare kept heads with the events that are there."""
    findings = Findings()
    kept = dict(heads)
    rows = await connection.fetch(
        _EVENTS, list(kept), [head.game for head in kept.values()], [head.n for head in kept.values()]
    )
    for row in rows:
        head = kept[row["line"]]
        if row["hash"] is None:
            there = f"the game ends with event {row['newest']}" if row["newest"] else "there is no such game"
            code, message = FindingCode.KEPT_HEAD_MISSING, f"The kept head is of an event that is not there: {there}."
        elif row["hash"].hex() != head.hash:
            code = FindingCode.KEPT_HEAD_DIFFERS
            message = f"The kept hash of the event is {head.hash}, and the stored one {row['hash'].hex()}."
        else:
            continue
        findings.add([Finding(code, message, game=head.game, n=head.n, line=row["line"])])
    return HeadsChecked(len(heads), findings)


def witnessed_keys(lines: Iterable[KeptLine]) -> tuple[KeyRing, list[Finding]]:
    """The keys that a witness file vouches for, and what is wrong with its statements of keys."""
    ring = KeyRing()
    found = []
    for kept in lines:
        if b'"key_added"' not in kept.raw:
            continue
        try:
            signed = read_line(kept.raw)
            if isinstance(signed.body, Key):
                ring.add(signed)
        except LineFault as fault:
            found.append(Finding(FindingCode.WITNESS_FORGED, str(fault)[:MESSAGE_MAX], line=kept.number))
    return ring, found


async def check_witness(
    connection: asyncpg.Connection, lines: Sequence[KeptLine], keys: dict[str, bytes], *, logged: bool
) -> WitnessChecked:
    """Compare witnessed lines with those stored; `keys` are trusted, `logged` says whether there are stored ones."""
    findings = Findings()
    roots: dict[int, list[SignedRoot]] = {}
    signed = []
    for kept in lines:
        try:
            signed.append((kept.number, verify_line(kept.raw, keys)))
        except LineFault as fault:
            findings.add([Finding(FindingCode.WITNESS_FORGED, str(fault)[:MESSAGE_MAX], line=kept.number)])
    bodies = [line.body for _, line in signed]
    numbers = [body.number for body in bodies if isinstance(body, Checkpoint)]
    epochs = [body.epoch for body in bodies if isinstance(body, Epoch)]
    stored: dict[tuple[str, int | str], bytes] = {}
    newest = 0
    if logged:
        newest = await connection.fetchval(_NEWEST_EPOCH) or 0
        stored |= {("checkpoint", row[0]): row[1] for row in await connection.fetch(_STORED_CHECKPOINTS, numbers)}
        stored |= {("epoch", row[0]): row[1] for row in await connection.fetch(_STORED_EPOCHS, epochs)}
        stored |= {("key", row[0]): row[1] for row in await connection.fetch(_STORED_KEYS)}
    for number, line in signed:
        body = line.body
        there = stored.get(_name(body))
        if isinstance(body, Checkpoint) and (there != line.raw or body.epoch < newest):
            # What an epoch is announced for excuses nothing that somebody has kept.
            for shard, (size, root) in enumerate(zip(body.sizes, body.roots, strict=True)):
                if size:
                    roots.setdefault(shard, []).append(SignedRoot(size, root, WITNESSED, body.number))
        if there == line.raw:
            continue
        code = FindingCode.WITNESS_MISSING if there is None else FindingCode.WITNESS_DIFFERS
        kind, name = _name(body)
        state = "is not stored here" if there is None else "is another one here"
        findings.add([
            Finding(
                code, f"The witnessed {kind} {name} {state}.", line=number,
                checkpoint=body.number if isinstance(body, Checkpoint) else None,
                epoch=body.epoch if isinstance(body, Checkpoint | Epoch) else None,
            )
        ])  # fmt: skip
    return WitnessChecked(len(lines), findings, {shard: thinned(found) for shard, found in roots.items()})


def thinned(roots: Sequence[SignedRoot]) -> list[SignedRoot]:
    """The roots of a shard, each once, and of too many as many as may be; the last one is kept in any case."""
    once = {(root.size, root.root): root for root in reversed(roots)}
    kept = sorted(once.values(), key=lambda root: (root.size, root.number))
    while len(kept) > ROOTS_MAX:
        kept = [*kept[:-1:2], kept[-1]]
    return kept


def split_witness(lines: Iterable[bytes]) -> Iterator[KeptLine]:
    """The lines of a witness file, numbered from 1; blank ones are left out."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield KeptLine(number, line[: LINE_BYTES_MAX + 1])


def _name(body: Checkpoint | Epoch | Key) -> tuple[str, int | str]:
    if isinstance(body, Checkpoint):
        return "checkpoint", body.number
    return ("epoch", body.epoch) if isinstance(body, Epoch) else ("key", body.key)
