"""Bots of an imported tournament stay bots, and play on."""

import httpx

from tests.service.http.tournaments.event import Event, Person, stage_of


async def test_the_bots_of_a_tournament_that_goes_on_play_on_where_it_is_imported(client: httpx.AsyncClient) -> None:
    stage = stage_of({"kind": "swiss", "rounds": 2}, match={"length": {"kind": "hands", "hands": 1}})
    event = await Event.open(client, stage, stand_in_level="random")
    ada = await Person.new(client, "Ada")
    for _ in range(3):
        await event.act("enter", bots=["random"])
    await event.act("enter", players=[ada.id])
    await event.done("POST", "/entrants/e4/consent", ada.headers)
    await event.act("start")
    await event.act("pair")
    await event.act("start_round", round=1)
    against = next(each for each in (await event.shown("/rounds/1"))["matches"] if ["e4"] in each["sides"])
    await event.act("forfeit", match=against["id"], entrants=["e4"], reason="absence")
    await event.decided(1)
    await event.act("close_round", round=1)
    other = await Person.new(client, "Another")
    headers = other.headers | {"Idempotency-Key": "bots", "Content-Type": "application/json"}
    content = (await event.get("/export")).content
    answer = await client.post("/v1/tournaments/import", content=content, headers=headers)
    assert answer.status_code == 201, answer.text
    imported = Event(client, other, answer.json()["tournament"]["id"])
    members = [(await imported.shown(f"/entrants/e{number}"))["members"][0] for number in range(1, 5)]
    assert [each["level"] for each in members] == ["random", "random", "random", None]
    await imported.act("pair")
    await imported.act("start_round", round=2)
    ours = next(each for each in (await imported.shown("/rounds/2"))["matches"] if ["e4"] in each["sides"])
    await imported.act("forfeit", match=ours["id"], entrants=["e4"], reason="absence")
    await imported.decided(2)
