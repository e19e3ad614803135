"""Line-ups: who belongs to an entrant, and who comes in for whom."""

import httpx
import pytest

from tests.service.http.tables import problem
from tests.service.http.tournaments.event import Event, Person, stage_of
from tests.service.http.tournaments.test_entrants import PAIRS, asked, entry


async def test_a_line_up_has_as_many_as_a_side_each_of_them_once(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, **PAIRS)
    ada, bob = [await Person.new(client) for _ in range(2)]
    assert problem(await entry(event, ada.headers), "lineup_invalid")["params"]["least"] == 2
    problem(await entry(event, ada.headers, players=[ada.id, ada.id]), "lineup_invalid")
    refused = problem(await entry(event, ada.headers, players=[ada.id, "p00000000000000000000"]), "lineup_invalid")
    assert refused["params"]["players"] == ["p00000000000000000000"]
    problem(await entry(event, ada.headers, players=[bob.id, (await Person.new(client)).id]), "not_your_entrant")
    problem(await entry(event, ada.headers, bots=["greedy"]), "bot_not_permitted")
    await event.enter(2)
    first = next(iter(event.teams.values()))
    problem(await entry(event, ada.headers, players=[ada.id, first.persons[1].id]), "player_entered_already")


async def test_a_bot_is_a_declared_stand_in_of_the_level_of_the_terms(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, stand_in_level="greedy", **PAIRS)
    person = await Person.new(client, "Ada")
    problem(await entry(event, person.headers, bots=["random"]), "bot_not_permitted")
    shown = (await entry(event, person.headers, bots=["greedy"])).json()
    bot = shown["members"][1]
    assert (bot["level"], bot["name"], bot["agreed"]) == ("greedy", None, True)
    assert bot["player"].startswith("bot-greedy-")
    assert (shown["name"], shown["agreed"]) == ("Ada & bot greedy", True)


async def test_a_substitute_agrees_and_the_limit_holds(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, substitutes_max=1, **PAIRS)
    team = await event.enter(2)
    one, other = [await Person.new(client, name) for name in ("Cy", "Di")]
    out = team.persons[1]
    change = {"outgoing": out.id, "incoming": one.id}
    shown = await event.done("PATCH", f"/entrants/{team.id}", team.headers, change)
    assert ([each["name"] for each in shown["members"]], shown["agreed"]) == (["Player 1", "Cy"], False)
    problem(await event.ask("POST", f"/entrants/{team.id}/consent", out.headers), "not_your_entrant")
    assert (await event.done("POST", f"/entrants/{team.id}/consent", one.headers))["agreed"]
    problem(await asked(event, team, "PATCH", "", {"outgoing": one.id, "incoming": other.id}), "substitutes_used_up")
    # Who was in the line-up before is not counted again.
    await event.done("PATCH", f"/entrants/{team.id}", team.headers, {"outgoing": one.id, "incoming": out.id})


@pytest.mark.parametrize(
    "change",
    [
        {"outgoing": "p00000000000000000000", "incoming": "p11111111111111111111"},
        {"outgoing": "own"},
        {"outgoing": "own", "incoming": "other", "bot": "greedy"},
        {"outgoing": "own", "incoming": "own"},
        {"outgoing": "other", "incoming": "other"},
    ],
)
async def test_a_change_of_the_line_up_has_one_who_leaves_and_one_who_comes(
    client: httpx.AsyncClient, change: dict[str, str]
) -> None:
    event = await Event.open(client)
    team = await event.enter()
    names = {"own": team.persons[0].id, "other": (await Person.new(client)).id}
    body = {name: names.get(value, value) for name, value in change.items()}
    problem(await asked(event, team, "PATCH", "", body), "lineup_invalid")


async def test_a_bot_comes_in_where_the_terms_have_one(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, stand_in_level="greedy")
    team = await event.enter()
    shown = await event.done(
        "PATCH", f"/entrants/{team.id}", team.headers, {"outgoing": team.persons[0].id, "bot": "greedy"}
    )
    assert [each["level"] for each in shown["members"]] == ["greedy"]
    event = await Event.open(client)
    team = await event.enter()
    body = {"outgoing": team.persons[0].id, "bot": "greedy"}
    problem(await asked(event, team, "PATCH", "", body), "bot_not_permitted")


async def test_a_team_brings_its_reserve_in_without_a_new_agreement(client: httpx.AsyncClient) -> None:
    event = await Event.open(
        client, stage_of({"kind": "danish", "rounds": 1}), entrants="teams", stand_in_level="greedy", **PAIRS
    )
    persons = [await Person.new(client, name) for name in ("Ada", "Bob", "Cy", "Di", "Eve")]
    entered = await entry(event, persons[0].headers, players=[each.id for each in persons], bots=["greedy"])
    assert entered.status_code == 201, entered.text
    bot = entered.json()["members"][5]["player"]
    for person in persons[1:]:
        await event.done("POST", "/entrants/e1/consent", person.headers)
    for outgoing, incoming in ((persons[1].id, persons[4].id), (persons[2].id, bot)):
        change = {"outgoing": outgoing, "incoming": incoming}
        assert (await event.done("PATCH", "/entrants/e1", persons[0].headers, change))["agreed"]
    shown = await event.shown("/entrants/e1")
    assert [each["name"] for each in shown["members"]] == ["Ada", "Eve", None, "Di", "Bob", "Cy"]
    assert [each["level"] for each in shown["members"]] == [None, None, "greedy", None, None, None]
