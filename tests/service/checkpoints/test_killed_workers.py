"""Workers killed while they seal: the log goes on where it was, in the same epoch."""

import asyncio
import os
import random
import signal
from pathlib import Path

import asyncpg
import httpx

from domain.merkle import CompactRange, leaf_hash
from service.checkpoints.lines import Place, lines_after
from service.checkpoints.signed import Checkpoint
from service.checkpoints.watching import Watch
from tests.service.campaign.processes import workers
from tests.service.cli.serving import serving, stopped
from tests.service.http.tables import Table

KILLS = 5
SECONDS_MAX = 60.0


async def play_on(url: str, done: asyncio.Event) -> None:
    """Open tables until it is over, whatever the service answers meanwhile."""
    while not done.is_set():
        try:
            async with httpx.AsyncClient(base_url=url, timeout=20) as client:
                table = await Table.of(client, 2)
                await table.start()
                await table.play(5)
        except (httpx.HTTPError, AssertionError, KeyError):
            await asyncio.sleep(0.02)


async def sealed_more(database: str) -> None:
    """Wait until some more checkpoints have been signed."""
    connection = await asyncpg.connect(database)
    try:
        newest = "select coalesce(max(number), 0) from checkpoint"
        before = await connection.fetchval(newest)
        async with asyncio.timeout(SECONDS_MAX):
            while await connection.fetchval(newest) < before + 5:
                await asyncio.sleep(0.01)
    finally:
        await connection.close()


async def log_of(database: str) -> tuple[Watch, list[str], bool]:
    """The lines as an outsider takes them, the roots of the rows by shard, whether everything is sealed."""
    connection = await asyncpg.connect(database)
    try:
        async with connection.transaction(isolation="repeatable_read"):
            watch = Watch()
            async for placed in lines_after(connection, Place()):
                for line in placed.lines:
                    watch.take(line)
            trees = [CompactRange() for _ in range(await connection.fetchval("select shards from feed"))]
            for row in await connection.fetch("select shard, hash from event order by shard, position"):
                trees[row["shard"]].append(leaf_hash(row["hash"]))
    finally:
        await connection.close()
    body = None if watch.last is None else watch.last.body
    sealed = isinstance(body, Checkpoint) and body.sizes == tuple(tree.size for tree in trees)
    return watch, [tree.root().hex() for tree in trees], sealed


async def test_workers_killed_at_any_moment_leave_one_unbroken_log(
    database: str, redis_url: str, tmp_path: Path
) -> None:
    chance = random.Random(7)
    with serving(
        DATABASE_URL=database, REDIS_URL=redis_url, MELDHOUSE_WORKERS="2", MELDHOUSE_STATE_DIR=str(tmp_path),
        MELDHOUSE_CHECKPOINT_SECONDS="0.005", MELDHOUSE_WITNESS_FILE=str(tmp_path / "kept.jsonl"),
        MELDHOUSE_LOG_LEVEL="error",
    ) as service:  # fmt: skip
        done = asyncio.Event()
        playing = [asyncio.create_task(play_on(service.url, done)) for _ in range(3)]
        for _ in range(KILLS):
            await sealed_more(database)
            await asyncio.sleep(chance.random() / 10)
            os.kill(chance.choice(workers(service.process.pid)), signal.SIGKILL)
        done.set()
        await asyncio.gather(*playing)
        async with asyncio.timeout(SECONDS_MAX):
            while True:
                watch, roots, sealed = await log_of(database)
                if sealed:
                    break
                await asyncio.sleep(0.1)
        await asyncio.sleep(1.2)
        assert await asyncio.to_thread(stopped, service) == 0
    assert watch.last is not None
    body = watch.last.body
    assert isinstance(body, Checkpoint)
    assert list(body.roots) == roots
    # Nothing was announced: a killed worker is no trouble of the log.
    assert body.epoch == 1
    assert body.number > KILLS
    kept = Watch()
    for line in (tmp_path / "kept.jsonl").read_bytes().splitlines():
        assert kept.take(line) is not None
    assert kept.last == watch.last
