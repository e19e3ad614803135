"""The ratings of one worker process: a task that takes ended games in and folds what is waiting, and what others ask.

Every worker looks; whichever comes first does a step, in a transaction of its own, and the others find nothing to do.
"""

from collections.abc import Sequence
from typing import Final

from domain.events import AnyEvent, GameEnded
from service.live import LiveGame
from service.polling import Polling
from service.ratings import preview, results
from service.ratings.intake import take_in
from service.ratings.preview import RatingPreview
from service.ratings.projection import catch_up, waiting_pools
from service.ratings.results import MatchResult
from service.store.database import Pool, reached

_RESULTS: Final = "select id, folded from rating_pool"


class Ratings(Polling):
    """Keeps the ratings up to date, and takes the results of matches."""

    def __init__(self, pool: Pool, poll_seconds: float, preview_results_max: int) -> None:
        super().__init__("ratings", poll_seconds, "ratings_not_kept")
        self._pool = pool
        self._preview_results_max = preview_results_max

    def heard(self, _live: LiveGame, happened: Sequence[AnyEvent]) -> None:
        """This worker has appended events."""
        if any(isinstance(event, GameEnded) for event in happened):
            self.wake()

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

    async def _look(self) -> bool:
        return await self.step() > 0
