"""Pairing sheets say who sits where, those of their time: after substitutions, for teams, by name; and who does not."""

from itertools import pairwise
from typing import Any

import httpx

from service.players import ERASED_NAME
from tests.service.http.tournaments.event import Event, Person, Team, stage_of
from tests.service.http.tournaments.test_entrants import PAIRS
from tests.service.http.tournaments.test_page_marks import said
from tests.service.http.tournaments.test_pages import page_of

ONCE = stage_of({"kind": "swiss", "rounds": 1})
BOTS: dict[str, Any] = PAIRS | {"stand_in_level": "random"}


async def replaced(event: Event, team: Team, name: str) -> Person:
    """The first person of an entrant leaves, and somebody of this name agrees to sit there."""
    comer = await Person.new(event.client, name)
    change = {"outgoing": team.persons[0].id, "incoming": comer.id}
    await event.done("PATCH", f"/entrants/{team.id}", team.headers, change)
    await event.done("POST", f"/entrants/{team.id}/consent", comer.headers)
    return comer


async def sheet(event: Event, number: int, **params: Any) -> str:
    return said(await page_of(event.client, event, f"/pairings/{number}", **params))


def essentials(shown: str) -> str:
    """A sheet without its links and the event that it is of."""
    return shown.partition(" Table ")[2].partition("As of event")[0]


async def test_the_sheet_of_an_old_round_names_those_who_sat_then(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, substitutes_max=5)
    await event.enter(name="The Aces")
    for _ in range(4):
        await event.enter()
    await event.act("start")
    await event.play_round(1)
    await event.act("close_round", round=1)
    (out,) = (await event.round(1))["byes"]
    before = {params: await sheet(event, 1, **dict(params)) for params in ((), (("by", "name"),))}
    for team in event.teams.values():
        await replaced(event, team, f"Newcomer {team.id}")
    await event.act("pair")
    for params, told in before.items():
        assert essentials(await sheet(event, 1, **dict(params))) == essentials(told)
    assert "1 The Aces Player 1 " in before[()]
    assert f"{out[1:]} Player {out[1:]} bye" in before[()]
    following = await sheet(event, 2)
    assert "1 The Aces Newcomer e1 " in following
    assert "Player" not in following.partition("North-South")[2]


async def test_the_sheet_of_a_round_not_begun_names_those_who_are_to_sit(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 2, ONCE, substitutes_max=1)
    await event.act("pair")
    assert "Player 2" in await sheet(event, 1)
    await replaced(event, event.teams["e2"], "Eve")
    (match,) = (await event.round(1))["matches"]
    assert "Player 2" not in await sheet(event, 1)
    assert f"{match['sides'][0][0][1:]} {match['names'][match['sides'][0][0]]}" in await sheet(event, 1)
    assert " 2 Eve " in await sheet(event, 1)


async def test_who_is_erased_has_no_name_on_the_sheets_of_old_rounds(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, substitutes_max=1)
    await event.play_round(1)
    team = event.teams["e2"]
    await replaced(event, team, "Eve")
    assert (await client.delete("/v1/me", headers=team.headers)).status_code == 204
    for params in ({}, {"by": "name"}):
        shown = await sheet(event, 1, **params)
        assert "Player 2" not in shown
        assert ERASED_NAME in shown
        assert "Eve" not in shown


async def test_a_pair_whose_partner_has_not_agreed_sits_out_for_that_reason(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, **BOTS)
    ada, bob = [await Person.new(client, name) for name in ("Ada", "Bob")]
    await event.done("POST", "/entrants", ada.headers, {"players": [ada.id, bob.id]})
    cy = await Person.new(client, "Cy")
    await event.done("POST", "/entrants", cy.headers, {"bots": ["random"]})
    for _ in range(2):
        await event.act("enter", bots=["random", "random"])
    await event.act("start")
    await event.act("pair_by_hand", matches=[{"sides": [["e3"], ["e4"]]}], byes={})
    assert (await event.round(1))["byes"] == {"e1": "zero_bye", "e2": "zero_bye"}
    for _ in range(2):
        shown = await sheet(event, 1)
        assert "1 Ada & Bob a player has not agreed" in shown
        assert "2 Cy & bot random not there" in shown
        # Whoever agrees later had not when the round was paired.
        if _ == 0:
            await event.done("POST", "/entrants/e1/consent", bob.headers)


async def test_who_has_not_checked_in_sits_out_for_that_reason(client: httpx.AsyncClient) -> None:
    registration = {"check_in_minutes": 60}
    pace = {"automatic": False, "starts_at": "2099-01-01T10:00:00Z"}
    event = await Event.open(client, **BOTS, registration=registration, pace=pace)
    ada = await Person.new(client, "Ada")
    await event.done("POST", "/entrants", ada.headers, {"bots": ["random"]})
    for _ in range(2):
        await event.act("enter", bots=["random", "random"])
    await event.act("start")
    await event.act("pair")
    assert "1 Ada & bot random not checked in" in await sheet(event, 1)


async def test_the_sheet_of_a_match_of_teams_says_who_sits_at_which_table_and_side(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, stage_of({"kind": "danish", "rounds": 1}), entrants="teams", **BOTS)
    persons = [await Person.new(client, name) for name in ("Ada", "Bob", "Cy", "Di", "Eve")]
    ids = [each.id for each in persons]
    await event.done("POST", "/entrants", persons[0].headers, {"players": ids, "name": "The Aces"})
    for person in persons[1:]:
        await event.done("POST", "/entrants/e1/consent", person.headers)
    await event.act("enter", bots=["random"] * 4)
    await event.act("start")
    await event.act("pair")
    (match,) = (await event.round(1))["matches"]
    first, second = ("North-South", "East-West") if match["sides"][0] == ["e1"] else ("East-West", "North-South")
    expected = {"Ada": (1, first), "Bob": (1, first), "Cy": (2, second), "Di": (2, second)}
    assert {
        persons[ids.index(seat["player"])].id: (table["table"], ("North-South", "East-West")[seat["seat"] % 2])
        for table in match["tables"]
        for seat in table["seats"]
        if seat["entrant"] == "e1"
    } == {ids[place]: seat for place, seat in enumerate(expected.values())}
    shown = await sheet(event, 1)
    assert f"1 The Aces Table 1, {first} : Ada & Bob Table 2, {second} : Cy & Di" in shown.replace(":", " :")
    assert "Eve" not in shown
    listed = await sheet(event, 1, by="name")
    for name, (table, side) in expected.items():
        assert f" {name} 1 The Aces {table} {side} " in listed
    assert "Eve" not in listed


async def test_players_are_listed_by_name_with_their_tables_and_sides(client: httpx.AsyncClient) -> None:
    form = {"kind": "individual", "movement": "swiss", "rounds": 1}
    event = await Event.open(client, stage_of(form), players=4, entrants="individuals")
    for name in ("zoe", "Ada", "Émile", "Bob <b>", "bert"):
        person = await Person.new(client, name)
        await event.done("POST", "/entrants", person.headers, {"players": [person.id]})
    await event.act("start")
    await event.act("pair_by_hand", matches=[{"sides": [["e1", "e2"], ["e3", "e4"]]}], byes={"e5": "half_bye"})
    page = await page_of(client, event, "/pairings/1", by="name")
    listed = said(page).partition("Side")[2]
    lines = [
        "Ada 2 1 North-South", "bert 5 – half bye", "Bob <b> 4 1 East-West", "zoe 1 1 North-South",
        "Émile 3 1 East-West",
    ]  # fmt: skip
    places = [listed.index(line) for line in lines]
    assert all(one < other for one, other in pairwise(places))
    links = {each.get("href") for tag, each in page.elements if tag == "a"}
    assert f"/tournaments/{event.id}/pairings/1?by=name" in links
    version = (await event.shown())["version"]
    page = await page_of(client, event, "/pairings/1", at=version)
    links = {each.get("href") for tag, each in page.elements if tag == "a"}
    assert f"/tournaments/{event.id}/pairings/1?at={version}&by=name" in links


async def test_the_sheet_of_a_bracket_says_which_match_is_which_and_who_waits(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 3, stage_of({"kind": "elimination", "double": True}))
    await event.act("pair")
    assert " 1 Winners, round 1 " in await sheet(event, 1)
    assert "1 Player 1 bye" in (await sheet(event, 1)).partition("Not playing")[2]
    swiss = await Event.begun(client, 2, ONCE)
    await swiss.act("pair")
    assert " Match " not in await sheet(swiss, 1)
