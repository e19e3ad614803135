"""Claims and the erasure of who makes them: nothing is bound for a person who is gone, and nothing stays."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import asyncpg
import pytest

from service.players import Birth, Players
from service.principals import Principals
from service.store.errors import ActorErased
from service.store.postgres import PostgresStore
from tests.contracts.event_store import digest

ASKED = digest("request")


@pytest.fixture
def players(postgres_store: PostgresStore) -> Players:
    return Players(postgres_store.pool, Principals(postgres_store.pool))


@pytest.fixture
async def anna(players: Players) -> str:
    birth = Birth("p" + secrets.token_hex(10), "t" + secrets.token_hex(10), bytes(32), datetime.now(UTC))
    return (await players.create_guest("Anna", birth, b""))[0].id


@pytest.fixture
async def owner(store_url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(store_url)
    yield connection
    await connection.close()


async def claims_of(store: PostgresStore, actor: str) -> int:
    found: int = await store.pool.fetchval("select count(*) from claim where actor = $1", actor)
    return found


async def test_nothing_is_claimed_for_who_is_erased(postgres_store: PostgresStore, players: Players, anna: str) -> None:
    assert await postgres_store.claim("games", anna, "k", ASKED, b"g_1") == b"g_1"
    assert await players.erase(anna)
    for key in ("k", "another"):
        with pytest.raises(ActorErased):
            await postgres_store.claim("games", anna, key, ASKED, b"g_2")
    assert await claims_of(postgres_store, anna) == 0


async def test_a_claim_waits_for_an_erasure_that_is_under_way(
    postgres_store: PostgresStore, owner: asyncpg.Connection, anna: str
) -> None:
    async with owner.transaction():
        await owner.execute("update player set name = null, erased_at = now() where id = $1", anna)
        await owner.execute("delete from claim where actor = $1", anna)
        claiming = asyncio.create_task(postgres_store.claim("games", anna, "k", ASKED, b"g_1"))
        async with asyncio.timeout(30):
            while not claiming.done() and not await owner.fetchval("select count(*) from pg_locks where not granted"):
                await asyncio.sleep(0.01)
    with pytest.raises(ActorErased):
        await claiming
    assert await claims_of(postgres_store, anna) == 0


async def test_claims_and_an_erasure_at_once_leave_no_row(postgres_store: PostgresStore, players: Players) -> None:
    async def claim(actor: str, number: int) -> Any:
        await asyncio.sleep(number * 0.0005)
        return await postgres_store.claim("games", actor, f"k{number % 6}", ASKED, b"g_%d" % (number % 6))

    for _ in range(25):
        birth = Birth("p" + secrets.token_hex(10), "t" + secrets.token_hex(10), bytes(32), datetime.now(UTC))
        actor = (await players.create_guest("Anna", birth, b""))[0].id
        done = await asyncio.gather(
            *(claim(actor, number) for number in range(12)), players.erase(actor), return_exceptions=True
        )
        assert [each for each in done if isinstance(each, Exception) and not isinstance(each, ActorErased)] == []
        assert await claims_of(postgres_store, actor) == 0


async def test_a_claim_that_goes_before_it_is_read_is_made_again(
    postgres_store: PostgresStore, owner: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first key of a guest goes with them, though its actor is nobody (`service.players`)."""
    assert await postgres_store.claim("createPlayer", "nobody", "k", ASKED, b"first") == b"first"
    fetch = postgres_store.pool.fetchrow
    emptied: list[str] = []

    async def fetchrow(query: str, *given: object) -> Any:
        if "from claim" in query and not emptied:
            emptied.append(await owner.execute("delete from claim"))
        return await fetch(query, *given)

    monkeypatch.setattr(type(postgres_store.pool), "fetchrow", staticmethod(fetchrow))
    assert await postgres_store.claim("createPlayer", "nobody", "k", ASKED, b"second") == b"second"
    assert emptied == ["DELETE 1"]
