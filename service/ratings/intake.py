"""Single games on their way into the results: read from the feed, each once, whoever reads and whoever is killed.

The place in the feed and the results are written by one transaction, which one worker at a time takes on. A game under
a seal is held back until the seal is over, since a rating would tell its result; those of tournaments are not for us.
"""

from collections.abc import Sequence
from typing import Any, Final

import asyncpg
import structlog

from domain.excerpts import HAND_TYPES
from domain.ratings.folding import check_result
from domain.ratings.games import RatedGame, rated_game
from domain.ratings.shapes import ResultInvalid
from service.decoding import decoded
from service.ratings.results import add, bots_among, players_of
from service.store.base import StoredEvent
from service.store.errors import GameNewer, StoreError

log = structlog.get_logger(__name__)

LOCK_KEY: Final = 0x6D656C64_72617465
"""Advisory lock of the intake, the letters "meldrate"."""

SHARD_GAMES_MAX: Final = 16
"""Most games that one step takes from a shard."""

HELD_GAMES_MAX: Final = 64
"""Most games whose seal is over that one step takes."""

_TAKE_TURN: Final = "select pg_try_advisory_xact_lock($1)"
_ENDED: Final = """
select s.shard, e.position, e.stream as game, e.at
from shard s left join rating_cursor c on c.shard = s.shard
cross join lateral (
    select position, stream, at from event
    where event.shard = s.shard and position > coalesce(c.position, 0) and position <= s.head and type = 'game_ended'
    order by position limit $1
) e
order by e.at, e.stream
"""
_MOVE_CURSOR: Final = """
insert into rating_cursor (shard, position) select * from unnest($1::smallint[], $2::bigint[])
on conflict (shard) do update set position = excluded.position
"""
_HOLD: Final = "insert into rating_held (game) values ($1)"
_UNSEALED: Final = """
delete from rating_held where game in (
    select h.game from rating_held h join game g on g.id = h.game
    where g.sealed_until is null or g.sealed_until <= now() limit $1
)
returning game
"""
_END_OF: Final = (
    "select stream as game, at from event where stream = any($1) and type = 'game_ended' order by at, stream"
)
_FACTS: Final = """
select g.id, g.practice, coalesce(g.sealed_until > now(), false) as sealed, g.visibility = 'public' as public,
    exists (select from tournament_game t where t.game = g.id) as of_tournament
from game g where g.id = any($1)
"""
# The condition is that of the index `event_of_table` to the letter.
_TABLE: Final = f"""
select stream, version, type, body, prev_hash, hash, schema from event
where stream = $1 and type <> all ('{{{",".join(HAND_TYPES)}}}') order by version
"""
_DISCARDED: Final = "select exists (select from event where stream = $1 and type = 'discarded')"


async def take_in(connection: asyncpg.Connection) -> int:
    """Take the next ended games in, in the caller's transaction: how many. None where another worker is at it.

    Raises `GameNewer`, having done nothing, where a game was written by a newer program: another worker will read it.
    """
    if not await connection.fetchval(_TAKE_TURN, LOCK_KEY):
        return 0
    ended = await connection.fetch(_ENDED, SHARD_GAMES_MAX)
    held = await connection.fetch(_UNSEALED, HELD_GAMES_MAX)
    unsealed = await connection.fetch(_END_OF, [row["game"] for row in held]) if held else []
    games = [*unsealed, *ended]
    facts = {row["id"]: row for row in await connection.fetch(_FACTS, [row["game"] for row in games])} if games else {}
    rated: list[tuple[RatedGame, Any]] = []
    for row in games:
        # A stream that is no game of ours, such as a tournament's, has none of these facts.
        known = facts.get(row["game"])
        if known is None or known["practice"] or known["of_tournament"]:
            continue
        if known["sealed"]:
            await connection.execute(_HOLD, row["game"])
            continue
        found = await _read(connection, row["game"])
        if found is not None:
            rated.append((found, row))
    # Pools are locked in the order of their names, so that two who lock several never wait for each other.
    for found, row in sorted(rated, key=lambda each: each[0].pool):
        key, public = f"game/{row['game']}", facts[row["game"]]["public"]
        await add(connection, found.pool, key, found.result, at=row["at"], rated=True, public=public)
    await _move_cursor(connection, ended)
    return len(games)


async def _read(connection: asyncpg.Connection, game: str) -> RatedGame | None:
    """What counts of a game that has ended; None where nothing does."""
    stored = [_event(row) for row in await connection.fetch(_TABLE, game)]
    discarded = await connection.fetchval(_DISCARDED, game)
    try:
        rated = rated_game(decoded(stored), discarded=discarded)
        if not isinstance(rated, RatedGame):
            return None
        check_result(rated.result)
    except GameNewer:
        raise
    except (StoreError, ResultInvalid) as unfit:
        # It will never be otherwise, and must not keep all others waiting, here or where results are folded.
        log.error("game_not_rated", game=game, why=str(unfit))
        return None
    return None if await bots_among(connection, players_of(rated.result.sides)) else rated


async def _move_cursor(connection: asyncpg.Connection, ended: Sequence[Any]) -> None:
    reached: dict[int, int] = {}
    for row in ended:
        reached[row["shard"]] = max(row["position"], reached.get(row["shard"], 0))
    if reached:
        await connection.execute(_MOVE_CURSOR, list(reached), list(reached.values()))


def _event(row: Any) -> StoredEvent:
    return StoredEvent(
        row["stream"], row["version"], row["type"], row["body"], row["prev_hash"].hex(), row["hash"].hex(),
        row["schema"],
    )  # fmt: skip
