"""Stored events of every schema there has been, read as the events of today.

    schema, stored bytes  ->  decode_stored  ->  event  |  SchemaUnknown

The schema of an event says which shape its stored JSON has; the store keeps the number beside the bytes. An event once
stored is never written anew: the hash chain covers the stored bytes, and what is upcast here is never hashed.

A new schema is one more entry of `UPCASTERS`: a function that turns the JSON object of an event of schema k into that
of schema k + 1, `n`, `at` and `salt` kept. One event stays one event, since its number is its place in the stream; its
type may become another. A function is given every event of schema k, public keys and all, and hands back those that
did not change; it is never edited once a program that writes k + 1 has been released.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import msgspec

from domain.events import AnyEvent, decode

SCHEMA: Final[int] = 1
"""The schema of the events in `domain.events`, which every event is stored with."""

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

UPCASTERS: Final[Mapping[int, Upcaster]] = {}
"""By schema, the step to the next one: every number from 1 to `SCHEMA` - 1 has one."""

_UNFIT: Final = (LookupError, TypeError, ValueError, AttributeError)
"""What an upcaster may raise over an object that is no event of its schema."""


class SchemaUnknown(ValueError):
    """Stored by a program that is newer than this one (or marked with a number that no program writes).

    Nothing can be said of such an event: a reader stops before it, and never folds what it can read of it.
    """

    def __init__(self, schema: int) -> None:
        super().__init__(f"There are events of the schemas 1 to {SCHEMA} here, and this one is of schema {schema}.")
        self.schema = schema
        self.known = SCHEMA


def upcast(schema: int, value: dict[str, Any]) -> dict[str, Any]:
    """The JSON object of an event of a schema, as one of `SCHEMA`.

    Raises `SchemaUnknown`, and `msgspec.ValidationError` where it is no event of its schema.
    """
    if not 0 < schema <= SCHEMA:
        raise SchemaUnknown(schema)
    try:
        for step in range(schema, SCHEMA):
            value = UPCASTERS[step](value)
    except _UNFIT as error:
        raise msgspec.ValidationError(f"No event of schema {schema}: {error!r}") from error
    return value


def _decode_older(schema: int, body: bytes) -> AnyEvent:
    event: AnyEvent = msgspec.convert(upcast(schema, msgspec.json.decode(body, type=dict[str, Any])), AnyEvent)
    return event


class _Decoders(dict[int, Callable[[bytes], AnyEvent]]):
    def __missing__(self, schema: int) -> Callable[[bytes], AnyEvent]:
        raise SchemaUnknown(schema)


_DECODERS: Final = _Decoders({schema: partial(_decode_older, schema) for schema in UPCASTERS} | {SCHEMA: decode})


def decode_stored(schema: int, body: bytes) -> AnyEvent:
    """The event behind stored bytes. Events of `SCHEMA` are decoded at once, older ones by way of their JSON.

    Raises `SchemaUnknown`; `msgspec.ValidationError` or `msgspec.DecodeError` for bytes that are no event.
    """
    return _DECODERS[schema](body)
