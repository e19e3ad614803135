"""Connections to Postgres: as the application's role, with limits on every wait, and typed errors."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
from msgspec import Struct

from service.store.errors import StoreError, StoreUnavailable

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

    `role` is taken on by every connection; None where the login already is the application's own user.
    """

    role: str | None = None
    connections: int = 8
    connect_seconds: float = 5.0
    statement_seconds: float = 5.0
    lock_seconds: float = 2.0
    idle_in_transaction_seconds: float = 10.0


async def connect(url: str, limits: DatabaseLimits, *, name: str) -> asyncpg.Connection:
    """One connection. Raises what asyncpg raises."""
    return await asyncpg.connect(url, timeout=limits.connect_seconds, **_manners(limits, name))


async def open_pool(url: str, limits: DatabaseLimits, *, name: str) -> asyncpg.Pool:
    """The pool for everything but appends. Raises `StoreUnavailable` if the database cannot be reached."""
    with reached():
        return await asyncpg.create_pool(
            url,
            min_size=0,
            max_size=limits.connections,
            timeout=limits.connect_seconds,
            **_manners(limits, name),
        )


@contextmanager
def reached() -> Iterator[None]:
    """Turns the driver's errors into the store's own."""
    try:
        yield
    except (*GONE, *PASSING) as error:
        raise StoreUnavailable(f"The database does not answer: {error or type(error).__name__}") from error
    except (asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
        raise StoreUnavailable(f"The connection to the database was lost: {error}") from error
    except asyncpg.PostgresError as error:
        raise StoreError(f"The database refused: {error}") from error


async def drop(connection: asyncpg.Connection | None) -> None:
    """Let go of a connection in whatever state, without waiting for the other side."""
    if connection is not None and not connection.is_closed():
        connection.terminate()
        await asyncio.sleep(0)


def _manners(limits: DatabaseLimits, name: str) -> dict[str, object]:
    settings = {
        "application_name": name,
        "statement_timeout": f"{limits.statement_seconds * 1000:.0f}",
        "lock_timeout": f"{limits.lock_seconds * 1000:.0f}",
        "idle_in_transaction_session_timeout": f"{limits.idle_in_transaction_seconds * 1000:.0f}",
    }
    if limits.role is not None:
        settings["role"] = limits.role
    return {"command_timeout": limits.statement_seconds, "server_settings": settings}
