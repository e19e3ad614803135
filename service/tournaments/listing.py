"""Lists of tournaments."""

from typing import Any, Final

from msgspec import Struct

from service.cursors import NewestFirst
from service.store.database import Pool

_COLUMNS: Final = (
    "t.id, t.organiser, t.status, t.shown, t.ruleset, t.players, t.entrants, t.created_at, t.starts_at, t.entered, "
    "t.round, t.finished_at, x.body as title"
)
_SOURCE: Final = "tournament t left join tournament_text x on x.tournament = t.id and x.id = t.title"


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
    """A page of tournaments, newest first. Raises `CursorUnreadable`, `StoreUnavailable`, `StoreBusy`."""
    asked = NewestFirst("t", _COLUMNS, _SOURCE)
    if wanted.player is not None:
        asked.join(f"tournament_player p on p.tournament = t.id and p.player = {asked.bound(wanted.player)}")
    if wanted.player is None and wanted.organiser is None:
        asked.need("t.shown = 'public'")
    asked.need_equal(wanted, "organiser", "status", "ruleset")
    return TournamentPage(*await asked.page(pool, cursor, limit))
