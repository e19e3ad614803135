"""A tournament is handed over to another organiser, and nobody is erased who leaves one without."""

import httpx

from tests.service.http.tables import problem
from tests.service.http.tokens import bearing, make_token
from tests.service.http.tournaments.event import Event, Person

CANCEL = {"act": "cancel", "reason": "other"}


async def test_the_new_organiser_directs_and_the_one_of_before_no_more(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    ada = await Person.new(client, "Ada")
    floor = bearing((await make_token(client, event.director, "tournament", tournament=event.id))["token"])
    shown = await event.act("hand_over", player=ada.id)
    assert shown["changes"]["organiser"] == ada.id
    for before in (event.director, floor):
        problem(await event.ask("POST", "/acts", before, {"act": "close_registration"}), "not_your_tournament")
    await event.act("close_registration", who=ada.headers)
    told = await event.shown()
    assert (told["organiser"], told["organiser_name"]) == (ada.id, "Ada")
    made = await make_token(client, ada.headers, "tournament", tournament=event.id)
    await event.act("open_registration", who=bearing(made["token"]))
    acts = (await event.shown("/acts"))["acts"]
    assert "Ada is the organiser from now on" in [each["told"] for each in acts]


async def test_lists_of_ones_own_go_by_the_organiser_of_now(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    ada = await Person.new(client, "Ada")
    await event.act("hand_over", player=ada.id)
    for headers, expected in ((event.director, []), (ada.headers, [event.id])):
        mine = (await client.get("/v1/tournaments?mine=true", headers=headers)).json()["tournaments"]
        assert [each["id"] for each in mine] == expected


async def test_a_tournament_is_handed_over_by_its_organiser_to_somebody_else_that_there_is(
    client: httpx.AsyncClient,
) -> None:
    event = await Event.open(client)
    ada = await Person.new(client, "Ada")
    floor = bearing((await make_token(client, event.director, "tournament", tournament=event.id))["token"])
    asked = {"act": "hand_over", "player": ada.id}
    problem(await event.ask("POST", "/acts", floor, asked), "not_your_tournament")
    problem(await event.ask("POST", "/acts", ada.headers, asked), "not_your_tournament")
    problem(await event.ask("POST", "/acts", event.director, asked | {"player": "p0"}), "lineup_invalid")
    itself = asked | {"player": event.organiser.id}
    problem(await event.ask("POST", "/acts", event.director, itself), "nothing_to_change")
    assert (await event.shown())["organiser"] == event.organiser.id


async def test_nobody_is_erased_who_leaves_a_tournament_without_anybody_to_direct_it(client: httpx.AsyncClient) -> None:
    kept, cancelled = await Event.open(client), await Event.open(client)
    ada = await Person.new(client, "Ada")
    refusal = problem(await client.delete("/v1/me", headers=kept.director), "tournaments_to_hand_over")
    assert refusal["params"]["tournaments"] == [kept.id]
    await kept.act("hand_over", player=ada.id)
    assert (await client.delete("/v1/me", headers=kept.director)).status_code == 204
    assert (await kept.shown(who=ada.headers))["director"]
    assert (await cancelled.ask("POST", "/acts", cancelled.director, CANCEL)).status_code == 200
    assert (await client.delete("/v1/me", headers=cancelled.director)).status_code == 204


async def test_a_handing_over_that_is_asked_for_again_is_told_again(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    ada = await Person.new(client, "Ada")
    asked = {"act": "hand_over", "player": ada.id}
    answers = [await event.ask("POST", "/acts", event.director, asked, Idempotency_Key="handed") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    again = await event.ask("POST", "/acts", event.director, asked, Idempotency_Key="another")
    problem(again, "not_your_tournament")


async def test_a_tournament_is_not_handed_over_to_whoever_cannot_log_in(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    ada = await Person.new(client, "Ada")
    (token,) = (await client.get("/v1/tokens", headers=ada.headers)).json()["tokens"]
    assert (await client.delete(f"/v1/tokens/{token['id']}", headers=ada.headers)).status_code == 204
    refusal = problem(
        await event.ask("POST", "/acts", event.director, {"act": "hand_over", "player": ada.id}), "lineup_invalid"
    )
    assert refusal["params"]["needed"] == "a player who can log in"


async def test_nobody_keeps_others_from_being_erased_by_handing_tournaments_over_to_them(
    client: httpx.AsyncClient,
) -> None:
    event = await Event.open(client)
    ada = await Person.new(client, "Ada")
    await event.act("hand_over", player=ada.id)
    assert (await client.delete("/v1/me", headers=ada.headers)).status_code == 204
