"""The feed, read for games of tournaments that have ended: whoever ended them, and whatever became of that worker.

The place reached and what is to be done are written by one transaction, so nothing is lost and nothing has to be done
twice; rows that another worker holds are left to it. What is to be done is a timer like any other (`beside.WORK`).
"""

from typing import Final

from msgspec import Struct

from service.store.database import Pool, reached
from service.tournaments.beside import WORK

CONSUMER: Final = "tournaments"
SHARD_EVENTS_MAX: Final = 500
"""Ends of games that are taken from a shard at a time."""

_BEGIN: Final = f"""
insert into feed_cursor (consumer, shard, position) select '{CONSUMER}', shard, 0 from shard on conflict do nothing
"""
_HOLD: Final = f"""
select shard, position from feed_cursor where consumer = '{CONSUMER}' order by shard for update skip locked
"""
_ENDED: Final = """
select e.shard, e.position, t.tournament
from unnest($1::smallint[], $2::bigint[]) as c (shard, position)
cross join lateral (
    select shard, position, stream from event
    where event.shard = c.shard and event.position > c.position and type = 'game_ended'
    order by event.position limit $3
) e
left join tournament_game t on t.game = e.stream and t.told = 'nothing'
"""
_MOVE: Final = f"""
update feed_cursor f set position = c.position from unnest($1::smallint[], $2::bigint[]) as c (shard, position)
where f.consumer = '{CONSUMER}' and f.shard = c.shard
"""
# Due at the time of the statement and no earlier: who looked at the games before these ends were there must not take
# the timer away (`reconciling`), be it one that was overdue already.
_WORK: Final = f"""
insert into deadline (game, kind, version, due_at) select t, '{WORK}', 0, clock_timestamp() from unnest($1::text[]) t
on conflict (game, kind) do update set due_at = excluded.due_at, leased_until = null
"""
# One that is over has games to be ended where a worker that stood still made them afterwards.
_SWEEP: Final = f"""
insert into deadline (game, kind, version, due_at)
select id, '{WORK}', version, now() from tournament
where status not in ('finished', 'cancelled') or rated_version < version or id in (
    select t.tournament from tournament_game t join game g on g.id = t.game
    where t.told <> 'result' and g.status <> 'ended'
)
order by id
on conflict do nothing
"""
_LAG: Final = """
select coalesce(extract(epoch from now() - min(g.finished_at)), 0)::float8
from tournament_game t join game g on g.id = t.game where t.told = 'nothing' and g.status = 'ended'
"""


class Heard(Struct, frozen=True):
    """Tournaments of which games have ended; `more` where there are further ends to look at."""

    tournaments: frozenset[str]
    more: bool


class Feed:
    """The ends of games. Everything may raise `StoreUnavailable` and `StoreBusy`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._begun = False

    async def look(self) -> Heard:
        """Take the next ends of games, and set the timers of their tournaments."""
        with reached():
            if not self._begun:
                await self._pool.execute(_BEGIN)
                self._begun = True
            async with self._pool.acquire() as connection, connection.transaction():
                held = await connection.fetch(_HOLD)
                shards, positions = [row["shard"] for row in held], [row["position"] for row in held]
                ended = await connection.fetch(_ENDED, shards, positions, SHARD_EVENTS_MAX)
                if not ended:
                    return Heard(frozenset(), more=False)
                reached_: dict[int, int] = {}
                counts: dict[int, int] = {}
                for row in ended:
                    reached_[row["shard"]] = max(row["position"], reached_.get(row["shard"], 0))
                    counts[row["shard"]] = counts.get(row["shard"], 0) + 1
                tournaments = frozenset(row["tournament"] for row in ended if row["tournament"] is not None)
                await connection.execute(_WORK, sorted(tournaments))
                await connection.execute(_MOVE, list(reached_), list(reached_.values()))
        return Heard(tournaments, max(counts.values()) == SHARD_EVENTS_MAX)

    async def sweep(self) -> None:
        """Have every tournament that is under way looked at by some worker, whatever was heard of it."""
        with reached():
            await self._pool.execute(_SWEEP)

    async def lag(self) -> float:
        """For how many seconds the longest of the games that have ended waits to be told in its tournament."""
        with reached():
            lag: float = await self._pool.fetchval(_LAG)
        return lag
