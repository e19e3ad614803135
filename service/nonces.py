"""Commitments to nonces that players bring to a table (fairness, 2), kept until the table is closed."""

from collections.abc import Sequence
from typing import Final

import asyncpg

from service.store.database import reached

_BRING: Final = """
insert into nonce (game, player, commitment) values ($1, $2, $3)
on conflict (game, player) do update set commitment = excluded.commitment
"""
_BROUGHT: Final = "select player, commitment from nonce where game = $1 and player = any($2::text[])"
_FAIL: Final = "update nonce set failures = failures + 1 where game = $1 and player = $2"
_FAILURES: Final = "select coalesce(sum(failures), 0) from nonce where player = $1"


class Nonces:
    """What each player has committed to, by game. All calls raise `StoreUnavailable`."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def bring(self, game_id: str, player: str, commitment: str | None) -> None:
        """The player's commitment for this game, replacing an earlier one; None takes it back."""
        with reached():
            await self._pool.execute(_BRING, game_id, player, commitment)

    async def brought(self, game_id: str, players: Sequence[str]) -> list[str | None]:
        """The commitments of players, in their order."""
        with reached():
            rows = await self._pool.fetch(_BROUGHT, game_id, list(players))
        known = {row["player"]: row["commitment"] for row in rows}
        return [known.get(player) for player in players]

    async def failed(self, game_id: str, player: str) -> None:
        """The player did not reveal in time (fairness, 4)."""
        with reached():
            await self._pool.execute(_FAIL, game_id, player)

    async def failures(self, player: str) -> int:
        """How often a player failed to reveal a nonce in time."""
        with reached():
            return int(await self._pool.fetchval(_FAILURES, player))
