"""The faults: what is killed, always by SIGKILL, and how the service as a whole is begun again."""

import asyncio
import contextlib
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from service.cli.own_service import OwnService, ServiceFault
from tests.service.campaign.processes import backends, postgres, valkey, workers

RESTART_SECONDS_MAX: Final = 120.0


class Victim:
    """A service with several workers in a directory that is kept; its processes are killed one way or another."""

    def __init__(self, directory: Path, workers_wanted: int, chance: random.Random) -> None:
        self._directory = directory
        self._workers = workers_wanted
        self._chance = chance
        self._service = OwnService(directory, workers=workers_wanted)

    @property
    def address(self) -> str:
        """Where the service answers; the same all the time."""
        return self._service.address

    @property
    def log(self) -> str:
        """What the present service has written."""
        return (self._directory / "service.log").read_text(errors="replace")

    async def begin(self) -> None:
        """Start the service for the first time."""
        await asyncio.to_thread(self._service.__enter__)

    async def end(self) -> None:
        """Stop the service as an operator does."""
        await asyncio.to_thread(self._service.__exit__, None, None, None)

    async def kill_a_worker(self) -> int:
        """One of the workers, as a machine short of memory would."""
        found = workers(self._service.pid)
        return _kill([self._chance.choice(found)] if found else [])

    async def kill_all_workers(self) -> int:
        """All workers at once."""
        return _kill(workers(self._service.pid))

    async def kill_postgres(self) -> int:
        """The Postgres; what it had not flushed is gone."""
        found = postgres(self._directory)
        return _kill([] if found is None else [found])

    async def kill_a_backend(self) -> int:
        """One process of Postgres that serves a connection, upon which Postgres starts all of them again."""
        found = backends(self._directory)
        return _kill([self._chance.choice(found)] if found else [])

    async def kill_valkey(self) -> int:
        """The bell."""
        found = valkey(self._directory)
        return _kill([] if found is None else [found])

    async def kill_everything(self) -> int:
        """The whole tree at its root; then the service is begun again on the same data and the same port."""
        port = self._service.port
        _kill([self._service.pid])
        await self.end()
        deadline = time.monotonic() + RESTART_SECONDS_MAX
        while True:
            self._service = OwnService(self._directory, port=port, workers=self._workers)
            try:
                await self.begin()
            except ServiceFault:
                # The old workers may still be on their way out, with the port in their hands.
                if time.monotonic() > deadline:
                    raise
                continue
            return 1


FAULTS: Final[tuple[Callable[[Victim], Awaitable[int]], ...]] = (
    Victim.kill_a_worker,
    Victim.kill_postgres,
    Victim.kill_everything,
    Victim.kill_valkey,
    Victim.kill_a_backend,
    Victim.kill_all_workers,
)
"""In this order, again and again. Each gives the number of processes that were hit."""


def _kill(pids: list[int]) -> int:
    hit = 0
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            hit += 1
    return hit
