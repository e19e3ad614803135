"""Reading a record strictly: whatever can be told without the rules of the game is checked here.

    lines -> RecordReader -> header, then events one by one, then trailer

The reader holds a few lines at a time. Event `n` stands in line `n` + 1, below the header.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final, TypeVar

import msgspec

from domain.chain import first_prev
from domain.events import AnyEvent
from domain.records.chained import read_one, read_together
from domain.records.diagnosis import UNREADABLE, check_keys, json_object, plain_object, quoted, typed
from domain.records.faults import RecordFaultCode as Code
from domain.records.faults import RecordInvalidError
from domain.records.lines import LINE_BYTES_MAX
from domain.records.shapes import VERSION, Header, Numbered, Trailer

_BATCH: Final = 128
"""Lines that are held at a time. Doing one thing to many lines, then the next, spares the processor's caches."""

_TRAILER: Final = b'{"end":'

_numbered: Final = msgspec.json.Decoder(Numbered).decode
_encode: Final = msgspec.json.Encoder(order="sorted").encode

S = TypeVar("S", Header, Trailer)


class RecordReader:
    """One record being read. `header` is there at once, `trailer` once every event has been read.

    Iterating, which is possible once, gives the events in order, and `batches` gives a few of them at a time. All raise
    `RecordInvalidError` at the first line that is wrong, after every event that stands before it.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        """`lines` come with their line feeds, as `split_lines` gives them."""
        self._lines = iter(lines)
        self.header = _read_header(next(self._lines, b""))
        self.trailer: Trailer | None = None

    def __iter__(self) -> Iterator[AnyEvent]:
        for happened in self.batches():
            yield from happened

    def batches(self) -> Iterator[list[AnyEvent]]:
        """The events in order, as many at a time as were read together."""
        head = first_prev(self.header.game)
        n = 0
        while lines := list(islice(self._lines, _BATCH)):
            ending = lines.pop() if lines[-1].startswith(_TRAILER) else None
            read = read_together(lines, n, head)
            if read is not None:
                happened, head = read
                yield happened
                n += len(happened)
            else:
                # Something is wrong with one of these lines.
                for place, line in enumerate(lines):
                    if line.startswith(_TRAILER):
                        self._end(line, n, head)
                        raise _something_follows(n + 3)
                    try:
                        event, head = read_one(line, n, head)
                    except RecordInvalidError as invalid:
                        raise self._looked_into(invalid, n + 1, lines[place + 1 :]) from None
                    n += 1
                    yield [event]
            if ending is not None:
                self._end(ending, n, head)
                return
        raise RecordInvalidError(n + 2, Code.TRUNCATED, "The file ends without its trailer.")

    def _looked_into(self, invalid: RecordInvalidError, n: int, following: Iterable[bytes]) -> RecordInvalidError:
        """The fault of the line where event `n` should stand: one that is not there may stand further down."""
        if invalid.fault.code is not Code.EVENT_MISSING:
            return invalid
        for further, line in enumerate(chain(following, self._lines), start=1):
            if _number(line) == n:
                message = f"Event {n} stands in line {invalid.fault.line + further} instead: lines have been moved."
                return RecordInvalidError(invalid.fault.line, Code.EVENT_MOVED, message)
        return invalid

    def _end(self, line: bytes, count: int, head: str) -> None:
        """Read the trailer, which is the last line."""
        number = count + 2
        trailer = _as_written(line, Trailer)
        if trailer is None:
            value = plain_object(line, number)
            check_keys(value, Trailer, number)
            trailer = typed(value, Trailer, number)
        if trailer.events != count:
            message = f"The trailer counts {trailer.events} events, and {count} stand before it."
            raise RecordInvalidError(number, Code.COUNT_WRONG, message)
        if trailer.head != head:
            raise RecordInvalidError(number, Code.HEAD_WRONG, f"The hash of the last event is {head}.")
        if next(self._lines, None) is not None:
            raise _something_follows(number + 1)
        self.trailer = trailer


def _number(line: bytes) -> int | None:
    """Which event stands in a line, so far as that can be told."""
    try:
        return _numbered(line).n
    except UNREADABLE:
        return None


def _as_written(line: bytes, shape: type[S]) -> S | None:
    """What stands in a line of canonical JSON, or None where anything is wrong with it."""
    try:
        value = msgspec.json.decode(line, type=shape)
        return value if _encode(value) + b"\n" == line and len(line) <= LINE_BYTES_MAX else None
    except UNREADABLE:
        return None


def _something_follows(number: int) -> RecordInvalidError:
    return RecordInvalidError(number, Code.AFTER_TRAILER, "Nothing follows the trailer.")


def _read_header(line: bytes) -> Header:
    if not line:
        raise RecordInvalidError(1, Code.TRUNCATED, "The file is empty.")
    header = _as_written(line, Header)
    if header is not None and header.record == VERSION:
        return header
    version = json_object(line, 1).get("record")
    if not isinstance(version, str):
        raise RecordInvalidError(1, Code.HEADER_MISSING, "The first line is no header of a record.")
    if version != VERSION:
        message = f"This is a record of the version {quoted(version)}; {quoted(VERSION)} is read here."
        raise RecordInvalidError(1, Code.UNKNOWN_VERSION, message)
    value = plain_object(line, 1)
    check_keys(value, Header, 1)
    return typed(value, Header, 1)
