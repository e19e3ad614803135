"""Seals: for how long a game shows nothing but its status to anybody but its own seats (formats, part 5).

A seal is set when the game is made, and from then on it is only lifted or moved to an earlier time. So a copy in memory
that says "sealed" may be old and is looked up again, and one that says "not sealed" is right for ever. The boards of a
tournament are opened once and for all in the same way (`boards`); until then a game on them reveals nothing, be its own
seal lifted or not.
"""

from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from domain.chance import Chance
from domain.events import EndReason, Revealed
from domain.state import State, Table
from service.store.database import Pool, reached

UNTIL_LIFTED: Final = datetime(9999, 12, 31, tzinfo=UTC)
"""The end of a seal that stays until somebody lifts it."""

SEAL: Final = "seal"
"""The timer of a game that has ended under its seal."""

_STANDING: Final = "select sealed_until, has_closed_boards(id) as boards_closed from game where id = $1"
_MOVE: Final = "update game set sealed_until = $2 where id = $1 and sealed_until > $2"
_MOVE_TIMER: Final = f"""
update deadline set due_at = $2, leased_until = null
where game = $1 and kind = '{SEAL}' and not has_closed_boards(game)
"""
NOTHING: Final = "UPDATE 0"
"""The database's answer where no row was concerned."""


class Standing(Struct, frozen=True):
    """How long a game is sealed, and whether it is on boards that are not to be revealed yet."""

    sealed_until: datetime | None
    boards_closed: bool


class Withholding:
    """Chance of a game that is sealed or on closed boards: its deals go on, and its end reveals nothing yet."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.deck = chance.deck
        self.first_dealer = chance.first_dealer

    @property
    def spent(self) -> EndReason:
        """Why the game ends without a further deck."""
        return self._chance.spent

    def revealed(self, _state: State) -> Revealed | None:
        """Nothing yet."""
        return None


class Seals:
    """The seals of all games. All calls raise `StoreUnavailable` and `StoreBusy`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def standing(self, game_id: str) -> Standing:
        """What keeps the game back, as it stands now. Of a game that there is not it is nothing."""
        with reached():
            row = await self._pool.fetchrow(_STANDING, game_id)
        return Standing(None, False) if row is None else Standing(row["sealed_until"], row["boards_closed"])

    async def lift(self, game_id: str, until: datetime | None = None) -> bool:
        """End the seal at this time, or at once; False where it ends no later as it is.

        Whatever worker's timers run then reveal the deals of a game that has ended, unless its boards are closed. The
        game's row is locked before its timer is looked for, as the end of a game does it: so one of the two always sees
        the other.
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
