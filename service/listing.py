"""Lists of games: newest first, page by page behind a cursor that never loses or repeats one."""

import base64
import binascii
from datetime import UTC, datetime
from typing import Any, Final

import asyncpg
from msgspec import Struct

from service.store.database import reached

_LIST: Final = """
select g.id, g.visibility, g.status, g.ruleset, g.players, g.practice, g.created_at, g.finished_at
from game g
where ($1::text is null or g.status = $1)
and ($2::text is null or g.ruleset = $2)
and ($3::boolean is null or g.practice = $3)
and case
    when $4::text is null then g.visibility = 'public'
    else g.created_by = $4 or exists (select from seat s where s.game = g.id and s.player = $4)
end
and ($5::timestamptz is null or (g.created_at, g.id) < ($5, $6))
order by g.created_at desc, g.id desc
limit $7
"""
_SEATS: Final = "select game, seat, kind, player, level from seat where game = any($1::text[]) order by game, seat"


class CursorUnreadable(ValueError):
    """Not a cursor of this list."""


class Wanted(Struct, frozen=True, kw_only=True):
    """Which games: None means any. `player` asks for the games of this player, listed or not."""

    status: str | None = None
    ruleset: str | None = None
    practice: bool | None = None
    player: str | None = None


class Page(Struct, frozen=True):
    """The rows of games and of their seats, and the cursor of the next page, None at the end."""

    games: list[Any]
    seats: dict[str, list[Any]]
    next: str | None


async def list_games(pool: asyncpg.Pool, wanted: Wanted, cursor: str | None, limit: int) -> Page:
    """A page of games. Raises `CursorUnreadable`."""
    at, last = (None, None) if cursor is None else _read(cursor)
    with reached():
        games = await pool.fetch(
            _LIST, wanted.status, wanted.ruleset, wanted.practice, wanted.player, at, last, limit + 1
        )
        more = len(games) > limit
        games = games[:limit]
        seats: dict[str, list[Any]] = {row["id"]: [] for row in games}
        for row in await pool.fetch(_SEATS, list(seats)):
            seats[row["game"]].append(row)
    return Page(games, seats, _write(games[-1]["created_at"], games[-1]["id"]) if more else None)


def _write(at: datetime, game_id: str) -> str:
    text = f"{at.astimezone(UTC).isoformat()} {game_id}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read(cursor: str) -> tuple[datetime, str]:
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode("ascii")
        time, _, game_id = text.partition(" ")
        at = datetime.fromisoformat(time)
        if at.tzinfo is None or not game_id.isalnum():
            raise CursorUnreadable(cursor)
        # A time at the edge of the calendar may have no place in it in UTC.
        return at.astimezone(UTC), game_id
    except (ValueError, OverflowError, binascii.Error) as error:
        raise CursorUnreadable(cursor) from error
