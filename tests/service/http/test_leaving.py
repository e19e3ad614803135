"""Leaving a game under way: a bot plays on, and the game comes to its end."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.service.http.tables import Headers, Table, guest, problem
from tests.service.http.test_automata import BOT, until, with_bots

SHORT = {"ruleset": "canasta-classic", "options": {"target": {"2": 5000, "3": 7500, "4": 5000}}}


async def leave(table: Table, seat: int, headers: Headers | None = None, **more: str) -> httpx.Response:
    sent = (headers or table.seats[seat]) | {name.replace("_", "-"): value for name, value in more.items()}
    return await table.client.delete(f"{table.path}/seats/{seat}", headers=sent)


async def test_a_bot_keeps_its_seat_once_the_game_has_begun(client: httpx.AsyncClient) -> None:
    table = await with_bots(client, [{"kind": "you"}, BOT, BOT, BOT])
    assert (await leave(table, 2)).status_code == 204
    answer = await client.post(f"{table.path}/seats", json={"bot": "greedy"}, headers=table.seats[0])
    assert answer.status_code == 201
    await table.start()
    assert problem(await leave(table, 2), "bot_stays")["params"] == {"seat": 2}
    problem(await leave(table, 2, await guest(client)), "game_not_found")
    await until(table, lambda view: view["to_act"] == 0)


async def test_a_bot_takes_the_seat_that_a_person_leaves_at_once(game: Table) -> None:
    assert (await leave(game, 1)).status_code == 204
    shown = (await game.get()).json()["seats"]
    assert [(seat["kind"], seat["level"]) for seat in shown] == [
        ("human", None), ("bot", "greedy"), ("human", None), ("human", None),
    ]  # fmt: skip
    events = (await game.get("/events")).json()["events"]
    left, came = [event for event in events if event["type"] in ("unseated", "seated")][-2:]
    assert (left["type"], came["type"], came["n"]) == ("unseated", "seated", left["n"] + 1)
    assert (left["seat"], came["seat"]) == (1, 1)
    assert left["at"] == came["at"]


async def test_a_game_that_everybody_has_left_is_played_to_its_end(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, players=2, visibility="public", watch={"who": "anyone"}, **SHORT)
    await table.start()
    await asyncio.gather(leave(table, 0), leave(table, 1))
    async with asyncio.timeout(60):
        while (await client.get(table.path)).json()["status"] != "ended":
            await asyncio.sleep(0.05)
    verdict = (await client.get(f"{table.path}/verification")).json()
    assert verdict["ok"], verdict


@pytest.mark.parametrize("seat", [0, 1])
async def test_leaving_twice_with_one_key_is_leaving_once(game: Table, client: httpx.AsyncClient, seat: int) -> None:
    answers = [await leave(game, seat, Idempotency_Key="gone") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [204, 204]
    assert answers[0].headers["etag"] == answers[1].headers["etag"]
    code = {"code": game.code}
    problem(await client.post(f"{game.path}/seats", json=code, headers=game.seats[seat]), "departed")


async def test_a_key_opens_no_game_to_who_never_sat_there(game: Table, client: httpx.AsyncClient) -> None:
    await leave(game, 1, Idempotency_Key="gone")
    stranger = await guest(client)
    for seat in ("1", "9", "x"):
        answer = await client.delete(f"{game.path}/seats/{seat}", headers=stranger | {"Idempotency-Key": "gone"})
        problem(answer, "game_not_found")
    stale = {"Idempotency-Key": "gone", "If-Match": '"0"'}
    problem(await client.delete(f"{game.path}/seats/1", headers=stranger | stale), "game_not_found")


async def test_a_newcomer_takes_over_from_the_stand_in_only(client: httpx.AsyncClient) -> None:
    seats: list[dict[str, Any]] = [{"kind": "you"}, BOT, {"kind": "open"}, BOT]
    table = await with_bots(client, seats)
    ben, cid = await guest(client, "Ben"), await guest(client, "Cid")
    code = {"code": table.code}
    assert (await client.post(f"{table.path}/seats", json=code, headers=ben)).json()["seat"] == 2
    await table.start()
    problem(await client.post(f"{table.path}/seats", json=code, headers=cid), "table_full")
    await leave(table, 2, ben)
    problem(await client.post(f"{table.path}/seats", json=code | {"seat": 1}, headers=cid), "seat_taken")
    problem(await client.post(f"{table.path}/seats", json=code, headers=ben), "departed")
    came = await client.post(f"{table.path}/seats", json=code, headers=cid)
    assert came.status_code == 201, came.text
    assert came.json()["seat"] == 2
    assert came.json()["view"]["holdings"][2]["cards"] is not None
    problem(await leave(table, 2), "not_your_seat")
    await leave(table, 2, cid)
    another = {"bot": "random", "seat": 2}
    problem(await client.post(f"{table.path}/seats", json=another, headers=table.seats[0]), "seat_taken")
    problem(await client.post(f"{table.path}/seats", json={"bot": "random"}, headers=table.seats[0]), "table_full")
    dan = await client.post(f"{table.path}/seats", json=code, headers=await guest(client))
    assert (dan.status_code, dan.json()["seat"]) == (201, 2)
    problem(await client.post(f"{table.path}/seats", json=code, headers=await guest(client)), "table_full")
