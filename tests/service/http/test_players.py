import asyncio

import httpx
import pytest

from service.running import Service
from tests.service.http.tables import guest, problem


async def test_a_guest_needs_only_a_name(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/players", json={"name": "Ada Lovelace"})
    assert answer.status_code == 201
    made = answer.json()
    assert made["player"]["name"] == "Ada Lovelace"
    assert made["player"]["kind"] == "guest"
    me = await client.get("/v1/me", headers={"Authorization": f"Bearer {made['token']}"})
    assert me.json() | made["player"] == me.json()


async def test_a_guest_is_made_once_for_a_key(client: httpx.AsyncClient, service: Service) -> None:
    key = {"Idempotency-Key": "0f4c1f5e-3a55-4c5e-9d1c-2b8f6c0a9e52"}
    answers = await asyncio.gather(*(client.post("/v1/players", json={"name": "Ada"}, headers=key) for _ in range(5)))
    assert {(answer.status_code, answer.content) for answer in answers} == {(201, answers[0].content)}
    assert await service.store.pool.fetchval("select count(*) from player") == 1
    made = answers[0].json()
    me = await client.get("/v1/me", headers={"Authorization": f"Bearer {made['token']}"})
    assert me.json() | made["player"] == me.json()
    problem(await client.post("/v1/players", json={"name": "Bob"}, headers=key), "idempotency_key_reused")
    kept = await service.store.pool.fetch("select c::text || encode(c.value, 'escape') as row from claim c")
    assert len(kept) == 1
    for secret in (made["token"], key["Idempotency-Key"]):
        assert secret not in kept[0]["row"]
    await service.store.pool.execute("update token set revoked_at = now()")
    again = await client.post("/v1/players", json={"name": "Ada"}, headers=key)
    assert again.content == answers[0].content
    assert await service.store.pool.fetchval("select count(*) from token where revoked_at is null") == 0


async def test_a_guests_key_must_be_hard_to_guess(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/players", json={"name": "Ada"}, headers={"Idempotency-Key": "x" * 15})
    assert problem(answer, "invalid_parameter")["params"]["name"] == "Idempotency-Key"


async def test_answers_about_a_player_are_not_to_be_kept(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/me", headers=await guest(client))
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "name", ["", " Ada", "Ada ", "A\x00da", "A\nda", "A\u202eda", "A\u200bda", "x" * 41, "\ufeff", " "]
)
async def test_a_name_has_no_invisible_characters_and_no_loose_ends(client: httpx.AsyncClient, name: str) -> None:
    assert problem(await client.post("/v1/players", json={"name": name}), "invalid_body")["params"]["at"] == ".name"


@pytest.mark.parametrize("name", ["Ада", "阿达", "Ada 🎴", "O'Neill <b>", "x" * 40])
async def test_a_name_may_be_in_any_script(client: httpx.AsyncClient, name: str) -> None:
    headers = await guest(client, name)
    assert (await client.get("/v1/me", headers=headers)).json()["name"] == name


async def test_without_a_token_one_is_asked_for(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/me")
    problem(answer, "credential_missing")
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "value", ["Bearer", "Bearer ", "Bearer nonsense", "Basic YTpi", "nonsense", "Bearer " + "x" * 5000, "Bearer \xff"]
)
async def test_a_bad_credential_is_never_taken_for_none(client: httpx.AsyncClient, value: str) -> None:
    headers = {b"Authorization": value.encode("latin-1")}
    problem(await client.get("/v1/me", headers=headers), "credential_invalid")
    problem(await client.get("/v1/games", headers=headers), "credential_invalid")


async def test_the_database_knows_no_token(client: httpx.AsyncClient, service: Service) -> None:
    headers = await guest(client)
    token = headers["Authorization"].removeprefix("Bearer ")
    rows = await service.store.pool.fetch("select t::text as row from token t")
    assert rows
    assert not any(token in row["row"] for row in rows)


async def test_a_revoked_token_ends_with_the_cache(client: httpx.AsyncClient, service: Service) -> None:
    headers = await guest(client)
    await service.store.pool.execute("update token set revoked_at = now()")
    problem(await client.get("/v1/me", headers=headers), "credential_invalid")
