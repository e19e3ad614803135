"""The process manager of a worker: looks after tournaments whenever something may have happened to them.

It is woken by what this worker appends, to a tournament or to one of its games; by timers, which any worker takes up;
by the feed, which tells of games that other workers ended; and slowly by itself. However often it is woken, and on how
many workers, comes to the same (`reconciling`); they take turns only so as not to do the same work at the same time.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

import structlog

from domain.events import AnyEvent, GameEnded
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.seating import GameResult
from service.commands import Denied
from service.live import LiveGame
from service.metrics import Metrics
from service.store.database import Pool, reached
from service.store.errors import StoreError
from service.tournaments.beside import NO_SHOW, WORK
from service.tournaments.collecting import Collecting
from service.tournaments.commands import TournamentUnknown
from service.tournaments.feed import Feed
from service.tournaments.live import LiveTournament
from service.tournaments.no_shows import NoShows
from service.tournaments.reconciling import Reconciling
from service.tournaments.tables import Tables
from service.tournaments.tournaments import Tournaments

log = structlog.get_logger(__name__)

AT_ONCE: Final = 2
"""Tournaments that one worker looks after at a time; each holds a connection meanwhile, and needs another one."""

TURN_SECONDS: Final = 30.0
"""How long one worker leaves a tournament to another one that looks after it, and may hang."""

LOOK_SECONDS: Final = 0.05
LAG_SECONDS: Final = 5.0
CLOSE_SECONDS: Final = 0.5
LOCK_SPACE: Final = 0x6D656C64
"""The advisory locks of tournaments, the letters "meld"; the other half is from the id."""

_TRY: Final = "select pg_try_advisory_lock($1, hashtext($2))"
_RELEASE: Final = "select pg_advisory_unlock($1, hashtext($2))"
_DUE: Final = "select due_at from deadline where game = $1 and kind = $2"
_DROP: Final = "delete from deadline where game = $1 and kind = $2 and due_at = $3"
_PUT_OFF: Final = "update deadline set due_at = $4, leased_until = null where game = $1 and kind = $2 and due_at = $3"


class Manager:
    """One for each worker."""

    def __init__(
        self,
        pool: Pool,
        tournaments: Tournaments,
        reconciling: Reconciling,
        tables: Tables,
        collecting: Collecting,
        metrics: Metrics,
        *,
        feed_seconds: float,
        sweep_seconds: float,
    ) -> None:
        self._pool = pool
        self._tournaments = tournaments
        self._reconciling = reconciling
        self._tables = tables
        self._collecting = collecting
        self._no_shows = NoShows(pool, tournaments)
        self._feed = Feed(pool)
        self._metrics = metrics
        self._feed_seconds = feed_seconds
        self._sweep_seconds = sweep_seconds
        self._places = asyncio.Semaphore(AT_ONCE)
        self._tasks: dict[str, asyncio.Task[bool]] = {}
        self._again: set[str] = set()
        # By tournament since when another worker has had the turn at it, as far as this one got none meanwhile.
        self._held_since: dict[str, float] = {}
        self._later: dict[str, None] = {}
        """Tournaments to be looked at one after the other, in this order."""
        self._working_off: asyncio.Task[None] | None = None
        self._others: set[asyncio.Task[None]] = set()
        self._loop: asyncio.Task[None] | None = None
        self._closing = False
        tournaments.appended.append(self._moved)

    def start(self) -> None:
        self._loop = asyncio.create_task(self._listen(), name="tournaments")

    @property
    def running(self) -> bool:
        """Whether the feed is being read."""
        return self._loop is not None and not self._loop.done()

    async def close(self) -> None:
        """Leave what is left to do to others, or to the next start."""
        self._closing = True
        tasks: list[asyncio.Task[Any]] = [*self._tasks.values(), *self._others]
        if self._working_off is not None:
            self._working_off.cancel()
            tasks.append(self._working_off)
        if self._loop is not None:
            self._loop.cancel()
            tasks.append(self._loop)
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSE_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- being woken ---

    def heard(self, live: LiveGame, happened: Sequence[AnyEvent]) -> None:
        """This worker has moved a game on."""
        tournament = live.facts.tournament
        if tournament is not None and any(isinstance(event, GameEnded) for event in happened):
            self.wake(tournament)

    def _moved(self, live: LiveTournament, _happened: Sequence[AnyTournamentEvent]) -> None:
        """This worker has moved a tournament on; what it did itself it looks at anew anyway."""
        self.wake(live.id)

    def timer_over(self, tournament_id: str, kind: str) -> None:
        """A timer of a tournament is due; it stands until what it is for is done."""
        if kind.startswith(NO_SHOW):
            self._apart(self._look_for_missing(tournament_id, kind))
        elif kind == WORK:
            self._look_later(tournament_id)
        else:
            self.wake(tournament_id)

    def wake(self, tournament_id: str) -> None:
        """See to it that the tournament is looked after, soon."""
        if self._closing:
            return
        self._later.pop(tournament_id, None)
        if tournament_id in self._tasks:
            self._again.add(tournament_id)
            return
        task = asyncio.create_task(self._run(tournament_id), name=f"tournament {tournament_id}")
        self._tasks[tournament_id] = task

    def _look_later(self, tournament_id: str) -> None:
        """Look after it when those before it have been: every sweep wakes all tournaments that are under way, and what
        somebody has just done must not wait behind all of them."""
        if self._closing:
            return
        if tournament_id in self._tasks:
            self._again.add(tournament_id)
            return
        self._later[tournament_id] = None
        if self._working_off is None or self._working_off.done():
            self._working_off = asyncio.create_task(self._work_off(), name="tournaments looked at later")

    async def _work_off(self) -> None:
        while self._later and not self._closing:
            await self.settle(next(iter(self._later)))

    async def settle(self, tournament_id: str) -> bool:
        """Look after the tournament until nothing is to be done; whether that went well."""
        self.wake(tournament_id)
        task = self._tasks.get(tournament_id)
        return task is not None and await asyncio.shield(task)

    async def as_it_lies(self, tournament_id: str, match: str, table: int, leg: int) -> GameResult | None:
        """What an open game would come to if its hand were counted as it lies; None where there is no such game."""
        live = await self._tournaments.find(tournament_id)
        for game in await self._tables.open_games(tournament_id):
            if (game.match, game.table, game.leg) == (match, table, leg) and match in live.state.matches:
                return await self._collecting.as_it_lies(live.state, game.played)
        return None

    # --- looking after ---

    async def _run(self, tournament_id: str) -> bool:
        """Look after a tournament for as long as somebody has woken it meanwhile; whether all went well."""
        well = True
        try:
            while not self._closing:
                self._again.discard(tournament_id)
                async with self._places:
                    done = await self._look_after(tournament_id)
                if done is None:
                    await asyncio.sleep(LOOK_SECONDS)
                    continue
                well = done
                if tournament_id not in self._again:
                    break
        finally:
            # At once, so that whoever comes after the last look wakes it anew.
            del self._tasks[tournament_id]
            self._again.discard(tournament_id)
        return well

    async def _look_after(self, tournament_id: str) -> bool | None:
        """One look, None where it is another worker's turn. What goes wrong is tried again by a timer."""
        begun = time.monotonic()
        try:
            async with self._turn(tournament_id) as mine:
                if not (mine or self._is_hanging(tournament_id, begun)):
                    return None
                await self._reconciling.reconcile(tournament_id)
        except TournamentUnknown:
            return False
        except (Denied, TournamentRefused, StoreError) as trouble:
            log.warning("tournament_not_moved_on", tournament=tournament_id, why=f"{type(trouble).__name__}: {trouble}")
            return False
        except Exception:
            log.exception("tournament_not_moved_on", tournament=tournament_id)
            return False
        self._metrics.reconciled(time.monotonic() - begun)
        return True

    def _is_hanging(self, tournament_id: str, now: float) -> bool:
        """Whether the worker with the turn has had it for too long. It is waited for once: until this one has the
        turn again, nothing more of the tournament waits for it."""
        return now >= self._held_since.setdefault(tournament_id, now) + TURN_SECONDS

    @asynccontextmanager
    async def _turn(self, tournament_id: str) -> AsyncIterator[bool]:
        """Whether it is this worker's turn at a tournament; one that dies with it loses it at once."""
        with reached():
            async with self._pool.acquire() as connection:
                mine: bool = await connection.fetchval(_TRY, LOCK_SPACE, tournament_id)
                if mine:
                    self._held_since.pop(tournament_id, None)
                try:
                    yield mine
                finally:
                    if mine:
                        await connection.fetchval(_RELEASE, LOCK_SPACE, tournament_id)

    async def _look_for_missing(self, tournament_id: str, kind: str) -> None:
        live = await self._tournaments.fresh(tournament_id)
        number = int(kind.removeprefix(NO_SHOW))
        there = live.state.rounds.get(number)
        with reached():
            due_at: datetime | None = await self._pool.fetchval(_DUE, tournament_id, kind)
        if due_at is None:
            return
        again = None
        if there is not None and there.status == "started":
            again = await self._no_shows.look(live, number, due_at)
        with reached():
            if again is None:
                await self._pool.execute(_DROP, tournament_id, kind, due_at)
            else:
                await self._pool.execute(_PUT_OFF, tournament_id, kind, due_at, again)

    def _apart(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside everything else; what goes wrong is tried again by its timer."""
        if self._closing:
            work.close()
            return
        task = asyncio.create_task(work)
        self._others.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._others.discard(task)
        if not task.cancelled() and (trouble := task.exception()) is not None:
            log.warning("tournament_timer_failed", exc_info=trouble)

    # --- what others did ---

    async def _listen(self) -> None:
        """Read the feed, and now and then have everything looked at, whatever was heard."""
        sweep_at = lag_at = 0.0
        while True:
            more = False
            try:
                if time.monotonic() >= sweep_at:
                    await self._feed.sweep()
                    sweep_at = time.monotonic() + self._sweep_seconds
                heard = await self._feed.look()
                more = heard.more
                for tournament in heard.tournaments:
                    self.wake(tournament)
                if time.monotonic() >= lag_at:
                    self._metrics.tournament_lag.set(await self._feed.lag())
                    lag_at = time.monotonic() + LAG_SECONDS
            except StoreError as trouble:
                log.warning("tournaments_not_read", why=str(trouble))
            except Exception:
                log.exception("tournaments_not_read")
            if not more:
                await asyncio.sleep(self._feed_seconds)
