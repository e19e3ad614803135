"""Events as a record holds them: canonical JSON, in order, complete, each bound to the one before by hashes.

`read_together` is quick and says of several lines only whether all is well. `read_one` takes a single line the slow
way and tells what is wrong with it. `read_bodies_together` and `read_body` do the same for bodies as a store keeps
them, whose hashes stand elsewhere.
"""

import re
from collections.abc import Sequence
from hashlib import sha256
from operator import attrgetter
from typing import Any, Final, get_args

import msgspec
from msgspec import UNSET

from domain import events
from domain.canonical import CanonicalError, canonical
from domain.chain import link
from domain.events import AnyEvent
from domain.records.completeness import HIDES
from domain.records.diagnosis import UNREADABLE, check_keys, plain_object, quoted, typed
from domain.records.faults import RecordFaultCode as Code
from domain.records.faults import RecordInvalidError
from domain.records.lines import LINE_BYTES_MAX
from domain.records.shapes import SCHEMA_OF_LINES
from domain.upcasting import SCHEMA, upcast

_decode_lines: Final = msgspec.json.Decoder(AnyEvent).decode_lines
_encode_lines: Final = msgspec.json.Encoder(order="sorted").encode_lines

_SHAPES: Final[dict[str, type[AnyEvent]]] = {str(shape.__struct_config__.tag): shape for shape in get_args(AnyEvent)}

_UNTYPED: Final[dict[type[AnyEvent], tuple[str, ...]]] = {
    events.Created: ("fairness", "origin"),
    events.Closed: ("beacon",),
    events.Placed: ("position",),
    events.Started: ("beacon",),
    events.Revealed: ("context",),
}
"""Parts that may hold any JSON: msgspec alone vouches neither for their canonical form nor for the keys in them."""

_LOOK_CLOSER: Final = HIDES.keys() | _UNTYPED.keys()

_STORED: Final = ("n", "at", "salt")
"""Keys that every event has wherever it is kept."""

_LINKED: Final = ("prev", "hash")

_EVERYWHERE: Final = (*_STORED, *_LINKED)
"""Keys that every event of a record has."""

_DIGEST: Final = 64
"""Length of a hash in hex digits."""

_LINK: Final = len('"hash":"",') + _DIGEST
"""Length of the key `hash` with its value and comma; that of `prev` is the same."""

_SALT: Final = 32
"""Length of a salt in hex digits."""

_MINUTE: Final = len("2026-01-01T00:00:")
_SECONDS: Final = frozenset(f"{second:02}Z" for second in range(60))
"""How most times end after their minute, so that a minute is looked at once."""

_DATE: Final = len("2026-01-01")
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""Days of each month; a leap year has one more in the second."""

_links: Final = attrgetter("n", "prev", "hash")
_salt: Final = attrgetter("salt")
_time: Final = attrgetter("at")

_is_time: Final = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?"
    r"(?:Z|\+00:00)",
    re.ASCII,
).fullmatch


def read_together(lines: Sequence[bytes], n: int, head: str) -> tuple[list[AnyEvent], str] | None:
    """The events of lines that follow event `n`, whose hash is `head`, and the last one's hash.

    None where anything is wrong, and where a line is of a form that only `read_one` can judge.
    """
    joined = b"".join(lines)
    if SCHEMA_OF_LINES != SCHEMA:
        # Typed events of a newer schema would not write these bytes again.
        return None
    happened = _as_written(joined)
    if happened is None:
        return None
    heads = [head]
    for line in lines:
        # A typed event has no other keys of these names; where another one has, the hash will not be right.
        at = line.find(b'"hash":"')
        then = line.find(b'"prev":"', at)
        parts = head.encode(), b"\n", line[:at], line[at + _LINK : then], line[then + _LINK : -1]
        head = sha256(b"".join(parts)).hexdigest()
        heads.append(head)
    if list(map(_links, happened)) != list(zip(range(n + 1, n + len(heads)), heads, heads[1:], strict=False)):
        return None
    return (happened, head) if _are_fine(happened, lines) else None


def read_bodies_together(joined: bytes, hashes: bytes, n: int, head: str) -> list[AnyEvent] | None:
    """The events of stored bodies of the present schema that follow event `n`, whose hash is `head`.

    `joined` are the bodies, canonical JSON without `prev` and `hash`, each with a line feed behind it, and `hashes`
    theirs, 32 bytes each. None where anything is wrong, and where a body is of a form that only `read_body` can judge.
    """
    happened = _as_written(joined)
    if happened is None:
        return None
    bodies = joined.split(b"\n")
    bodies.pop()
    digits = head + hashes.hex()
    heads = [digits[at : at + _DIGEST].encode() for at in range(0, len(digits), _DIGEST)]
    if len(heads) != len(happened) + 1 or len(bodies) != len(happened):
        return None
    linked = [sha256(b"%b\n%b" % pair).digest() for pair in zip(heads, bodies, strict=False)]
    if b"".join(linked) != hashes:
        return None
    if list(map(_links, happened)) != [(number, UNSET, UNSET) for number in range(n + 1, n + len(heads))]:
        return None
    return happened if _are_fine(happened, bodies) else None


def _as_written(joined: bytes) -> list[AnyEvent] | None:
    """The events of lines of canonical JSON, or None where anything is wrong with one of them."""
    try:
        happened: list[AnyEvent] = _decode_lines(joined)
        return happened if _encode_lines(happened) == joined else None
    except UNREADABLE:
        return None


def _are_fine(happened: Sequence[AnyEvent], lines: Sequence[bytes]) -> bool:
    """Whether what may hold any JSON is canonical, nothing is hidden, and salts, times and lengths are right."""
    unclear = [pair for pair in zip(happened, lines, strict=True) if type(pair[0]) in _LOOK_CLOSER]
    if not all(_is_canonical_and_complete(event, line) for event, line in unclear):
        return False
    fine = _are_salts(list(map(_salt, happened))) and _are_times(list(map(_time, happened)))
    return fine and max(map(len, lines), default=0) <= LINE_BYTES_MAX


def _are_salts(salts: Sequence[str]) -> bool:
    # A hidden salt is no text, which joining them finds out.
    try:
        digits = "".join(salts)
        return bytes.fromhex(digits).hex() == digits and set(map(len, salts)) <= {_SALT}
    except (TypeError, ValueError):
        return False


def _are_times(times: Sequence[str]) -> bool:
    if {time[_MINUTE:] for time in times} <= _SECONDS:
        times = [minute + "00Z" for minute in {time[:_MINUTE] for time in times}]
    return all(map(_is_time, times)) and all(map(_is_day, {time[:_DATE] for time in times}))


def _is_day(date: str) -> bool:
    """Whether the month of a date, whose form is right, has that day."""
    year, month, day = map(int, date.split("-"))
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= _DAYS[month - 1] + leap


def _is_canonical_and_complete(event: AnyEvent, line: bytes) -> bool:
    """Whether what may hold any JSON stands in the line in canonical form, and nothing is hidden."""
    kind = type(event)
    if kind in HIDES and HIDES[kind](event):
        return False
    try:
        return kind not in _UNTYPED or all(canonical(getattr(event, name)) in line for name in _UNTYPED[kind])
    except CanonicalError:
        return False


def read_one(line: bytes, n: int, head: str) -> tuple[AnyEvent, str]:
    """The event of the line that follows event `n`, whose hash is `head`, and its own hash.

    Raises `RecordInvalidError` with what is wrong first: the bytes, the form, the place, the chain, the details.
    """
    number = n + 2
    value = plain_object(line, number)
    event = _event(_upcast(SCHEMA_OF_LINES, value, number), number, _EVERYWHERE)
    _check_number(event, n)
    body = canonical({key: part for key, part in value.items() if key not in _LINKED})
    if event.prev != head:
        before = "hash of the event before" if n else "SHA-256 of the game's id"
        if event.hash == link(str(event.prev), body):
            message = (
                f'This event is whole, but its "prev" is not the {before}: what stands here or before is not of it.'
            )
            raise RecordInvalidError(number, Code.SPLICED, message)
        raise RecordInvalidError(number, Code.PREV_WRONG, f'The key "prev" is not the {before}.')
    head = link(head, body)
    if event.hash != head:
        message = "The hash is not that of the event: one of the two has been changed."
        raise RecordInvalidError(number, Code.HASH_WRONG, message)
    _check_details(event, number)
    return event, head


def read_body(body: bytes, schema: int, n: int) -> AnyEvent:
    """The event of a stored body of a schema that follows event `n`.

    Raises `RecordInvalidError` as `read_one` does, but for the chain, and `SchemaUnknown`.
    """
    number = n + 2
    value = _upcast(schema, plain_object(body + b"\n", number), number)
    event = _event(value, number, _STORED)
    linked = next((key for key in _LINKED if key in value), None)
    if linked is not None:
        raise RecordInvalidError(number, Code.UNKNOWN_KEY, f"There is no key {quoted(linked)} here.")
    _check_number(event, n)
    _check_details(event, number)
    return event


def _check_number(event: AnyEvent, n: int) -> None:
    if event.n > n + 1:
        message = f"Event {n + 1} is missing: event {event.n} stands here."
        raise RecordInvalidError(n + 2, Code.EVENT_MISSING, message)
    if event.n <= n:
        message = f"Event {n + 1} should stand here, not event {event.n} once more."
        raise RecordInvalidError(n + 2, Code.EVENT_REPEATED, message)


def _check_details(event: AnyEvent, number: int) -> None:
    """Check what the types say nothing of: salt, time, completeness."""
    if not _are_salts([str(event.salt)]):
        raise RecordInvalidError(number, Code.BAD_SALT, "A salt is 16 bytes in lower-case hex.")
    if not _are_times([event.at]):
        message = f"The time {quoted(event.at)} is none in UTC as RFC 3339 has it."
        raise RecordInvalidError(number, Code.BAD_TIME, message)
    kind = type(event)
    if kind in HIDES and HIDES[kind](event):
        message = "Something of this event is hidden, and a record is complete."
        raise RecordInvalidError(number, Code.INCOMPLETE, message)


def _upcast(schema: int, value: dict[str, Any], number: int) -> dict[str, Any]:
    try:
        return upcast(schema, value)
    except msgspec.ValidationError as error:
        raise RecordInvalidError(number, Code.ILL_TYPED, f"{error}.") from error


def _event(value: dict[str, Any], number: int, needed: Sequence[str]) -> AnyEvent:
    tag = value.get("type")
    if tag is None:
        raise RecordInvalidError(number, Code.MISSING_KEY, 'The key "type" is missing.')
    shape = _SHAPES.get(tag) if isinstance(tag, str) else None
    if shape is None:
        raise RecordInvalidError(number, Code.UNKNOWN_EVENT_TYPE, f"There is no event of the type {quoted(tag)}.")
    check_keys(value, shape, number, also_needed=needed)
    return typed(value, shape, number)
