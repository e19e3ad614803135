"""Setting the database up."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from service.migrate import APP_ROLE, MIGRATIONS, MigrationError, make_ready, migrate, renew_epoch
from service.store.errors import CursorOutdated, StoreError, StoreUnavailable
from service.store.postgres import PostgresStore
from tests.contracts.event_store import fill
from tests.service.store.conftest import on_new_database

FILES = tuple(sorted(path.stem for path in MIGRATIONS.glob("*.sql")))


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MIGRATIONS, tmp_path / "migrations"))


async def test_starts_at_the_same_time_migrate_once(empty_database: str) -> None:
    runs = await asyncio.gather(*(migrate(empty_database) for _ in range(6)))
    assert sorted(run.applied for run in runs) == [()] * 5 + [FILES]
    assert len({run.epoch for run in runs}) == 1


async def test_migrating_again_does_nothing(empty_database: str) -> None:
    first = await migrate(empty_database)
    again = await migrate(empty_database)
    assert (again.applied, again.epoch) == ((), first.epoch)


async def test_an_edited_migration_is_refused(empty_database: str, directory: Path) -> None:
    await migrate(empty_database, directory=directory)
    path = directory / f"{FILES[0]}.sql"
    path.write_text(path.read_text() + "\n-- edited\n")
    with pytest.raises(MigrationError, match=f"{FILES[0]} was edited"):
        await migrate(empty_database, directory=directory)


async def test_a_new_migration_is_applied_to_a_database_in_use(empty_database: str, directory: Path) -> None:
    await migrate(empty_database, directory=directory)
    (directory / "0999_later.sql").write_text(
        f"-- Later\n-- depends: {FILES[-1]}\n-- migrate: apply\ncreate table later (n integer);\n-- migrate: rollback\n"
    )
    assert (await migrate(empty_database, directory=directory)).applied == ("0999_later",)
    with pytest.raises(MigrationError, match="0999_later, which this program does not know"):
        await migrate(empty_database)


async def test_a_failing_migration_leaves_no_trace_and_says_why(empty_database: str, directory: Path) -> None:
    (directory / "0999_broken.sql").write_text(
        f"-- Broken\n-- depends: {FILES[-1]}\n-- migrate: apply\ncreate table half (n integer);\n"
        "create table half (n integer);\n-- migrate: rollback\n"
    )
    with pytest.raises(MigrationError, match='0999_broken: relation "half" already exists'):
        await migrate(empty_database, directory=directory)
    (directory / "0999_broken.sql").unlink()
    assert (await migrate(empty_database, directory=directory)).applied == ()


async def test_the_number_of_shards_is_fixed_at_the_first_start(empty_database: str) -> None:
    await migrate(empty_database, shards=4)
    with pytest.raises(MigrationError, match="4 shards, which cannot be changed to 16"):
        await migrate(empty_database)


async def test_a_start_waits_for_another_only_so_long(empty_database: str) -> None:
    other = await asyncpg.connect(empty_database)
    await other.execute("select pg_advisory_lock(1835363428)")
    with pytest.raises(MigrationError, match="Another start"):
        await migrate(empty_database, wait_seconds=1)
    await other.close()
    await migrate(empty_database, wait_seconds=1)


@asynccontextmanager
async def owned(postgres_url: str, rights: str, *roles: str) -> AsyncIterator[tuple[str, asyncpg.Connection]]:
    """A new database, owned by a login with these rights, and a superuser there; these roles are dropped as well."""
    async with on_new_database(postgres_url) as (url, admin):
        await admin.execute(f"create role landlord login password 'x' {rights}")
        try:
            await admin.execute(f"alter database {url.name} owner to landlord")
            yield url.as_user("landlord", "x"), admin
        finally:
            await admin.execute(f"drop database {url.name} with (force)")
            await admin.execute(f"drop role {', '.join((*roles, 'landlord'))}")


async def test_an_owner_without_the_right_to_make_roles_is_told_what_to_do(postgres_url: str) -> None:
    async with owned(postgres_url, "nocreaterole") as (owner, _):
        with pytest.raises(MigrationError, match="create role no_such_role"):
            await migrate(owner, role="no_such_role")
        await migrate(owner, role=None)
        store = await PostgresStore.open(owner)
        await fill(store, 2)
        await store.close()


async def test_an_owner_who_may_make_roles_needs_not_be_a_superuser(postgres_url: str) -> None:
    async with owned(postgres_url, "createrole", "tenant_app") as (owner, _):
        await migrate(owner, role="tenant_app", role_password='it\'s "odd"')
        connection = await asyncpg.connect(owner, server_settings={"role": "tenant_app"})
        assert await connection.fetchval("select current_user") == "tenant_app"
        await connection.close()
        direct = await asyncpg.connect(owner, user="tenant_app", password='it\'s "odd"')
        assert await direct.fetchval("select count(*) from event") == 0
        await direct.close()


async def test_a_role_that_somebody_else_made_serves_an_owner_who_may_not_take_it_on(postgres_url: str) -> None:
    async with owned(postgres_url, "createrole", "tenant_app") as (owner, admin):
        await admin.execute("create role tenant_app login password 'y'")
        for _ in range(2):
            await migrate(owner, role="tenant_app")
        direct = await asyncpg.connect(owner, user="tenant_app", password="y")
        assert await direct.fetchval("select count(*) from event") == 0
        await direct.close()


async def test_a_start_with_the_application_login_only_looks(postgres_url: str) -> None:
    async with on_new_database(postgres_url) as (url, admin):
        await migrate(url)
        await admin.execute(f"create role clerk login noinherit password 'x' in role {APP_ROLE}")
        clerk = url.as_user("clerk", "x")
        try:
            await make_ready(clerk)
            with pytest.raises(MigrationError, match=r"permission denied .*; run `meldhouse migrate` with the owner's"):
                await migrate(clerk)
            with pytest.raises(MigrationError, match="run `meldhouse migrate` with the owner's login"):
                await make_ready(clerk, role=None)
            owner = await asyncpg.connect(url)
            await owner.execute("delete from _pogo_migration where migration_id = $1", FILES[-1])
            with pytest.raises(MigrationError, match=f"lacks the migrations {FILES[-1]}: run `meldhouse migrate`"):
                await make_ready(clerk)
            await owner.execute("update migration_checksum set sha256 = 'x' where id = $1", FILES[0])
            with pytest.raises(MigrationError, match=f"{FILES[0]} was edited"):
                await make_ready(clerk)
            await owner.close()
        finally:
            await admin.execute("drop role clerk")


async def test_a_start_with_the_owners_login_migrates(empty_database: str) -> None:
    await make_ready(empty_database)
    assert (await migrate(empty_database)).applied == ()


async def test_a_database_that_is_not_there_is_told(postgres_url: str) -> None:
    with pytest.raises(MigrationError, match="cannot be reached"):
        await migrate("postgresql://nobody@127.0.0.1:1/nothing")


async def test_a_store_on_an_empty_database_says_that_it_is_not_set_up(empty_database: str) -> None:
    with pytest.raises(StoreError, match="migrate"):
        await PostgresStore.open(empty_database)
    with pytest.raises(StoreUnavailable):
        await PostgresStore.open("postgresql://nobody@127.0.0.1:1/nothing")


async def test_cursors_from_before_a_new_epoch_are_outdated(store_url: str, postgres_store: PostgresStore) -> None:
    await fill(postgres_store, 2)
    cursor = (await postgres_store.read_feed()).cursor
    await renew_epoch(store_url)
    with pytest.raises(CursorOutdated):
        await postgres_store.read_feed(cursor)
    assert len((await postgres_store.read_feed()).events) == 2
