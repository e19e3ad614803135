"""Query parameters and headers, read strictly: nothing unknown, nothing twice, no second way to write a number."""

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct

from service.http.allowed import expectation
from service.http.problems import Problem

QUERY_BYTES_MAX: Final = 4096
QUERY_FIELDS_MAX: Final = 32
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_VERSION: Final = re.compile(rb'("?)(0|[1-9][0-9]{0,8})\1')
_KEY: Final = re.compile(r"[!-~]{1,255}")
ONE_OF_A_KIND: Final = (b"authorization", b"content-type", b"host", b"idempotency-key", b"if-match", b"last-event-id")
"""Headers that may be given once only."""

_BEARER: Final = b"bearer "
_WORDS: Final = {"true": True, "false": False}

IDEMPOTENCY_KEY_FORM: Final = "1 to 255 printable ASCII characters without spaces"


def read_query(query: bytes, kind: type[Struct] | None) -> Any:
    """The query as a Struct of this kind; None where the operation has no query. Raises `Problem`."""
    if not query:
        return None if kind is None else kind()
    if len(query) > QUERY_BYTES_MAX:
        raise invalid("query", f"a query of at most {QUERY_BYTES_MAX} bytes")
    try:
        pairs = parse_qsl(
            query.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=QUERY_FIELDS_MAX,
        )
    except ValueError as error:
        raise invalid("query", "a query of percent-encoded UTF-8") from error
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)} if kind else {}
    values: dict[str, Any] = {}
    for name, text in pairs:
        if name not in fields:
            raise invalid(name, "no parameter that this address knows: " + (", ".join(fields) or "none"))
        if name in values:
            raise invalid(name, "given once")
        values[name] = _value(text, fields[name].type)
    if kind is None:
        return None
    try:
        return msgspec.convert(values, kind)
    except (msgspec.ValidationError, UnicodeError) as error:
        told = expectation(error, values, kind)
        raise invalid(told.at.removeprefix(".") or "query", told.expected) from error


def invalid(name: str, expected: str) -> Problem:
    """The problem of a parameter or header that cannot be used."""
    return Problem("invalid_parameter", f"{name}: expected {expected}.", params={"name": name, "expected": expected})


def check_given_once(headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Refuse a header that stands twice where only one of the two could be meant. Raises `Problem`."""
    given = [name for name, _ in headers]
    for name in ONE_OF_A_KIND:
        if given.count(name) > 1:
            raise invalid(name.decode().title(), "given once")


def bearer(headers: Mapping[bytes, bytes]) -> bytes | None:
    """The token that is sent along, good or not; None where there is none, or another kind of credential."""
    value = headers.get(b"authorization", b"")
    return value[7:].strip() if value[:7].lower() == _BEARER else None


def if_match(headers: dict[bytes, bytes]) -> int | None:
    """The version that the caller has seen, from `If-Match: "41"`, or without the quotes. Raises `Problem`."""
    value = headers.get(b"if-match")
    if value is None:
        return None
    found = _VERSION.fullmatch(value)
    if found is None:
        raise invalid("If-Match", 'the version as an entity tag, such as "41"')
    return int(found[2])


def if_none_match(headers: dict[bytes, bytes], version: int) -> bool:
    """Whether the caller has this version already. What cannot be read counts as no (RFC 9110, 13.1.2)."""
    value = headers.get(b"if-none-match")
    if value is None:
        return False
    tags = [tag.strip().removeprefix(b"W/") for tag in value.split(b",")]
    return b'"%d"' % version in tags


def idempotency_key(headers: dict[bytes, bytes]) -> str | None:
    """The caller's name for this command. Raises `Problem`."""
    value = headers.get(b"idempotency-key")
    if value is None:
        return None
    text = value.decode("latin-1")
    if _KEY.fullmatch(text) is None:
        raise invalid("Idempotency-Key", IDEMPOTENCY_KEY_FORM)
    return text


def kept_key(headers: dict[bytes, bytes], player: str) -> str | None:
    """What is kept of a player's idempotency key: it tells two keys apart, and nothing of what was written in them.

    It is kept as long as the game, and what is personal must not be. Raises `Problem`.
    """
    key = idempotency_key(headers)
    return None if key is None else sha256(f"{player}\n{key}".encode()).hexdigest()


def _value(text: str, kind: Any) -> Any:
    plain = getattr(kind, "__origin__", kind) if hasattr(kind, "__metadata__") else kind
    if plain is int:
        return int(text) if _NUMBER.fullmatch(text) else text
    if plain is bool:
        return _WORDS.get(text, text)
    return text
