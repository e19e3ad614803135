"""Players, tokens and snapshots."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256

import msgspec
import pytest

from service.store.accounts import Accounts, Bearer, Player, Token
from service.store.postgres import PostgresStore
from service.store.snapshots import Snapshot, Snapshots
from tests.contracts.event_store import STREAM, digest, fill

NOW = datetime(2026, 11, 30, tzinfo=UTC)
FAR = datetime(2126, 11, 30, tzinfo=UTC)
ANNA = Player(id="p_anna", name="Anna", kind="guest", created_at=NOW)
FIRST = Token(id="t_1", player="p_anna", scopes=["play", "watch"], created_at=NOW)


def hashed(secret: str) -> bytes:
    return sha256(secret.encode()).digest()


@pytest.fixture
async def accounts(postgres_store: PostgresStore) -> Accounts:
    accounts = Accounts(postgres_store.pool)
    await accounts.add_player(ANNA, hashed("one"), FIRST)
    return accounts


async def test_a_token_speaks_for_its_player(accounts: Accounts) -> None:
    assert await accounts.bearer(hashed("one")) == Bearer(
        token="t_1",
        player="p_anna",
        kind="guest",
        name="Anna",
        scopes=frozenset({"play", "watch"}),
        game=None,
        seat=None,
        tournament=None,
        expires_at=None,
    )
    assert await accounts.bearer(hashed("guess")) is None


async def test_an_expired_or_revoked_token_speaks_for_nobody(accounts: Accounts) -> None:
    expired = msgspec.structs.replace(FIRST, id="t_2", expires_at=NOW - timedelta(days=3650))
    lasting = msgspec.structs.replace(FIRST, id="t_3", expires_at=FAR, game="g_1", seat=2)
    await accounts.add_token(hashed("two"), expired)
    await accounts.add_token(hashed("three"), lasting)
    assert await accounts.bearer(hashed("two")) is None
    bearer = await accounts.bearer(hashed("three"))
    assert bearer is not None
    assert (bearer.game, bearer.seat, bearer.expires_at) == ("g_1", 2, FAR)
    assert not await accounts.revoke_token("p_ben", "t_3")
    assert await accounts.revoke_token("p_anna", "t_3")
    assert not await accounts.revoke_token("p_anna", "t_3")
    assert await accounts.bearer(hashed("three")) is None


async def test_tokens_are_listed_newest_first_and_go_on(accounts: Accounts) -> None:
    for number in range(2, 6):
        token = msgspec.structs.replace(FIRST, id=f"t_{number}", created_at=NOW + timedelta(seconds=number // 2))
        await accounts.add_token(hashed(f"secret {number}"), token)
    page = await accounts.tokens("p_anna", None, 3)
    rest = await accounts.tokens("p_anna", (page[-1].created_at, page[-1].id), 3)
    assert [token.id for token in page + rest] == ["t_5", "t_4", "t_3", "t_2", "t_1"]
    assert rest[-1] == FIRST


async def test_an_erased_person_has_no_name_and_no_token_but_keeps_the_id(accounts: Accounts) -> None:
    assert await accounts.rename("p_anna", "Anja")
    assert await accounts.names(["p_anna", "p_none"]) == {"p_anna": "Anja"}
    await accounts.erase("p_anna")
    player = await accounts.player("p_anna")
    assert player is not None
    assert player.name is None
    assert player.erased_at is not None
    assert await accounts.bearer(hashed("one")) is None
    assert not await accounts.rename("p_anna", "Back")
    assert await accounts.player("p_none") is None


async def test_a_snapshot_of_another_history_or_format_is_not_handed_out(postgres_store: PostgresStore) -> None:
    snapshots = Snapshots(postgres_store.pool)
    head = await fill(postgres_store, 5)
    at_5 = Snapshot(STREAM, 5, head.hash, "state/1", b"\x00five")
    await snapshots.save(at_5)
    assert await snapshots.load(STREAM, "state/1") == at_5
    assert await snapshots.load(STREAM, "state/2") is None
    assert await snapshots.load("g_other", "state/1") is None
    await snapshots.save(Snapshot(STREAM, 4, digest("older"), "state/1", b"older"))
    assert await snapshots.load(STREAM, "state/1") == at_5
    await snapshots.save(Snapshot(STREAM, 6, digest("elsewhere"), "state/1", b"wrong"))
    assert await snapshots.load(STREAM, "state/1") is None
