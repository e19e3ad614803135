"""Rulings, and everything that hangs on them: ranks, who goes on, later matches, ratings."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.service.http.tables import problem
from tests.service.http.tournaments.event import SECONDS_MAX, Event, rows, stage_of

NOBODY: dict[str, Any] = {"of": "nobody"}


async def test_a_ruling_on_an_earlier_round_is_told_with_all_that_hangs_on_it(client: httpx.AsyncClient) -> None:
    """A round is under way; ranks, who goes on, and ratings change, and the pairing of the round stands."""
    event = await Event.begun(
        client,
        4,
        stage_of({"kind": "danish", "rounds": 3}),
        stage_of({"kind": "elimination"}, qualifiers=2),
    )
    await event.play_round(1)
    for team in event.teams.values():
        await _until_rated(event, team.persons[0].id, None)
    await event.act("close_round", round=1)
    second = await event.begin_round(2)
    match = await event.shown("/matches/r1m1")
    winner, loser = match["sides"][0][0], match["sides"][1][0]
    ruling: dict[str, Any] = {
        "match": "r1m1",
        "adjustment": {"kind": "points", "points": [0, 900]},
        "reason": "scoring_error",
        "note": "The sheet was signed the wrong way round.",
    }
    preview = await event.tried("rule", **ruling)
    changes = preview["changes"]
    assert rows(changes["results"], "match", "how_old", "how_new") == [("r1m1", "loser", "ruling")]
    ranks = {each["entrant"]: (each["score_old"], each["score_new"]) for each in changes["ranks"]}
    assert ranks[loser][1] > ranks[loser][0]
    assert ranks[winner][1] < ranks[winner][0]
    assert {(each["stage"], each["entrant"], each["new"]) for each in changes["qualifiers"]} == {
        (1, winner, False), (1, loser, True),
    }  # fmt: skip
    assert rows(changes["rated"], "match", "old", "new") == [("r1m1", [1, 2], [2, 1])]
    assert (changes["pairings"], changes["dependants"]) == ([], [])
    assert [(await event.round(2))["matches"][place]["sides"] for place in range(2)] == [
        each["sides"] for each in second["matches"]
    ]
    moved = {each["players"][0]: each for each in preview["ratings"]}
    assert {*moved} == {event.teams[winner].persons[0].id, event.teams[loser].persons[0].id}
    gained = moved[event.teams[loser].persons[0].id]
    assert gained["after"]["value"] > gained["before"]["value"]
    shown = await event.shown("/matches/r1m1")
    assert (shown["ruling"]["note"], shown["ruling"]["by"]) == (ruling["note"], event.organiser.id)
    assert shown["results"] == match["results"]
    again = await event.refused("nothing_to_change", "rule", **ruling)
    assert again["params"]["ruling"] == shown["ruling"]["n"]
    preview = await event.tried("rule", match="r1m1", adjustment=None, reason="other")
    assert rows(preview["changes"]["rated"], "old", "new") == [([2, 1], [1, 2])]
    assert (await event.shown("/matches/r1m1"))["ruling"] is None


@pytest.mark.parametrize(
    ("adjustment", "rated"),
    [
        ({"kind": "points", "points": [0, 900]}, "otherwise"),
        ({"kind": "points", "points": [300, 300]}, "otherwise"),
        ({"kind": "score", "score": [500, 1500]}, "otherwise"),
        ({"kind": "score", "score": [1900, 100]}, "as before"),
        ({"kind": "average", "average": ["even", "even"]}, "not"),
        ({"kind": "forfeit", "forfeit": [True, False]}, "not"),
        ({"kind": "void"}, "not"),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
async def test_ratings_become_what_the_preview_said(
    client: httpx.AsyncClient, adjustment: dict[str, Any], rated: str
) -> None:
    """Of the side of e1, which has won."""
    event = await Event.begun(client, 4, stage_of({"kind": "danish", "rounds": 1}))
    first = (await event.play_round(1))["matches"][0]
    players = [event.teams[side[0]].persons[0].id for side in first["sides"]]
    for player in players:
        await _until_rated(event, player, None)
    preview = await event.tried("rule", match="r1m1", adjustment=adjustment, reason="scoring_error")
    moved = rated != "as before"
    assert {each["players"][0] for each in preview["ratings"]} == (set(players) if moved else set())
    assert bool(preview["changes"]["rated"]) == moved
    assert {each["after"] is None for each in preview["ratings"]} <= {rated == "not"}
    for each in preview["ratings"]:
        await _until_rated(event, each["players"][0], each["after"] or NOBODY)


async def _until_rated(event: Event, player: str, rating: dict[str, Any] | None) -> None:
    """Wait until a player has a rating: this one, `NOBODY` for none any more, None for whichever it is."""
    async with asyncio.timeout(SECONDS_MAX):
        while True:
            answer = await event.client.get(f"/v1/players/{player}/ratings")
            told = [each["rating"] for each in answer.json().get("ratings", ())]
            if rating in told or (rating is NOBODY and not told) or (rating is None and told):
                return
            await asyncio.sleep(0.1)


async def test_what_was_played_elsewhere_moves_no_rating(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, stage_of({"kind": "danish", "rounds": 1}))
    one, other = (await event.begin_round(1))["matches"]
    preview = await event.tried("record_result", match=one["id"], table=1, hands=[[900, 100]])
    assert (preview["changes"]["rated"], preview["ratings"]) == ([], [])
    await event.resign(other, 1)
    await _until_rated(event, event.teams[other["sides"][0][0]].persons[0].id, None)
    for (entrant,) in one["sides"]:
        await _until_rated(event, event.teams[entrant].persons[0].id, NOBODY)


async def test_an_unrated_tournament_moves_no_rating(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, stage_of({"kind": "danish", "rounds": 1}), rated=False)
    await event.play_round(1)
    preview = await event.preview(
        "rule", match="r1m1", adjustment={"kind": "points", "points": [0, 900]}, reason="scoring_error"
    )
    assert preview["ratings"] == []


async def test_in_a_bracket_later_matches_hang_on_earlier_ones(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, stage_of({"kind": "elimination"}))
    await event.play_round(1)
    await event.act("close_round", round=1)
    await event.act("pair")
    final = (await event.round(2))["matches"][0]
    match = (await event.round(1))["matches"][0]
    ruling = {"match": match["id"], "adjustment": {"kind": "points", "points": [0, 900]}, "reason": "scoring_error"}
    preview = await event.preview("rule", **ruling)
    # The final has not begun: it is paired anew with the other side.
    assert [(each["old"], each["new"]) for each in preview["changes"]["pairings"]] != []
    await event.act("start_round", round=2)
    preview = await event.preview("rule", **ruling)
    assert preview["changes"]["dependants"] == [final["id"]]
    refused = await event.ask("POST", "/acts", event.director, {"act": "rule", **ruling})
    assert problem(refused, "dependants_not_accepted")["params"]["matches"] == [final["id"]]
    await event.act("rule", **ruling, accept_dependants=True)
    assert (await event.round(2))["matches"][0]["sides"] == final["sides"]
