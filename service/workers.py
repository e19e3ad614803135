"""Several workers behind one listening socket, begun anew when they die, ended together."""

import asyncio
import multiprocessing
import os
import socket
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Final

import structlog
import uvloop
from msgspec import Struct

from service import temporary
from service.back_off import BackOff
from service.logs import configure_logs
from service.metrics import MULTIPROCESS_VARIABLE, forget_process
from service.server import STOP_SIGNALS, StartFault, serve_here
from service.settings import Settings

log = structlog.get_logger(__name__)

LOOK_SECONDS: Final = 0.05
START_SECONDS: Final = 30.0
GRACE_SECONDS: Final = 2.0
"""What a worker may take beyond `stop_seconds` before it is killed."""


class _Worker(Struct):
    """A worker process, the pipe that ends with us, and the pipe that says that it serves."""

    process: SpawnProcess
    lifeline: Connection
    started: Connection
    serves: bool = False


class _Place(Struct):
    """What one worker after the other holds: the present one, or when the next is begun, and how they died."""

    worker: _Worker | None
    back_off: BackOff
    begin_at: float = 0.0


def run_workers(
    settings: Settings,
    listening: socket.socket,
    *,
    ready: Callable[[], None],
    tend: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Serve with `settings.workers` processes until asked to stop; otherwise as `service.server.run`."""
    with temporary.held() as directory:
        os.environ[MULTIPROCESS_VARIABLE] = str(directory)
        uvloop.run(_Workers(settings, listening, ready, str(directory)).run(tend))


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
        self._places: list[_Place] = []
        self._stopping = asyncio.Event()

    async def run(self, tend: Callable[[], Awaitable[None]] | None) -> None:
        loop = asyncio.get_running_loop()
        for number in STOP_SIGNALS:
            loop.add_signal_handler(number, self._stopping.set)
        tending = None if tend is None else asyncio.ensure_future(tend())
        try:
            self._places = [_Place(self._begin(), BackOff()) for _ in range(self._settings.workers)]
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
            for place in self._places:
                self._look_at(place)
                if place.worker is None:
                    raise StartFault("A worker did not start; the log says why.")
            if all(place.worker is not None and place.worker.serves for place in self._places):
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
            for place in self._places:
                self._look_at(place)
                if place.worker is None and time.monotonic() >= place.begin_at:
                    place.worker = self._begin()
            if any(place.back_off.hopeless for place in self._places) and not self._anybody_serves():
                raise StartFault("The workers die before they serve; the log says why.")
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._stopping.wait()
            except TimeoutError:
                continue

    def _look_at(self, place: _Place) -> None:
        """Note whether the worker of a place has begun to serve, or has died."""
        worker, now = place.worker, time.monotonic()
        if worker is None:
            return
        if not worker.serves and worker.started.poll():
            worker.serves = _serves(worker.started)
            if worker.serves:
                place.back_off.served(now)
        if not worker.process.is_alive():
            log.error("worker_died", pid=worker.process.pid, exit_code=worker.process.exitcode)
            self._bury(worker)
            place.worker = None
            place.begin_at = now + place.back_off.died(now)

    def _anybody_serves(self) -> bool:
        return any(worker.serves for worker in self._living())

    def _living(self) -> list[_Worker]:
        return [place.worker for place in self._places if place.worker is not None]

    def _bury(self, worker: _Worker) -> None:
        worker.process.join()
        worker.lifeline.close()
        worker.started.close()
        if worker.process.pid is not None:
            forget_process(worker.process.pid, self._directory)

    async def _end(self) -> None:
        """Ask every worker to stop; kill those that do not."""
        workers = self._living()
        for worker in workers:
            if worker.process.is_alive():
                worker.process.terminate()
        patience = self._settings.stop_seconds + GRACE_SECONDS
        leaving = [asyncio.to_thread(worker.process.join, patience) for worker in workers]
        await asyncio.gather(*leaving)
        for worker in workers:
            if worker.process.is_alive():
                log.error("worker_killed", pid=worker.process.pid)
                worker.process.kill()
            self._bury(worker)


def _serves(started: Connection) -> bool:
    """What the pipe of a worker says: a byte once it serves, the end of the pipe if it died before."""
    try:
        return bool(started.recv_bytes())
    except EOFError:
        return False
