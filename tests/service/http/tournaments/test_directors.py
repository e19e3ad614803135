"""Who directs, and whom directors enter and seat."""

import asyncio
from typing import Any

import httpx

from tests.service.http.tables import problem
from tests.service.http.tokens import bearing, make_token
from tests.service.http.tournaments.event import SECONDS_MAX, Event, Person


async def test_a_delegated_director_acts_with_a_token_that_the_log_names(client: httpx.AsyncClient) -> None:
    event, other = [await Event.open(client) for _ in range(2)]
    made = await make_token(client, event.director, "tournament", tournament=event.id, name="Floor")
    director = bearing(made["token"])
    token = next(
        each["id"] for each in (await client.get("/v1/tokens", headers=event.director)).json()["tokens"]
        if each["name"] == "Floor"
    )  # fmt: skip
    assert (await event.shown(who=director))["director"]
    await event.act("close_registration", who=director)
    closed = (await event.shown("/acts"))["acts"][-1]
    assert (closed["event"], closed["by"], closed["token"]) == ("registration_closed", event.organiser.id, token)
    await event.act("open_registration")
    assert (await event.shown("/acts"))["acts"][-1]["token"] is None
    problem(await other.ask("POST", "/acts", director, {"act": "close_registration"}), "outside_of_token")
    assert (await client.delete(f"/v1/tokens/{token}", headers=event.director)).status_code == 204
    problem(await event.ask("POST", "/acts", director, {"act": "close_registration"}), "credential_invalid")
    assert (await event.shown())["status"] == "registration"


async def test_the_log_names_every_token_but_the_first_one_of_a_person(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    made = await make_token(client, event.director, "account")
    await event.act("announce", text="From my telephone", who=bearing(made["token"]))
    assert (await event.shown("/acts"))["acts"][-1]["token"] == made["id"]
    await event.act("announce", text="From my desk")
    assert (await event.shown("/acts"))["acts"][-1]["token"] is None


async def test_nobody_else_directs(client: httpx.AsyncClient) -> None:
    event, other = [await Event.open(client) for _ in range(2)]
    team = await event.enter()
    for query in ("", "?dry_run=true"):
        for headers in (team.headers, other.director):
            problem(
                await event.ask("POST", f"/acts{query}", headers, {"act": "close_registration"}), "not_your_tournament"
            )
        problem(await client.post(f"{event.path}/acts{query}", json={"act": "start"}), "credential_missing")
    watcher = bearing((await make_token(client, event.director, "watch"))["token"])
    problem(await event.ask("POST", "/acts", watcher, {"act": "close_registration"}), "scope_missing")


async def test_a_director_enters_persons_and_bots_in_any_places(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, ruleset="samba-official", players=4, stand_in_level="greedy")
    ada, bob = [await Person.new(client, name) for name in ("Ada", "Bob")]
    await event.act("enter", players=[ada.id], bots=["greedy"])
    await event.act("enter", players=[bob.id], bots=["greedy", None])
    await event.act("enter", bots=["greedy", "greedy"], rating=150_000, avoid=["club-1"])
    levels = [
        [each["level"] for each in entrant["members"]] for entrant in (await event.shown("/entrants"))["entrants"]
    ]
    assert levels == [[None, "greedy"], ["greedy", None], ["greedy", "greedy"]]
    shown = await event.shown("/entrants/e3")
    assert (shown["rating"], shown["avoid"], shown["agreed"]) == (150_000, ["club-1"], True)
    lineups: tuple[dict[str, Any], ...] = (
        {"players": [ada.id], "bots": [None, None]},
        {"players": [ada.id, bob.id], "bots": [None, "greedy"]},
        {"players": ["bot-greedy-00000000000000000000"], "bots": ["greedy"]},
        {"players": [ada.id]},
        {},
        {"bots": ["greedy"]},
        {"bots": ["greedy"] * 3},
    )
    for fields in lineups:
        await event.refused("lineup_invalid", "enter", **fields)
    await event.refused("bot_not_permitted", "enter", bots=["random", "random"])
    other = await Person.new(client)
    await event.refused("player_entered_already", "enter", players=[other.id, ada.id])


async def test_a_bot_takes_the_seat_of_somebody_missing_at_once(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, stand_in_level="greedy")
    match = (await event.begin_round(1))["matches"][0]
    entrant = match["sides"][0][0]
    out = event.teams[entrant].persons[0].id
    incoming: tuple[dict[str, Any], ...] = ({}, {"incoming": out, "bot": "greedy"})
    for fields in incoming:
        await event.refused("lineup_invalid", "substitute", entrant=entrant, outgoing=out, **fields)
    await event.tried("substitute", entrant=entrant, outgoing=out, bot="greedy")
    (game,) = match["tables"][0]["games"]

    async def level() -> Any:
        return (await client.get(f"/v1/games/{game}")).json()["seats"][0]["level"]

    async with asyncio.timeout(SECONDS_MAX):
        while await level() != "greedy":
            await asyncio.sleep(0.05)
    seat = (await event.shown(f"/matches/{match['id']}"))["tables"][0]["seats"][0]
    assert seat["player"].startswith("bot-greedy-")
