import base64
from typing import Any

import httpx
import pytest

from domain.rulesets import resolve
from tests.service.http.tables import Table, guest, problem

OPEN: dict[str, Any] = {"players": 4}


async def opened(client: httpx.AsyncClient, headers: dict[str, str], **terms: Any) -> dict[str, Any]:
    answer = await client.post("/v1/games", json=OPEN | terms, headers=headers)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def test_a_new_table_is_open_and_unlisted(client: httpx.AsyncClient) -> None:
    headers = await guest(client)
    answer = await client.post("/v1/games", json=OPEN, headers=headers)
    made = answer.json()
    assert made["status"] == "open"
    assert made["visibility"] == "unlisted"
    assert made["ruleset"] == "samba-official"
    assert made["ruleset_hash"] == resolve("samba-official").sha256()
    assert [seat["kind"] for seat in made["seats"]] == ["open"] * 4
    assert not made["practice"]
    assert answer.headers["location"] == f"/v1/games/{made['id']}"
    assert answer.headers["etag"] == '"1"'
    assert made["share_url"].startswith(f"http://testserver/v1/games/{made['id']}?code=")
    again = await client.get(answer.headers["location"], headers=headers)
    assert again.json() == made | {"version": 1}


async def test_the_commitment_to_the_deals_is_there_from_the_first_event(client: httpx.AsyncClient) -> None:
    headers = await guest(client)
    made = await opened(client, headers, fairness="server_only")
    events = (await client.get(f"/v1/games/{made['id']}/events", headers=headers)).json()["events"]
    fairness = events[0]["fairness"]
    assert fairness["algorithm"] == "MELD-DEAL-1"
    assert fairness["mode"] == "server_only"
    assert len(fairness["commitment"]) == 64
    assert events[0]["clock"] is None
    assert events[0]["origin"] is None


async def test_seats_are_as_asked_for(client: httpx.AsyncClient) -> None:
    headers, friend = await guest(client, "Ada"), await guest(client, "Bob")
    friend_id = (await client.get("/v1/me", headers=friend)).json()["id"]
    seats = [
        {"kind": "you"},
        {"kind": "bot", "level": "random"},
        {"kind": "invited", "player": friend_id},
        {"kind": "open"},
    ]
    made = await opened(client, headers, seats=seats)
    assert made["seat"] == 0
    assert [(seat["kind"], seat["name"], seat["level"]) for seat in made["seats"]] == [
        ("human", "Ada", None), ("bot", None, "random"), ("open", None, None), ("open", None, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"players": 7}, "invalid_body"),
        ({"players": 1}, "invalid_body"),
        ({"players": 4.5}, "invalid_body"),
        ({"players": "4"}, "invalid_body"),
        ({"nonsense": 1}, "invalid_body"),
        ({"ruleset": "bolivia", "players": 6}, "players_not_permitted"),
        ({"seats": [{"kind": "you"}, {"kind": "open"}]}, "terms_invalid"),
        ({"seats": [{"kind": "you"}, {"kind": "you"}, {"kind": "open"}, {"kind": "open"}]}, "already_seated"),
        ({"seats": [{"kind": "bot", "level": "genius"}] * 4}, "invalid_body"),
        ({"clock": {"kind": "per_move", "move_seconds": 0}}, "invalid_body"),
        ({"clock": {"kind": "per_move", "move_seconds": 9_000_000}}, "terms_invalid"),
        ({"watch": {"who": "anyone", "delay_seconds": -1}}, "invalid_body"),
        ({"practice": {"kind": "seed", "seed": "xyz"}}, "invalid_body"),
        ({"practice": {"kind": "decks", "decks": [["AS"]]}}, "origin_invalid"),
        ({"practice": {"kind": "position", "position": {"players": 4, "ruleset": "bolivia"}}}, "origin_invalid"),
    ],
)
async def test_a_table_is_not_made_otherwise(client: httpx.AsyncClient, terms: dict[str, Any], code: str) -> None:
    answer = await client.post("/v1/games", json=OPEN | terms, headers=await guest(client))
    problem(answer, code)


async def test_a_table_is_made_once_for_a_key(client: httpx.AsyncClient) -> None:
    headers = await guest(client) | {"Idempotency-Key": "table-1"}
    seats = [{"kind": "you"}, *[{"kind": "bot", "level": "random"}] * 3]
    first = await client.post("/v1/games", json=OPEN | {"seats": seats}, headers=headers)
    again = await client.post("/v1/games", json=OPEN | {"seats": seats}, headers=headers)
    assert again.status_code == 201
    assert again.content == first.content
    assert again.headers["etag"] == first.headers["etag"]
    other = await client.post("/v1/games", json={"players": 2}, headers=headers)
    problem(other, "idempotency_key_reused")
    stranger = await guest(client) | {"Idempotency-Key": "table-1"}
    third = await client.post("/v1/games", json=OPEN, headers=stranger)
    assert third.json()["id"] != first.json()["id"]


async def test_lists_hold_public_games_and_ones_own(client: httpx.AsyncClient) -> None:
    ada, bob = await guest(client), await guest(client)
    public = await opened(client, ada, visibility="public")
    hidden = await opened(client, ada)

    async def ids(headers: dict[str, str] | None, query: str = "") -> list[str]:
        answer = await client.get(f"/v1/games{query}", headers=headers)
        return [game["id"] for game in answer.json()["games"]]

    assert await ids(None) == [public["id"]]
    assert await ids(bob) == [public["id"]]
    assert await ids(ada, "?mine=true") == [hidden["id"], public["id"]]
    assert await ids(bob, "?mine=true") == []
    assert await ids(None, "?status=playing") == []
    assert await ids(None, "?ruleset=bolivia") == []
    assert await ids(None, "?practice=true") == []
    assert await ids(None, "?practice=false&status=open") == [public["id"]]
    problem(await client.get("/v1/games?mine=true"), "credential_missing")


async def test_pages_hold_every_game_once(client: httpx.AsyncClient) -> None:
    headers = await guest(client)
    made = [(await opened(client, headers, visibility="public"))["id"] for _ in range(7)]
    found: list[str] = []
    cursor = ""
    while True:
        page = (await client.get(f"/v1/games?limit=3&cursor={cursor}")).json()
        found += [game["id"] for game in page["games"]]
        if page["next"] is None:
            break
        cursor = page["next"]
        await opened(client, headers, visibility="public")
    assert found == made[::-1]


@pytest.mark.parametrize("text", ["%00", "a%00b", "%EF%BF%BF", "a%0A", "A"])
async def test_the_name_of_a_rule_set_is_one(client: httpx.AsyncClient, text: str) -> None:
    problem(await client.get(f"/v1/games?ruleset={text}"), "invalid_parameter")


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
async def test_a_cursor_at_the_edge_of_the_calendar_is_none(client: httpx.AsyncClient, time: str) -> None:
    cursor = base64.urlsafe_b64encode(f"{time} gabc".encode()).decode().rstrip("=")
    problem(await client.get(f"/v1/games?cursor={cursor}"), "cursor_invalid")


@pytest.mark.parametrize("cursor", ["x", "AAAA", "bm9uc2Vuc2U", "MjAyNi0wMS0wMSBn", "%00"])
async def test_a_cursor_comes_from_a_page(client: httpx.AsyncClient, cursor: str) -> None:
    problem(await client.get(f"/v1/games?cursor={cursor}"), "cursor_invalid")


async def test_a_version_that_one_has_is_not_sent_again(table: Table) -> None:
    answer = await table.get()
    again = await table.get(headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""
    other = await table.get(headers={"If-None-Match": '"1", W/"2"'})
    assert other.status_code == 200
