"""The log of acts as its readers have it: in names, with ids beside them."""

import re

import httpx

from service.players import ERASED_NAME
from tests.service.http.tournaments.event import Event, Person, stage_of

OF_A_PERSON_OR_BOT = re.compile(r"\bp[0-9a-f]{16,}\b|\bbot-")


async def told(event: Event) -> list[str]:
    return [each["told"] for each in (await event.shown("/acts", limit=1000))["acts"]]


async def test_the_log_names_entrants_persons_and_matches_and_bots_by_their_level(client: httpx.AsyncClient) -> None:
    form = stage_of({"kind": "swiss", "rounds": 1})
    event = await Event.open(client, form, ruleset="samba-official", players=4, stand_in_level="greedy")
    ada, bob = [await Person.new(client, name) for name in ("Ada", "Bob")]
    await event.act("enter", players=[ada.id], bots=["greedy"], name="The Aces e2")
    await event.act("enter", bots=["greedy", "greedy"], name="Machine")
    await event.act("enter", players=[bob.id], bots=["greedy"])
    await event.done("POST", "/entrants/e1/consent", ada.headers)
    await event.act("withdraw", entrant="e3")
    await event.act("start")
    await event.act("pair_by_hand", matches=[{"sides": [["e1"], ["e2"]]}])
    await event.act("start_round", round=1)
    await event.act("note_no_show", match="r1m1", entrant="e1")
    await event.act("substitute", entrant="e1", outgoing=ada.id, bot="greedy")
    sentences = await told(event)
    assert "The Aces e2 (e1) is entered: Ada, a bot (greedy)" in sentences
    assert "Ada agrees to be seated for The Aces e2 (e1)" in sentences
    assert "The Aces e2 (e1) plays as a bot (greedy), a bot (greedy); a bot (greedy) takes the seat of Ada" in sentences
    assert "Bob & bot greedy (e3) withdraws" in sentences
    assert "Round 1 is paired (director): The Aces e2 (e1) v Machine (e2)" in sentences
    assert "The Aces e2 (e1) did not come to r1m1 (The Aces e2 v Machine)" in sentences
    assert not [each for each in sentences if OF_A_PERSON_OR_BOT.search(each)]


async def test_who_is_erased_has_no_name_in_the_log(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    gone = await event.enter(name="Kanarienvogel")
    assert "Kanarienvogel (e1) is entered: Player 1" in await told(event)
    assert (await client.delete("/v1/me", headers=gone.headers)).status_code == 204
    assert f"{ERASED_NAME} (e1) is entered: {ERASED_NAME}" in await told(event)
    log = (await event.get("/acts")).text
    assert "Kanarienvogel" not in log
    assert "Player 1" not in log


async def test_the_log_tells_how_the_entrants_are_called_that_a_match_is_of(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 2, stage_of({"kind": "swiss", "rounds": 1}))
    await event.begin_round(1)
    await event.act("forfeit", match="r1m1", entrants=["e2"], reason="absence")
    log = await event.shown("/acts", limit=1000)
    assert log["acts"][-1]["told"].startswith("r1m1 (Player 1 v Player 2): side 2 forfeits")
    after = log["acts"][-1]["n"] - 1
    assert (await event.shown("/acts", after=after))["names"] == {"e1": "Player 1", "e2": "Player 2"}
