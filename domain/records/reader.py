"""Reading a record line by line, strictly: whatever can be told without the rules of the game is checked here.

    lines -> RecordReader -> header, then events one by one, then trailer

The reader holds one line at a time. Event `n` stands in line `n` + 1, below the header.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final, NoReturn, get_args

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain import events
from domain.canonical import CanonicalError, canonical
from domain.chain import first_prev
from domain.events import AnyEvent
from domain.records.completeness import HIDES
from domain.records.diagnosis import UNREADABLE, check_shape, plain_object
from domain.records.faults import RecordFaultCode as Code
from domain.records.faults import RecordInvalidError
from domain.records.lines import LINE_BYTES_MAX
from domain.records.shapes import VERSION, Header, Trailer

_encode: Final = msgspec.json.Encoder(order="sorted").encode
_decode_header: Final = msgspec.json.Decoder(Header).decode

_SHAPES: Final[dict[str, type[AnyEvent]]] = {str(shape.__struct_config__.tag): shape for shape in get_args(AnyEvent)}

_UNTYPED: Final[dict[type[AnyEvent], tuple[str, ...]]] = {
    events.Created: ("fairness", "origin"),
    events.Closed: ("beacon",),
    events.Placed: ("position",),
    events.Started: ("beacon",),
    events.Revealed: ("context",),
}
"""Parts that may hold any JSON: msgspec alone vouches neither for their canonical form nor for the keys in them."""

_is_time: Final = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?"
    r"(?:Z|\+00:00)",
    re.ASCII,
).fullmatch

_LINK_LENGTH: Final = len('"hash":"",') + 64
"""Length of the key `hash` with its value and comma; that of `prev` is the same."""


class RecordReader:
    """One record being read. `header` is there at once, `trailer` once every event has been read.

    Iterating, which is possible once, gives the events in order. Both raise `RecordInvalidError` at the first line
    that is wrong.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        """`lines` come with their line feeds, as `split_lines` gives them."""
        self._lines = iter(lines)
        self.header = _read_header(next(self._lines, b""))
        self.trailer: Trailer | None = None

    def __iter__(self) -> Iterator[AnyEvent]:
        head = first_prev(self.header.game)
        decode, encode, longest, untyped, hides = events.decode, events.encode, LINE_BYTES_MAX, _UNTYPED, HIDES
        n = 0
        for line in self._lines:
            try:
                event = decode(line)
                well_formed = encode(event) + b"\n" == line and len(line) <= longest
            except UNREADABLE as error:
                self._read_trailer(line, n, head, error)
                return
            n += 1
            kind = type(event)
            if not well_formed or (kind in untyped and not _is_canonical(event, line)):
                _check_form(event, line, n + 1)
            if event.n != n:
                _refuse_place(event, n)
            if event.prev != head:
                _refuse_prev(event)
            if kind in untyped:
                body = _body(event, line)
            else:
                # A typed event has no other such keys, so they are found by their names.
                at = line.find(b'"hash":"')
                then = line.find(b'"prev":"', at)
                body = line[:at] + line[at + _LINK_LENGTH : then] + line[then + _LINK_LENGTH : -1]
            head = sha256(b"%b\n%b" % (head.encode(), body)).hexdigest()
            if event.hash != head:
                _refuse_hash(event)
            salt = event.salt
            if salt is UNSET or len(salt) != 32 or salt.strip("0123456789abcdef"):
                _refuse_salt(event)
            if _is_time(event.at) is None:
                message = f"{event.at[:40]!r} is no time in UTC as RFC 3339 has it."
                raise RecordInvalidError(n + 1, Code.BAD_TIME, message)
            if kind in hides and hides[kind](event):
                message = "Something of this event is hidden, and a record is complete."
                raise RecordInvalidError(n + 1, Code.INCOMPLETE, message)
            yield event
        raise RecordInvalidError(n + 2, Code.TRUNCATED, "The file ends without its trailer.")

    def _read_trailer(self, line: bytes, count: int, head: str, error: Exception) -> None:
        """Read a line that is no event, so it should be the trailer and the last one."""
        number = count + 2
        value = plain_object(line, number)
        if "end" not in value or "type" in value:
            _refuse_event(value, number, error)
        check_shape(value, Trailer, number)
        trailer = msgspec.convert(value, Trailer)
        if trailer.events != count:
            message = f"The trailer counts {trailer.events} events, and {count} stand before it."
            raise RecordInvalidError(number, Code.COUNT_WRONG, message)
        if trailer.head != head:
            raise RecordInvalidError(number, Code.HEAD_WRONG, f"The hash of the last event is {head}.")
        if next(self._lines, None) is not None:
            raise RecordInvalidError(number + 1, Code.AFTER_TRAILER, "Nothing follows the trailer.")
        self.trailer = trailer


def _read_header(line: bytes) -> Header:
    if not line:
        raise RecordInvalidError(1, Code.TRUNCATED, "The file is empty.")
    try:
        header = _decode_header(line)
        if header.record == VERSION and _encode(header) + b"\n" == line and len(line) <= LINE_BYTES_MAX:
            return header
    except UNREADABLE:
        pass
    value = plain_object(line, 1)
    version = value.get("record")
    if not isinstance(version, str):
        raise RecordInvalidError(1, Code.HEADER_MISSING, "The first line is no header of a record.")
    if version != VERSION:
        message = f"This is a record of version {version[:40]!r}; {VERSION!r} is read here."
        raise RecordInvalidError(1, Code.UNKNOWN_VERSION, message)
    check_shape(value, Header, 1)
    return msgspec.convert(value, Header)


def _is_canonical(event: AnyEvent, line: bytes) -> bool:
    """Whether the parts of an event that may hold any JSON stand in its line in canonical form."""
    try:
        return all(canonical(getattr(event, name)) in line for name in _UNTYPED[type(event)])
    except CanonicalError:
        return False


def _check_form(event: AnyEvent, line: bytes, number: int) -> None:
    """Check a line that msgspec would have written otherwise: it may still leave keys out or not as it pleases."""
    value = plain_object(line, number)
    for name in ("n", "at"):
        if name not in value:
            raise RecordInvalidError(number, Code.MISSING_KEY, f'The key "{name}" is missing.')
    check_shape(value, type(event), number)


def _body(event: AnyEvent, line: bytes) -> bytes:
    """The hashed form of an event that may hold keys of any name: its line without its own `prev` and `hash`."""
    body = line[:-1]
    for name in ("hash", "prev"):
        own = f'"{name}":"{getattr(event, name)}",'.encode()
        if body.count(own) != 1:
            return canonical(replace(event, prev=UNSET, hash=UNSET))
        body = body.replace(own, b"")
    return body


def _refuse_event(value: dict[str, object], number: int, error: Exception) -> NoReturn:
    tag = value.get("type")
    if tag is None:
        raise RecordInvalidError(number, Code.MISSING_KEY, 'An event has a key "type".')
    shape = _SHAPES.get(tag) if isinstance(tag, str) else None
    if shape is None:
        message = f"There is no event of type {str(tag)[:40]!r}."
        raise RecordInvalidError(number, Code.UNKNOWN_EVENT_TYPE, message)
    check_shape(value, shape, number)
    raise RecordInvalidError(number, Code.ILL_TYPED, f"{error}.") from error


def _refuse_place(event: AnyEvent, n: int) -> NoReturn:
    if event.n > n:
        message = f"Event {n} is missing: event {event.n} stands here."
        raise RecordInvalidError(n + 1, Code.EVENT_MISSING, message)
    message = f"Event {n} should stand here, not event {event.n} once more."
    raise RecordInvalidError(n + 1, Code.EVENT_REPEATED, message)


def _refuse_prev(event: AnyEvent) -> NoReturn:
    if event.prev is UNSET:
        raise RecordInvalidError(event.n + 1, Code.MISSING_KEY, 'The key "prev" is missing.')
    before = "hash of the event before" if event.n > 1 else "SHA-256 of the game's id"
    raise RecordInvalidError(event.n + 1, Code.PREV_WRONG, f"prev is not the {before}.")


def _refuse_hash(event: AnyEvent) -> NoReturn:
    if event.hash is UNSET:
        raise RecordInvalidError(event.n + 1, Code.MISSING_KEY, 'The key "hash" is missing.')
    message = "The hash is not that of the event: one of them has been changed."
    raise RecordInvalidError(event.n + 1, Code.HASH_WRONG, message)


def _refuse_salt(event: AnyEvent) -> NoReturn:
    if event.salt is UNSET:
        raise RecordInvalidError(event.n + 1, Code.INCOMPLETE, "The salt is hidden, and a record is complete.")
    raise RecordInvalidError(event.n + 1, Code.BAD_SALT, "A salt is 16 bytes in lower-case hex.")
