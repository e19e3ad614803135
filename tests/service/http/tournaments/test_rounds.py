"""Rounds and matches as anybody may see them."""

import asyncio
from typing import Any

import httpx
import pytest

from domain.tournaments.games import game_id
from tests.service.http.tables import problem
from tests.service.http.tournaments.event import SECONDS_MAX, Event, stage_of


async def test_a_round_shows_who_plays_whom_and_where(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 5, stage_of({"kind": "danish", "rounds": 2}))
    await event.act("pair")
    paired = await event.round(1)
    assert (paired["clock"]["status"], paired["clock"]["matches"], paired["clock"]["over"]) == ("paired", 2, 0)
    assert paired["byes"] == {"e5": "bye"}
    assert paired["engine"]
    assert {match["status"] for match in paired["matches"]} == {"paired"}
    assert [match["tables"][0]["games"] for match in paired["matches"]] == [[], []]
    assert {*paired["names"]} == {f"e{number}" for number in range(1, 6)}
    await event.act("start_round", round=1)
    started = await event.dealt(1)
    for match in started["matches"]:
        (table,) = match["tables"]
        assert match["status"] == "playing"
        assert table["games"] == [game_id(event.id, match["id"], table["table"], 1)]
        assert [(each["seat"], [each["entrant"]]) for each in table["seats"]] == [*enumerate(match["sides"])]
        assert await event.shown(f"/matches/{match['id']}") == match


async def test_whoever_plays_is_told_where_to_sit_and_which_game_it_is(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 5, stage_of({"kind": "danish", "rounds": 2}))
    await event.act("pair")
    waiting = (await event.shown(who=event.teams["e1"].headers))["playing"]
    assert (waiting["round"], waiting["game"]) == (1, None)
    await event.act("start_round", round=1)
    for match in (await event.dealt(1))["matches"]:
        (table,) = match["tables"]
        for seat in table["seats"]:
            playing = (await event.shown(who=event.teams[seat["entrant"]].headers))["playing"]
            assert playing == {
                "round": 1, "match": match["id"], "table": table["table"], "seat": seat["seat"],
                "game": table["games"][0],
            }  # fmt: skip
            game = await client.get(f"/v1/games/{playing['game']}", headers=event.teams[seat["entrant"]].headers)
            assert game.json()["seat"] == seat["seat"]
    assert (await event.shown(who=event.teams["e5"].headers))["playing"] is None
    assert (await event.shown())["playing"] is None
    match = (await event.round(1))["matches"][0]
    await event.resign(match, 0)
    await event.until(lambda shown: shown["round"]["over"] == 1)
    assert (await event.shown(who=event.teams[match["sides"][0][0]].headers))["playing"] is None


async def test_every_hand_of_its_own_is_a_game_of_its_own(client: httpx.AsyncClient) -> None:
    match = {"length": {"kind": "hands", "hands": 2}, "first_meld": {"kind": "per_hand", "points": [50, 90]}}
    event = await Event.begun(client, 4, stage_of({"kind": "danish", "rounds": 1}, match=match))
    first = (await event.begin_round(1))["matches"][0]
    assert len(first["tables"][0]["games"]) == 1
    await event.act("record_result", match=first["id"], table=1, hands=[[100, 50]])
    # It stands for all further ones too.
    assert (await event.shown(f"/matches/{first['id']}"))["status"] == "decided"


async def test_a_match_of_teams_has_two_tables_with_opposite_seats(client: httpx.AsyncClient) -> None:
    event = await Event.open(
        client,
        stage_of({"kind": "danish", "rounds": 1}),
        ruleset="samba-official",
        players=4,
        entrants="teams",
        stand_in_level="random",
    )
    for _ in range(2):
        await event.act("enter", bots=["random"] * 4)
    await event.act("start")
    await event.act("pair")
    (match,) = (await event.round(1))["matches"]
    assert [table["table"] for table in match["tables"]] == [1, 2]
    seats = [[each["entrant"] for each in table["seats"]] for table in match["tables"]]
    assert seats == [["e1", "e2", "e1", "e2"], ["e2", "e1", "e2", "e1"]]


async def test_rounds_are_listed_with_their_clocks(client: httpx.AsyncClient) -> None:
    match = {"length": {"kind": "hands", "hands": 1}, "minutes": 30}
    event = await Event.begun(client, 4, stage_of(match=match))
    await event.play_round(1)
    await event.act("close_round", round=1)
    await event.act("pair")
    rounds = (await event.shown("/rounds"))["rounds"]
    assert [(each["round"], each["status"], each["over"]) for each in rounds] == [(1, "closed", 2), (2, "paired", 0)]
    assert rounds[0]["due_at"] > rounds[0]["started_at"]
    assert (rounds[1]["started_at"], rounds[1]["due_at"]) == (None, None)


@pytest.mark.parametrize("number", ["0", "3", "-1", "x", "1.0", "99999999999999999999", "%20", "%00", "١"])
async def test_a_round_that_there_is_not_is_not_found(client: httpx.AsyncClient, number: str) -> None:
    event = await Event.begun(client, 4)
    await event.act("pair")
    problem(await event.get(f"/rounds/{number}"), "round_not_found")


@pytest.mark.parametrize("match", ["r1m9", "r1", "m", "x", "%00", "R1M1", "r1m1%20", "%F0%9F%98%80", "a" * 3000])
async def test_a_match_that_there_is_not_is_not_found(client: httpx.AsyncClient, match: str) -> None:
    event = await Event.begun(client, 4)
    await event.act("pair")
    problem(await event.get(f"/matches/{match}"), "match_not_found")


@pytest.mark.parametrize(
    "tournament", ["t" + "0" * 32, "g" + "0" * 32, "x", "T" + "0" * 32, "t" + "0" * 31, "%00", "t" * 3000, "t%2F1"]
)
async def test_a_tournament_that_there_is_not_is_not_found(client: httpx.AsyncClient, tournament: str) -> None:
    for path in (
        "", "/entrants", "/entrants/e1", "/rounds", "/rounds/1", "/matches/r1m1", "/events", "/acts", "/stream",
        "/standings", "/crosstable", "/boards", "/boards/1",
    ):  # fmt: skip
        answer = await client.get(f"/v1/tournaments/{tournament}{path}")
        problem(answer, "route_not_found" if "%2F" in tournament else "tournament_not_found")


async def test_a_match_is_shown_as_of_each_event(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4)
    await event.play_round(1)
    told: list[Any] = []
    for version in range(1, (await event.shown())["version"] + 1):
        answer = await event.get(f"/matches/r1m1?at={version}")
        told.append(answer.json()["status"] if answer.is_success else answer.json()["code"])
    assert [*dict.fromkeys(told)] == ["match_not_found", "paired", "playing", "decided"]


async def test_what_came_of_boards_is_told_when_the_last_table_has_played_them(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, stage_of({"kind": "danish", "rounds": 1}), boards={"stock": "striped"})
    one, other = (await event.begin_round(1))["matches"]
    before = await event.shown("/standings")
    await event.resign(one, 1)
    await event.until(lambda shown: shown["version"] > before["version"])
    shown = await event.shown(f"/matches/{one['id']}")
    assert (shown["finished"], shown["status"], shown["results"], shown["points"]) == (1, "playing", [], None)
    told = [each["type"] for each in await event.events(before["version"])]
    assert told == ["game_finished"]
    after = await event.shown("/standings")
    assert [row | {"rank": 0} for row in after["rows"]] == [row | {"rank": 0} for row in before["rows"]]
    (game,) = one["tables"][0]["games"]
    outsider = event.teams[other["sides"][0][0]].headers
    problem(await client.get(f"/v1/games/{game}/events", headers=outsider), "game_sealed")
    problem(await client.get(f"/v1/games/{game}/events", headers=event.director), "game_sealed")
    await event.resign(other, 1)
    await event.decided(1)
    assert {each["type"] for each in await event.events(before["version"])} == {
        "game_finished", "result_recorded", "match_decided",
    }  # fmt: skip
    assert (await event.shown(f"/matches/{one['id']}"))["results"][0]["loser"] == 1
    async with asyncio.timeout(SECONDS_MAX):
        while not (await client.get(f"/v1/games/{game}/events", headers=outsider)).is_success:
            await asyncio.sleep(0.05)
