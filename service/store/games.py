"""What lists and joining need to know of games: the read model that comes with the appends."""

from collections.abc import Sequence
from datetime import datetime

import asyncpg
from msgspec import Struct

from service.store.database import reached

GAME = """
select id, share_code, visibility, status, ruleset, players, practice, created_by, created_at, version, turn,
    finished_at,
    array(
        select (seat, kind, player, level)::seat_line from seat where seat.game = game.id order by seat
    ) as seats
from game
"""

LISTED = f"""{GAME}
where ($1::text is null or visibility = $1)
    and ($2::text is null or status = $2)
    and ($3::text is null or ruleset = $3)
    and ($4::text is null or created_by = $4)
    and ($5::text is null or exists (select from seat where seat.game = game.id and seat.player = $5))
    and ($6::timestamptz is null or (created_at, id) < ($6, $7))
order by created_at desc, id desc limit $8
"""


class Seat(Struct, frozen=True):
    """`kind` is open, invited, human or bot; `player` is who holds it, `level` that of a bot."""

    seat: int
    kind: str
    player: str | None
    level: str | None


class Game(Struct, frozen=True, kw_only=True):
    """One row of a list of games. `version` and `turn` are those of the last append that touched the row."""

    id: str
    share_code: str
    visibility: str
    status: str
    ruleset: str
    players: int
    practice: bool
    created_by: str
    created_at: datetime
    version: int
    turn: int | None
    finished_at: datetime | None
    seats: Sequence[Seat]


class GameFilter(Struct, frozen=True, kw_only=True):
    """None lets everything pass. `player` holds a seat of the game."""

    visibility: str | None = None
    status: str | None = None
    ruleset: str | None = None
    created_by: str | None = None
    player: str | None = None


class Games:
    """All calls raise `StoreUnavailable` when the database is gone."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def game(self, game: str) -> Game | None:
        with reached():
            row = await self._pool.fetchrow(f"{GAME} where id = $1", game)
        return None if row is None else _game(row)

    async def with_share_code(self, code: str) -> Game | None:
        with reached():
            row = await self._pool.fetchrow(f"{GAME} where share_code = $1", code)
        return None if row is None else _game(row)

    async def page(self, chosen: GameFilter, before: tuple[datetime, str] | None = None, limit: int = 50) -> list[Game]:
        """Games that pass, newest first, older than `before` (created_at and id of the last one seen)."""
        with reached():
            rows = await self._pool.fetch(
                LISTED,
                chosen.visibility,
                chosen.status,
                chosen.ruleset,
                chosen.created_by,
                chosen.player,
                *(before or (None, None)),
                limit,
            )
        return [_game(row) for row in rows]


def _game(row: asyncpg.Record) -> Game:
    return Game(**{**row, "seats": [Seat(*seat) for seat in row["seats"]]})
