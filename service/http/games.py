"""Games: one as the caller sees it, and lists of them."""

from datetime import datetime
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.state import Status
from service.cursors import CursorUnreadable
from service.http.operations import AnswerKind, Call, Operation, Reply, reply
from service.http.problems import Problem
from service.http.tables import Game, SeatShown, Visibility, find_game, game_reply
from service.listing import Wanted, list_games

PAGE_DEFAULT: Final = 50
PAGE_MAX: Final = 200

ShareCode = Annotated[str, Meta(max_length=64, description="The code of a share link.")]


class GameQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`code` is that of a share link, for those who are not at the table."""

    code: ShareCode = ""


class ListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Filters; an empty text means any."""

    status: Literal["", "open", "closed", "playing", "ended"] = ""
    ruleset: Annotated[str, Meta(pattern=r"^[a-z0-9-]{0,64}$(?!\n)")] = ""
    practice: Literal["", "true", "false"] = ""
    mine: bool = False
    origin: Annotated[str, Meta(pattern=r"^[0-9a-z]{0,64}$(?!\n)", description="Forks of this game.")] = ""
    cursor: Annotated[str, Meta(max_length=200)] = ""
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE_DEFAULT


class GameSummary(Struct, frozen=True, kw_only=True):
    """What a list tells of a game. Of one that is sealed it does not tell when it ended."""

    id: str
    status: Status
    ruleset: str
    players: int
    practice: bool
    visibility: Visibility
    created_at: datetime
    finished_at: datetime | None
    sealed_until: datetime | None
    seats: tuple[SeatShown, ...]


class GameList(Struct, frozen=True, kw_only=True):
    """A page of games, newest first; `next` is the cursor of the page after it, null at the end."""

    games: tuple[GameSummary, ...]
    next: str | None


async def get_game(call: Call) -> Reply:
    live, allowed = await find_game(call, call.query.code)
    return await game_reply(call, live, allowed, live.state)


async def get_games(call: Call) -> Reply:
    query: ListQuery = call.query
    if query.mine and call.principal is None:
        raise Problem("credential_missing", "Your own games can be listed with your token only.")
    wanted = Wanted(
        status=query.status or None,
        ruleset=query.ruleset or None,
        practice=None if not query.practice else query.practice == "true",
        player=call.caller.player if query.mine else None,
        origin=query.origin or None,
    )
    limit = min(query.limit, call.service.settings.page_items_max)
    try:
        page = await list_games(call.service.store.pool, wanted, query.cursor or None, limit)
    except CursorUnreadable as error:
        raise Problem("cursor_invalid", "Take the cursor from `next` of the page before.") from error
    humans = {row["player"] for rows in page.seats.values() for row in rows if row["kind"] == "human"}
    names = await call.service.players.names(humans)
    games = tuple(
        GameSummary(
            id=row["id"],
            status=row["status"],
            ruleset=row["ruleset"],
            players=row["players"],
            practice=row["practice"],
            visibility=row["visibility"],
            created_at=row["created_at"],
            finished_at=row["finished_at"],
            sealed_until=row["sealed_until"],
            seats=tuple(_seat(seat, names) for seat in page.seats[row["id"]]),
        )
        for row in page.games
    )
    return reply(200, GameList(games=games, next=page.next))


def _seat(row: dict[str, str | int | None], names: dict[str, str]) -> SeatShown:
    """A seat of a list; one that is kept for somebody is open to anyone else's eyes."""
    kind, player = row["kind"], row["player"]
    held = kind in ("human", "bot")
    return SeatShown(
        seat=int(row["seat"] or 0),
        kind="human" if kind == "human" else "bot" if kind == "bot" else "open",
        player=str(player) if held else None,
        name=names.get(str(player)) if held else None,
        level=None if row["level"] is None else str(row["level"]),
    )


OPERATIONS: Final = (
    Operation(
        id="listGames",
        method="GET",
        path="/v1/games",
        tag="games",
        summary="Listed games, or your own",
        credential="optional",
        scope="watch",
        query=ListQuery,
        answers=(AnswerKind(status=200, description="A page of games.", kind=GameList),),
        problems=("cursor_invalid",),
        run=get_games,
    ),
    Operation(
        id="getGame",
        method="GET",
        path="/v1/games/{game_id}",
        tag="games",
        summary="A game as you may see it",
        credential="optional",
        scope="watch",
        query=GameQuery,
        headers=("If-None-Match",),
        answers=(
            AnswerKind(status=200, description="The game.", kind=Game, headers=("ETag",)),
            AnswerKind(status=304, description="You have this version already.", headers=("ETag",)),
        ),
        problems=("game_not_found",),
        run=get_game,
    ),
)
