"""The service over loopback: recorded games played by a fast client against one worker on a real Postgres.

Client, worker and Postgres share the machine. In every round the loads take turns: an operation of the same signature
that does nothing, moves one by one, moves by turns, and single inserts on the same Postgres as pgbench would make them.
"""

import asyncio
import tempfile
from statistics import median
from typing import Final

import asyncpg
import uvloop

from service.embedded import ephemeral
from service.migrate import migrate
from tests.bench.http_server import serving
from tests.bench.inserts import Inserts
from tests.bench.load import Load, run_closed, run_open
from tests.bench.measuring import Result, summarise
from tests.bench.scripts import record
from tests.bench.tables import Table, open_tables

ROUNDS: Final = 3
SECONDS: Final = 3.0
TABLES: Final = 64
SEEDS: Final = tuple(f"{number:02x}" * 16 for number in range(4))
NOOP: Final = "no-op of the same signature"
INSERTS: Final = "single inserts, 64 connections"


def run() -> list[Result]:
    """Measure the service."""
    with tempfile.TemporaryDirectory() as state_dir, ephemeral(durable=True) as servers:
        asyncio.run(migrate(servers.database_url))
        with serving(servers.database_url, servers.redis_url or "", state_dir) as port:
            return uvloop.run(_run(port, servers.database_url))


async def _run(port: int, database_url: str) -> list[Result]:
    scripts = [record(seed) for seed in SEEDS]
    inserts = await Inserts.open(database_url, connections=64)
    noop: list[float] = []
    singles: list[Load] = []
    turns: list[Load] = []
    plain: list[float] = []
    costs: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        tables = await open_tables(port, scripts, TABLES)
        load = await run_closed(tables, "noop", SECONDS / 2)
        noop.append(load.requests / load.seconds)
        before = await _written(database_url)
        load = await run_closed(tables, "singles", SECONDS)
        after = await _written(database_url)
        costs.append(((after[0] - before[0]) / load.moves, (after[1] - before[1]) / load.moves))
        singles.append(load)
        _close(tables)
        tables = await open_tables(port, scripts, TABLES)
        turns.append(await run_closed(tables, "turns", SECONDS))
        _close(tables)
        plain.append(await inserts.rate(SECONDS / 2))
    rates = [load.moves / load.seconds for load in singles]
    paced = await _paced(port, median(rates) / 2)
    await inserts.close()
    return _results(noop, singles, turns, plain, costs, paced)


async def _paced(port: int, moves_per_second: float) -> Load:
    tables = await open_tables(port, [record(seed) for seed in SEEDS], TABLES)
    load = await run_open(tables, moves_per_second, SECONDS)
    _close(tables)
    return load


def _results(
    noop: list[float],
    singles: list[Load],
    turns: list[Load],
    plain: list[float],
    costs: list[tuple[float, float]],
    paced: Load,
) -> list[Result]:
    one_by_one = [load.moves / load.seconds for load in singles]
    by_turns = [load.moves / load.seconds for load in turns]
    share = summarise(
        "single moves as a share of the no-op", "x", [a / b for a, b in zip(one_by_one, noop, strict=True)], 0.45
    )
    return [
        summarise(NOOP, "requests/s", noop),
        summarise("single moves", "moves/s", one_by_one, 5000, NOOP, noop),
        share,
        summarise("moves by turns", "moves/s", by_turns, 8000, NOOP, noop),
        summarise(INSERTS, "inserts/s", plain),
        summarise("single moves beside single inserts", "moves/s", one_by_one, None, INSERTS, plain),
        summarise("p50 of single moves at full load", "ms", [load.percentile(0.5) for load in singles]),
        summarise("p99 of single moves at full load", "ms", [load.percentile(0.99) for load in singles]),
        summarise("p50 at half of the highest load", "ms", [paced.percentile(0.5)]),
        summarise("p99 at half of the highest load", "ms", [paced.percentile(0.99)], 15.0, low_is_good=True),
        summarise("write-ahead log per move", "bytes", [bytes_ for bytes_, _ in costs]),
        summarise("fsyncs per move", "fsyncs", [fsyncs for _, fsyncs in costs]),
    ]


async def _written(database_url: str) -> tuple[float, float]:
    """Bytes and fsyncs of the write-ahead log so far."""
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute("select pg_stat_force_next_flush()")
        bytes_ = await connection.fetchval("select wal_bytes from pg_stat_wal")
        fsyncs = await connection.fetchval("select coalesce(sum(fsyncs), 0) from pg_stat_io where object = 'wal'")
    finally:
        await connection.close()
    return float(bytes_), float(fsyncs)


def _close(tables: list[Table]) -> None:
    for table in tables:
        table.connection.close()
