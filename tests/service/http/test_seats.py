import httpx
import pytest

from tests.service.http.tables import Headers, Table, guest, problem


async def opened(client: httpx.AsyncClient, owner: Headers, **terms: object) -> tuple[str, str]:
    answer = await client.post("/v1/games", json={"players": 4} | terms, headers=owner)
    made = answer.json()
    return f"/v1/games/{made['id']}", made["share_url"].partition("code=")[2]


async def test_the_share_link_is_enough_to_take_a_seat(client: httpx.AsyncClient) -> None:
    path, code = await opened(client, await guest(client))
    newcomer = await guest(client, "Bob")
    problem(await client.post(f"{path}/seats", json={}, headers=newcomer), "game_not_found")
    problem(await client.post(f"{path}/seats", json={"code": "wrong"}, headers=newcomer), "game_not_found")
    answer = await client.post(f"{path}/seats", json={"code": code}, headers=newcomer)
    assert answer.status_code == 201
    assert answer.json()["seat"] == 0
    assert answer.json()["seats"][0]["name"] == "Bob"
    assert answer.json()["share_url"].endswith(code)
    assert answer.headers["etag"] == '"2"'


async def test_a_listed_table_needs_no_link(client: httpx.AsyncClient) -> None:
    path, _ = await opened(client, await guest(client), visibility="public")
    answer = await client.post(f"{path}/seats", json={"seat": 2}, headers=await guest(client))
    assert answer.json()["seat"] == 2


async def test_a_seat_is_for_one(client: httpx.AsyncClient) -> None:
    path, code = await opened(client, await guest(client))
    ada, bob = await guest(client), await guest(client)
    await client.post(f"{path}/seats", json={"code": code, "seat": 1}, headers=ada)
    document = problem(await client.post(f"{path}/seats", json={"code": code, "seat": 1}, headers=bob), "seat_taken")
    assert document["params"] == {"seat": 1}
    problem(await client.post(f"{path}/seats", json={"code": code, "seat": 4}, headers=bob), "unknown_seat")
    for body in ({"seat": 2}, {}):
        answer = await client.post(f"{path}/seats", json={"code": code} | body, headers=ada)
        assert problem(answer, "already_seated")["params"] == {"seat": 1}


async def test_a_full_table_is_told_so(table: Table, client: httpx.AsyncClient) -> None:
    answer = await client.post(f"{table.path}/seats", json={"code": table.code}, headers=await guest(client))
    problem(answer, "table_full")


async def test_a_seat_kept_for_somebody_is_theirs(client: httpx.AsyncClient) -> None:
    friend = await guest(client)
    friend_id = (await client.get("/v1/me", headers=friend)).json()["id"]
    seats = [{"kind": "invited", "player": friend_id}, *[{"kind": "open"}] * 3]
    path, code = await opened(client, await guest(client), seats=seats)
    other = await guest(client)
    answer = await client.post(f"{path}/seats", json={"code": code, "seat": 0}, headers=other)
    assert problem(answer, "seat_reserved")["params"] == {"seat": 0}
    assert (await client.post(f"{path}/seats", json={"code": code}, headers=other)).json()["seat"] == 1
    assert (await client.post(f"{path}/seats", json={"code": code}, headers=friend)).json()["seat"] == 0


async def test_only_who_opened_the_table_seats_bots(client: httpx.AsyncClient) -> None:
    owner, other = await guest(client), await guest(client)
    path, code = await opened(client, owner)
    problem(await client.post(f"{path}/seats", json={"code": code, "bot": "greedy"}, headers=other), "not_your_game")
    answer = await client.post(f"{path}/seats", json={"bot": "greedy", "seat": 3}, headers=owner)
    assert answer.status_code == 201
    assert answer.json()["seats"][3]["level"] == "greedy"
    assert answer.json()["seat"] is None
    problem(await client.delete(f"{path}/seats/3", headers=other), "game_not_found")
    assert (await client.delete(f"{path}/seats/3", headers=owner)).status_code == 204


async def test_leaving_frees_the_seat(table: Table, client: httpx.AsyncClient) -> None:
    problem(await client.delete(f"{table.path}/seats/1", headers=table.seats[0]), "not_your_seat")
    answer = await client.delete(f"{table.path}/seats/1", headers=table.seats[1])
    assert answer.status_code == 204
    assert answer.content == b""
    problem(await client.delete(f"{table.path}/seats/1", headers=table.seats[0]), "seat_empty")
    back = await client.post(f"{table.path}/seats", json={"code": table.code}, headers=table.seats[1])
    assert back.json()["seat"] == 1


@pytest.mark.parametrize("seat", ["4", "9", "-1", "x", "1.0", "٣", "00"])
async def test_there_are_only_the_seats_there_are(table: Table, client: httpx.AsyncClient, seat: str) -> None:
    problem(await client.delete(f"{table.path}/seats/{seat}", headers=table.seats[0]), "unknown_seat")


async def test_who_leaves_a_game_under_way_cannot_return(game: Table, client: httpx.AsyncClient) -> None:
    assert (await client.delete(f"{game.path}/seats/1", headers=game.seats[1])).status_code == 204
    body = {"code": game.code, "seat": 1}
    problem(await client.post(f"{game.path}/seats", json=body, headers=game.seats[1]), "departed")


async def test_seats_do_not_change_after_the_end(game: Table, client: httpx.AsyncClient) -> None:
    await game.move({"type": "resign"}, 0)
    problem(await client.delete(f"{game.path}/seats/1", headers=game.seats[1]), "game_over")
