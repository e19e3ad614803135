"""How a game is shown: the table around it, and the view of whoever asks."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

from domain.redaction import Viewer
from domain.state import State, Status, Table
from domain.views import View, view_for
from service.http.access import Access, access_of
from service.http.fairness_shown import TableFairness, show_fairness
from service.http.operations import Call, Header, Reply, reply
from service.http.parameters import if_none_match
from service.live import LiveGame
from service.visible import delay_seconds, visible_state

Visibility = Literal["public", "unlisted"]


class SeatShown(Struct, frozen=True, kw_only=True):
    """A seat and who holds it. A bot has a `level` instead of a name."""

    seat: int
    kind: Literal["open", "human", "bot"]
    player: str | None
    name: str | None
    level: str | None


class Game(Struct, frozen=True, kw_only=True):
    """A game as the caller may know it.

    `seat` is the caller's own. `share_url` is there for those at the table: whoever has it may take a free seat, and
    watch where the table lets those with the link. `version` and `view` are null for those who may not watch. Before
    `sealed_until`, where that is not null, only the seats do. `fairness` is null for a practice game.
    """

    id: str
    status: Status
    ruleset: str
    ruleset_hash: str
    players: int
    practice: bool
    visibility: Visibility
    created_at: datetime
    sealed_until: datetime | None
    seats: tuple[SeatShown, ...]
    seat: int | None
    share_url: str | None
    fairness: TableFairness | None
    version: int | None
    view: View | None


def etag(version: int) -> Header:
    """The entity tag of a game at a version."""
    return (b"etag", b'"%d"' % version)


async def find_game(call: Call, code: str | None = None) -> tuple[LiveGame, Access]:
    """The game that the path names, up to date, and what the caller is to it. Raises `GameUnknown`."""
    live = await call.service.games.fresh(call.path["game_id"])
    return live, await access_of(call.service.invitations, live, call.principal, code)


async def game_reply(
    call: Call, live: LiveGame, allowed: Access, state: State, status: int = 200, *headers: Header
) -> Reply:
    """The game at a state, as the caller may see it; a watcher whom the table keeps behind sees an earlier one."""
    behind = bool(delay_seconds(live.state, allowed.viewer))
    if behind:
        state = await visible_state(call.service.games, live, allowed.viewer)
    shown = await show_game(call, live, allowed, state, live.state.table if behind else state.table)
    if shown.version is None:
        return reply(status, shown, *headers)
    # What everybody may know is never behind, and no version tells of it.
    if status == 200 and not behind and if_none_match(call.headers, shown.version):
        return Reply(304, b"", (etag(shown.version), *headers))
    return reply(status, shown, etag(shown.version), *headers)


async def show_game(call: Call, live: LiveGame, allowed: Access, state: State, table: Table) -> Game:
    """The game, as the caller may know it: the view at a state, and of the table what everybody may know."""
    facts = live.facts
    viewer: Viewer | None = allowed.viewer
    return Game(
        id=facts.id,
        status=table.status,
        ruleset=table.rules.ruleset.name,
        ruleset_hash=table.rules.ruleset_hash,
        players=table.rules.players,
        practice=facts.practice,
        visibility="public" if facts.visibility == "public" else "unlisted",
        created_at=facts.created_at,
        sealed_until=facts.sealed_until,
        seats=await show_seats(call, table),
        seat=allowed.seat,
        share_url=share_url(call, live) if allowed.inside else None,
        fairness=await show_fairness(call, live, table, allowed.seat),
        version=None if viewer is None else state.version,
        view=None if viewer is None else view_for(state, viewer, allowed.seat),
    )


async def show_seats(call: Call, table: Table) -> tuple[SeatShown, ...]:
    """The seats with the names of those who hold them."""
    seats = table.seats
    humans = {held.player for held in seats if held is not None and held.kind == "human"}
    names = await call.service.players.names(humans) if humans else {}
    return tuple(
        SeatShown(seat=seat, kind="open", player=None, name=None, level=None)
        if held is None
        else SeatShown(seat=seat, kind=held.kind, player=held.player, name=names.get(held.player), level=held.bot)
        for seat, held in enumerate(seats)
    )


def share_url(call: Call, live: LiveGame) -> str:
    """The address that lets its reader find the game and take a free seat."""
    return f"{call.origin}/v1/games/{live.facts.id}?code={live.facts.share_code}"
