"""Lists of games: newest first, page by page behind a cursor that never loses or repeats one."""

from datetime import datetime
from typing import Any, Final

from msgspec import Struct

from service.cursors import read_cursor, write_cursor
from service.store.database import Pool, reached

_COLUMNS: Final = (
    "g.id, g.visibility, g.status, g.ruleset, g.players, g.practice, g.created_at, g.sealed_until, "
    "case when g.sealed_until is null or g.sealed_until <= now() then g.finished_at end as finished_at"
)
_OWN: Final = "(select id from game where created_by = {0} union select game from seat where player = {0}) own"
_SEATS: Final = "select game, seat, kind, player, level from seat where game = any($1::text[]) order by game, seat"


class Wanted(Struct, frozen=True, kw_only=True):
    """Which games: None means any. `player` asks for the games of this player, listed or not, `origin` for the forks of
    this game."""

    status: str | None = None
    ruleset: str | None = None
    practice: bool | None = None
    player: str | None = None
    origin: str | None = None


class Page(Struct, frozen=True):
    """The rows of games and of their seats, and the cursor of the next page, None at the end."""

    games: list[Any]
    seats: dict[str, list[Any]]
    next: str | None


async def list_games(pool: Pool, wanted: Wanted, cursor: str | None, limit: int) -> Page:
    """A page of games. Raises `CursorUnreadable`, `StoreUnavailable`, `StoreBusy`."""
    at, last = (None, None) if cursor is None else read_cursor(cursor)
    with reached():
        games = await pool.fetch(*statement(wanted, at, last, limit + 1))
        more = len(games) > limit
        games = games[:limit]
        seats: dict[str, list[Any]] = {row["id"]: [] for row in games}
        for row in await pool.fetch(_SEATS, list(seats)):
            seats[row["game"]].append(row)
    return Page(games, seats, write_cursor(games[-1]["created_at"], games[-1]["id"]) if more else None)


def statement(wanted: Wanted, at: datetime | None, last: str | None, rows: int) -> tuple[Any, ...]:
    """The query for the rows that follow the game `last` of time `at`, and its arguments.

    It names no more than is asked for: a general one, with conditions that may be void, would walk through all games.
    """
    arguments: list[Any] = []

    def bound(value: Any) -> str:
        arguments.append(value)
        return f"${len(arguments)}"

    source = "game g"
    conditions = []
    if wanted.player is None:
        conditions.append("g.visibility = 'public'")
    else:
        source = f"{_OWN.format(bound(wanted.player))} join game g on g.id = own.id"
    if wanted.origin is not None:
        source += f" join fork f on f.game = g.id and f.origin = {bound(wanted.origin)}"
    for name in ("status", "ruleset", "practice"):
        value = getattr(wanted, name)
        if value is not None:
            conditions.append(f"g.{name} = {bound(value)}")
    if at is not None:
        conditions.append(f"(g.created_at, g.id) < ({bound(at)}, {bound(last)})")
    where = f"where {' and '.join(conditions)} " if conditions else ""
    query = f"select {_COLUMNS} from {source} {where}order by g.created_at desc, g.id desc limit {bound(rows)}"
    return query, *arguments
