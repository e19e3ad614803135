"""The master seeds of games that are not revealed yet. Written and dropped by appends, read by the dealer only."""

import asyncpg

from service.store.database import reached


class Secrets:
    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def master(self, game: str) -> bytes | None:
        """None if the game has none, or it has been revealed. Raises `StoreUnavailable`."""
        with reached():
            master: bytes | None = await self._pool.fetchval("select master from secret where game = $1", game)
        return master
