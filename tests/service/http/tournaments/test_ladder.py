"""The ladder: challenges, answers, matches that follow from them."""

from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from service.http.tournaments import pages
from tests.service.http.tables import guest, problem
from tests.service.http.tournaments.event import Event, stage_of
from tests.service.http.tournaments.test_pages import page_of
from tests.service.http.tournaments.test_rounds_page import links

LADDER: dict[str, Any] = {"kind": "ladder", "days": 30, "reach": 2}


async def test_a_challenge_that_is_taken_up_becomes_a_match_and_moves_the_rungs(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, stage_of(LADDER), pace={"pause_seconds": 0})
    await event.until(lambda shown: shown["ladder"] == ["e1", "e2", "e3", "e4"])
    challenger = event.teams["e3"].headers
    wanted = {"challenger": "e3", "challenged": "e1"}
    answer = await event.ask("POST", "/challenges", challenger, wanted, Idempotency_Key="k")
    assert answer.status_code == 201, answer.text
    assert answer.json()["id"] == "e3"
    again = await event.ask("POST", "/challenges", challenger, wanted, Idempotency_Key="k")
    assert (again.status_code, again.content) == (201, answer.content)
    assert (await event.shown())["challenges"] == {"e3": "e1"}
    problem(await event.ask("POST", "/challenges", challenger, wanted), "challenge_not_permitted")
    problem(await event.ask("POST", "/challenges/e3", challenger, {"accepted": True}), "not_your_entrant")
    await event.done("POST", "/challenges/e3", event.teams["e1"].headers, {"accepted": True})
    await event.until(lambda shown: shown["round"] is not None and shown["round"]["status"] == "started")
    (match,) = (await event.dealt(1))["matches"]
    assert sorted(side[0] for side in match["sides"]) == ["e1", "e3"]
    await event.resign(match, match["sides"].index(["e1"]))
    shown = await event.until(lambda shown: shown["round"]["status"] == "closed")
    # Half of the way up.
    assert shown["ladder"] == ["e1", "e3", "e2", "e4"]


async def test_only_somebody_above_within_reach_is_challenged(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, stage_of(LADDER), pace={"pause_seconds": 0})
    await event.until(lambda shown: len(shown["ladder"]) == 4)
    for challenger, challenged, code in (
        ("e4", "e1", "challenge_not_permitted"),
        ("e1", "e2", "challenge_not_permitted"),
        ("e2", "e2", "challenge_not_permitted"),
        ("e2", "e9", "entrant_not_found"),
        ("e9", "e1", "entrant_not_found"),
    ):
        body = {"challenger": challenger, "challenged": challenged}
        headers = event.teams.get(challenger, event.teams["e1"]).headers
        problem(await event.ask("POST", "/challenges", headers, body), code)
    body = {"challenger": "e2", "challenged": "e1"}
    problem(await event.ask("POST", "/challenges", await guest(client), body), "not_your_entrant")
    problem(
        await event.ask("POST", "/challenges/e2", event.teams["e1"].headers, {"accepted": True}), "challenge_not_found"
    )
    await event.done("POST", "/challenges", event.teams["e2"].headers, body)
    await event.done("POST", "/challenges/e2", event.teams["e1"].headers, {"accepted": False})
    shown = await event.shown()
    assert (shown["challenges"], shown["round"]) == ({}, None)


async def test_elsewhere_there_is_no_ladder(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4)
    body = {"challenger": "e2", "challenged": "e1"}
    problem(await event.ask("POST", "/challenges", event.teams["e2"].headers, body), "not_a_ladder")
    problem(await event.ask("POST", "/challenges/e2", event.teams["e1"].headers, {"accepted": True}), "not_a_ladder")
    for challenger in ("x", "%00", "e" * 3000):
        answer = await event.ask("POST", f"/challenges/{challenger}", event.teams["e1"].headers, {"accepted": True})
        problem(answer, "entrant_not_found")


async def test_pages_of_a_ladder_link_to_its_last_rounds_and_to_a_list_of_all(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every challenge that is taken up may be a round of its own."""
    monkeypatch.setattr(pages, "ROUNDS_LINKED", 1)
    event = await Event.begun(client, 2, stage_of(LADDER), pace={"pause_seconds": 0})
    await event.until(lambda shown: len(shown["ladder"]) == 2)
    for number in (1, 2):
        await event.done("POST", "/challenges", event.teams["e2"].headers, {"challenger": "e2", "challenged": "e1"})
        await event.done("POST", "/challenges/e2", event.teams["e1"].headers, {"accepted": True})
        await event.until(lambda shown: shown["round"] is not None and shown["round"]["status"] == "started")
        (match,) = (await event.dealt(number))["matches"]
        await event.resign(match, match["sides"].index(["e2"]))
        await event.until(lambda shown: shown["round"]["status"] == "closed")
    page = await page_of(client, event)
    assert links(page, "/pairings/") == ["pairings/2"]
    assert links(page, "/rounds") == ["rounds"]
    assert links(await page_of(client, event, "/rounds"), "/pairings/") == ["pairings/2", "pairings/2", "pairings/1"]
    listed = await event.shown("/rounds")
    assert [each["round"] for each in listed["rounds"]] == [1, 2]
    assert not {"rounds", "matches"} & set(await event.shown())


async def test_a_challenge_is_taken_back_by_the_challenger_as_long_as_it_is_not_answered(
    client: httpx.AsyncClient,
) -> None:
    event = await Event.begun(client, 3, stage_of(LADDER))
    own, other = event.teams["e3"].headers, event.teams["e2"].headers
    problem(await event.ask("DELETE", "/challenges/e3", own), "challenge_not_found")
    problem(await event.ask("DELETE", "/challenges/e9", own), "entrant_not_found")
    await event.done("POST", "/challenges", own, {"challenger": "e3", "challenged": "e2"})
    problem(await event.ask("DELETE", "/challenges/e3", other), "not_your_entrant")
    problem(await event.ask("DELETE", "/challenges/e3", event.director), "not_your_entrant")
    answer = await event.ask("DELETE", "/challenges/e3", own, Idempotency_Key="back")
    assert (answer.status_code, answer.json()["id"]) == (200, "e3")
    again = await event.ask("DELETE", "/challenges/e3", own, Idempotency_Key="back")
    assert (again.status_code, again.content) == (200, answer.content)
    assert (await event.shown())["challenges"] == {}
    assert (await event.shown("/acts"))["acts"][-1]["told"].endswith(" is taken back")
    await event.done("POST", "/challenges", other, {"challenger": "e2", "challenged": "e1"})
    await event.done("POST", "/challenges/e2", event.teams["e1"].headers, {"accepted": True})
    problem(await event.ask("DELETE", "/challenges/e2", other), "challenge_not_found")


async def test_a_challenge_to_bots_is_a_match_at_once(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, stage_of(LADDER), pace={"pause_seconds": 0}, stand_in_level="random")
    await event.act("enter", bots=["random"])
    team = await event.enter()
    await event.act("start")
    await event.until(lambda shown: len(shown["ladder"]) == 2)
    await event.done("POST", "/challenges", team.headers, {"challenger": team.id, "challenged": "e1"})
    shown = await event.until(lambda shown: shown["round"] is not None and shown["round"]["status"] == "started")
    assert shown["challenges"] == {}


async def test_a_ladder_tells_until_when_a_challenge_is_to_be_answered(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 3, stage_of(LADDER | {"answer_minutes": 90}), pace={"pause_seconds": 0})
    await event.until(lambda shown: len(shown["ladder"]) == 3)
    assert (await event.shown())["answers_due"] == {}
    await event.done("POST", "/challenges", event.teams["e3"].headers, {"challenger": "e3", "challenged": "e2"})
    shown = await event.shown()
    asked_at = datetime.fromisoformat((await event.events())[-1]["at"])
    assert datetime.fromisoformat(shown["answers_due"]["e3"]) == asked_at + timedelta(minutes=90)
    assert shown["next_at"] == shown["answers_due"]["e3"]
    assert shown["terms"]["stages"][0]["format"]["answer_minutes"] == 90
    for minutes in (0, 576_001, "90"):
        stages = [stage_of(LADDER | {"answer_minutes": minutes})]
        answer = await client.post("/v1/tournaments", json={"stages": stages, "title": "x"}, headers=event.director)
        problem(answer, "invalid_body")
