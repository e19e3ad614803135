"""Request bodies: received up to a limit, looked over before they are decoded, decoded strictly.

receive  ->  bytes     413 as soon as the limit is passed, 415 for anything but JSON
decode   ->  values    400 for nesting, for what is no JSON, for a key that stands twice in one object
shape    ->  Struct    400 with the place and what was expected there
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final, TypeVar

import msgspec

from domain.canonical import MAX_INTEGER
from service.http.allowed import expectation
from service.http.problems import Problem
from service.settings import Settings

T = TypeVar("T")
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

UPLOAD_PATHS: Final = frozenset((b"/v1/verifications", b"/v1/tournaments/import"))
"""Where bodies may be as large and as long on their way as the settings of verifications say."""

MEDIA_TYPES: Final = frozenset((b"application/json", b"application/json; charset=utf-8"))
_STRINGS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
"""Strings, the one that never ends among them, so that every quote is looked at once, however many there are."""

_NOT_BRACKETS: Final = re.compile(rb"[^\[\]{}]+")
_FLOAT: Final = "got `float`"
"""What stands in an error that integers written as 5.0 may be to blame for."""

_decode: Final = msgspec.json.decode


class Disconnected(Exception):
    """The client went away before its request had come in whole."""


async def receive_body(receive: Receive, headers: Mapping[bytes, bytes], limit: int) -> bytes:
    """The body of a request, of at most `limit` bytes. Raises `Problem`, `Disconnected`."""
    _check_length(headers, limit)
    message = await receive()
    body: bytes = message.get("body", b"")
    if len(body) > limit:
        raise _too_large(limit)
    if message["type"] == "http.request" and not message.get("more_body", False):
        return body
    return b"".join([piece async for piece in _pieces(receive, message, limit)])


async def receive_pieces(receive: Receive, headers: Mapping[bytes, bytes], limit: int) -> AsyncIterator[bytes]:
    """The body of a request piece by piece, at most `limit` bytes in all. Raises `Problem`, `Disconnected`."""
    _check_length(headers, limit)
    async for piece in _pieces(receive, await receive(), limit):
        yield piece


def _check_length(headers: Mapping[bytes, bytes], limit: int) -> None:
    length = headers.get(b"content-length")
    if length is not None and len(length) >= len(str(limit)) and not (length.isdigit() and int(length) <= limit):
        raise _too_large(limit)


async def _pieces(receive: Receive, message: MutableMapping[str, Any], limit: int) -> AsyncIterator[bytes]:
    """The pieces of a body, the first of which has come in a message already."""
    size = 0
    while message["type"] != "http.disconnect":
        piece: bytes = message.get("body", b"")
        size += len(piece)
        if size > limit:
            raise _too_large(limit)
        yield piece
        if not message.get("more_body", False):
            return
        message = await receive()
    raise Disconnected


def check_media_type(content_type: bytes | None) -> None:
    """Refuse anything but JSON in UTF-8 (415). Raises `Problem`."""
    if content_type in MEDIA_TYPES:
        return
    kind, _, parameters = (content_type or b"").partition(b";")
    charset = parameters.strip().lower().replace(b'"', b"")
    if kind.strip().lower() != b"application/json" or charset not in (b"", b"charset=utf-8"):
        raise Problem(
            "unsupported_media_type",
            "Send the body as application/json in UTF-8.",
            params={"needed": "application/json"},
        )


def read(body: bytes, settings: Settings, kind: type[T]) -> T:
    """The body as the Struct asked for. Raises `Problem`."""
    return shape(decode(body, settings.nesting_max), kind)


def decode(body: bytes, nesting_max: int) -> Any:
    """The JSON values of a body, in which no object has a key twice. Raises `Problem`."""
    skeleton = _STRINGS.sub(b"", body)
    if skeleton.count(b"[") + skeleton.count(b"{") > nesting_max and _is_deeper(skeleton, nesting_max):
        raise Problem(
            "nesting_too_deep",
            f"Lists and objects may be nested {nesting_max} deep.",
            params={"limit": nesting_max},
        )
    try:
        raw = _decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Problem("malformed_json", f"The body cannot be read as JSON: {error}.") from error
    if skeleton.count(b":") != _keys(raw):
        raise Problem("duplicate_key", "A key may stand only once in an object.")
    return raw


def shape(raw: Any, kind: type[T]) -> T:
    """Decoded JSON as the Struct asked for. Raises `Problem` with the place of the first fault."""
    try:
        return msgspec.convert(raw, kind)
    except (msgspec.ValidationError, UnicodeError) as error:
        if _FLOAT not in str(error):
            raise _invalid_body(error, raw, kind) from error
    try:
        # To JSON Schema 5.0 is an integer too.
        return msgspec.convert(_with_integers(raw), kind)
    except (msgspec.ValidationError, UnicodeError) as error:
        raise _invalid_body(error, raw, kind) from error


def _invalid_body(error: Exception, raw: Any, kind: type) -> Problem:
    told = expectation(error, raw, kind)
    at = told.at or "(the body)"
    return Problem("invalid_body", f"{told.sentence} at {at}.", params={"at": at, "expected": told.expected})


def _with_integers(raw: Any) -> Any:
    """The value with numbers such as 5.0 as integers."""
    if isinstance(raw, dict):
        return {key: _with_integers(value) for key, value in raw.items()}
    if isinstance(raw, list):
        return [_with_integers(value) for value in raw]
    if isinstance(raw, float) and raw.is_integer() and abs(raw) <= MAX_INTEGER:
        return int(raw)
    return raw


def _too_large(limit: int) -> Problem:
    # The rest of the body is not read, so the connection cannot serve another request.
    return Problem(
        "body_too_large",
        f"A body may have {limit} bytes.",
        params={"limit": limit},
        headers=((b"connection", b"close"),),
    )


def _is_deeper(skeleton: bytes, most: int) -> bool:
    """Whether lists and objects are nested deeper than that in JSON whose strings were taken out."""
    depth = 0
    for bracket in _NOT_BRACKETS.sub(b"", skeleton):
        depth += 1 if bracket in b"[{" else -1
        if depth > most:
            return True
    return False


def _keys(raw: Any) -> int:
    """How many keys all the objects in a value have together."""
    if type(raw) is dict:
        number = len(raw)
        for value in raw.values():
            if type(value) is dict or type(value) is list:
                number += _keys(value)
        return number
    if type(raw) is list:
        number = 0
        for value in raw:
            if type(value) is dict or type(value) is list:
                number += _keys(value)
        return number
    return 0
