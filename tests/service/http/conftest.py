"""The real application over a real Postgres and a real Valkey, asked without a socket where none is needed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar
from msgspec.structs import replace

from service.app import create_app
from service.logs import configure_logs
from service.running import Service
from service.server import Server, address, listen
from service.settings import Settings
from tests.service.http.tables import Table


@pytest.fixture
def settings(database: str, redis_url: str, tmp_path: Path) -> Settings:
    return Settings(
        state_dir=tmp_path,
        port=0,
        database_url=database,
        redis_url=redis_url,
        bell_poll_seconds=0.5,
        deadline_poll_seconds=0.05,
        move_seconds_min=1,
        # A busy machine is none where all connections are in use.
        database_wait_seconds=15.0,
        log_level="warning",
    )


@pytest.fixture(autouse=True)
def logs(tmp_path: Path) -> None:
    configure_logs(Settings(state_dir=tmp_path, log_level="warning"))


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[tuple[Litestar, httpx.AsyncClient]]:
    """An application as one worker runs it, and a client that asks it."""
    app = create_app(settings)
    async with lifespan(app), client_of(app) as client:
        yield app, client


@asynccontextmanager
async def lifespan(app: Litestar) -> AsyncIterator[None]:
    """The start and the end of an application, in a task of their own, as a server runs them."""
    messages: asyncio.Queue[Any] = asyncio.Queue()
    answers: asyncio.Queue[Any] = asyncio.Queue()
    scope: Any = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
    task = asyncio.create_task(app(scope, messages.get, answers.put))
    await messages.put({"type": "lifespan.startup"})
    assert (await answers.get())["type"] == "lifespan.startup.complete"
    try:
        yield
    finally:
        await messages.put({"type": "lifespan.shutdown"})
        assert (await answers.get())["type"] == "lifespan.shutdown.complete"
        await task


def client_of(app: Litestar) -> httpx.AsyncClient:
    asgi: Any = app
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(asgi, raise_app_exceptions=False),
        base_url="http://testserver",
        timeout=30,
    )


@pytest.fixture
async def app(settings: Settings) -> AsyncIterator[Litestar]:
    application = create_app(settings)
    async with lifespan(application):
        yield application


@pytest.fixture
def service(app: Litestar) -> Service:
    found: Service = app.state.service
    return found


@pytest.fixture
async def client(app: Litestar) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(app) as asking:
        yield asking


@pytest.fixture
async def table(client: httpx.AsyncClient) -> Table:
    """Four people at a table that has not begun."""
    return await Table.of(client)


@pytest.fixture
async def game(table: Table) -> Table:
    """Four people at a game under way."""
    await table.start()
    return table


class LiveServer:
    """The application behind a real socket."""

    def __init__(self, settings: Settings) -> None:
        self._listening = listen(settings)
        self.url = address(self._listening)
        self._started = asyncio.Event()
        self.server = Server(settings, self._started.set)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "LiveServer":
        self._task = asyncio.create_task(self.server.serve([self._listening]))
        started = asyncio.create_task(self._started.wait())
        await asyncio.wait({self._task, started}, return_when=asyncio.FIRST_COMPLETED)
        started.cancel()
        assert self.server.started
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def stop(self) -> None:
        assert self._task is not None
        if not self._task.done():
            self.server.stop()
        await self._task
        self._listening.close()

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.url, timeout=30)


@pytest.fixture
async def live(settings: Settings) -> AsyncIterator[LiveServer]:
    async with LiveServer(replace(settings, port=0)) as server:
        yield server
