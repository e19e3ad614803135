"""The signed lines of the log in an order in which each can be checked by those before it."""

from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from service.checkpoints.rows import Connection, key_lines
from service.checkpoints.signed import line_bytes

PAGE_LINES: Final = 256

_CHECKPOINTS: Final = """
select number, body, key, signature from checkpoint where number > $1 order by number limit $2
"""
_EPOCHS: Final = "select epoch, after, body, key, signature from log_epoch where epoch > $1 order by epoch limit $2"
_KEYS: Final = """
select number, key, after, body, signer, signature, own_signature from log_key
where number > $1 order by number limit $2
"""


class Place(Struct, frozen=True):
    """How far somebody has the lines: the last key (by its number), epoch and checkpoint."""

    key: int = 0
    epoch: int = 0
    checkpoint: int = 0


class Placed(Struct, frozen=True):
    """What comes next: lines that belong together, without newlines, and the place after them."""

    lines: tuple[bytes, ...]
    place: Place


class Rare(Struct, frozen=True):
    """A key or an epoch by its number: its lines, and the number of the last checkpoint before it."""

    number: int
    after: int
    lines: tuple[bytes, ...]


async def key_page(connection: Connection, after: int, limit: int) -> list[Rare]:
    """The keys above a number."""
    rows = await connection.fetch(_KEYS, after, limit)
    return [Rare(row["number"], row["after"], tuple(signed.line for signed in key_lines(row))) for row in rows]


async def epoch_page(connection: Connection, after: int, limit: int) -> list[Rare]:
    """The epochs above a number."""
    rows = await connection.fetch(_EPOCHS, after, limit)
    return [Rare(row["epoch"], row["after"], (_line(row),)) for row in rows]


async def checkpoint_page(connection: Connection, after: int, limit: int) -> list[tuple[int, bytes]]:
    """The checkpoints above a number: number and line."""
    rows = await connection.fetch(_CHECKPOINTS, after, limit)
    return [(row["number"], _line(row)) for row in rows]


async def lines_after(connection: Connection, place: Place) -> AsyncIterator[Placed]:
    """Every line after a place, in the order in which they were signed; of two at the same checkpoint the key first."""
    while True:
        # What a checkpoint needs was stored before it: read later, it is there.
        checkpoints = await checkpoint_page(connection, place.checkpoint, PAGE_LINES)
        epochs = deque(await epoch_page(connection, place.epoch, PAGE_LINES))
        keys = deque(await key_page(connection, place.key, PAGE_LINES))
        last = len(checkpoints) < PAGE_LINES
        for number, line in [*checkpoints, *([(None, b"")] if last else [])]:
            while keys or epochs:
                is_key = bool(keys) and (not epochs or keys[0].after <= epochs[0].after)
                rare = (keys if is_key else epochs)[0]
                if number is not None and rare.after >= number:
                    break
                (keys if is_key else epochs).popleft()
                place = replace(place, key=rare.number) if is_key else replace(place, epoch=rare.number)
                yield Placed(rare.lines, place)
            if number is not None:
                place = replace(place, checkpoint=number)
                yield Placed((line,), place)
        if last:
            return


def _line(row: Any) -> bytes:
    return line_bytes(row["body"], row["key"], row["signature"])
