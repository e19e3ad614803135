"""Seats that are kept for one player each."""

from typing import Any

import httpx
import pytest

from tests.service.http.conftest import LiveServer
from tests.service.http.tables import Headers, guest, problem
from tests.service.http.test_streams import Reader


class Invited:
    """A table with a seat kept for a friend, who was told nothing of it."""

    def __init__(self, owner: Headers, friend: Headers, path: str, code: str) -> None:
        self.owner = owner
        self.friend = friend
        self.path = path
        self.code = code


async def id_of(client: httpx.AsyncClient, headers: Headers) -> str:
    found: str = (await client.get("/v1/me", headers=headers)).json()["id"]
    return found


async def invite(client: httpx.AsyncClient, **terms: Any) -> Invited:
    owner, friend = await guest(client), await guest(client, "Friend")
    seats = [{"kind": "you"}, {"kind": "invited", "player": await id_of(client, friend)}]
    answer = await client.post("/v1/games", json={"players": 2, "seats": seats} | terms, headers=owner)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return Invited(owner, friend, f"/v1/games/{made['id']}", made["share_url"].partition("code=")[2])


async def test_who_is_invited_needs_no_link(client: httpx.AsyncClient) -> None:
    table = await invite(client)
    mine = (await client.get("/v1/games?mine=true", headers=table.friend)).json()["games"]
    assert [f"/v1/games/{game['id']}" for game in mine] == [table.path]
    shown = await client.get(table.path, headers=table.friend)
    assert shown.status_code == 200
    assert shown.json()["seat"] is None
    assert shown.json()["view"] is not None, "those with the link may watch, and so may the invited"
    for path in ("moves", "moves?dry_run=true"):
        answer = await client.post(f"{table.path}/{path}", json={"type": "draw"}, headers=table.friend)
        problem(answer, "not_your_seat")
    joined = await client.post(f"{table.path}/seats", json={}, headers=table.friend)
    assert joined.status_code == 201
    assert joined.json()["seat"] == 1
    started = await client.post(f"{table.path}/start", headers=table.owner)
    assert started.json()["status"] == "playing"


@pytest.mark.parametrize("visibility", ["public", "unlisted"])
async def test_the_invited_may_watch_where_the_link_does(client: httpx.AsyncClient, visibility: str) -> None:
    table = await invite(client, visibility=visibility, watch={"who": "link"})
    assert (await client.get(f"{table.path}/events", headers=table.friend)).status_code == 200
    other = await client.get(f"{table.path}/events", headers=await guest(client))
    problem(other, "watching_not_allowed" if visibility == "public" else "game_not_found")


async def test_an_invitation_is_for_nobody_else(client: httpx.AsyncClient) -> None:
    table = await invite(client)
    stranger = await guest(client)
    problem(await client.get(table.path, headers=stranger), "game_not_found")
    problem(await client.post(f"{table.path}/seats", json={}, headers=stranger), "game_not_found")
    problem(await client.post(f"{table.path}/seats", json={"code": table.code}, headers=stranger), "table_full")
    problem(await client.delete(f"{table.path}/seats/1", headers=stranger), "game_not_found")


async def test_only_players_that_there_are_can_be_invited_and_each_once(client: httpx.AsyncClient) -> None:
    owner = await guest(client)
    friend = await id_of(client, await guest(client))
    own = await id_of(client, owner)
    for players, at in (
        (["p00000000000000000000"], 1),
        (["bot-greedy-00000000"], 1),
        ([friend, friend], 2),
        ([own], 1),
    ):
        seats: list[dict[str, Any]] = [{"kind": "you"}, *({"kind": "invited", "player": name} for name in players)]
        seats += [{"kind": "open"}] * (4 - len(seats))
        answer = await client.post("/v1/games", json={"players": 4, "seats": seats}, headers=owner)
        assert problem(answer, "terms_invalid")["params"]["field"] == f"seats[{at}].player"


async def test_who_opened_the_table_frees_a_kept_seat(client: httpx.AsyncClient) -> None:
    table = await invite(client)
    stale = await client.delete(f"{table.path}/seats/1", headers=table.owner | {"If-Match": '"1"'})
    problem(stale, "stale_version")
    keyed = table.owner | {"Idempotency-Key": "free"}
    problem(await client.delete(f"{table.path}/seats/1", headers=table.friend), "seat_empty")
    for _ in range(2):
        assert (await client.delete(f"{table.path}/seats/1", headers=keyed)).status_code == 204
    problem(await client.delete(f"{table.path}/seats/1", headers=table.owner), "seat_empty")
    problem(await client.get(table.path, headers=table.friend), "game_not_found")
    other = await client.post(f"{table.path}/seats", json={"code": table.code}, headers=await guest(client))
    assert other.json()["seat"] == 1


async def test_a_kept_seat_that_was_taken_is_not_freed_by_others(client: httpx.AsyncClient) -> None:
    table = await invite(client)
    await client.post(f"{table.path}/seats", json={}, headers=table.friend)
    problem(await client.delete(f"{table.path}/seats/1", headers=table.owner), "not_your_seat")


async def test_a_key_that_freed_a_kept_seat_does_nothing_else(client: httpx.AsyncClient) -> None:
    table = await invite(client)
    keyed = table.owner | {"Idempotency-Key": "once"}
    assert (await client.delete(f"{table.path}/seats/1", headers=keyed)).status_code == 204
    before = (await client.get(table.path, headers=table.owner)).content
    bot = {"bot": "greedy"}
    problem(await client.post(f"{table.path}/seats", json=bot, headers=keyed), "idempotency_key_reused")
    problem(await client.delete(f"{table.path}/seats/0", headers=keyed), "idempotency_key_reused")
    assert (await client.get(table.path, headers=table.owner)).content == before
    assert (await client.delete(f"{table.path}/seats/1", headers=keyed)).status_code == 204
    # A key is its owner's.
    others = await guest(client) | {"Idempotency-Key": "once"}
    joined = await client.post(f"{table.path}/seats", json={"code": table.code}, headers=others)
    assert joined.status_code == 201


async def test_a_key_that_did_something_else_frees_no_kept_seat(client: httpx.AsyncClient) -> None:
    owner, friend = await guest(client), await guest(client, "Friend")
    seats = [{"kind": "open"}, {"kind": "invited", "player": await id_of(client, friend)}]
    made = (await client.post("/v1/games", json={"players": 2, "seats": seats}, headers=owner)).json()
    path = f"/v1/games/{made['id']}"
    keyed = owner | {"Idempotency-Key": "once"}
    assert (await client.post(f"{path}/seats", json={"seat": 0}, headers=keyed)).status_code == 201
    problem(await client.delete(f"{path}/seats/1", headers=keyed), "idempotency_key_reused")
    assert (await client.get(path, headers=friend)).status_code == 200, "the seat is still kept"
    assert (await client.post(f"{path}/seats", json={"seat": 0}, headers=keyed)).status_code == 201
    left = owner | {"Idempotency-Key": "left"}
    for _ in range(2):
        assert (await client.delete(f"{path}/seats/0", headers=left)).status_code == 204
    problem(await client.delete(f"{path}/seats/1", headers=left), "idempotency_key_reused")


async def test_an_invited_watcher_who_sits_down_is_told_to_ask_again(live: LiveServer) -> None:
    async with live.client() as watching:
        table = await invite(watching)
        reader = Reader(watching, f"{table.path}/stream", table.friend)
        await reader.until(1)
        await watching.post(f"{table.path}/seats", json={}, headers=table.friend)
        end = await reader.end()
        assert end["reason"] == "access_changed"


@pytest.mark.parametrize("visibility", ["public", "unlisted"])
async def test_a_watcher_whose_kept_seat_was_freed_is_shown_nothing_more(live: LiveServer, visibility: str) -> None:
    async with live.client() as watching:
        table = await invite(watching, visibility=visibility, watch={"who": "link"})
        reader = Reader(watching, f"{table.path}/stream", table.friend)
        seen = (await watching.get(table.path, headers=table.owner)).json()["version"]
        await reader.until(seen)
        freed = await watching.delete(f"{table.path}/seats/1", headers=table.owner)
        assert freed.status_code == 204
        other = await watching.post(f"{table.path}/seats", json={"code": table.code}, headers=await guest(watching))
        assert other.status_code == 201
        assert await reader.end() == {"type": "end", "reason": "access_changed", "version": seen}
        assert reader.versions() == list(range(1, seen + 1))
