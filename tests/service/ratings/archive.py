"""Games that ended and matches that were settled, put into a database without being played."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import asyncpg
import msgspec

from domain import events
from domain.chain import first_prev
from domain.events import AnyEvent
from domain.ratings.shapes import Side
from service.migrate import APP_ROLE
from service.ratings.results import MatchResult
from service.ratings.worker import Ratings
from service.store.append import Append, PutGame, PutSeal, Write, chained
from service.store.base import Appended
from service.store.database import DatabaseLimits
from service.store.postgres import PostgresStore, StoreLimits
from tests.domain.ratings.test_games import over, played

AS_APP: Final = StoreLimits(database=DatabaseLimits(role=APP_ROLE, connections=4))
BEGINNING: Final = datetime(2026, 1, 1, tzinfo=UTC)
SUMS: Final = """
select pool, subject, kind, players, estimate, deviation, volatility, value, results, company, sequence from rating
order by pool, subject
"""
CHANGES: Final = "select * from rating_change order by pool, sequence, subject"


def match(name: int | str, *sides: Side, ranks: tuple[int, ...] = (), revision: int = 1, **more: Any) -> MatchResult:
    """The result of a match of the tournament `t1` in `samba-4`; ranks as the sides stand unless given."""
    terms: dict[str, Any] = {
        "tournament": "t1", "match": str(name), "revision": revision, "pool": "samba-4", "sides": sides,
        "ranks": ranks or tuple(range(1, len(sides) + 1)), "at": BEGINNING + timedelta(seconds=revision), "rated": True,
    }  # fmt: skip
    return MatchResult(**(terms | more))


def pair(*players: str) -> Side:
    return (players,)


class Archive:
    """The database, and the ratings of one worker on it whose steps are taken by hand."""

    def __init__(self, url: str, store: PostgresStore) -> None:
        self.url = url
        self.store = store
        self.pool = store.pool
        self.ratings = Ratings(store.pool, 60, 1000)

    async def people(self, *names: str, kind: str = "guest") -> None:
        for name in names:
            await self.pool.execute(
                "insert into player (id, name, kind, created_at) values ($1, $2, $3, now())", name, name.title(), kind
            )

    async def erase(self, *names: str) -> None:
        await self.pool.execute("update player set name = null, erased_at = now() where id = any($1)", names)

    async def end(self, name: str, *players: str, last: AnyEvent | None = None, **more: Any) -> None:
        """A game of these players that has ended, the first side its winner unless its last event is another one."""
        sides = len(players) if len(players) != 4 else 2
        ended = last or over(totals=tuple(range(sides, 0, -1)), winners=(0,))
        await self.append(name, played(ended, kinds=["human"] * len(players)), players, **more)

    async def append(
        self,
        name: str,
        happened: list[AnyEvent],
        players: tuple[str, ...],
        sealed_until: datetime | None = None,
        visibility: str = "public",
    ) -> None:
        """A game with these events, its seats held by these players."""
        bodies = []
        created = happened[0]
        assert isinstance(created, events.Created)
        for event in happened:
            if isinstance(event, events.Seated):
                event = msgspec.structs.replace(event, player=players[event.seat])
            bodies.append((events.type_of(event), events.encode(event)))
        prev = first_prev(name)
        game = PutGame(
            share_code=name, visibility=visibility, status="ended", ruleset=created.ruleset.name, players=len(players),
            practice=created.fairness is None, created_by=players[0], created_at=BEGINNING,
        )  # fmt: skip
        writes: list[Write] = [game] if sealed_until is None else [game, PutSeal(sealed_until)]
        append = Append(
            stream=name, expected_version=0, prev_hash=prev, events=chained(prev, bodies), actor="test", writes=writes
        )
        assert isinstance(await self.store.append(append), Appended)

    async def settle(self) -> None:
        """Steps until there is nothing more to do."""
        while await self.ratings.step():
            pass

    async def settled(self, *matches: MatchResult) -> None:
        for each in matches:
            await self.ratings.rate_match(each)
        await self.settle()

    async def rows(self, query: str, *arguments: Any) -> list[tuple[Any, ...]]:
        connection = await asyncpg.connect(self.url)
        try:
            return [tuple(row) for row in await connection.fetch(query, *arguments)]
        finally:
            await connection.close()

    async def sums(self) -> list[tuple[Any, ...]]:
        """Every rating, but for when it came about."""
        return await self.rows(SUMS)

    async def changes(self) -> list[tuple[Any, ...]]:
        """Every change, to the last column."""
        return await self.rows(CHANGES)

    async def results(self) -> list[str]:
        """The keys of what has counted, in order."""
        return [row[0] for row in await self.rows("select key from rated_result order by pool, sequence, revision")]
