"""Boards without the tournament that they are of: their commitment and their master, as an append to it keeps them."""

from domain.fairness import board_commitment
from service.store.database import Pool

_SET = "insert into board_set (tournament, commitment, boards, committed_at) values ($1, $2, $3, now())"
_MASTER = "insert into secret (game, master) values ($1, $2)"
_UNREVEALED = """
select count(*) from tournament_game t
where t.tournament = $1 and t.on_boards
    and exists (select from event e where e.stream = t.game and e.type = 'game_ended')
    and not exists (select from event e where e.stream = t.game and e.type = 'revealed')
"""


async def commit_boards(pool: Pool, tournament: str, master: bytes, boards: int) -> None:
    """Commit to so many boards, and keep their master."""
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute(_MASTER, tournament, master)
        await connection.execute(_SET, tournament, board_commitment(master), boards)


async def kept_master(pool: Pool, tournament: str) -> bytes | None:
    """The master that is kept of a tournament."""
    master: bytes | None = await pool.fetchval("select master from secret where game = $1", tournament)
    return master


async def unrevealed(pool: Pool, tournament: str) -> int:
    """How many games on the boards have ended and are not revealed."""
    number: int = await pool.fetchval(_UNREVEALED, tournament)
    return number
