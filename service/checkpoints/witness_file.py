"""A file that gets every signed line: best on a disk or share to which the service may only add."""

import fcntl
import os
from collections.abc import Sequence
from io import FileIO
from pathlib import Path
from typing import Final

import structlog
from msgspec import Struct

from service.checkpoints.lines import PAGE_LINES, Place, lines_after
from service.checkpoints.rows import checkpoint_body
from service.checkpoints.signed import Checkpoint, Epoch, Key, LineFault, Signed, read_line
from service.store.database import Pool, reached

log = structlog.get_logger(__name__)

BLOCK_BYTES: Final = 1 << 16

_PLACE: Final = """
select coalesce((select max(number) from log_key where after < $1 or key = any ($2)), 0) as key,
    greatest((select max(epoch) from log_epoch where after < $1), $3) as epoch
"""


class WitnessBroken(Exception):
    """The file holds what is no line of a log; the message says where."""


class Tail(Struct, frozen=True):
    """The end of a witness file: its last checkpoint, None if it has none, and the lines after it."""

    checkpoint: Signed | None
    after: tuple[Signed, ...]


class WitnessFile:
    """Adds what is missing. Its own last lines tell what that is, so that nothing is lost or doubled by a restart."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._place: Place | None = None
        """The place of its end, as long as this worker was the last to add to it."""
        self._size = 0

    async def catch_up(self, pool: Pool) -> int:
        """Add every line that is not there yet; how many. Raises `OSError`, `WitnessBroken`, `StoreError`."""
        with self._path.open("ab+", buffering=0) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return 0  # Another worker is at it.
            with reached():
                return await self._catch_up(pool, file)

    async def _catch_up(self, pool: Pool, file: FileIO) -> int:
        place = self._place
        there: set[bytes] = set()
        if place is None or os.fstat(file.fileno()).st_size != self._size:
            tail = read_tail(file)
            place = await _place(pool, tail, self._path)
            there = {line.line for line in tail.after}
        written = 0
        waiting: list[bytes] = []
        reached_place = place
        async for placed in lines_after(pool, place):
            waiting += [line for line in placed.lines if line not in there]
            reached_place = placed.place
            if len(waiting) >= PAGE_LINES:
                written += _write(file, waiting)
                waiting = []
        written += _write(file, waiting)
        self._place, self._size = reached_place, os.fstat(file.fileno()).st_size
        return written


async def _place(pool: Pool, tail: Tail, path: Path) -> Place:
    """How far a file has the lines; tells where it holds a checkpoint that the database has not, or has otherwise."""
    number = 0
    if tail.checkpoint is not None and isinstance(tail.checkpoint.body, Checkpoint):
        number = tail.checkpoint.body.number
        if await checkpoint_body(pool, number) != tail.checkpoint.raw:
            log.error("witness_contradicts", file=str(path), checkpoint=number)
    epochs = [line.body.epoch for line in tail.after if isinstance(line.body, Epoch)]
    # The second line of a key may have been cut off: its own.
    keys = [line.key for line in tail.after if isinstance(line.body, Key) and line.body.key == line.key]
    row = await pool.fetchrow(_PLACE, number, keys, max(epochs, default=0))
    return Place(row["key"], row["epoch"], number)


def read_tail(file: FileIO) -> Tail:
    """The end of a file, back to its last checkpoint. A line that was cut off by a crash is taken away.

    Raises `WitnessBroken`.
    """
    size = file.seek(0, os.SEEK_END)
    held = b""
    start = size
    lines: list[bytes] = []
    while start > 0 and not any(b'"checkpoint":' in line for line in lines):
        step = min(BLOCK_BYTES, start)
        start -= step
        file.seek(start)
        held = file.read(step) + held
        whole = held.rpartition(b"\n")[0]
        lines = whole.split(b"\n") if start == 0 else whole.split(b"\n")[1:]
    cut = len(held) - (held.rfind(b"\n") + 1)
    if cut:
        file.truncate(size - cut)
    try:
        found = [read_line(line) for line in lines if line]
    except LineFault as fault:
        raise WitnessBroken(
            f"{fault} It is near the end of the witness file; move that away to begin a new one."
        ) from fault
    last = max((at for at, line in enumerate(found) if isinstance(line.body, Checkpoint)), default=-1)
    return Tail(found[last] if last >= 0 else None, tuple(found[last + 1 :]))


def _write(file: FileIO, lines: Sequence[bytes]) -> int:
    """Add lines, on the disk when it returns."""
    if lines:
        file.write(b"".join(line + b"\n" for line in lines))
        os.fsync(file.fileno())
    return len(lines)
