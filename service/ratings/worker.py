"""The ratings of one worker process: a task that takes ended games in and folds what is waiting, and what others ask.

Every worker looks; whichever comes first does a step, in a transaction of its own, and the others find nothing to do.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog

from domain.events import AnyEvent, GameEnded
from service.live import LiveGame
from service.ratings import preview, results
from service.ratings.intake import take_in
from service.ratings.preview import RatingPreview
from service.ratings.projection import catch_up, waiting_pools
from service.ratings.results import MatchResult
from service.store.database import Pool, reached
from service.store.errors import StoreError

log = structlog.get_logger(__name__)

CLOSE_SECONDS: Final = 0.5
"""How long a step that has been begun may take at the end."""


_RESULTS: Final = "select id, folded from rating_pool"


class Ratings:
    """Keeps the ratings up to date, and takes the results of matches."""

    def __init__(self, pool: Pool, poll_seconds: float, preview_results_max: int) -> None:
        self._pool = pool
        self._poll_seconds = poll_seconds
        self._preview_results_max = preview_results_max
        self._woken = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="ratings")

    def wake(self) -> None:
        """Look at once: there is a new result."""
        self._woken.set()

    def heard(self, _live: LiveGame, happened: Sequence[AnyEvent]) -> None:
        """This worker has appended events."""
        if any(isinstance(event, GameEnded) for event in happened):
            self.wake()

    async def close(self) -> None:
        """Leave what is left to do to others, or to the next start."""
        self._closing = True
        self._woken.set()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=CLOSE_SECONDS)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def rate_match(self, match: MatchResult) -> bool:
        """Note the result of a match; False where this revision, or a later one, is known.

        Raises `ResultInvalid`, `StoreUnavailable`, `StoreBusy`.
        """
        with reached():
            async with self._pool.acquire() as connection, connection.transaction():
                news = await results.rate_match(connection, match)
        self.wake()
        return news

    async def preview_match(self, match: MatchResult) -> tuple[RatingPreview, ...]:
        """Whose ratings would be others if the match had this result: see `preview.preview_match`."""
        return await preview.preview_match(self._pool, match, self._preview_results_max)

    async def pool_results(self) -> dict[str, int]:
        """How many results each pool has, of those that have any."""
        with reached():
            return {row["id"]: row["folded"] for row in await self._pool.fetch(_RESULTS)}

    async def step(self) -> int:
        """Take in and fold what there is; how much was done, nothing at the end."""
        with reached():
            async with self._pool.acquire() as connection:
                async with connection.transaction():
                    done = await take_in(connection)
                for pool in await waiting_pools(connection):
                    async with connection.transaction():
                        done += await catch_up(connection, pool)
        return done

    async def _run(self) -> None:
        while not self._closing:
            self._woken.clear()
            done = 0
            try:
                done = await self.step()
            except StoreError as trouble:
                log.warning("ratings_not_kept", why=str(trouble))
            except Exception:
                log.exception("ratings_not_kept")
            if not done:
                await self._pause()

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(self._poll_seconds):
                await self._woken.wait()
        except TimeoutError:
            return
