"""Seats of matches: the tournament gives them, nobody takes them."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.service.http.tables import problem
from tests.service.http.tournaments.event import SECONDS_MAX, Event, Person, stage_of

DUPLICATE = stage_of({"kind": "danish", "rounds": 1}, score={"kind": "matchpoints"})


def holder(event: Event, match: dict[str, Any], side: int) -> Person:
    return event.teams[match["sides"][side][0]].persons[0]


def seat_of(match: dict[str, Any], person: Person) -> int:
    (table,) = match["tables"]
    (seat,) = [each["seat"] for each in table["seats"] if each["player"] == person.id]
    assert isinstance(seat, int)
    return seat


@pytest.mark.parametrize("boards", [{"stock": "common"}, None])
async def test_a_seat_that_somebody_left_is_open_to_nobody(client: httpx.AsyncClient, boards: dict[str, str]) -> None:
    event = await Event.begun(client, 4, DUPLICATE if boards else stage_of(), boards=boards)
    one, other = (await event.begin_round(1))["matches"]
    game = f"/v1/games/{one['tables'][0]['games'][0]}"
    gone = holder(event, one, 0)
    seat = seat_of(one, gone)
    assert (await client.delete(f"{game}/seats/{seat}", headers=gone.headers)).status_code == 204
    shown = (await client.get(game, headers=holder(event, one, 1).headers)).json()
    code = shown["share_url"].partition("code=")[2]
    assert shown["seats"][seat]["kind"] == "bot"
    for who in (holder(event, other, 0), await Person.new(client), event.organiser, gone):
        for body in ({}, {"seat": seat}, {"seat": seat, "code": code}, {"code": code}, {"bot": "greedy"}):
            problem(await client.post(f"{game}/seats", json=body, headers=who.headers), "not_your_seat")
        assert (await client.get(game, headers=who.headers)).json()["seat"] is None


async def test_a_bot_that_was_put_in_makes_room_for_a_substitute_only(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, DUPLICATE, boards={"stock": "common"}, stand_in_level="random")
    one, other = (await event.begin_round(1))["matches"]
    game = f"/v1/games/{one['tables'][0]['games'][0]}"
    gone = holder(event, one, 0)
    await event.act("substitute", entrant=one["sides"][0][0], outgoing=gone.id, bot="random")
    seat = seat_of(one, gone)
    async with asyncio.timeout(SECONDS_MAX):
        while (await client.get(game)).json()["seats"][seat]["kind"] != "bot":
            await asyncio.sleep(0.05)
    stranger = await Person.new(client)
    for who in (holder(event, other, 0), stranger):
        problem(await client.post(f"{game}/seats", json={"seat": seat}, headers=who.headers), "not_your_seat")
