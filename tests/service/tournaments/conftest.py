"""Workers of one service over a real Postgres, without the web before them."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from service.logs import configure_logs
from service.settings import Settings
from tests.service.tournaments.hall import Hall

Open = Callable[[int], Awaitable[Hall]]


@pytest.fixture
def settings(database: str, redis_url: str, tmp_path: Path) -> Settings:
    configure_logs(Settings(state_dir=tmp_path, log_level="warning"))
    return Settings(
        state_dir=tmp_path,
        database_url=database,
        redis_url=redis_url,
        deadline_poll_seconds=0.05,
        tournament_feed_seconds=0.1,
        tournament_patience_seconds=0.5,
        bell_poll_seconds=0.5,
        move_seconds_min=1,
        # A busy machine is none where all connections are in use.
        database_wait_seconds=15.0,
        log_level="warning",
    )


@pytest.fixture
async def open_hall(settings: Settings) -> AsyncIterator[Open]:
    """Opens halls with so many workers each; all of them on one database."""
    opened: list[Hall] = []

    async def another(workers: int = 1) -> Hall:
        opened.append(await Hall.open(settings, workers))
        return opened[-1]

    yield another
    for hall in opened:
        await hall.close()


@pytest.fixture
async def hall(open_hall: Open) -> Hall:
    """A hall with one worker."""
    return await open_hall(1)
