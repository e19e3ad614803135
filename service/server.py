"""Serves the application: one process, or several that share the listening socket.

Asked to stop (SIGTERM, SIGINT), a worker ends its live streams with a message that says so, finishes what is under way
within `stop_seconds`, and goes. Workers go when the process that began them does, however it ends.
"""

import asyncio
import gc
import math
import os
import resource
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

import structlog
import uvicorn
import uvloop

from service.app import create_app
from service.http.protocol import Protocol
from service.running import Service
from service.settings import Settings

log = structlog.get_logger(__name__)

BACKLOG: Final = 2048
KEEP_ALIVE_SECONDS: Final = 75
UNSENT_BYTES_MAX: Final = 131_072
"""What the kernel keeps of one connection before it is sent. Its own bound grows to megabytes, which would hide for
long that a reader takes nothing."""

OTHER_FILES: Final = 256
"""Files beside those of the clients' connections: the database's, the bell's, logs."""

GC_THRESHOLDS: Final = (50_000, 50, 100)
"""Collections are rare and what the start made is left out of them: they are what the slowest answers wait for."""

STOP_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


class ListenFault(Exception):
    """The address cannot be listened on; the message says which and why."""


class StartFault(Exception):
    """The service did not come up; the log says why."""


class Server(uvicorn.Server):
    """A server that leaves signals to others and knows how to end live streams."""

    def __init__(self, settings: Settings, started: Callable[[], None]) -> None:
        app = create_app(settings)
        service: Service = app.state.service
        self.service = service
        self._told_started = started
        self._stopping: asyncio.Task[None] | None = None
        super().__init__(
            uvicorn.Config(
                app,
                http=partial(Protocol, settings=settings),  # type: ignore[arg-type]
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                date_header=False,
                server_header=False,
                proxy_headers=False,
                backlog=BACKLOG,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=math.ceil(settings.stop_seconds),
            )
        )

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals belong to whoever runs the server."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.started:
            return
        gc.collect()
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLDS)
        self._told_started()

    def stop(self) -> None:
        """End the live streams and leave; asked a second time, leave at once."""
        if self.should_exit:
            self.force_exit = True
            return
        self.should_exit = True
        if self.started:
            self._stopping = asyncio.create_task(self.service.stop_streams())


def permit_files(settings: Settings) -> int:
    """Let this process have a file for every connection, as far as it may; how many files it may have open now."""
    needed = settings.connections_max + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    permitted = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    if soft != resource.RLIM_INFINITY and soft < permitted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (permitted, hard))
        soft = permitted
    if soft != resource.RLIM_INFINITY and soft < needed:
        log.warning("few_files", permitted=soft, needed=needed)
    return soft


def listen(settings: Settings) -> socket.socket:
    """A socket bound to the address of the settings. Raises `ListenFault`."""
    host, port = settings.host, settings.port
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, number)
    except OSError as error:
        raise ListenFault(f"There is no address {host} to listen on: {error.strerror or error}.") from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Connections have what the listening socket has.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES_MAX)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise ListenFault(
            f"Cannot listen on {host} port {port}: {error.strerror or error}. Choose another by MELDHOUSE_PORT."
        ) from error
    listening.setblocking(False)
    return listening


def address(listening: socket.socket) -> str:
    """The address of a listening socket, as people open it."""
    host, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{shown}:{port}"


def run(
    settings: Settings,
    listening: socket.socket,
    *,
    ready: Callable[[], None],
    tend: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Serve in this process until asked to stop; must be called in the main thread.

    `ready` is called once requests are served. `tend` is work for the whole time (such as looking after embedded
    servers); should it fail, the service stops and the failure is raised. Raises `StartFault`.
    """
    uvloop.run(serve_here(settings, listening, ready=ready, tend=tend))


async def serve_here(
    settings: Settings,
    listening: socket.socket,
    *,
    ready: Callable[[], None],
    tend: Callable[[], Awaitable[None]] | None = None,
    parent: int | None = None,
) -> None:
    """What `run` does, inside a running loop; `parent` is a pipe whose other end closes with the parent process."""
    permit_files(settings)
    server = Server(settings, ready)
    loop = asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, server.stop)
    if parent is not None:
        loop.add_reader(parent, _orphaned, server, loop, parent)
    tending = None if tend is None else asyncio.ensure_future(tend())
    if tending is not None:
        tending.add_done_callback(lambda _: server.stop())
    try:
        await server.serve([listening])
    finally:
        for number in STOP_SIGNALS:
            loop.remove_signal_handler(number)
        if tending is not None and not tending.done():
            tending.cancel()
    if tending is not None:
        await _raise_failure(tending)
    if not server.started:
        raise StartFault("The service did not start; the log says why.")


async def _raise_failure(tending: "asyncio.Future[None]") -> None:
    await asyncio.wait({tending})
    if not tending.cancelled() and (failure := tending.exception()) is not None:
        raise failure


def _orphaned(server: Server, loop: asyncio.AbstractEventLoop, parent: int) -> None:
    """The process that began this one is gone."""
    loop.remove_reader(parent)
    server.stop()
    log.warning("parent_gone", pid=os.getpid())
