"""The event store on a real Postgres with fsync on, beside one transaction a caller on the same server."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from domain.chain import first_prev, link
from service.embedded import ephemeral
from service.migrate import migrate
from service.store.append import Append, NewEvent
from service.store.base import Appended
from service.store.postgres import PostgresStore
from tests.bench.inserts import BODY, Inserts
from tests.bench.measuring import Result, summarise

ROUNDS: Final = 3
SECONDS: Final = 1.5
CALLERS: Final = (64, 256)


def run() -> list[Result]:
    """Measure the store."""
    with ephemeral(durable=True) as servers:
        return asyncio.run(_run(servers.database_url))


async def _run(url: str) -> list[Result]:
    await migrate(url)
    store = await PostgresStore.open(url)
    inserts = await Inserts.open(url, connections=64)
    results = []
    for callers in CALLERS:
        ours: list[float] = []
        theirs: list[float] = []
        for _ in range(ROUNDS):
            ours.append(await _rate(callers, lambda caller: _Stream(store, f"b{time.monotonic_ns()}x{caller}").append))
            theirs.append(await inserts.rate(SECONDS))
        results.append(
            summarise(f"appends, {callers} callers", "events/s", ours, None, "single inserts, 64 connections", theirs)
        )
    await inserts.close()
    await store.close()
    return results


class _Stream:
    """One game's stream, moved on by one event at a time."""

    def __init__(self, store: PostgresStore, stream: str) -> None:
        self._store = store
        self._stream = stream
        self._version = 0
        self._hash = first_prev(stream)

    async def append(self) -> None:
        event = NewEvent("discarded", BODY, link(self._hash, BODY))
        outcome = await self._store.append(
            Append(
                stream=self._stream,
                expected_version=self._version,
                prev_hash=self._hash,
                events=(event,),
                actor="bench",
                command_key=f"k{self._version}",
                command_digest=event.hash,
            )
        )
        assert isinstance(outcome, Appended), outcome
        self._version += 1
        self._hash = event.hash


async def _rate(callers: int, of_caller: Callable[[int], Callable[[], Awaitable[None]]]) -> float:
    """How many calls a second are answered when so many callers wait for theirs."""
    done = 0
    until = time.perf_counter() + SECONDS

    async def call(caller: int) -> None:
        nonlocal done
        once = of_caller(caller)
        while time.perf_counter() < until:
            await once()
            done += 1

    begun = time.perf_counter()
    await asyncio.gather(*map(call, range(callers)))
    return done / (time.perf_counter() - begun)
