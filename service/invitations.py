"""Seats that are kept for one player each: rows beside the events, since nobody sits there yet.

A seat that is taken is kept no longer; until then whoever opened the table may free it.
"""

from typing import Final

import asyncpg
from msgspec import Struct

from service.store.database import reached
from service.store.errors import KeyReused

_RESERVED: Final = "select seat, player from seat where game = $1 and kind = 'invited'"
_INVITED: Final = "select exists (select from seat where game = $1 and player = $2 and kind = 'invited')"
_FREE: Final = "update seat set kind = 'open', player = null where game = $1 and seat = $2 and kind = 'invited'"
_CLAIM: Final = """
insert into claim (scope, actor, command_key, command_digest, value) values ($1, $2, $3, decode($4, 'hex'), '')
on conflict do nothing
"""
_CLAIMED: Final = """
select encode(command_digest, 'hex') from claim where scope = $1 and actor = $2 and command_key = $3
"""
NOTHING: Final = " 0"
"""How the database's answer ends where no row was concerned."""


class Key(Struct, frozen=True):
    """The idempotency key of a request, whose it is, and the digest of what it asks."""

    actor: str
    text: str
    digest: str


class Invitations:
    """The invitations of all games. All calls raise `StoreUnavailable`."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def reserved(self, game_id: str) -> dict[int, str]:
        """The free seats that are kept, and for whom."""
        with reached():
            return {row["seat"]: row["player"] for row in await self._pool.fetch(_RESERVED, game_id)}

    async def invited(self, game_id: str, player: str) -> bool:
        """Whether a seat is kept for the player."""
        with reached():
            return bool(await self._pool.fetchval(_INVITED, game_id, player))

    async def free(self, game_id: str, seat: int, key: Key | None) -> bool:
        """Keep a seat for nobody any more; whether it was kept, or the request of this key has freed it.

        Raises `KeyReused`.
        """
        with reached():
            async with self._pool.acquire() as connection, connection.transaction():
                done = not (await connection.execute(_FREE, game_id, seat)).endswith(NOTHING)
                if key is None:
                    return done
                if done:
                    await connection.execute(_CLAIM, _scope(game_id), key.actor, key.text, key.digest)
                return await _claimed(connection, game_id, key)

    async def freed(self, game_id: str, key: Key) -> bool:
        """Whether the request of this key has freed a seat before. Raises `KeyReused`."""
        with reached():
            return await _claimed(self._pool, game_id, key)


def _scope(game_id: str) -> str:
    return f"free {game_id}"


async def _claimed(asking: asyncpg.Pool | asyncpg.Connection, game_id: str, key: Key) -> bool:
    digest: str | None = await asking.fetchval(_CLAIMED, _scope(game_id), key.actor, key.text)
    if digest is not None and digest != key.digest:
        raise KeyReused(f"The key {key.text!r} was used for another request.")
    return digest is not None
