"""Commitments to nonces that players bring to a table (fairness, 2), kept until the table is closed.

They are written with the events of the seats that they belong to (`store.append.PutNonce` and the like), so what is
read here for a state is what belongs to it or to a later one.
"""

from collections.abc import Sequence
from typing import Final

from service.store.database import Pool, reached

_BROUGHT: Final = "select player, commitment from nonce where game = $1 and player = any($2::text[])"
_COMMITTED: Final = "select player from nonce where game = $1 and commitment is not null"
_FAILURES: Final = "select coalesce(sum(failures), 0) from nonce where player = $1"


class Nonces:
    """What each player has committed to, by game. All calls raise `StoreUnavailable` and `StoreBusy`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def brought(self, game_id: str, players: Sequence[str]) -> list[str | None]:
        """The commitments of players, in their order."""
        with reached():
            rows = await self._pool.fetch(_BROUGHT, game_id, list(players))
        known = {row["player"]: row["commitment"] for row in rows}
        return [known.get(player) for player in players]

    async def committed(self, game_id: str) -> frozenset[str]:
        """Who has brought a commitment to a table that is not closed yet."""
        with reached():
            rows = await self._pool.fetch(_COMMITTED, game_id)
        return frozenset(row["player"] for row in rows)

    async def failures(self, player: str) -> int:
        """How often a player failed to reveal a nonce in time."""
        with reached():
            return int(await self._pool.fetchval(_FAILURES, player))
