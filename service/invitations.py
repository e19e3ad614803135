"""Seats that are kept for one player each: rows beside the events, since nobody sits there yet.

A seat that is taken is kept no longer; until then whoever opened the table may free it.
"""

from typing import Final

import asyncpg
from msgspec import Struct

from service.store.database import Pool, reached
from service.store.errors import KeyReused

_RESERVED: Final = "select seat, player from seat where game = $1 and kind = 'invited'"
_INVITED: Final = "select exists (select from seat where game = $1 and player = $2 and kind = 'invited')"
_FREE: Final = "update seat set kind = 'open', player = null where game = $1 and seat = $2 and kind = 'invited'"
_CLAIM: Final = """
insert into claim (scope, actor, command_key, command_digest, value) values ($1, $2, $3, decode($4, 'hex'), '')
on conflict do nothing
"""
_USED: Final = """
select encode(command_digest, 'hex') as digest, true as freed from claim
where scope = $1 and actor = $3 and command_key = $4
union all
select encode(command_digest, 'hex'), false from event where stream = $2 and actor = $3 and command_key = $4
"""
NOTHING: Final = " 0"
"""How the database's answer ends where no row was concerned."""


class Key(Struct, frozen=True):
    """The idempotency key of a request, whose it is, and the digest of what it asks."""

    actor: str
    text: str
    digest: str


class Invitations:
    """The invitations of all games. All calls raise `StoreUnavailable` and `StoreBusy`."""

    def __init__(self, pool: Pool) -> None:
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
                return await _freed(connection, game_id, key)

    async def freed(self, game_id: str, key: Key) -> bool:
        """Whether the request of this key has freed a seat before.

        Raises `KeyReused` where another request had the key, be it one that freed a seat or any command of the game.
        """
        with reached():
            return await _freed(self._pool, game_id, key)


def _scope(game_id: str) -> str:
    return f"free {game_id}"


async def _freed(asking: Pool | asyncpg.Connection, game_id: str, key: Key) -> bool:
    uses = await asking.fetch(_USED, _scope(game_id), game_id, key.actor, key.text)
    if any(use["digest"] != key.digest for use in uses):
        raise KeyReused(f"The key {key.text!r} was used for another request.")
    return any(use["freed"] for use in uses)
