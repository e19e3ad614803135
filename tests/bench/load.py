"""Loads: as many requests as go (closed loop), or so many a second (open loop), with the time each took."""

import asyncio
import time
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from tests.bench.scripts import Request
from tests.bench.tables import Table

Kind = Literal["noop", "singles", "turns"]


class Load(Struct):
    """What a load has come to: moves, requests, seconds, and the milliseconds of each request."""

    moves: int = 0
    requests: int = 0
    seconds: float = 0.0
    milliseconds: list[float] = []

    def percentile(self, share: float) -> float:
        """The time in milliseconds that so large a share of the requests did not exceed."""
        ordered = sorted(self.milliseconds)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


async def run_closed(tables: Sequence[Table], kind: Kind, seconds: float) -> Load:
    """Every table sends its next request as soon as the last one is answered, until the time is up."""
    load = Load()
    begun = time.perf_counter()
    await asyncio.gather(*(_play(table, kind, load, begun + seconds) for table in tables))
    load.seconds = time.perf_counter() - begun
    return load


async def _play(table: Table, kind: Kind, load: Load, until: float) -> None:
    for asked in _requests(table, kind):
        began = time.perf_counter()
        if began >= until:
            return
        await _ask(table, kind, asked, load, began)


async def run_open(tables: Sequence[Table], moves_per_second: float, seconds: float) -> Load:
    """Single moves at a steady rate, spread over the tables; a move's time counts from when it was due."""
    load = Load()
    begun = time.perf_counter()
    interval = len(tables) / moves_per_second
    await asyncio.gather(
        *(
            _play_paced(table, load, begun + index * interval / len(tables), interval, begun + seconds)
            for index, table in enumerate(tables)
        )
    )
    load.seconds = time.perf_counter() - begun
    return load


async def _play_paced(table: Table, load: Load, due: float, interval: float, until: float) -> None:
    for asked in table.script.singles:
        if due >= until:
            return
        wait = due - time.perf_counter()
        if wait > 0:
            await asyncio.sleep(wait)
        await _ask(table, "singles", asked, load, due)
        due += interval


def _requests(table: Table, kind: Kind) -> list[Request]:
    return table.script.turns if kind == "turns" else table.script.singles


async def _ask(table: Table, kind: Kind, asked: Request, load: Load, since: float) -> None:
    prepared = table.noop(asked) if kind == "noop" else table.moves(asked)
    status, answer = await table.connection.ask(prepared)
    if status not in (201, 204):
        raise RuntimeError(f"{kind}: {status} {answer[:300]!r} for {asked.body!r}")
    load.milliseconds.append((time.perf_counter() - since) * 1000)
    load.requests += 1
    load.moves += asked.moves
