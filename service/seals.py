"""Seals: for how long a game shows nothing but its status to anybody but its own seats (formats, part 5).

A seal is set when the game is made, and from then on it is only lifted or moved to an earlier time. So a copy in memory
that says "sealed" may be old and is looked up again, and one that says "not sealed" is right for ever.
"""

from datetime import UTC, datetime
from typing import Final

from domain.chance import Chance
from domain.events import Revealed
from domain.state import State, Table
from service.store.database import Pool, reached

UNTIL_LIFTED: Final = datetime(9999, 12, 31, tzinfo=UTC)
"""The end of a seal that stays until somebody lifts it."""

SEAL: Final = "seal"
"""The timer of a game that has ended under its seal."""

_UNTIL: Final = "select sealed_until from game where id = $1"
_MOVE: Final = "update game set sealed_until = $2 where id = $1 and sealed_until > $2"
_MOVE_TIMER: Final = f"update deadline set due_at = $2, leased_until = null where game = $1 and kind = '{SEAL}'"
NOTHING: Final = "UPDATE 0"
"""The database's answer where no row was concerned."""


class Withholding:
    """Chance of a sealed game: its deals go on, and its end reveals nothing yet."""

    def __init__(self, chance: Chance) -> None:
        self.deck = chance.deck
        self.first_dealer = chance.first_dealer

    def revealed(self, _state: State) -> Revealed | None:
        """Nothing, until the seal is over."""
        return None


class Seals:
    """The seals of all games. All calls raise `StoreUnavailable` and `StoreBusy`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def until(self, game_id: str) -> datetime | None:
        """Until when the game is sealed, as it stands now."""
        with reached():
            until: datetime | None = await self._pool.fetchval(_UNTIL, game_id)
        return until

    async def lift(self, game_id: str, until: datetime | None = None) -> bool:
        """End the seal at this time, or at once; False where it ends no later as it is.

        Whatever worker's timers run then reveal the deals of a game that has ended. The game's row is locked before its
        timer is looked for, as the end of a game does it: so one of the two always sees the other.
        """
        until = until or datetime.now(UTC)
        with reached():
            async with self._pool.acquire() as connection, connection.transaction():
                moved: str = await connection.execute(_MOVE, game_id, until)
                if moved == NOTHING:
                    return False
                await connection.execute(_MOVE_TIMER, game_id, until)
        return True


def awaits_reveal(table: Table) -> bool:
    """Whether a game has ended whose deals are still to be revealed: only a seal holds them back."""
    return table.status == "ended" and not table.revealed and table.fairness is not None
