"""Standings, crosstables and boards over HTTP."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from service.running import Service
from service.tournaments.rankings import Rankings
from tests.service.http.tables import problem
from tests.service.http.tournaments.event import SECONDS_MAX, Event, stage_of

SWISS = stage_of({"kind": "swiss", "rounds": 2}, tie_breaks=["opponents_vp_cut_1", "margin", "wins", "lot"])
DUPLICATE = stage_of({"kind": "danish", "rounds": 1}, score={"kind": "matchpoints"})


@pytest.fixture
async def event(client: httpx.AsyncClient) -> Event:
    """Four entrants, the first round played, the second begun."""
    begun = await Event.begun(client, 4, SWISS)
    await begun.play_round(1)
    await begun.act("close_round", round=1)
    return begun


def rows(shown: dict[str, Any]) -> list[tuple[int, str]]:
    return [(row["rank"], row["entrant"]) for row in shown["rows"]]


async def test_standings_tell_ranks_names_and_values(event: Event) -> None:
    shown = await event.shown("/standings")
    assert (shown["stage"], shown["round"], shown["complete"]) == (0, 1, True)
    assert [row["rank"] for row in shown["rows"]] == [1, 2, 3, 4]
    assert {row["entrant"] for row in shown["rows"][:2]} == {"e1", "e2"}
    first = shown["rows"][0]
    assert first["name"] == f"Player {first['entrant'][1:]}"
    assert (first["score"], first["score_shown"], first["status"]) == (1400, "14.00", "entered")
    assert [column["code"] for column in shown["tie_breaks"]] == ["BH-C1", "MPD", "WIN", "LOT"]
    assert len(first["values"]) == len(first["shown"]) == 4
    assert first["shown"][2] == "1"
    assert shown["published"] > 0


async def test_the_standings_of_a_version_stay_what_they_were(event: Event) -> None:
    closed = await event.shown("/standings")
    answer = await event.get("/standings")
    assert answer.headers["etag"] == f'"{closed["version"]}"'
    again = await event.get("/standings", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    await event.act("penalty", entrant="e1", score=900, reason="conduct")
    now = await event.shown("/standings")
    assert next(row for row in now["rows"] if row["entrant"] == "e1")["penalty"] == 900
    assert rows(now) != rows(closed)
    earlier = await event.shown("/standings", at=closed["version"])
    assert earlier["rows"] == closed["rows"]
    problem(await event.get("/standings", params={"at": now["version"] + 1}), "event_not_found")


async def test_every_version_is_that_of_its_events(event: Event) -> None:
    """Forwards and backwards, whatever is kept of versions that were asked for before."""
    last = (await event.shown())["version"]
    begun = next(each["n"] for each in await event.events() if each["type"] == "stage_begun")
    first = {n: await event.shown("/standings", at=n) for n in range(begun, last + 1)}
    for n in reversed([*first]):
        assert await event.shown("/standings", at=n) == first[n]
        assert first[n]["version"] == n
    problem(await event.get("/standings", params={"at": begun - 1}), "stage_not_found")


async def test_an_entrants_place_is_explained_with_names(event: Event) -> None:
    shown = await event.shown("/standings", explain="e1")
    explained = shown["explained"]
    (played,) = explained["rounds"]
    opponent = played["opponents"][0]
    assert explained["text"] == "Score 14.00 = 14.00 (round 1)"
    assert played["text"] == "14.00, since a side gave up or lost on time; 0 to 0 points"
    by_name = {each["tie_break"]: each["text"] for each in explained["tie_breaks"]}
    assert by_name["wins"] == f"Wins 1: round 1 (Player {opponent[1:]})"
    if not by_name["lot"].endswith("nobody"):
        assert "SHA-256 of the seed and e1 is " in by_name["lot"]
    assert [each["shown"] for each in explained["tie_breaks"]] == next(
        row["shown"] for row in shown["rows"] if row["entrant"] == "e1"
    )
    problem(await event.get("/standings", params={"explain": "e99"}), "entrant_not_found")
    problem(await event.get("/standings", params={"explain": "nobody"}), "invalid_parameter")


async def test_a_stage_that_has_not_begun_is_told(client: httpx.AsyncClient, event: Event) -> None:
    for path in ("/standings", "/crosstable"):
        problem(await event.get(path, params={"stage": 1}), "stage_not_found")
        assert (await event.shown(path, stage=0))["stage"] == 0
    waiting = await Event.open(client)
    problem(await waiting.get("/standings"), "stage_not_found")


async def test_the_crosstable_names_opponents_by_number(event: Event) -> None:
    await event.begin_round(2)
    shown = await event.shown("/crosstable")
    assert shown["rounds"] == [1, 2]
    assert [f"e{row['number']}" for row in shown["rows"]] == [row["entrant"] for row in shown["rows"]]
    of_number = {row["number"]: row for row in shown["rows"]}
    assert set(shown["names"]) == {"e1", "e2", "e3", "e4"}
    for row in shown["rows"]:
        first, second = row["cells"]
        other = of_number[first["opponents"][0]]
        assert other["cells"][0]["opponents"] == [row["number"]]
        assert {first["side"], other["cells"][0]["side"]} == {"NS", "EW"}
        assert first["score"] + other["cells"][0]["score"] == 2000
        assert (second["score"], second["kind"]) == (None, None)
    tag = (await event.get("/crosstable")).headers["etag"]
    assert (await event.get("/crosstable", headers={"If-None-Match": tag})).status_code == 304


async def test_many_readers_of_one_version_cost_one_ranking(event: Event, service: Service) -> None:
    await event.shown("/standings")
    live = await service.tournaments.find(event.id)
    kept = service.rankings.ranking(live.state)
    before = len(service.rankings)
    for _ in range(3):
        await event.shown("/standings")
    assert len(service.rankings) == before
    assert service.rankings.ranking(live.state) is kept
    await event.act("penalty", entrant="e1", score=100, reason="late")
    assert service.rankings.ranking(live.state) is not kept


async def test_no_more_rankings_are_kept_than_there_may_be(event: Event, service: Service) -> None:
    live = await service.tournaments.find(event.id)
    rankings = Rankings(2)
    states = [await service.tournaments.at(live, live.state.version - n) for n in range(3)]
    found = [rankings.ranking(state) for state in states]
    assert len(rankings) == 2
    assert rankings.ranking(states[2]) is found[2]
    assert rankings.ranking(states[0]) is not found[0]


async def test_a_stream_tells_the_standings_as_they_change(client: httpx.AsyncClient, event: Event) -> None:
    await event.play_round(2)
    await event.act("finish")
    answer = await client.get(f"{event.path}/stream", headers={"Accept": "application/x-ndjson"})
    assert answer.status_code == 200, answer.text
    messages = [json.loads(line) for line in answer.text.splitlines() if line.strip()]
    told = [message for message in messages if message["type"] == "standings"][-1]
    shown = await event.shown("/standings")
    assert [(row["rank"], row["entrant"], row["score"]) for row in told["rows"]] == [
        (row["rank"], row["entrant"], row["score"]) for row in shown["rows"]
    ]
    assert (told["complete"], told["stage"], told["round"]) == (True, 0, 2)


# --- boards ---


async def finished(event: Event, match: str) -> None:
    """Wait until a match has a game that has ended without its result being told."""
    async with asyncio.timeout(SECONDS_MAX):
        while not (await event.shown(f"/matches/{match}"))["finished"]:
            await asyncio.sleep(0.05)


async def test_a_board_is_sealed_until_all_tables_have_played_it(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, DUPLICATE, boards={"stock": "striped"})
    first, second = (await event.begin_round(1))["matches"]
    await event.resign(first, 1)
    await finished(event, first["id"])
    listed = await event.shown("/boards")
    assert listed["boards"]
    assert {(board["status"], board["stage"], board["results"]) for board in listed["boards"]} == {
        ("sealed", None, None)
    }
    sealed = await event.shown("/boards/1")
    assert (sealed["status"], sealed["tables"], sealed["names"], sealed["top"]) == ("sealed", [], {}, None)
    await event.resign(second, 0)
    await event.decided(1)
    listed = await event.shown("/boards")
    assert listed["boards"][0] == {"board": 1, "status": "told", "stage": 0, "results": 0}
    shown = await event.shown("/boards/1")
    assert (shown["unit"], shown["top"], shown["status"]) == ("matchpoints", 200, "told")
    tables = {table["match"]: table for table in shown["tables"]}
    assert tables[first["id"]]["adjusted"] == ["plus", "minus"]
    assert tables[second["id"]]["adjusted"] == ["minus", "plus"]
    assert tables[first["id"]]["score"] == [120, 80]
    assert tables[first["id"]]["game"] == first["tables"][0]["games"][0]
    assert set(shown["names"]) == {"e1", "e2", "e3", "e4"}
    assert sorted(row["score"] for row in (await event.shown("/standings"))["rows"]) == [4000, 4000, 6000, 6000]
    began = next(each["n"] for each in await event.events() if each["type"] == "round_started")
    assert (await event.shown("/boards/1", at=began))["status"] == "sealed"


async def test_results_on_a_board_are_compared(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, DUPLICATE, boards={"stock": "striped"})
    first, second = (await event.begin_round(1))["matches"]
    await event.resign(first, 1)
    await finished(event, first["id"])
    await event.act("record_result", match=second["id"], table=second["tables"][0]["table"], hands=[[700, 200]])
    shown = await event.shown("/boards/1")
    best = shown["tables"][0]
    assert (best["match"], best["points"], best["margin"], best["score"]) == (second["id"], [700, 200], 500, [100, 100])
    assert (await event.shown("/boards"))["boards"][0]["results"] == 1


async def test_a_board_that_there_is_not_is_told(client: httpx.AsyncClient, event: Event) -> None:
    assert (await event.shown("/boards"))["boards"] == []
    for number in ("0", "1", "-1", "one", "9" * 30):
        problem(await event.get(f"/boards/{number}"), "board_not_found")
