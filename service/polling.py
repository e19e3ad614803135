"""Work that is looked for again and again by a task of its own: timers, erasures, ratings, seals."""

import asyncio
from abc import ABC, abstractmethod
from typing import Final

import structlog

from service.store.errors import StoreError

log = structlog.get_logger(__name__)

CLOSE_SECONDS: Final = 0.5
"""How long what has been begun may take at the end."""


class Polling(ABC):
    """Looks at once while there is more to do, else every `seconds`, and sooner when it is woken.

    What goes wrong in a look is logged as `failed`, and tried again later.
    """

    def __init__(self, name: str, seconds: float, failed: str) -> None:
        self._name = name
        self._seconds = seconds
        self._failed = failed
        self._woken = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    async def _look(self) -> bool:
        """Do what there is to do; whether there is more at once."""

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=self._name)

    @property
    def running(self) -> bool:
        """Whether anything is looked for."""
        return self._task is not None and not self._task.done()

    def wake(self) -> None:
        """Look at once."""
        self._woken.set()

    async def close(self) -> None:
        """Look no more; what is left to do is done by others, or after the next start."""
        self._closing = True
        self._woken.set()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=CLOSE_SECONDS)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while not self._closing:
            self._woken.clear()
            more = False
            try:
                more = await self._look()
            except StoreError as trouble:
                log.warning(self._failed, why=str(trouble))
            except Exception:
                log.exception(self._failed)
            if not more:
                await self._pause()

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(self._seconds):
                await self._woken.wait()
        except TimeoutError:
            return
