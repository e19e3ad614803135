"""A store, and the log over it as one worker seals it, on a database of the test's own."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from domain.merkle import CompactRange, leaf_hash
from service.checkpoints.keys import KeyDirectory
from service.checkpoints.lines import Place, lines_after
from service.checkpoints.sealing import Sealing, Step
from service.checkpoints.signed import Checkpoint, Signed
from service.checkpoints.watching import Watch
from service.migrate import APP_ROLE
from service.store.database import DatabaseLimits
from service.store.postgres import PostgresStore, StoreLimits
from tests.contracts.event_store import fill

AS_APP = StoreLimits(database=DatabaseLimits(role=APP_ROLE, connections=4))
GUARDED = ("event", "checkpoint", "log_epoch", "log_key", "merkle_node")


class SealedStore:
    """A store and its log. Steps are taken one by one, not by the clock."""

    def __init__(self, url: str, store: PostgresStore, keys: Path) -> None:
        self.url = url
        self.store = store
        self.pool = store.pool
        self.keys = KeyDirectory(keys)
        self.sealing = self.worker()

    def worker(self, keys: Path | None = None) -> Sealing:
        """The log as another worker, or the same after a new start, has it."""
        directory = self.keys if keys is None else KeyDirectory(keys)
        return Sealing(self.pool, directory, seconds=0.001, events_max=1000)

    async def fill(self, games: int = 3, events: int = 5) -> None:
        for game in range(games):
            await fill(self.store, events, f"g_{game}")

    async def seal(self, sealing: Sealing | None = None) -> list[Step]:
        """Take steps until there is nothing to do."""
        steps = []
        while (step := await (sealing or self.sealing).step()) is not None:
            steps.append(step)
            if not step.more:
                break
        return steps

    async def lines(self) -> list[bytes]:
        return [line async for placed in lines_after(self.pool, Place()) for line in placed.lines]

    async def watched(self) -> Watch:
        """All lines, taken as an outsider takes them."""
        watch = Watch()
        for line in await self.lines():
            watch.take(line)
        return watch

    async def tamper(self, *statements: str, database: str | None = None) -> None:
        """What a superuser can do who takes every guard away."""
        connection = await asyncpg.connect(database or self.url)
        try:
            for table in GUARDED:
                await connection.execute(f"alter table {table} disable trigger all")
            await connection.execute("alter table event drop constraint if exists event_hash_holds")
            for statement in statements:
                await connection.execute(statement)
            for table in GUARDED:
                await connection.execute(f"alter table {table} enable always trigger {table}_is_append_only")
        finally:
            await connection.close()

    async def roots(self) -> tuple[list[int], list[str]]:
        """Sizes and roots by shard, from nothing but the rows of the events."""
        connection = await asyncpg.connect(self.url)
        try:
            rows = await connection.fetch("select shard, hash from event order by shard, position")
            trees = [CompactRange() for _ in range(await connection.fetchval("select shards from feed"))]
        finally:
            await connection.close()
        for row in rows:
            trees[row["shard"]].append(leaf_hash(row["hash"]))
        return [tree.size for tree in trees], [tree.root().hex() for tree in trees]


def checkpoint(line: Signed | None) -> Checkpoint:
    assert line is not None
    assert isinstance(line.body, Checkpoint)
    return line.body


def told(step: Step) -> tuple[Any, ...]:
    """What a step has announced: reason, shard and position; of a checkpoint its number."""
    body: Any = step.line.body
    return (body.number,) if isinstance(body, Checkpoint) else (body.reason, body.shard, body.position)


@pytest.fixture
async def sealed(database: str, tmp_path: Path) -> AsyncIterator[SealedStore]:
    store = await PostgresStore.open(database, AS_APP)
    yield SealedStore(database, store, tmp_path / "keys")
    await store.close()
