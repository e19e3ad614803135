"""The boards of tournaments: one master is kept for all games on them, and opened once for all of them.

They are committed to before any game on them (`append.PutBoardSet`), and opened when none of them is still to be
played; whatever workers run then reveal every game on them.
"""

from typing import Final

from service.seals import SEAL
from service.store.database import Pool, reached

_CLOSED: Final = "select opened_at is null from board_set where tournament = $1"
_HOLD: Final = "select opened_at is not null from board_set where tournament = $1 for update"
_IN_PLAY: Final = """
select exists (
    select from tournament_game t join game g on g.id = t.game
    where t.tournament = $1 and t.on_boards and g.status <> 'ended'
)
"""
_OPEN: Final = "update board_set set opened_at = now() where tournament = $1"
# Always in the same order, so that two who change several games never wait for each other.
_LIFT: Final = """
with held as materialized (
    select g.id from tournament_game t join game g on g.id = t.game
    where t.tournament = $1 and t.on_boards order by g.id for update of g
)
update game set sealed_until = now() from held where game.id = held.id and game.sealed_until > now()
"""
_MOVE_TIMERS: Final = f"""
update deadline set due_at = now(), leased_until = null
where kind = '{SEAL}' and game in (select game from tournament_game where tournament = $1 and on_boards)
"""


class Boards:
    """The boards of all tournaments. All calls raise `StoreUnavailable` and `StoreBusy`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def closed(self, tournament: str) -> bool:
        """Whether the tournament has boards, and they have not been opened."""
        with reached():
            return bool(await self._pool.fetchval(_CLOSED, tournament))

    async def open(self, tournament: str) -> bool:
        """Have every game on the boards revealed, its seal lifted. Whoever calls knows that no board is to be played.

        False, and nothing has changed, where there are no boards or a game on them has not ended. A game that ends has
        its timer and its status from one append, so whatever has ended here has a timer that is moved.
        """
        with reached():
            async with self._pool.acquire() as connection, connection.transaction():
                opened: bool | None = await connection.fetchval(_HOLD, tournament)
                if opened is None or (not opened and await connection.fetchval(_IN_PLAY, tournament)):
                    return False
                if not opened:
                    await connection.execute(_OPEN, tournament)
                    await connection.execute(_LIFT, tournament)
                    await connection.execute(_MOVE_TIMERS, tournament)
        return True
