"""What the pages tell beside names and scores: penalties, who left, who still plays, numbers, players, stages."""

import asyncio

import httpx
import pytest

from tests.service.http.tables import problem
from tests.service.http.tournaments.event import Event, Person, stage_of
from tests.service.http.tournaments.test_pages import Reading, page_of

DUPLICATE = stage_of({"kind": "swiss", "rounds": 2}, score={"kind": "matchpoints"})


def said(page: Reading) -> str:
    return " ".join(" ".join(page.text).split())


@pytest.fixture
async def event(client: httpx.AsyncClient) -> Event:
    """Two rounds of four entrants, the first one over."""
    begun = await Event.begun(client, 4)
    await begun.play_round(1)
    await begun.act("close_round", round=1)
    return begun


@pytest.fixture
async def two_stages(client: httpx.AsyncClient) -> Event:
    """A round of four whose two best go on and carry half of what they have; nobody has played there yet."""
    carry = {"what": "score", "percent": 50}
    last = stage_of({"kind": "round_robin"}, qualifiers=2, carry=carry)
    event = await Event.begun(client, 4, stage_of({"kind": "swiss", "rounds": 1}), last)
    await event.play_round(1)
    await event.act("penalty", entrant="e1", score=100, reason="slow_play")
    await event.act("advance")
    return event


@pytest.mark.parametrize("path", ["", "/embed", "/crosstable"])
async def test_penalties_and_bonuses_are_shown_only_where_there_are_some(event: Event, path: str) -> None:
    before = said(await page_of(event.client, event, path))
    assert "Penalties" not in before
    await event.act("penalty", entrant="e1", score=150, reason="slow_play")
    await event.act("penalty", entrant="e2", score=-50, reason="technical")
    shown = said(await page_of(event.client, event, path))
    assert "Penalties" in shown
    assert " −1.50 " in shown
    assert " +0.50 " in shown
    assert "Penalties (−) and bonuses (+) are in the score." in shown


@pytest.mark.parametrize("path", ["", "/embed", "/crosstable"])
async def test_what_was_carried_is_shown_only_where_there_is_some(two_stages: Event, path: str) -> None:
    event = two_stages
    await event.act("penalty", entrant="e1", score=300, reason="slow_play")
    await event.act("penalty", entrant="e2", score=200, reason="slow_play")
    assert "arried" not in said(await page_of(event.client, event, path, stage=0))
    shown = said(await page_of(event.client, event, path))
    carried = [row["carried"] for row in (await event.shown("/standings"))["rows"]]
    assert len(set(carried)) == len(carried) == 2
    assert " Carried " in shown
    assert all(f" {each / 100:.2f} " in shown for each in carried)
    assert "What was carried from the stage before is in the score." in shown


@pytest.mark.parametrize("path", ["", "/embed", "/crosstable"])
async def test_who_withdrew_or_was_disqualified_is_marked(event: Event, path: str) -> None:
    await event.act("withdraw", entrant="e1", reason="request")
    await event.act("disqualify", entrant="e2", reason="conduct")
    shown = said(await page_of(event.client, event, path))
    assert "Player 1 withdrawn" in shown
    assert "Player 2 disqualified" in shown
    assert shown.count("withdrawn") == shown.count("disqualified") == 1


async def test_while_boards_are_sealed_the_pages_tell_who_still_plays_and_nothing_else(
    client: httpx.AsyncClient,
) -> None:
    event = await Event.begun(client, 4, DUPLICATE, boards={"stock": "striped"})
    first, second = (await event.begin_round(1))["matches"]
    assert "round 1: 0 of 2 matches finished" in said(await page_of(client, event))
    playing = await page_of(client, event, "/pairings/1")
    assert [playing.text.count(each) for each in ("playing", "finished")] == [2, 0]
    await event.resign(first, 1)
    await event.until(lambda shown: shown["round"]["finished"] == 1)
    assert (await event.shown())["round"]["over"] == 0
    assert "round 1: 1 of 2 matches finished" in said(await page_of(client, event))
    page = await page_of(client, event, "/pairings/1")
    assert [page.text.count(each) for each in ("playing", "finished")] == [1, 1]
    # But for the marks it is the page of before.
    told, before = [
        [each for each in sheet.text if each not in ("playing", "finished") and not each.startswith("As of event")]
        for sheet in (page, playing)
    ]
    assert told == before
    await event.resign(second, 1)
    await event.decided(1)
    assert "round 1: 2 of 2 matches finished" in said(await page_of(client, event))
    page = await page_of(client, event, "/pairings/1")
    assert [page.text.count(each) for each in ("playing", "finished")] == [0, 0]


async def test_a_pairing_list_tells_numbers_and_the_players_of_a_name(client: httpx.AsyncClient) -> None:
    event = await Event.open(
        client, stage_of({"kind": "danish", "rounds": 1}), ruleset="samba-official", players=4, stand_in_level="random"
    )
    ada = await Person.new(client, "Ada <b>")
    await event.act("enter", players=[ada.id], bots=["random"], name="The Aces")
    await event.done("POST", "/entrants/e1/consent", ada.headers)
    for _ in range(2):
        await event.act("enter", bots=["random", "random"])
    await event.act("start")
    await event.act("pair_by_hand", matches=[{"sides": [["e3"], ["e1"]]}], byes={"e2": "half_bye"})
    shown = said(await page_of(client, event, "/pairings/1"))
    assert "3 bot random & bot random" in shown
    assert "1 The Aces Ada <b> & bot random" in shown
    assert "2 bot random & bot random half bye" in shown


@pytest.mark.parametrize(("path", "players"), [("", " The Aces Player 1 "), ("/embed", " The Aces ")])
async def test_standings_have_the_numbers_of_entrants_and_the_players_of_a_name(
    client: httpx.AsyncClient, path: str, players: str
) -> None:
    event = await Event.open(client, stage_of({"kind": "swiss", "rounds": 1}))
    await event.enter(name="The Aces")
    await event.enter()
    assert " 1 The Aces Player 1 2 Player 2 " in said(await page_of(client, event))
    await event.act("start")
    await event.play_round(1)
    await event.act("penalty", entrant="e1", score=9000, reason="conduct")
    rows = (await event.shown("/standings"))["rows"]
    assert [row["entrant"] for row in rows] == ["e2", "e1"]
    shown = said(await page_of(client, event, path))
    assert " Rank No Entrant " in shown
    assert " 1 2 Player 2 " in shown
    assert f" 2 1{players}{rows[1]['score_shown']} " in shown


async def test_the_columns_of_tie_breaks_have_the_names_and_codes_of_the_interface(event: Event) -> None:
    shown = said(await page_of(event.client, event))
    told = await event.shown("/standings")
    assert {"DE", "MPD"} <= {each["code"] for each in told["tie_breaks"]}
    # There is no column where nobody has a value.
    columns = [*zip(*(row["values"] for row in told["rows"]), strict=True)]
    used = [place for place, values in enumerate(columns) if any(value is not None for value in values)]
    assert 0 < len(used) < len(columns)
    for place, each in enumerate(told["tie_breaks"]):
        assert (f"{each['name']} {each['code']}" in shown) is (place in used)
    for row in told["rows"]:
        values = " ".join(row["shown"][place] for place in used)
        assert f" {row['name']} {row['score_shown']} {values} {row['played']} " in shown


async def test_a_heading_tells_of_the_stage_that_is_shown(two_stages: Event) -> None:
    event = two_stages

    async def heading(**params: int) -> str:
        return said(await page_of(event.client, event, "/embed", **params)).partition(" Rank ")[0]

    over = "stage 1 is over; round 1: 2 of 2 matches finished"
    assert (await heading(stage=0)).endswith(over)
    assert (await heading()).endswith("under way; stage 2")
    await event.play_round(2)
    await event.act("finish")
    assert (await heading(stage=0)).endswith(over)
    for last in (await heading(), await heading(stage=1)):
        assert last.endswith("final standings; stage 2; round 2: 1 of 1 matches finished")


async def test_opponents_keep_their_numbers_in_the_crosstable_whatever_their_ranks(event: Event) -> None:
    await event.act("penalty", entrant="e1", score=9000, reason="conduct")
    rows = (await event.shown("/crosstable"))["rows"]
    assert (rows[-1]["number"], rows[-1]["rank"]) == (1, len(rows))
    shown = said(await page_of(event.client, event, "/crosstable"))
    for row in rows:
        (first,) = row["cells"]
        cell = f"{first['opponents'][0]} {first['side'][0].lower()}"
        assert f" {row['rank']} {row['number']} Player {row['number']} {cell} " in shown


async def test_a_page_shows_the_stage_that_is_asked_for(client: httpx.AsyncClient) -> None:
    one_round = {"kind": "swiss", "rounds": 1}
    event = await Event.begun(client, 4, stage_of(one_round), stage_of({"kind": "round_robin"}, qualifiers=2))
    assert "Stage 1" not in said(await page_of(client, event))
    problem(await client.get(f"/tournaments/{event.id}?stage=1"), "stage_not_found")
    await event.play_round(1)
    await event.act("advance")
    for path in ("", "/embed", "/crosstable"):
        first, second = [await page_of(client, event, path, stage=stage) for stage in (0, 1)]
        assert "Player 4" in first.text
        assert "Player 4" not in second.text
        assert (await page_of(client, event, path)).text == second.text
        problem(await client.get(f"/tournaments/{event.id}{path}?stage=2"), "stage_not_found")
    version = (await event.shown())["version"]
    page = await page_of(client, event, "/crosstable", at=version)
    links = {attributes.get("href") for tag, attributes in page.elements if tag == "a"}
    assert f"/tournaments/{event.id}/crosstable?at={version}&stage=0" in links


async def test_public_tournaments_are_listed_newest_first_page_by_page(client: httpx.AsyncClient) -> None:
    from service.http.tournaments import list_page

    events = [await Event.open(client, title=f"Cup {number} <i>") for number in range(3)]
    hidden = await Event.open(client, title="Hidden", shown="unlisted")
    seen: list[str] = []
    path: str | None = "/tournaments"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(list_page, "ROWS", 2)
        while path is not None:
            answer = await client.get(path)
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert "script-src" not in answer.headers["content-security-policy"]
            page = Reading(answer.text)
            assert page.tags.isdisjoint({"i", "script"})
            links = [attributes for tag, attributes in page.elements if tag == "a"]
            seen += [str(each["href"]) for each in links if "rel" not in each]
            path = next((each["href"] for each in links if each.get("rel") == "next"), None)
    assert [each for each in seen if each in {f"/tournaments/{event.id}" for event in (*events, hidden)}] == [
        f"/tournaments/{event.id}" for event in reversed(events)
    ]
    first = await client.get("/tournaments")
    assert "Cup 2 <i>" in Reading(first.text).text
    assert "registration is open" in Reading(first.text).text
    again = await client.get("/tournaments", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    await asyncio.gather(*(event.act("cancel", reason="other") for event in events))
    assert "cancelled" in Reading((await client.get("/tournaments")).text).text
    problem(await client.get("/tournaments?cursor=x"), "cursor_invalid")
