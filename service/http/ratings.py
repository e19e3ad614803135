"""Ratings: pools, leaderboards, and the ratings of a player with what changed them."""

import base64
import binascii
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from domain.ratings.models import BOT_RATINGS, model_of
from domain.ratings.pools import POOLS
from domain.ratings.shapes import Kind
from service.cursors import CursorUnreadable
from service.http.operations import AnswerKind, Call, Operation, Reply, reply
from service.http.problems import Problem
from service.http.ratings_shown import (
    ChangePage,
    EntryShown,
    Leaderboard,
    PlayerRatings,
    PoolList,
    PoolShown,
    show_change,
    show_rated,
    show_rating,
)
from service.ratings.leaderboard import Ladder, Page, SubjectUnrated, page, page_around
from service.ratings.subjects import (
    RatedSubject,
    changes_of_subject,
    is_there,
    partnerships_of,
    ratings_of,
    ratings_of_player,
)

PAGE_DEFAULT: Final = 50
PAGE_MAX: Final = 200
CHANGE_MAX: Final = 2**53
"""No change of a rating has a number as high."""

KINDS: Final[dict[str, Kind]] = {"persons": "person", "partnerships": "partnership"}

Limit = Annotated[int, Meta(ge=1, le=PAGE_MAX)]
Cursor = Annotated[str, Meta(max_length=1000)]
SubjectName = Annotated[
    str,
    Meta(
        pattern=r"^[!-~]{0,400}$(?!\n)",
        description="A player's id, or those of partners in their order with points between.",
    ),
]


class LeaderboardQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`around` asks for the page with this subject in its middle, and goes without a `cursor`."""

    subjects: Literal["persons", "partnerships"] = "persons"
    provisional: Literal["", "true", "false"] = ""
    around: SubjectName = ""
    cursor: Cursor = ""
    limit: Limit = PAGE_DEFAULT


class PlayerQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The page of partnerships."""

    cursor: Cursor = ""
    limit: Limit = PAGE_DEFAULT


class ChangesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Changes before the number `before` (0: the last ones). `subject` is a partnership of the player."""

    subject: SubjectName = ""
    before: Annotated[int, Meta(ge=0, le=CHANGE_MAX)] = 0
    limit: Limit = PAGE_DEFAULT


async def list_pools(call: Call) -> Reply:
    counted = await call.service.ratings.pool_results()
    shown = []
    for pool in POOLS.values():
        model = model_of(pool.id)
        shown.append(
            PoolShown(
                id=pool.id,
                family=pool.family,
                seats=pool.seats,
                humans_only=True,
                results=counted.get(pool.id, 0),
                model=model.name,
                version=model.version,
                parameters=model.parameters,
                newcomer=show_rating(model.newcomer),
                bots={level: show_rating(rating) for level, rating in BOT_RATINGS[model.id].items()},
            )
        )
    return reply(200, PoolList(pools=tuple(shown)))


async def get_leaderboard(call: Call) -> Reply:
    query: LeaderboardQuery = call.query
    if query.around and query.cursor:
        raise Problem("cursor_invalid", "`around` asks for a page of its own: it goes without a cursor.")
    ladder = Ladder(
        pool=_pool(call),
        kind=KINDS[query.subjects],
        provisional=None if not query.provisional else query.provisional == "true",
    )
    limit = min(query.limit, call.service.settings.page_ratings_max)
    pool = call.service.store.pool
    try:
        if query.around:
            found = await page_around(pool, ladder, query.around, limit)
        else:
            found = await page(pool, ladder, query.cursor or None, limit)
    except CursorUnreadable as error:
        raise Problem("cursor_invalid", "Take the cursor from `next` of the page before.") from error
    except SubjectUnrated as error:
        raise Problem("rating_not_found", "This leaderboard has no such subject.") from error
    return reply(200, await _leaderboard(call, ladder, found))


async def get_player_ratings(call: Call) -> Reply:
    query: PlayerQuery = call.query
    player = await _player(call)
    pool = call.service.store.pool
    limit = min(query.limit, call.service.settings.page_ratings_max)
    alone = await ratings_of_player(pool, list(POOLS), player)
    pairs = await partnerships_of(pool, player, _read(query.cursor), limit + 1)
    more, pairs = len(pairs) > limit, pairs[:limit]
    names = await _names(call, [*alone, *pairs])
    return reply(
        200,
        PlayerRatings(
            player=player,
            name=(await call.service.players.names({player})).get(player),
            ratings=tuple(show_rated(each, names) for each in alone),
            partnerships=tuple(show_rated(each, names) for each in pairs),
            next=_write(pairs[-1]) if more else None,
        ),
    )


async def list_rating_changes(call: Call) -> Reply:
    query: ChangesQuery = call.query
    pool_id = _pool(call)
    player = await _player(call)
    subject = query.subject or player
    limit = min(query.limit, call.service.settings.page_ratings_max)
    pool = call.service.store.pool
    rated = (await ratings_of(pool, pool_id, [subject])).get(subject)
    if rated is None or player not in rated.players:
        raise Problem("rating_not_found", "The player is not rated so in this pool.")
    changes = await changes_of_subject(pool, pool_id, subject, query.before or CHANGE_MAX, limit + 1)
    more, changes = len(changes) > limit, changes[:limit]
    own = call.principal is not None and call.principal.player in rated.players
    return reply(
        200,
        ChangePage(
            rated=show_rated(rated, await _names(call, [rated])),
            changes=tuple(show_change(change, own=own) for change in changes),
            next=changes[-1].sequence if more else None,
        ),
    )


async def _leaderboard(call: Call, ladder: Ladder, found: Page) -> Leaderboard:
    names = await _names(call, [entry.subject for entry in found.entries])
    return Leaderboard(
        pool=ladder.pool,
        kind=ladder.kind,
        as_of=found.as_of,
        entries=tuple(
            EntryShown(rank=entry.rank, place=entry.place, rated=show_rated(entry.subject, names))
            for entry in found.entries
        ),
        next=found.next,
    )


async def _names(call: Call, rated: list[RatedSubject]) -> dict[str, str]:
    return await call.service.players.names({player for each in rated for player in each.players})


def _pool(call: Call) -> str:
    pool = call.path["pool"]
    if pool not in POOLS:
        raise Problem("rating_pool_not_found", f"The pools are {', '.join(POOLS)}.")
    return pool


async def _player(call: Call) -> str:
    player = call.path["player_id"]
    known = player.isascii() and player.isprintable() and await is_there(call.service.store.pool, player)
    if not known:
        raise Problem("player_not_found", "There is no player of this id.")
    return player


def _write(last: RatedSubject) -> str:
    place = msgspec.json.encode([last.pool, last.subject])
    return base64.urlsafe_b64encode(place).decode().rstrip("=")


def _read(cursor: str) -> tuple[str, str]:
    """The pool and the subject that a page of partnerships goes on from."""
    if not cursor:
        return "", ""
    try:
        content = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        return msgspec.json.decode(content, type=tuple[SubjectName, SubjectName])
    except (ValueError, binascii.Error) as error:
        raise Problem("cursor_invalid", "Take the cursor from `next` of the page before.") from error


OPERATIONS: Final = (
    Operation(
        id="listRatingPools",
        method="GET",
        path="/v1/ratings",
        tag="ratings",
        summary="The pools in which ratings are compared, and how they are reckoned",
        description="A pool is a family of rule sets and a number of seats; bots play in none of them. Pools of two "
        "seats are rated by Glicko-2, all others by Plackett-Luce.",
        credential="none",
        answers=(AnswerKind(status=200, description="All pools.", kind=PoolList),),
        run=list_pools,
    ),
    Operation(
        id="getLeaderboard",
        method="GET",
        path="/v1/ratings/{pool}",
        tag="ratings",
        summary="The leaderboard of a pool, or the part of it around somebody",
        description="Ordered by `value`. All pages of a walk show the pool as it was after the result `as_of`.",
        credential="none",
        query=LeaderboardQuery,
        answers=(AnswerKind(status=200, description="A page of the leaderboard.", kind=Leaderboard),),
        problems=("rating_pool_not_found", "rating_not_found", "cursor_invalid"),
        run=get_leaderboard,
    ),
    Operation(
        id="getPlayerRatings",
        method="GET",
        path="/v1/players/{player_id}/ratings",
        tag="ratings",
        summary="The ratings of a player, alone and with partners",
        credential="none",
        query=PlayerQuery,
        answers=(AnswerKind(status=200, description="The ratings.", kind=PlayerRatings),),
        problems=("player_not_found", "cursor_invalid"),
        run=get_player_ratings,
    ),
    Operation(
        id="listRatingChanges",
        method="GET",
        path="/v1/players/{player_id}/ratings/{pool}/changes",
        tag="ratings",
        summary="What changed a rating, the last result first",
        description="Games and matches that are not public are named to those who were rated by them only.",
        credential="optional",
        scope="watch",
        query=ChangesQuery,
        answers=(AnswerKind(status=200, description="A page of changes.", kind=ChangePage),),
        problems=("rating_pool_not_found", "player_not_found", "rating_not_found"),
        run=list_rating_changes,
    ),
)
