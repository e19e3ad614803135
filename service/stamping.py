"""Time and salt for events that are about to be stored (formats, part 5)."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from msgspec.structs import replace

from domain.events import AnyEvent, encode, type_of
from service.store.append import NewEvent, chained

SALT_BYTES: Final = 16


def now_text(now: datetime) -> str:
    """A time as events hold it: RFC 3339 in UTC, to the millisecond."""
    return now.isoformat(timespec="milliseconds")[:23] + "Z"


def stamp(happened: Sequence[AnyEvent], now: datetime) -> list[AnyEvent]:
    """The events with their time and a salt of their own each."""
    at = now_text(now.astimezone(UTC) if now.tzinfo is not UTC else now)
    salts = os.urandom(SALT_BYTES * len(happened)).hex()
    return [
        replace(event, at=at, salt=salts[start : start + 2 * SALT_BYTES])
        for start, event in zip(range(0, len(salts), 2 * SALT_BYTES), happened, strict=True)
    ]


def to_store(prev_hash: str, stamped: Sequence[AnyEvent]) -> list[NewEvent]:
    """Stamped events as the store takes them, each hashed upon the one before it."""
    return chained(prev_hash, [(type_of(event), encode(event)) for event in stamped])
