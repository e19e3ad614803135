"""Commitments to nonces (fairness document, step 2): brought, replaced and dropped together with the seat."""

from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from domain.fairness import nonce_commitment
from service.running import Service
from tests.service.http.tables import Headers, Table, guest, problem
from tests.service.http.test_starting import NONCES, committed, reveal

OTHER = nonce_commitment(b"\x77" * 32)


async def closing(table: Table) -> list[str | None]:
    """The commitments with which the table was closed last."""
    events = (await table.get("/events?limit=1000")).json()["events"]
    found: list[str | None] = [event for event in events if event["type"] == "closed"][-1]["nonce_commitments"]
    return found


async def commit(table: Table, seat: int, commitment: str, **headers: str) -> httpx.Response:
    sent: Headers = table.seats[seat] | {name.replace("_", "-"): value for name, value in headers.items()}
    body = {"type": "commit", "commitment": commitment}
    return await table.client.post(f"{table.path}/nonce", json=body, headers=sent)


async def test_a_refused_seat_leaves_the_commitment_as_it_was(client: httpx.AsyncClient) -> None:
    table = await committed(client, [1])
    body = {"code": table.code, "seat": 2, "nonce_commitment": OTHER}
    problem(await client.post(f"{table.path}/seats", json=body, headers=table.seats[1]), "seat_taken")
    await table.start()
    assert await closing(table) == [None, nonce_commitment(NONCES[1]), None, None]


async def test_who_leaves_takes_the_commitment_along(client: httpx.AsyncClient) -> None:
    table = await committed(client, [1])
    assert (await client.delete(f"{table.path}/seats/1", headers=table.seats[1])).status_code == 204
    back = await client.post(f"{table.path}/seats", json={"code": table.code}, headers=table.seats[1])
    assert back.json()["seat"] == 1
    assert (await table.start())["status"] == "playing"
    assert await closing(table) == [None] * 4


async def test_who_takes_over_a_seat_brings_no_commitment_to_deals_that_are_fixed(client: httpx.AsyncClient) -> None:
    table = await committed(client, [])
    await table.start()
    assert (await client.delete(f"{table.path}/seats/1", headers=table.seats[1])).status_code == 204
    body = {"code": table.code, "seat": 1, "nonce_commitment": OTHER}
    refused = await client.post(f"{table.path}/seats", json=body, headers=await guest(client))
    assert problem(refused, "table_not_open")["params"] == {"status": "playing"}


async def test_a_commitment_replaces_the_one_before(client: httpx.AsyncClient) -> None:
    table = await committed(client, [1])
    assert (await commit(table, 1, OTHER)).status_code == 200
    await table.start()
    assert await closing(table) == [None, OTHER, None, None]


async def test_a_commitment_made_while_the_game_starts_is_in_it_or_refused(
    client: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await committed(client, [1])
    brought = service.nonces.brought
    made: list[httpx.Response] = []

    async def overtaken(game_id: str, players: Sequence[str]) -> list[str | None]:
        """What was read is old by the time that it is used: the seat has committed anew."""
        found = await brought(game_id, players)
        if not made:
            made.append(await commit(table, 1, OTHER))
        return found

    monkeypatch.setattr(service.nonces, "brought", overtaken)
    await table.start()
    assert [answer.status_code for answer in made] == [200]
    assert await closing(table) == [None, OTHER, None, None]


async def test_a_commitment_after_the_closing_is_refused(client: httpx.AsyncClient) -> None:
    table = await committed(client, [1])
    await table.start()
    assert problem(await commit(table, 1, OTHER), "table_not_open")["params"] == {"status": "closed"}
    assert (await reveal(table, 1)).json()["status"] == "playing"


async def test_a_commitment_is_brought_once_for_a_key(table: Table) -> None:
    first = await commit(table, 1, OTHER, Idempotency_Key="k")
    assert first.status_code == 200
    again = await commit(table, 1, OTHER, Idempotency_Key="k")
    assert (again.status_code, again.content, again.headers["etag"]) == (200, first.content, first.headers["etag"])
    other = await commit(table, 1, nonce_commitment(NONCES[1]), Idempotency_Key="k")
    problem(other, "idempotency_key_reused")
    await table.start()
    assert await closing(table) == [None, OTHER, None, None]


async def test_a_commitment_names_a_version_like_any_command(table: Table) -> None:
    version = (await table.view())["version"]
    problem(await commit(table, 1, OTHER, If_Match=f'"{version - 1}"'), "stale_version")
    answer = await commit(table, 1, OTHER, If_Match=f'"{version}"')
    assert answer.status_code == 200
    assert answer.json()["seat"] == 1


async def test_nothing_of_a_nonce_is_kept_once_it_stands_in_an_event(
    client: httpx.AsyncClient, service: Service
) -> None:
    table = await committed(client, [0, 1])
    kept = "select count(*) from nonce where game = $1 and commitment is not null"
    assert await service.store.pool.fetchval(kept, table.id) == 2
    await table.start()
    assert await service.store.pool.fetchval(kept, table.id) == 0


async def test_a_table_made_anew_by_its_key_keeps_its_commitment(client: httpx.AsyncClient) -> None:
    owner = await guest(client) | {"Idempotency-Key": "table"}
    bots: list[dict[str, Any]] = [{"kind": "bot", "level": "random"}] * 3
    opened = {"players": 4, "seats": [{"kind": "you", "nonce_commitment": OTHER}, *bots]}
    made = [await client.post("/v1/games", json=opened, headers=owner) for _ in range(2)]
    assert made[0].content == made[1].content
    started = await client.post(
        f"/v1/games/{made[1].json()['id']}/start", headers={**owner, "Idempotency-Key": "start"}
    )
    assert started.json()["view"]["nonces_due"] == [0]
