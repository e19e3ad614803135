"""A version named in `If-Match`: who may hear the present one, and what the key of a command stands for."""

from typing import Any

import httpx
import pytest

from tests.service.http.tables import Table, guest, problem

DRAW = {"type": "draw"}
STALE = {"If-Match": '"0"'}


@pytest.mark.parametrize(("visibility", "code"), [("unlisted", "game_not_found"), ("public", "not_your_seat")])
async def test_a_stale_version_tells_a_stranger_no_more_than_none(
    client: httpx.AsyncClient, visibility: str, code: str
) -> None:
    table = await Table.of(client, visibility=visibility, watch={"who": "nobody"})
    await table.start()
    stranger = await guest(client)
    for path, body in (("moves", DRAW), ("start", None), ("nonce", {"type": "reveal", "nonce": "00" * 32})):
        answers = [
            await client.post(f"{table.path}/{path}", json=body, headers=stranger | more) for more in ({}, STALE)
        ]
        plain, named = [problem(answer, code) | {"instance": ""} for answer in answers]
        assert plain == named
        assert "etag" not in answers[1].headers
    named_in_body = await client.post(
        f"{table.path}/moves", json={"moves": [DRAW], "expected_version": 0}, headers=stranger
    )
    problem(named_in_body, code)


async def test_a_delayed_watcher_learns_no_version_from_a_stale_one(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, visibility="public", watch={"who": "anyone", "delay_seconds": 600})
    await table.start()
    watcher = await guest(client)
    assert (await client.get(table.path, headers=watcher)).json()["view"]["version"] == 1
    version = (await table.view())["version"]
    answers = []
    for named in (0, version - 1, version, version + 1):
        headers = watcher | {"If-Match": f'"{named}"'}
        answer = await client.post(f"{table.path}/seats", json={}, headers=headers)
        answers.append(problem(answer, "table_full") | {"instance": ""})
        assert "etag" not in answer.headers
    assert answers == answers[:1] * 4


async def test_who_may_sit_down_but_not_watch_hears_only_that_the_game_moved_on(client: httpx.AsyncClient) -> None:
    owner = await guest(client)
    made = await client.post("/v1/games", json={"players": 4, "watch": {"who": "nobody"}}, headers=owner)
    url = made.json()["share_url"].partition("code=")
    body = {"code": url[2]}
    path = f"/v1/games/{made.json()['id']}"
    answer = await client.post(f"{path}/seats", json=body, headers=await guest(client) | STALE)
    assert problem(answer, "stale_version")["params"] == {}
    assert "etag" not in answer.headers
    seated = await client.post(f"{path}/seats", json=body, headers=owner)
    assert seated.status_code == 201
    answer = await client.delete(f"{path}/seats/0", headers=owner | STALE)
    assert problem(answer, "stale_version")["params"] == {"current_version": 2}
    assert answer.headers["etag"] == '"2"'


async def test_a_watcher_without_a_delay_hears_the_present_version(client: httpx.AsyncClient) -> None:
    made = (await client.post("/v1/games", json={"players": 4}, headers=await guest(client))).json()
    body = {"code": made["share_url"].partition("code=")[2]}
    answer = await client.post(f"/v1/games/{made['id']}/seats", json=body, headers=await guest(client) | STALE)
    assert problem(answer, "stale_version")["params"] == {"current_version": 1}


async def test_a_key_stands_for_the_version_named_too(game: Table) -> None:
    view: dict[str, Any] = await game.view()
    seat, version = view["to_act"], view["version"]
    first = await game.move(DRAW, seat, Idempotency_Key="k", If_Match=f'"{version}"')
    assert first.status_code == 201
    again = await game.move(DRAW, seat, Idempotency_Key="k", If_Match=f'"{version}"')
    assert again.content == first.content
    other = await game.move(DRAW, seat, Idempotency_Key="k", If_Match=f'"{version + 1}"')
    problem(other, "idempotency_key_reused")
    problem(await game.move(DRAW, seat, Idempotency_Key="k"), "idempotency_key_reused")
