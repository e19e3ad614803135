"""Closing, nonces, the start (fairness document)."""

import hashlib
from collections.abc import Sequence
from typing import Any

import httpx

from domain.fairness import nonce_commitment
from service.running import Service
from tests.service.http.tables import Table, guest, problem

NONCES = [bytes([seat]) * 32 for seat in range(4)]


async def committed(client: httpx.AsyncClient, seats: Sequence[int], **terms: Any) -> Table:
    """A table at which these seats have committed to a nonce."""
    owner = await guest(client)
    opened: dict[str, Any] = {"players": 4, "seats": [{"kind": "you"}, *[{"kind": "open"}] * 3]} | terms
    if 0 in seats:
        opened["seats"] = [{"kind": "you", "nonce_commitment": nonce_commitment(NONCES[0])}, *opened["seats"][1:]]
    table = Table(client, [owner], (await client.post("/v1/games", json=opened, headers=owner)).json())
    for seat in range(1, 4):
        table.seats.append(await guest(client))
        body: dict[str, Any] = {"code": table.code}
        if seat in seats:
            body["nonce_commitment"] = nonce_commitment(NONCES[seat])
        joined = await client.post(f"{table.path}/seats", json=body, headers=table.seats[seat])
        assert joined.status_code == 201, joined.text
    return table


async def reveal(table: Table, seat: int, nonce: bytes | None = None) -> httpx.Response:
    body = {"type": "reveal", "nonce": (NONCES[seat] if nonce is None else nonce).hex()}
    return await table.client.post(f"{table.path}/nonce", json=body, headers=table.seats[seat])


async def test_an_open_table_with_free_seats_does_not_start(client: httpx.AsyncClient) -> None:
    owner = await guest(client)
    made = (await client.post("/v1/games", json={"players": 4}, headers=owner)).json()
    document = problem(await client.post(f"/v1/games/{made['id']}/start", headers=owner), "seats_empty")
    assert document["params"] == {"seats": [0, 1, 2, 3]}


async def test_a_game_starts_once(table: Table) -> None:
    started = await table.start()
    assert started["status"] == "playing"
    assert started["view"]["hand"] == 1
    problem(await table.client.post(f"{table.path}/start", headers=table.seats[1]), "table_not_open")


async def test_the_first_deal_waits_for_every_nonce(client: httpx.AsyncClient) -> None:
    table = await committed(client, [0, 2])
    closed = await table.start()
    assert closed["status"] == "closed"
    assert closed["view"]["nonces_due"] == [0, 2]
    problem(await table.move({"type": "draw"}, 0), "game_not_under_way")
    problem(await client.delete(f"{table.path}/seats/1", headers=table.seats[1]), "table_not_open")
    problem(await reveal(table, 1), "nonce_not_committed")
    problem(await reveal(table, 0, b"\x09" * 32), "nonce_wrong")
    first = await reveal(table, 0)
    assert first.status_code == 201
    assert first.json()["view"]["nonces_due"] == [2]
    problem(await reveal(table, 0), "nonce_already_revealed")
    last = await reveal(table, 2)
    assert last.json()["status"] == "playing"
    await table.move({"type": "resign"}, 0)
    verdict = (await table.get("/verification")).json()
    assert verdict["ok"], verdict
    assert verdict["checks"]["fairness"] == "passed"


async def test_a_commitment_can_be_brought_later(table: Table) -> None:
    body = {"type": "commit", "commitment": nonce_commitment(NONCES[1])}
    answer = await table.client.post(f"{table.path}/nonce", json=body, headers=table.seats[1])
    assert answer.status_code == 200
    assert (await table.start())["view"]["nonces_due"] == [1]


async def test_server_only_tables_and_practice_use_no_nonces(client: httpx.AsyncClient) -> None:
    for terms in ({"fairness": "server_only"}, {"practice": {"kind": "seed", "seed": "00"}}):
        owner = await guest(client)
        own = {"kind": "you", "nonce_commitment": nonce_commitment(NONCES[0])}
        opened: dict[str, Any] = {"players": 4, "seats": [own, *[{"kind": "open"}] * 3]} | terms
        problem(await client.post("/v1/games", json=opened, headers=owner), "nonces_not_used")
        table = await Table.of(client, **terms)
        body = {"type": "commit", "commitment": nonce_commitment(NONCES[0])}
        answer = await client.post(f"{table.path}/nonce", json=body, headers=table.seats[0])
        problem(answer, "nonces_not_used")


async def test_the_secret_is_gone_once_it_is_revealed(game: Table, service: Service) -> None:
    fairness = (await game.get("/events")).json()["events"][0]["fairness"]
    kept = await service.store.pool.fetchval("select master from secret where game = $1", game.id)
    assert len(kept) == 128
    await game.move({"type": "resign"}, 0)
    revealed = (await game.get("/events")).json()["events"][-1]
    assert revealed["type"] == "revealed"
    assert bytes.fromhex(revealed["master"]) == kept
    assert len(fairness["commitment"]) == len(hashlib.sha256().hexdigest())
    assert await service.store.pool.fetchval("select count(*) from secret where game = $1", game.id) == 0
