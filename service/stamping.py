"""Time and salt for events that are about to be stored (formats, part 5)."""

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, get_args

from msgspec.structs import replace

from domain.chain import link
from domain.events import AnyEvent, encode
from domain.tournaments.events import AnyTournamentEvent
from service.live_stream import E, Link
from service.store.append import NewEvent

SALT_BYTES: Final = 16
SALTS_DRAWN: Final = 64
_TYPES: Final[dict[type, str]] = {
    kind: kind.__struct_config__.tag for kind in (*get_args(AnyEvent), *get_args(AnyTournamentEvent))
}


def _fresh_salts() -> Iterator[str]:
    """Salts without end; asking the system for many at once costs as much as for one."""
    while True:
        drawn = os.urandom(SALT_BYTES * SALTS_DRAWN).hex()
        for start in range(0, len(drawn), 2 * SALT_BYTES):
            yield drawn[start : start + 2 * SALT_BYTES]


_salts: Final = _fresh_salts()


class Clock:
    """The time as events hold it, and the part of it that stays the same for a second."""

    __slots__ = ("_prefix", "_second")

    def __init__(self) -> None:
        self._second = -1
        self._prefix = ""

    def text(self, now: float) -> str:
        """A time in seconds since 1970 in the form of RFC 3339, in UTC, to the millisecond."""
        second, millisecond = divmod(int(now * 1000), 1000)
        if second != self._second:
            self._prefix = datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S.")
            self._second = second
        return f"{self._prefix}{millisecond:03d}Z"


_clock: Final = Clock()


def stamp(prev_hash: str, happened: Sequence[E], now: float) -> tuple[list[Link[E]], list[NewEvent]]:
    """The events with their time and a salt of their own each: as they are told, and as the store takes them.

    Each is hashed upon the one before it, the first upon `prev_hash` (formats, part 7). `now` is in seconds since 1970.
    """
    at = _clock.text(now)
    links: list[Link[E]] = []
    new: list[NewEvent] = []
    for event in happened:
        event = replace(event, at=at, salt=next(_salts))
        body = encode(event)
        head = link(prev_hash, body)
        links.append(Link(event, prev_hash, head))
        new.append(NewEvent(_TYPES[type(event)], body, head))
        prev_hash = head
    return links, new
