"""Rows of the size of an event, each in a transaction of its own, as pgbench would insert them: a yardstick."""

import asyncio
import time
from typing import Final, Self

import asyncpg

BODY: Final = b'{"at":"2026-01-01T00:00:00.000Z","cards":["8H"],"n":1,"pad":"' + b"x" * 300 + b'","type":"discarded"}'
_TABLE: Final = "create table if not exists plain (stream text, version int, body bytea, primary key (stream, version))"
_INSERT: Final = "insert into plain (stream, version, body) values ($1, $2, $3)"


class Inserts:
    """Callers that insert row after row, each on a connection of its own."""

    def __init__(self, pool: asyncpg.Pool, connections: int) -> None:
        self._pool = pool
        self._connections = connections

    @classmethod
    async def open(cls, url: str, connections: int) -> Self:
        """Connect and make the table."""
        pool = await asyncpg.create_pool(url, min_size=connections, max_size=connections)
        await pool.execute(_TABLE)
        return cls(pool, connections)

    async def rate(self, seconds: float) -> float:
        """Rows a second, committed."""
        done = 0
        begun = time.perf_counter()

        async def insert(caller: int) -> None:
            nonlocal done
            stream = f"{time.monotonic_ns()}-{caller}"
            version = 0
            async with self._pool.acquire() as connection:
                while time.perf_counter() - begun < seconds:
                    version += 1
                    await connection.execute(_INSERT, stream, version, BODY)
                    done += 1

        await asyncio.gather(*map(insert, range(self._connections)))
        return done / (time.perf_counter() - begun)

    async def close(self) -> None:
        """Disconnect."""
        await self._pool.close()
