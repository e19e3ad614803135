"""Hands the signed lines to the witnesses that the settings name, beside the sealing and never in its way."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from service.checkpoints.witness_file import WitnessBroken, WitnessFile
from service.checkpoints.witness_hook import NotTaken, WitnessHook
from service.metrics import Metrics
from service.settings import Settings
from service.store.database import Pool
from service.store.errors import StoreError

log = structlog.get_logger(__name__)

LOOK_SECONDS: Final = 1.0
"""How long a line may wait that another worker has signed, who died before it handed it on."""

CLOSE_SECONDS: Final = 0.5


class Witnesses:
    """A task for each witness: woken after each step of sealing, tried again after a failure."""

    def __init__(self, pool: Pool, settings: Settings, metrics: Metrics) -> None:
        self._pool = pool
        self._metrics = metrics
        self._file = None if settings.witness_file is None else WitnessFile(settings.witness_file)
        url, seconds = settings.witness_url, settings.witness_seconds
        self._hook = None if url is None else WitnessHook(url, seconds)
        self._wakes: list[asyncio.Event] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False

    def start(self) -> None:
        for name, witness in (("file", self._file), ("hook", self._hook)):
            if witness is not None:
                wake = asyncio.Event()
                self._wakes.append(wake)
                run = self._run(name, witness.catch_up, wake)
                self._tasks.append(asyncio.create_task(run, name=f"witness {name}"))

    def wake(self) -> None:
        """There may be new lines."""
        for wake in self._wakes:
            wake.set()

    async def close(self) -> None:
        """Hand nothing on any more; what is missing is handed on after the next start."""
        self._closing = True
        self.wake()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSE_SECONDS)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._hook is not None:
            await self._hook.close()

    async def _run(self, name: str, catch_up: Callable[[Pool], Awaitable[int]], wake: asyncio.Event) -> None:
        told: str | None = None
        while not self._closing:
            trouble: Exception | None = None
            wake.clear()
            try:
                await catch_up(self._pool)
            except (OSError, WitnessBroken, NotTaken, StoreError) as error:
                trouble = error
                self._metrics.witness_failed(name)
            except Exception:
                log.exception("witness_failed", witness=name)
            # Said once, until it changes: an attempt may fail every second for days.
            why = None if trouble is None else str(trouble)
            if why is not None and why != told:
                tell = log.warning if isinstance(trouble, StoreError) else log.error
                tell("witness_failed", witness=name, why=why)
            elif why is None and told is not None:
                log.info("witness_served_again", witness=name)
            told = why
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await wake.wait()
            except TimeoutError:
                continue
