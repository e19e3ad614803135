"""Guests for persons who have no account, so that a tournament can be run for them from a list.

Their ids follow from where they stand in it: whoever sends the list again means the same guests. Nobody has a token for
them; they are erased like all players (`meldhouse erase`).
"""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final

from msgspec import Struct

from service.store.database import Pool, reached
from service.tokens import ID_BYTES

NAME_LENGTH_MAX: Final = 40

_MAKE: Final = """
insert into player (id, name, kind, created_at)
select id, name, 'guest', $3 from unnest($1::text[], $2::text[]) as made (id, name)
on conflict do nothing
"""


class Guest(Struct, frozen=True):
    """Somebody without an account."""

    id: str
    name: str


def guest_id(tournament: str, request: str, line: int, place: int) -> str:
    """The id of the person at a place of a line, the same for the same request."""
    name = f"meldhouse/listed-guest\n{tournament}\n{request}\n{line}\n{place}"
    return "p" + sha256(name.encode()).hexdigest()[: 2 * ID_BYTES]


def listed_bot_id(tournament: str, request: str, line: int, place: int, level: str) -> str:
    """The id of a bot at such a place, as those of bots are formed."""
    return f"bot-{level}-{guest_id(tournament, request, line, place)[1:]}"


async def make_guests(pool: Pool, guests: Sequence[Guest], now: datetime) -> None:
    """See that they are there. Raises `StoreUnavailable`, `StoreBusy`."""
    if guests:
        with reached():
            await pool.execute(_MAKE, [each.id for each in guests], [each.name for each in guests], now)
