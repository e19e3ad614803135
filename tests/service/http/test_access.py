"""Who may know what (cases O1, O6, O7, O8)."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.service.http.tables import Table, guest, problem


async def test_an_unlisted_game_exists_for_those_who_have_its_link(game: Table, client: httpx.AsyncClient) -> None:
    stranger = await guest(client)
    unknown = await client.get("/v1/games/g00", headers=stranger)
    hidden = await client.get(game.path, headers=stranger)
    documents = [problem(answer, "game_not_found") | {"instance": ""} for answer in (unknown, hidden)]
    assert documents[0] == documents[1]
    problem(await client.get(f"{game.path}?code=wrong", headers=stranger), "game_not_found")
    problem(await client.get(game.path), "game_not_found")
    assert (await client.get(f"{game.path}?code={game.code}")).status_code == 200


@pytest.mark.parametrize(
    ("who", "visibility", "coded", "status"),
    [
        ("anyone", "public", False, 200),
        ("anyone", "unlisted", True, 200),
        ("link", "public", False, 403),
        ("link", "public", True, 200),
        ("nobody", "public", True, 403),
        ("nobody", "unlisted", True, 403),
    ],
)
async def test_watching_is_as_the_table_says(
    client: httpx.AsyncClient, who: str, visibility: str, coded: bool, status: int
) -> None:
    table = await Table.of(client, visibility=visibility, watch={"who": who})
    await table.start()
    query = f"?code={table.code}" if coded else ""
    shown = (await client.get(table.path + query)).json()
    assert shown["status"] == "playing"
    assert (shown["view"] is not None) == (status == 200)
    assert (shown["version"] is not None) == (status == 200)
    assert shown["share_url"] is None
    assert (await client.get(f"{table.path}/events{query}")).status_code == status
    if status == 403:
        problem(await client.get(f"{table.path}/stream{query}"), "watching_not_allowed")
    problem(
        await client.get(f"{table.path}/legal_moves", headers=await guest(client)),
        "not_your_seat" if visibility == "public" else "game_not_found",
    )


def cards_of(holding: dict[str, Any]) -> bool:
    return holding["cards"] is not None


async def test_nobody_gets_another_seats_cards(game: Table, client: httpx.AsyncClient) -> None:
    await game.play(6)
    for seat in range(4):
        view = await game.view(seat)
        assert [cards_of(holding) for holding in view["holdings"]] == [other == seat for other in range(4)]
        events = (await game.get("/events", seat=seat)).json()["events"]
        dealt = next(event for event in events if event["type"] == "dealt")
        assert "deck" not in dealt
        assert [isinstance(held, list) for held in dealt["holdings"]] == [other == seat for other in range(4)]
        for event in events:
            assert "salt" not in event
            if event["type"] == "drew":
                assert isinstance(event["cards"], list) == (event["seat"] == seat)
    watcher = (await client.get(f"{game.path}?code={game.code}")).json()["view"]
    assert not any(map(cards_of, watcher["holdings"]))


async def test_the_record_of_a_game_under_way_is_nobodys(game: Table, client: httpx.AsyncClient) -> None:
    for path in ("/record", "/verification"):
        problem(await game.get(path), "record_not_public")
        problem(await client.get(f"{game.path}{path}?code={game.code}"), "record_not_public")
        problem(await client.get(game.path + path), "game_not_found")


async def test_who_left_a_seat_is_a_stranger(game: Table, client: httpx.AsyncClient) -> None:
    assert (await game.client.delete(f"{game.path}/seats/3", headers=game.seats[3])).status_code == 204
    newcomer = await guest(client, "Newcomer")
    joined = await client.post(f"{game.path}/seats", json={"code": game.code, "seat": 3}, headers=newcomer)
    assert joined.status_code == 201
    assert joined.json()["seat"] == 3
    assert cards_of(joined.json()["view"]["holdings"][3])
    gone = game.seats[3]
    problem(await client.get(game.path, headers=gone), "game_not_found")
    problem(await client.get(f"{game.path}/legal_moves", headers=gone), "game_not_found")
    problem(await client.get(f"{game.path}/events", headers=gone), "game_not_found")
    problem(await client.get(f"{game.path}/stream", headers=gone), "game_not_found")
    problem(await client.post(f"{game.path}/moves", json={"type": "resign"}, headers=gone), "game_not_found")
    watching = (await client.get(f"{game.path}?code={game.code}", headers=gone)).json()
    assert watching["seat"] is None
    assert not any(map(cards_of, watching["view"]["holdings"]))
    back = await client.post(f"{game.path}/seats", json={"code": game.code}, headers=gone)
    problem(back, "table_full")


async def test_an_old_key_gives_nothing_to_who_left_the_seat(game: Table, client: httpx.AsyncClient) -> None:
    seat = (await game.view())["to_act"]
    first = await game.move({"type": "draw"}, seat, Idempotency_Key="k")
    assert first.status_code == 201
    await client.delete(f"{game.path}/seats/{seat}", headers=game.seats[seat])
    # Who opened the table may still know of it.
    code = "not_your_seat" if seat == 0 else "game_not_found"
    problem(await game.move({"type": "draw"}, seat, Idempotency_Key="k"), code)


async def test_moves_are_for_those_at_the_table(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, visibility="public")
    await table.start()
    stranger = await guest(client)
    problem(await client.post(f"{table.path}/moves", json={"type": "draw"}, headers=stranger), "not_your_seat")
    problem(await client.post(f"{table.path}/moves", json={"type": "draw"}), "credential_missing")
    problem(
        await client.post(f"{table.path}/moves?dry_run=true", json={"type": "draw"}, headers=stranger), "not_your_seat"
    )
    problem(await client.post(f"{table.path}/start", headers=stranger), "not_your_seat")


async def test_a_stream_with_a_bad_token_is_never_fed(live: Any) -> None:
    async with live.client() as client:
        table = await Table.of(client)
        bad = await client.get(f"{table.path}/stream", headers={"Authorization": "Bearer wrong"})
        problem(bad, "credential_invalid")
        await table.start()
        await asyncio.sleep(0.1)
        assert bad.is_closed
        assert bad.content.count(b"\n") == 0


async def test_no_answer_shows_a_delayed_watcher_the_present_game(client: httpx.AsyncClient) -> None:
    """Not even to whoever opened the table and starts it, or empties its seats, without sitting there."""
    owner, players = await guest(client), [await guest(client), await guest(client)]
    watch = {"who": "link", "delay_seconds": 600}
    terms = {"players": 2, "watch": watch, "seats": [{"kind": "open"}] * 2, "fairness": "server_only"}
    made = (await client.post("/v1/games", json=terms, headers=owner)).json()
    path, code = f"/v1/games/{made['id']}", made["share_url"].partition("code=")[2]
    bot = {"bot": "greedy", "seat": 0}
    assert (await client.post(f"{path}/seats", json=bot, headers=owner)).json()["version"] == 1
    sent_away = await client.delete(f"{path}/seats/0", headers=owner)
    assert (sent_away.status_code, sent_away.headers.get("etag")) == (204, None)
    for player in players:
        assert (await client.post(f"{path}/seats", json={"code": code}, headers=player)).status_code == 201
    started = await client.post(f"{path}/start", headers=owner)
    shown = await client.get(path, headers=owner | {"If-None-Match": '"1"'})
    for answer in (started, shown):
        game = answer.json()
        assert (game["version"], answer.headers["etag"]) == (1, '"1"')
        assert (game["view"]["version"], game["view"]["pile"], game["view"]["phase"]) == (1, [], "lobby")
        # What everybody may know is not kept back from those who may know more.
        assert (game["status"], [seat["kind"] for seat in game["seats"]]) == ("playing", ["human", "human"])
