"""Results that count: rows that are only ever added, each at its place in the order of its pool.

A match whose result is changed later keeps its place: the row with the highest revision there is the one that counts.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import asyncpg
import msgspec
from msgspec import Struct

from domain.ratings.folding import check_result
from domain.ratings.models import model_of
from domain.ratings.pools import POOLS
from domain.ratings.shapes import Result, ResultInvalid, Side

NAME_LENGTH_MAX: Final = 64
"""Longest id of a tournament, a match or a player."""

_LOCK: Final = "select head from rating_pool where id = $1 for update"
_MAKE: Final = "insert into rating_pool (id) values ($1) on conflict do nothing"
_KNOWN: Final = """
select pool, sequence, revision from rated_result where key = $1 order by revision desc limit 1
"""
_ADD: Final = """
insert into rated_result (pool, sequence, revision, key, model, sides, ranks, partnerships, rated, public, at)
values ($1, $2, $3, $4, $5, $6::text::jsonb, $7, $8, $9, $10, $11)
"""
_ADVANCE: Final = "update rating_pool set head = $2 where id = $1"
_SPOIL: Final = """
update rating_pool set stale_from = least(stale_from, $2), superseded = superseded + 1 where id = $1
"""
_PLAYED: Final = """
select exists (
    select from tournament_game t join event e on e.stream = t.game
    where t.tournament = $1 and t.match = $2 and e.type = 'discarded' and e.actor = any($3::text[])
)
"""
_BOTS: Final = "select id from player where id = any($1::text[]) and kind = 'bot'"
_COLUMNS: Final = "sequence, revision, key, model, sides::text, ranks, partnerships, rated, public, at"
_EFFECTIVE: Final = f"""
select distinct on (sequence) {_COLUMNS} from rated_result
where pool = $1 and sequence > $2 and sequence <= $3 order by sequence, revision desc
"""
BOT_PREFIX: Final = "bot-"
"""Of the ids of the house's own bots (`service.automata`)."""


class MatchResult(Struct, frozen=True, kw_only=True):
    """The result of a match of a tournament, as it stands after the tournament's event `revision`.

    `sides` lists by side the partnerships in it, `ranks` are by side, 1 the best. A match that is void or was not
    played is not `rated`: it keeps its place, should a ruling change that. `forfeited_by` are the players of the sides
    that a ruling has lose it: it counts where one of them has discarded in it, so that nobody leaves to save a rating,
    and nobody is rated who did not come. `partnerships` is false where a movement draws partners, `public` where
    histories must not name the match.
    """

    tournament: str
    match: str
    revision: int
    pool: str
    sides: tuple[Side, ...]
    ranks: tuple[int, ...]
    at: datetime
    rated: bool
    forfeited_by: tuple[str, ...] = ()
    partnerships: bool = True
    public: bool = True

    @property
    def key(self) -> str:
        return f"match/{self.tournament}/{self.match}"

    def result(self) -> Result:
        """What is rated. Raises `ResultInvalid`."""
        if self.pool not in POOLS:
            raise ResultInvalid(f"There is no pool {self.pool!r}.")
        names = [self.tournament, self.match, *players_of(self.sides)]
        if any(not (0 < len(name) <= NAME_LENGTH_MAX and name.isascii() and name.isprintable()) for name in names):
            raise ResultInvalid(f"Ids are 1 to {NAME_LENGTH_MAX} printable ASCII characters.")
        model = model_of(self.pool).id
        result = Result(sides=self.sides, ranks=self.ranks, model=model, partnerships=self.partnerships)
        check_result(result)
        return result


class Counted(Struct, frozen=True, kw_only=True):
    """A result at its place: what counts there now."""

    sequence: int
    key: str
    at: datetime
    rated: bool
    public: bool
    result: Result


async def add(
    connection: asyncpg.Connection, pool: str, key: str, result: Result, *, at: datetime, rated: bool, public: bool,
    revision: int = 0,
) -> bool:  # fmt: skip
    """Note a result at the end of its pool, or over an earlier one of the same key; False where it is no news.

    The caller's transaction must not be one of which statements see an old snapshot: the default level is right.
    Raises `ResultInvalid` where the key has counted in another pool.
    """
    head = await connection.fetchval(_LOCK, pool)
    if head is None:
        await connection.execute(_MAKE, pool)
        head = await connection.fetchval(_LOCK, pool)
    known = await connection.fetchrow(_KNOWN, key)
    if known is not None and known["pool"] != pool:
        raise ResultInvalid(f"{key} counts in the pool {known['pool']}.")
    if known is not None and known["revision"] >= revision:
        return False
    place = head + 1 if known is None else known["sequence"]
    sides = msgspec.json.encode(result.sides).decode()
    await connection.execute(
        _ADD, pool, place, revision, key, result.model, sides, result.ranks, result.partnerships, rated, public, at
    )
    if known is None:
        await connection.execute(_ADVANCE, pool, place)
    else:
        await connection.execute(_SPOIL, pool, place)
    return True


async def rate_match(connection: asyncpg.Connection, match: MatchResult) -> bool:
    """Note the result of a match in the caller's transaction; False where this revision, or a later one, is known.

    The ratings follow with the next step of whatever worker is first. Bots never move a rating: a match with one of
    them is noted, and not rated. Raises `ResultInvalid`.
    """
    result, rated = match.result(), await counts(connection, match)
    return await add(
        connection, match.pool, match.key, result,
        at=match.at, rated=rated, public=match.public, revision=match.revision,
    )  # fmt: skip


async def counts(connection: asyncpg.Connection, match: MatchResult) -> bool:
    """Whether the result of a match moves ratings."""
    if not match.rated or await bots_among(connection, players_of(match.sides)):
        return False
    gone = match.forfeited_by
    return not gone or bool(await connection.fetchval(_PLAYED, match.tournament, match.match, gone))


async def bots_among(connection: asyncpg.Connection, players: Sequence[str]) -> bool:
    """Whether any of these players is a bot."""
    if any(player.startswith(BOT_PREFIX) for player in players):
        return True
    return bool(await connection.fetch(_BOTS, players))


async def effective(connection: asyncpg.Connection, pool: str, after: int, last: int) -> list[Counted]:
    """What counts at the places above `after` up to `last`, in order."""
    return [_counted(row) for row in await connection.fetch(_EFFECTIVE, pool, after, last)]


def players_of(sides: Sequence[Side]) -> list[str]:
    """Everybody on these sides."""
    return [player for side in sides for pair in side for player in pair]


def _counted(row: Any) -> Counted:
    result = Result(
        sides=msgspec.json.decode(row["sides"], type=tuple[Side, ...]),
        ranks=tuple(row["ranks"]),
        model=row["model"],
        partnerships=row["partnerships"],
    )
    return Counted(
        sequence=row["sequence"],
        key=row["key"],
        at=row["at"],
        rated=row["rated"],
        public=row["public"],
        result=result,
    )
