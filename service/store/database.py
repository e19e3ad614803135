"""Connections to Postgres: as the application's role, with limits on every wait, and typed errors."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import asyncpg
from msgspec import Struct

from domain.upcasting import SCHEMA
from service.store.errors import StoreBusy, StoreError, StoreUnavailable

GONE = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.TooManyConnectionsError,
)
"""The connection, or the server behind it, cannot be used: it is dropped and another one made."""

PASSING = (
    asyncpg.TransactionRollbackError,
    asyncpg.LockNotAvailableError,
    asyncpg.InsufficientResourcesError,
)
"""The server is there but cannot do it just now: a deadlock, a lock held too long, a full disk."""


class DatabaseLimits(Struct, frozen=True, kw_only=True):
    """Limits and manners of the connections; times in seconds.

    `role` is taken on by every connection; None where the login already is the application's own user. Where all
    `connections` are in use `waiting` callers at most wait for one, and each of them for `wait_seconds`.
    """

    role: str | None = None
    connections: int = 8
    waiting: int = 1024
    wait_seconds: float = 1.0
    connect_seconds: float = 5.0
    statement_seconds: float = 5.0
    lock_seconds: float = 2.0
    idle_in_transaction_seconds: float = 10.0


async def connect(url: str, limits: DatabaseLimits, *, name: str) -> asyncpg.Connection:
    """One connection. Raises what asyncpg raises."""
    return await asyncpg.connect(url, timeout=limits.connect_seconds, **_manners(limits, name))


class Pool:
    """Connections for everything but appends; who waits for one waits neither for ever nor in any number.

    A call raises `StoreBusy` where no connection came free for it, else what the driver raises: see `reached`.
    """

    def __init__(self, pool: asyncpg.Pool, limits: DatabaseLimits) -> None:
        self._pool = pool
        self._limits = limits
        self._places = asyncio.Semaphore(limits.connections)
        self._waiting = 0

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[asyncpg.Connection]:
        """A connection for as long as the block runs."""
        await self._take_place()
        try:
            async with self._pool.acquire() as connection:
                yield connection
        finally:
            self._places.release()

    async def fetch(self, query: str, *arguments: object) -> list[Any]:
        async with self.acquire() as connection:
            rows: list[Any] = await connection.fetch(query, *arguments)
            return rows

    async def fetchrow(self, query: str, *arguments: object) -> Any:
        async with self.acquire() as connection:
            return await connection.fetchrow(query, *arguments)

    async def fetchval(self, query: str, *arguments: object) -> Any:
        async with self.acquire() as connection:
            return await connection.fetchval(query, *arguments)

    async def execute(self, query: str, *arguments: object) -> str:
        async with self.acquire() as connection:
            done: str = await connection.execute(query, *arguments)
            return done

    def terminate(self) -> None:
        """Let go of every connection at once."""
        self._pool.terminate()

    async def _take_place(self) -> None:
        if not self._places.locked():
            await self._places.acquire()
            return
        limit = self._limits.waiting
        if self._waiting >= limit:
            raise StoreBusy(limit)
        self._waiting += 1
        try:
            async with asyncio.timeout(self._limits.wait_seconds):
                await self._places.acquire()
        except TimeoutError:
            raise StoreBusy(limit) from None
        finally:
            self._waiting -= 1


async def open_pool(url: str, limits: DatabaseLimits, *, name: str) -> Pool:
    """The pool of a database. Raises `StoreUnavailable` if the address cannot be used."""
    with reached():
        pool = await asyncpg.create_pool(
            url,
            min_size=0,
            max_size=limits.connections,
            timeout=limits.connect_seconds,
            **_manners(limits, name),
        )
    return Pool(pool, limits)


def reason_of(error: BaseException) -> str:
    """What went wrong, without what the database or the driver quote: rows and arguments may be cards."""
    name = type(error).__name__
    if isinstance(error, asyncpg.PostgresError):
        return " ".join(filter(None, (name, error.sqlstate, error.constraint_name)))
    return name if isinstance(error, ValueError) else str(error) or name


@contextmanager
def reached() -> Iterator[None]:
    """Turns the driver's errors into the store's own, which do not lead back to them in the logs: see `reason_of`."""
    try:
        yield
    except (*GONE, *PASSING) as error:
        raise StoreUnavailable(f"The database does not answer: {reason_of(error)}") from None
    except (asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
        raise StoreUnavailable(f"The connection to the database was lost: {reason_of(error)}") from None
    except asyncpg.PostgresError as error:
        raise StoreError(f"The database refused: {reason_of(error)}") from None


async def drop(connection: asyncpg.Connection | None) -> None:
    """Let go of a connection in whatever state, without waiting for the other side."""
    if connection is not None and not connection.is_closed():
        connection.terminate()
        await asyncio.sleep(0)


def _manners(limits: DatabaseLimits, name: str) -> dict[str, object]:
    settings = {
        "application_name": name,
        # Whatever is stored over this connection is marked with the schema of this program's events.
        "meldhouse.event_schema": str(SCHEMA),
        "statement_timeout": f"{limits.statement_seconds * 1000:.0f}",
        "lock_timeout": f"{limits.lock_seconds * 1000:.0f}",
        "idle_in_transaction_session_timeout": f"{limits.idle_in_transaction_seconds * 1000:.0f}",
    }
    if limits.role is not None:
        settings["role"] = limits.role
    return {"command_timeout": limits.statement_seconds, "server_settings": settings}
