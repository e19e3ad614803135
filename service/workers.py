"""Several workers behind one listening socket, begun anew when they die, ended together."""

import asyncio
import multiprocessing
import os
import shutil
import socket
import tempfile
import time
from collections import deque
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Final

import structlog
import uvloop
from msgspec import Struct

from service.logs import configure_logs
from service.metrics import MULTIPROCESS_VARIABLE, forget_process
from service.server import STOP_SIGNALS, StartFault, serve_here
from service.settings import Settings

log = structlog.get_logger(__name__)

LOOK_SECONDS: Final = 0.05
DEATHS_MAX: Final = 5
DEATHS_WINDOW_SECONDS: Final = 60.0
START_SECONDS: Final = 30.0
GRACE_SECONDS: Final = 2.0
"""What a worker may take beyond `stop_seconds` before it is killed."""


class _Worker(Struct):
    """A worker process, the pipe that ends with us, and the pipe that says that it serves."""

    process: SpawnProcess
    lifeline: Connection
    started: Connection
    serves: bool = False


def run_workers(
    settings: Settings,
    listening: socket.socket,
    *,
    ready: Callable[[], None],
    tend: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Serve with `settings.workers` processes until asked to stop; otherwise as `service.server.run`."""
    directory = tempfile.mkdtemp(prefix="meldhouse-metrics-")
    os.environ[MULTIPROCESS_VARIABLE] = directory
    try:
        uvloop.run(_Workers(settings, listening, ready, directory).run(tend))
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def work(settings: Settings, listening: socket.socket, lifeline: Connection, started: Connection) -> None:
    """The whole life of one worker process."""
    configure_logs(settings)
    uvloop.run(serve_here(settings, listening, ready=lambda: started.send_bytes(b"1"), parent=lifeline.fileno()))


class _Workers:
    def __init__(self, settings: Settings, listening: socket.socket, ready: Callable[[], None], directory: str) -> None:
        self._settings = settings
        self._listening = listening
        self._ready = ready
        self._directory = directory
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[_Worker] = []
        self._deaths: deque[float] = deque(maxlen=DEATHS_MAX)
        self._stopping = asyncio.Event()

    async def run(self, tend: Callable[[], Awaitable[None]] | None) -> None:
        loop = asyncio.get_running_loop()
        for number in STOP_SIGNALS:
            loop.add_signal_handler(number, self._stopping.set)
        tending = None if tend is None else asyncio.ensure_future(tend())
        try:
            self._workers = [self._begin() for _ in range(self._settings.workers)]
            await self._until_started()
            await self._look_after(tending)
        finally:
            await self._end()
            if tending is not None:
                tending.cancel()
                await asyncio.gather(tending, return_exceptions=True)

    def _begin(self) -> _Worker:
        theirs, ours = self._context.Pipe(duplex=False)
        started, starting = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=work, args=(self._settings, self._listening, theirs, starting), name="meldhouse worker"
        )
        process.start()
        theirs.close()
        starting.close()
        return _Worker(process, ours, started)

    async def _until_started(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self._stopping.is_set():
            for worker in self._workers:
                worker.serves = worker.serves or worker.started.poll()
                if not worker.process.is_alive():
                    raise StartFault("A worker did not start; the log says why.")
            if all(worker.serves for worker in self._workers):
                self._ready()
                return
            if time.monotonic() > deadline:
                raise StartFault(f"The workers did not start within {START_SECONDS:g} seconds.")
            await asyncio.sleep(LOOK_SECONDS)

    async def _look_after(self, tending: "asyncio.Future[None] | None") -> None:
        """Begin dead workers anew until asked to stop. Raises what `tend` failed with, and `StartFault`."""
        while not self._stopping.is_set():
            if tending is not None and tending.done():
                await tending
                return
            for place, worker in enumerate(self._workers):
                if worker.process.is_alive():
                    continue
                log.error("worker_died", pid=worker.process.pid, exit_code=worker.process.exitcode)
                self._bury(worker)
                self._count_death()
                self._workers[place] = self._begin()
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._stopping.wait()
            except TimeoutError:
                continue

    def _count_death(self) -> None:
        now = time.monotonic()
        if len(self._deaths) == DEATHS_MAX and now - self._deaths[0] < DEATHS_WINDOW_SECONDS:
            raise StartFault("Workers keep dying; the log says why.")
        self._deaths.append(now)

    def _bury(self, worker: _Worker) -> None:
        worker.process.join()
        worker.lifeline.close()
        worker.started.close()
        if worker.process.pid is not None:
            forget_process(worker.process.pid, self._directory)

    async def _end(self) -> None:
        """Ask every worker to stop; kill those that do not."""
        for worker in self._workers:
            if worker.process.is_alive():
                worker.process.terminate()
        patience = self._settings.stop_seconds + GRACE_SECONDS
        leaving = [asyncio.to_thread(worker.process.join, patience) for worker in self._workers]
        await asyncio.gather(*leaving)
        for worker in self._workers:
            if worker.process.is_alive():
                log.error("worker_killed", pid=worker.process.pid)
                worker.process.kill()
            self._bury(worker)
