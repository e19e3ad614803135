"""The database itself keeps the event log append-only, whoever asks."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from service.migrate import APP_ROLE
from service.store.postgres import PostgresStore
from tests.contracts.event_store import assert_chained, fill

REWRITING = (
    "update event set body = 'x'",
    "update event set answer = null where version = 1",
    "delete from event",
    "delete from event where version = 1",
    "truncate event",
    "truncate event cascade",
    "with gone as (delete from event returning 1) select * from gone",
    "merge into event using (values (1)) v (n) on event.version = v.n when matched then delete",
    "insert into event select * from event on conflict (stream, version) do update set body = 'x'",
)

ONLY_FOR_THE_OWNER = (
    "alter table event disable trigger event_is_append_only",
    "alter table event disable trigger all",
    "drop trigger event_is_append_only on event",
    "alter table event drop constraint event_hash_holds",
    "drop table event",
    "alter table event rename to former",
    "create rule hidden as on insert to event do instead nothing",
    "create trigger mine before insert on event for each row execute function refuse_rewriting()",
    "create or replace function refuse_rewriting() returns trigger language plpgsql as 'begin return new; end'",
    "set session_replication_role = replica",
    "select 1 from event for update",
    "do $$ begin lock table event in exclusive mode; end $$",
    "create table elsewhere (n integer)",
    "copy event from program 'true'",
    "update feed set epoch = 'x'",
    "update migration_checksum set sha256 = 'x'",
    "delete from _pogo_migration",
    "delete from shard",
    "delete from player",
    "update claim set value = 'x'",
    f"alter role {APP_ROLE} superuser",
    "set role postgres",
)


@pytest.fixture
async def owner(store_url: str, postgres_store: PostgresStore) -> AsyncIterator[asyncpg.Connection]:
    await fill(postgres_store, 3)
    connection = await asyncpg.connect(store_url)
    yield connection
    await connection.close()


@pytest.fixture
async def app(store_url: str, owner: asyncpg.Connection) -> AsyncIterator[asyncpg.Connection]:
    """A login that is a member of the application's role and nothing else, as in production."""
    await owner.execute(f"alter role {APP_ROLE} login password 'app'")
    connection = await asyncpg.connect(store_url, user=APP_ROLE, password="app")
    yield connection
    await connection.close()
    await owner.execute(f"alter role {APP_ROLE} nologin password null")


@pytest.mark.parametrize("statement", [*REWRITING, *ONLY_FOR_THE_OWNER])
async def test_the_application_may_not(app: asyncpg.Connection, postgres_store: PostgresStore, statement: str) -> None:
    before = await postgres_store.read("g_contract")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await app.execute(statement)
    assert await postgres_store.read("g_contract") == before


@pytest.mark.parametrize("replication_role", ["origin", "replica"])
@pytest.mark.parametrize("statement", REWRITING)
async def test_not_even_a_superuser_may_rewrite(
    owner: asyncpg.Connection, postgres_store: PostgresStore, statement: str, replication_role: str
) -> None:
    await owner.execute(f"set session_replication_role = {replication_role}")
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append-only"):
        await owner.execute(statement)
    assert_chained("g_contract", await postgres_store.read("g_contract"))


async def test_the_application_has_no_other_rights_on_events(owner: asyncpg.Connection) -> None:
    """Apart from what the triggers forbid: one guard must hold without the other."""
    rights = await owner.fetchval(
        "select array_agg(privilege_type::text order by privilege_type) from information_schema.role_table_grants"
        " where grantee = $1 and table_name = 'event'",
        APP_ROLE,
    )
    assert rights == ["INSERT", "SELECT"]


async def test_an_event_whose_hash_is_wrong_is_refused_by_the_database(app: asyncpg.Connection) -> None:
    with pytest.raises(asyncpg.CheckViolationError, match="event_hash_holds"):
        await app.execute(
            "insert into event (stream, version, shard, position, type, body, prev_hash, hash, actor)"
            " select 'g_forged', 1, 0, 1000, 'moved', 'other', prev_hash, hash, 'p' from event where version = 1"
        )


async def test_the_application_may_read_and_add(app: asyncpg.Connection) -> None:
    assert await app.fetchval("select count(*) from event") == 3
    await app.execute(
        "insert into event (stream, version, shard, position, type, body, prev_hash, hash, actor)"
        " select 'g_added', 1, 0, 1000, 'moved', body, prev_hash, hash, 'p' from event where version = 1"
    )


async def test_nobody_else_may_read_a_secret(owner: asyncpg.Connection, store_url: str) -> None:
    await owner.execute("create role stranger login password 'stranger'")
    stranger = await asyncpg.connect(store_url, user="stranger", password="stranger")
    try:
        for table in ("secret", "event", "token"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await stranger.execute(f"select * from {table}")
    finally:
        await stranger.close()
        await owner.execute("drop role stranger")
