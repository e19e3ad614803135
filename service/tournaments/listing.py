"""Lists of tournaments: newest first, page by page behind a cursor that never loses or repeats one."""

from datetime import datetime
from typing import Any, Final

from msgspec import Struct

from service.cursors import read_cursor, write_cursor
from service.store.database import Pool, reached

_COLUMNS: Final = """
t.id, t.organiser, t.status, t.shown, t.ruleset, t.players, t.entrants, t.created_at, t.starts_at, t.entered, t.round,
t.finished_at, x.body as title
"""


class WantedTournaments(Struct, frozen=True, kw_only=True):
    """Which tournaments: None means any. `player` asks for those where this player is entered, `organiser` for those
    that this player organises; both give unlisted ones too."""

    status: str | None = None
    ruleset: str | None = None
    player: str | None = None
    organiser: str | None = None


class TournamentPage(Struct, frozen=True):
    """Rows, and the cursor of the next page, None at the end."""

    rows: list[Any]
    next: str | None


async def list_tournaments(pool: Pool, wanted: WantedTournaments, cursor: str | None, limit: int) -> TournamentPage:
    """A page of tournaments. Raises `CursorUnreadable`, `StoreUnavailable`, `StoreBusy`."""
    at, last = (None, None) if cursor is None else read_cursor(cursor)
    with reached():
        rows = await pool.fetch(*_statement(wanted, at, last, limit + 1))
    more = len(rows) > limit
    rows = rows[:limit]
    return TournamentPage(rows, write_cursor(rows[-1]["created_at"], rows[-1]["id"]) if more else None)


def _statement(wanted: WantedTournaments, at: datetime | None, last: str | None, rows: int) -> tuple[Any, ...]:
    arguments: list[Any] = []

    def bound(value: Any) -> str:
        arguments.append(value)
        return f"${len(arguments)}"

    source = "tournament t left join tournament_text x on x.tournament = t.id and x.id = t.title"
    conditions = []
    if wanted.player is not None:
        source += f" join tournament_player p on p.tournament = t.id and p.player = {bound(wanted.player)}"
    if wanted.organiser is not None:
        conditions.append(f"t.organiser = {bound(wanted.organiser)}")
    if wanted.player is None and wanted.organiser is None:
        conditions.append("t.shown = 'public'")
    for name in ("status", "ruleset"):
        value = getattr(wanted, name)
        if value is not None:
            conditions.append(f"t.{name} = {bound(value)}")
    if at is not None:
        conditions.append(f"(t.created_at, t.id) < ({bound(at)}, {bound(last)})")
    where = f"where {' and '.join(conditions)} " if conditions else ""
    query = f"select {_COLUMNS} from {source} {where}order by t.created_at desc, t.id desc limit {bound(rows)}"
    return query, *arguments
