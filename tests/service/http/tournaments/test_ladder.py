"""The ladder: challenges, answers, matches that follow from them."""

from typing import Any

import httpx

from tests.service.http.tables import guest, problem
from tests.service.http.tournaments.event import Event, stage_of

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
