"""Lists of games."""

from typing import Any, Final

from msgspec import Struct

from service.cursors import NewestFirst
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
    """A page of games, newest first. Raises `CursorUnreadable`, `StoreUnavailable`, `StoreBusy`."""
    games, following = await asked(wanted).page(pool, cursor, limit)
    seats: dict[str, list[Any]] = {row["id"]: [] for row in games}
    with reached():
        for row in await pool.fetch(_SEATS, list(seats)):
            seats[row["game"]].append(row)
    return Page(games, seats, following)


def asked(wanted: Wanted) -> NewestFirst:
    """What is asked of the database for these games."""
    found = NewestFirst("g", _COLUMNS, "game g")
    if wanted.player is None:
        found.need("g.visibility = 'public'")
    else:
        found.join(f"{_OWN.format(found.bound(wanted.player))} on own.id = g.id")
    if wanted.origin is not None:
        found.join(f"fork f on f.game = g.id and f.origin = {found.bound(wanted.origin)}")
    found.need_equal(wanted, "status", "ruleset", "practice")
    return found
