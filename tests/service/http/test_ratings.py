"""Ratings as they are asked for, of games that were played through the interface."""

import asyncio
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from service.running import Service
from service.settings import Settings
from tests.service.http.tables import Headers, Table, guest, problem
from tests.service.ratings.archive import match, pair


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, rating_poll_seconds=0.05, page_ratings_max=100)


async def id_of(client: httpx.AsyncClient, headers: Headers) -> str:
    return str((await client.get("/v1/me", headers=headers)).json()["id"])


async def until_rated(client: httpx.AsyncClient, pool: str, results: int = 1) -> None:
    async with asyncio.timeout(60):
        while await results_of(client, pool) < results:
            await asyncio.sleep(0.02)


async def results_of(client: httpx.AsyncClient, pool: str) -> int:
    pools = (await client.get("/v1/ratings")).json()["pools"]
    return next(int(each["results"]) for each in pools if each["id"] == pool)


async def board(client: httpx.AsyncClient, pool: str, query: str = "") -> dict[str, Any]:
    answer = await client.get(f"/v1/ratings/{pool}?{query}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def resigned(table: Table, requests: int = 8) -> int:
    """The game begins, goes on for a while, and is given up by the seat to act."""
    await table.start()
    view = await table.play(requests)
    seat: int = view["to_act"]
    answer = await table.move({"type": "resign"}, seat)
    assert answer.status_code == 201, answer.text
    return seat


async def own_turn(table: Table) -> None:
    """Wait until the bots at the table have moved."""
    async with asyncio.timeout(60):
        while (await table.view())["to_act"] != 0:
            await asyncio.sleep(0.02)


async def test_a_game_of_two_is_rated_by_glicko(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, players=2)
    loser = await resigned(table)
    await until_rated(client, "samba-2")
    found = await board(client, "samba-2")
    ids = [await id_of(client, seat) for seat in table.seats]
    assert [(each["rank"], each["rated"]["subject"]) for each in found["entries"]] == [
        (1, ids[1 - loser]), (2, ids[loser]),
    ]  # fmt: skip
    best = found["entries"][0]["rated"]
    assert best["rating"]["model"] == "glicko_2"
    assert best["rating"]["rating"] == pytest.approx(1662.31, abs=0.1)
    assert best["rating"]["value"] == pytest.approx(best["rating"]["rating"] - 2 * best["rating"]["deviation"])
    assert best["players"] == [{"id": ids[1 - loser], "name": f"Player {1 - loser}"}]
    assert (best["results"], best["provisional"], best["with_fixed_partner_only"]) == (1, True, False)


async def test_a_game_of_four_rates_persons_and_partnerships(client: httpx.AsyncClient) -> None:
    table = await Table.of(client)
    loser = await resigned(table)
    await until_rated(client, "samba-4")
    ids = [await id_of(client, seat) for seat in table.seats]
    winners = sorted(ids[seat] for seat in range(4) if seat % 2 != loser % 2)
    persons = await board(client, "samba-4")
    assert [each["rated"]["subject"] for each in persons["entries"][:2]] == winners
    assert all(each["rated"]["with_fixed_partner_only"] for each in persons["entries"])
    assert persons["entries"][0]["rated"]["rating"] == {
        "model": "plackett_luce", "value": 2.43040681, "mu": 26.964294622, "sigma": 8.177962604,
    }  # fmt: skip
    pairs = await board(client, "samba-4", "subjects=partnerships")
    assert pairs["entries"][0]["rated"]["subject"] == ".".join(winners)
    assert pairs["kind"] == "partnership"
    around = await board(client, "samba-4", f"around={ids[loser]}&limit=1")
    assert [(each["rank"], each["rated"]["subject"]) for each in around["entries"]] == [(3, ids[loser])]
    assert around["next"] is None or around["entries"][0]["place"] == 3


async def test_a_game_given_up_before_its_first_discard_is_not_rated(client: httpx.AsyncClient) -> None:
    early, late = await Table.of(client, players=2), await Table.of(client, players=2)
    await resigned(early, requests=0)
    await resigned(late)
    await until_rated(client, "samba-2")
    assert await results_of(client, "samba-2") == 1
    ratings = await client.get(f"/v1/players/{await id_of(client, early.seats[0])}/ratings")
    assert ratings.json()["ratings"] == []


async def test_games_with_bots_and_practice_games_are_not_rated(client: httpx.AsyncClient, service: Service) -> None:
    owner = await guest(client)
    seats = [{"kind": "you"}, {"kind": "bot", "level": "greedy"}]
    made = await client.post("/v1/games", json={"players": 2, "seats": seats}, headers=owner)
    with_bot = Table(client, [owner, owner], made.json())
    await with_bot.start()
    await own_turn(with_bot)
    assert (await with_bot.move(await with_bot.bot_moves(await with_bot.view()), 0)).status_code == 201
    await own_turn(with_bot)
    assert (await with_bot.move({"type": "resign"}, 0)).status_code == 201
    await resigned(await Table.of(client, players=2, practice={"kind": "seed", "seed": "00ff"}))
    await resigned(await Table.of(client, players=2))
    await until_rated(client, "samba-2")
    await service.ratings.step()
    assert await results_of(client, "samba-2") == 1


async def test_a_players_ratings_and_what_changed_them(client: httpx.AsyncClient, service: Service) -> None:
    table = await Table.of(client, players=2)
    await resigned(table)
    await until_rated(client, "samba-2")
    one, two = [await id_of(client, seat) for seat in table.seats]
    await service.ratings.rate_match(match(1, pair(one, "x"), pair(two, "y"), public=False))
    await until_rated(client, "samba-4")
    found = (await client.get(f"/v1/players/{one}/ratings")).json()
    assert (found["player"], found["name"]) == (one, "Player 0")
    assert [each["pool"] for each in found["ratings"]] == ["samba-2", "samba-4"]
    assert [each["subject"] for each in found["partnerships"]] == [f"{one}.x"]
    assert [each["name"] for each in found["partnerships"][0]["players"]] == ["Player 0", None]
    path = f"/v1/players/{one}/ratings/samba-2/changes"
    own = (await client.get(path, headers=table.seats[0])).json()
    (change,) = own["changes"]
    assert (change["game"], change["match"], change["of_sides"], change["results"]) == (table.id, None, 2, 1)
    assert change["before"]["rating"] == 1500
    assert change["after"] == own["rated"]["rating"] == found["ratings"][0]["rating"]
    assert own["next"] is None
    together = await client.get(f"/v1/players/{one}/ratings/samba-4/changes?subject={one}.x", headers=table.seats[0])
    assert (together.json()["changes"][0]["tournament"], together.json()["changes"][0]["match"]) == ("t1", "1")


@pytest.mark.parametrize(("visibility", "named"), [("public", True), ("unlisted", False)])
async def test_an_unlisted_game_is_named_to_its_players_only(
    client: httpx.AsyncClient, visibility: str, named: bool
) -> None:
    table = await Table.of(client, players=2, visibility=visibility)
    await resigned(table)
    await until_rated(client, "samba-2")
    path = f"/v1/players/{await id_of(client, table.seats[0])}/ratings/samba-2/changes"
    for headers, knows in (({}, named), (table.seats[1], named), (table.seats[0], True)):
        (change,) = (await client.get(path, headers=headers)).json()["changes"]
        assert change["game"] == (table.id if knows else None)


async def test_pages_are_no_longer_than_asked_for_or_set(client: httpx.AsyncClient, service: Service) -> None:
    for number in range(60):
        await service.ratings.rate_match(match(number, pair(f"a{number}", "b"), pair(f"c{number}", "d")))
    await until_rated(client, "samba-4", 60)
    assert len((await board(client, "samba-4"))["entries"]) == 50
    first = await board(client, "samba-4", "limit=200")
    assert len(first["entries"]) == 100
    second = await board(client, "samba-4", f"limit=200&cursor={first['next']}")
    assert [each["place"] for each in second["entries"]] == list(range(101, 123))
    assert second["next"] is None
    assert second["as_of"] == first["as_of"] == 60
    made = await client.post("/v1/players", json={"name": "B"})
    player = made.json()["player"]["id"]
    for number in range(100, 105):
        await service.ratings.rate_match(match(number, pair(player, f"a{number}"), pair("c", "d")))
    await until_rated(client, "samba-4", 65)
    page = (await client.get(f"/v1/players/{player}/ratings?limit=3")).json()
    rest = (await client.get(f"/v1/players/{player}/ratings?limit=3&cursor={page['next']}")).json()
    assert [len(each["partnerships"]) for each in (page, rest)] == [3, 2]
    assert rest["next"] is None
    path = f"/v1/players/{player}/ratings/samba-4/changes?limit=2"
    changes = (await client.get(path)).json()
    more = (await client.get(f"{path}&before={changes['next']}")).json()
    assert [each["results"] for each in [*changes["changes"], *more["changes"]]] == [5, 4, 3, 2]


async def test_an_erased_player_is_in_no_leaderboard_and_has_no_ratings(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, players=2)
    await resigned(table)
    await until_rated(client, "samba-2")
    gone, other = [await id_of(client, seat) for seat in table.seats]
    before = {each["rated"]["subject"]: each["rated"] for each in (await board(client, "samba-2"))["entries"]}
    assert (await client.delete("/v1/me", headers=table.seats[0])).status_code == 204
    (left,) = (await board(client, "samba-2"))["entries"]
    assert (left["rank"], left["rated"]) == (1, before[other])
    for path in ("ratings", "ratings/samba-2/changes"):
        problem(await client.get(f"/v1/players/{gone}/{path}"), "player_not_found")
    problem(await client.get(f"/v1/ratings/samba-2?around={gone}"), "rating_not_found")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/v1/ratings/chess-2", "rating_pool_not_found"),
        ("/v1/ratings/samba-7", "rating_pool_not_found"),
        ("/v1/ratings/samba-4?around=nobody", "rating_not_found"),
        ("/v1/ratings/samba-4?around=%00", "invalid_parameter"),
        ("/v1/ratings/samba-4?cursor=x", "cursor_invalid"),
        ("/v1/ratings/samba-4?cursor=x&around=y", "cursor_invalid"),
        ("/v1/ratings/samba-4?limit=0", "invalid_parameter"),
        ("/v1/ratings/samba-4?limit=201", "invalid_parameter"),
        ("/v1/ratings/samba-4?subjects=bots", "invalid_parameter"),
        ("/v1/ratings/samba-4?provisional=maybe", "invalid_parameter"),
        ("/v1/players/nobody/ratings", "player_not_found"),
        ("/v1/players/%00/ratings", "player_not_found"),
        ("/v1/players/{player}/ratings?cursor=x", "cursor_invalid"),
        ("/v1/players/{player}/ratings?cursor=WyJcdTAwMDAiLCIiXQ", "cursor_invalid"),
        ("/v1/players/{player}/ratings/samba-4/changes", "rating_not_found"),
        ("/v1/players/{player}/ratings/samba-9/changes", "rating_pool_not_found"),
        ("/v1/players/nobody/ratings/samba-4/changes", "player_not_found"),
        ("/v1/players/{player}/ratings/samba-4/changes?before=-1", "invalid_parameter"),
    ],
)
async def test_what_is_not_there_or_not_asked_for_rightly_is_told(
    client: httpx.AsyncClient, path: str, code: str
) -> None:
    player = await id_of(client, await guest(client))
    problem(await client.get(path.format(player=player)), code)


async def test_an_empty_pool_has_an_empty_leaderboard_and_says_how_it_is_rated(client: httpx.AsyncClient) -> None:
    assert await board(client, "canasta-6") == {
        "pool": "canasta-6", "kind": "person", "as_of": 0, "entries": [], "next": None,
    }  # fmt: skip
    pools = {each["id"]: each for each in (await client.get("/v1/ratings")).json()["pools"]}
    assert len(pools) == 10
    assert pools["samba-4"]["newcomer"]["mu"] == 25
    assert pools["samba-4"]["parameters"]["tau"] == "25/300"
    assert pools["canasta-2"]["newcomer"] == {
        "model": "glicko_2", "value": 800.0, "rating": 1500.0, "deviation": 350.0, "volatility": 0.06,
    }  # fmt: skip
    assert {level: each["rating"] for level, each in pools["samba-2"]["bots"].items()} == {
        "greedy": 1500.0, "random": 1000.0,
    }  # fmt: skip
    assert all(each["humans_only"] for each in pools.values())
