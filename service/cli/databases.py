"""The database, for commands that change a row or two in it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from service import embedded
from service.cli.faults import FoundWrong
from service.cli.settings import settings_from_environment
from service.embedded import EmbeddedFault
from service.embedded.running import url_of_running
from service.logs import configure_logs
from service.running import store_limits
from service.settings import Settings
from service.store.database import Pool, open_pool
from service.store.errors import StoreError

Result = TypeVar("Result")


def on_database(work: Callable[[Pool], Awaitable[Result]]) -> Result:
    """Do something in the database of DATABASE_URL, or in the embedded one, be it that of a service that is running.

    Raises `FoundWrong`.
    """
    settings = settings_from_environment()
    configure_logs(settings)
    try:
        url = settings.database_url or url_of_running(settings)
        if url is not None:
            return asyncio.run(_work(url, settings, work))
        with embedded.start(settings) as servers:
            return asyncio.run(_work(servers.database_url, settings, work))
    except (EmbeddedFault, StoreError) as fault:
        raise FoundWrong(" ".join(str(fault).split())) from fault


async def _work(url: str, settings: Settings, work: Callable[[Pool], Awaitable[Result]]) -> Result:
    pool = await open_pool(url, store_limits(settings).database, name="meldhouse command")
    try:
        return await work(pool)
    finally:
        pool.terminate()
