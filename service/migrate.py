"""Sets the database up: applies the plain SQL of `migrations/`, then the feed, the role and its rights.

The files are applied by pogo-core over asyncpg, each in a transaction of its own. What it lacks is here: only one
start migrates at a time, and a file that was edited after it was applied is refused.
"""

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import asyncpg
import structlog
from msgspec import Struct
from pogo_core.error import BadMigrationError
from pogo_core.util import migrate as pogo
from pogo_core.util import sql as pogo_sql

log = structlog.get_logger(__name__)

quiet = logging.getLogger("service.migrate.pogo")
"""pogo tells each file as a warning; it is news, and told here."""
quiet.setLevel(logging.ERROR)

MIGRATIONS = Path(__file__).resolve().parent.parent / "migrations"

APP_ROLE = "meldhouse_app"

OLDEST_POSTGRES = 15

LOCK_KEY = 0x6D656C64
"""Advisory lock of the migration, the letters "meld"."""

RIGHTS: dict[str, tuple[str, ...]] = {
    "select": ("feed", "migration_checksum", "_pogo_migration", "rating_model"),
    "select, insert": (
        "event",
        "fork",
        "beacon_round",
        "log_key",
        "log_epoch",
        "checkpoint",
        "merkle_node",
        "rated_result",
    ),
    "select, insert, delete": ("claim", "rating_held"),
    "select, update": ("shard",),
    "select, insert, update": (
        "player",
        "game",
        "nonce",
        "witness_cursor",
        "tournament",
        "tournament_game",
        "tournament_text",
        "feed_cursor",
        "board_set",
        "rating_pool",
        "rating_cursor",
    ),
    "select, insert, update, delete": (
        "token",
        "seat",
        "secret",
        "deadline",
        "tournament_player",
        "rating",
        "rating_change",
    ),
}
"""What the application's role may do, and nothing else. Above all: an event can be read and added."""

OWNERS_TASK = "run `meldhouse migrate` with the owner's login"

MAY_MIGRATE = """
select case when feed is null then has_schema_privilege('public', 'create')
    else (select pg_has_role(relowner, 'usage') from pg_class where oid = feed) end
from to_regclass('public.feed') as feed
"""
"""Who owns the tables may change them; where there are none yet, whoever may make some."""

CHECKSUMS = """
create table if not exists migration_checksum (
    id text collate "C" primary key,
    sha256 text not null
)
"""


class MigrationError(Exception):
    """The database could not be set up; the message says why and what to do."""


class Migrated(Struct, frozen=True):
    """What a run did: the ids of the files it applied, in order, and the life of the feed."""

    applied: tuple[str, ...]
    epoch: str


async def migrate(
    url: str,
    *,
    role: str | None = APP_ROLE,
    role_password: str | None = None,
    shards: int = 16,
    directory: Path = MIGRATIONS,
    wait_seconds: float = 60.0,
) -> Migrated:
    """Bring the database of `url` up to date; nothing happens if it is. `url` is for its owner or a superuser.

    `role` is made if it is missing, gets exactly `RIGHTS`, and with `role_password` may log in. None leaves roles
    alone, for a database whose owner may not make any: then the service works as the owner, and of the two guards of
    the event log only the triggers hold. `shards` counts only when the feed is set up first. Raises `MigrationError`.
    """
    with _explained():
        connection = await asyncpg.connect(url, timeout=wait_seconds)
    try:
        with _explained():
            await _check_version(connection)
            await _lock(connection, wait_seconds)
            applied = await _apply(connection, directory)
            epoch = await _set_up_feed(connection, shards)
            if role is not None:
                await _set_up_role(connection, role, role_password)
    finally:
        connection.terminate()
    return Migrated(applied, epoch)


async def make_ready(url: str, *, role: str | None = APP_ROLE) -> None:
    """What a start of the service needs: `migrate` if the login may, else a look whether somebody has done it.

    In production the service's own login is no owner. Raises `MigrationError` if the database is not up to date and
    this login cannot change that.
    """
    with _explained():
        connection = await asyncpg.connect(url)
        try:
            may_migrate = await connection.fetchval(MAY_MIGRATE)
            if not may_migrate:
                await _check_current(connection, role)
        finally:
            connection.terminate()
    if may_migrate:
        await migrate(url, role=role)


async def _check_current(connection: asyncpg.Connection, role: str | None) -> None:
    if role is not None:
        await connection.execute(f"set role {await connection.fetchval('select quote_ident($1)', role)}")
    try:
        applied = await pogo_sql.get_applied_migrations(connection, schema_name="public")
        known = await _known_checksums(connection)
    except (asyncpg.UndefinedTableError, asyncpg.InsufficientPrivilegeError) as error:
        raise MigrationError(f"The database is not set up for this program: {OWNERS_TASK}.") from error
    found = await asyncio.to_thread(_checksums, MIGRATIONS)
    _check_applied(applied, known, found)
    missing = sorted(found.keys() - applied)
    if missing:
        raise MigrationError(f"The database lacks the migrations {', '.join(missing)}: {OWNERS_TASK}.")


async def renew_epoch(url: str) -> str:
    """Begin a new life of the feed, after a restore or a failover that lost something: old cursors are told so."""
    epoch = _new_epoch()
    with _explained():
        connection = await asyncpg.connect(url)
    try:
        with _explained():
            await connection.execute("update feed set epoch = $1", epoch)
    finally:
        connection.terminate()
    return epoch


async def _check_version(connection: asyncpg.Connection) -> None:
    major = connection.get_server_version().major
    if major < OLDEST_POSTGRES:
        raise MigrationError(f"Postgres {major} is too old: {OLDEST_POSTGRES} or newer is needed.")


async def _lock(connection: asyncpg.Connection, wait_seconds: float) -> None:
    """Held until the connection ends."""
    await connection.execute("select set_config('lock_timeout', $1, false)", f"{wait_seconds:.0f}s")
    try:
        await connection.execute("select pg_advisory_lock($1)", LOCK_KEY)
    except asyncpg.LockNotAvailableError as error:
        raise MigrationError(
            f"Another start has been migrating this database for {wait_seconds:.0f} seconds; try again."
        ) from error


async def _apply(connection: asyncpg.Connection, directory: Path) -> tuple[str, ...]:
    found = await asyncio.to_thread(_checksums, directory)
    if not found:
        raise MigrationError(f"There are no migrations in {directory}.")
    await pogo_sql.ensure_pogo_sync(connection)
    await connection.execute(CHECKSUMS)
    before = await pogo_sql.get_applied_migrations(connection, schema_name="public")
    _check_applied(before, await _known_checksums(connection), found)
    pending = sorted(found.keys() - before)
    # Noted before they are applied: a crash in between leaves a note too many, never one too few.
    await connection.executemany(
        "insert into migration_checksum values ($1, $2) on conflict (id) do update set sha256 = excluded.sha256",
        [(name, found[name]) for name in pending],
    )
    await pogo.apply(connection, directory, schema_name="public", logger=quiet)
    if pending:
        log.info("migrated", files=pending)
    return tuple(pending)


def _check_applied(applied: set[str], known: dict[str, str], found: dict[str, str]) -> None:
    """Refuse a database that has other migrations than the files."""
    for name in sorted(applied):
        if name not in found:
            raise MigrationError(
                f"The database has the migration {name}, which this program does not know: it is newer."
            )
        if known.get(name) != found[name]:
            raise MigrationError(
                f"The migration {name} was edited after it had been applied: restore it and add a new one."
            )


async def _known_checksums(connection: asyncpg.Connection) -> dict[str, str]:
    return dict(await connection.fetch("select id, sha256 from migration_checksum"))


def _checksums(directory: Path) -> dict[str, str]:
    return {path.stem: hashlib.sha256(path.read_bytes()).hexdigest() for path in directory.glob("*.sql")}


async def _set_up_feed(connection: asyncpg.Connection, shards: int) -> str:
    async with connection.transaction():
        feed = await connection.fetchrow("select epoch, shards from feed")
        if feed is None:
            epoch = _new_epoch()
            await connection.execute("insert into feed (epoch, shards) values ($1, $2)", epoch, shards)
            await connection.execute("insert into shard (shard) select generate_series(0, $1 - 1)", shards)
            return epoch
    if feed["shards"] != shards:
        raise MigrationError(f"The feed was set up with {feed['shards']} shards, which cannot be changed to {shards}.")
    known: str = feed["epoch"]
    return known


async def _set_up_role(connection: asyncpg.Connection, role: str, password: str | None) -> None:
    name = await connection.fetchval("select quote_ident($1)", role)
    if not await connection.fetchval("select exists (select from pg_roles where rolname = $1)", role):
        await _make_role(connection, role, name)
    if password is not None:
        login = await connection.fetchval(
            "select format('alter role %I login password %L', $1::text, $2::text)", role, password
        )
        await connection.execute(login)
    # From 16 on, whoever made a role is a member but may not take it on before granting that to himself.
    needed = "set" if connection.get_server_version().major >= 16 else "member"
    if not await connection.fetchval("select pg_has_role(current_user, $1, $2)", role, needed):
        # Where another database's owner made the role, this one may do without: the service has a login of its own.
        with suppress(asyncpg.InsufficientPrivilegeError):
            await connection.execute(f"grant {name} to current_user")
    async with connection.transaction():
        await connection.execute(f"grant usage on schema public to {name}")
        await connection.execute(f"revoke all on all tables in schema public from {name}")
        for rights, tables in RIGHTS.items():
            await connection.execute(f"grant {rights} on {', '.join(tables)} to {name}")


async def _make_role(connection: asyncpg.Connection, role: str, name: str) -> None:
    """Roles belong to the whole server, so the start of another database may make the same one meanwhile."""
    try:
        await connection.execute(f"create role {name} nologin")
    except (asyncpg.DuplicateObjectError, asyncpg.UniqueViolationError):
        return
    except asyncpg.InsufficientPrivilegeError as error:
        raise MigrationError(
            f"The database user may not make the role {role}: have it made by `create role {role}; "
            f"grant {role} to` the database user, or set the role to none to work as the owner."
        ) from error


def _new_epoch() -> str:
    return secrets.token_hex(8)


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except BadMigrationError as error:
        raise MigrationError(f"{error}: {error.__cause__ or 'the file is malformed'}") from error
    except (OSError, asyncpg.InterfaceError) as error:
        raise MigrationError(f"The database cannot be reached: {error or type(error).__name__}") from error
    except asyncpg.InsufficientPrivilegeError as error:
        raise MigrationError(f"The database refused: {error}; {OWNERS_TASK}.") from error
    except asyncpg.PostgresError as error:
        raise MigrationError(f"The database refused: {error}") from error
