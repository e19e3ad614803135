"""Long lists of a tournament: entrants, rounds and the matches of a round, page by page."""

from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from service.settings import Settings
from tests.service.http.tables import problem
from tests.service.http.tournaments.event import Event, stage_of

DANISH: dict[str, Any] = {"kind": "danish", "rounds": 3}


async def walk(event: Event, path: str) -> list[dict[str, Any]]:
    """All pages, by the links between them."""
    pages = []
    address = event.path + path
    while address:
        answer = await event.client.get(address)
        assert answer.status_code == 200, answer.text
        pages.append(answer.json())
        address = answer.links["next"]["url"] if "next" in answer.links else ""
        assert (pages[-1]["next"] is None) == (not address)
    return pages


@pytest.mark.parametrize(("limit", "sizes"), [(1, [1] * 5), (2, [2, 2, 1]), (4, [4, 1]), (5, [5]), (1000, [5])])
async def test_pages_of_entrants_are_all_of_them_in_order(
    client: httpx.AsyncClient, limit: int, sizes: list[int]
) -> None:
    event = await Event.begun(client, 5)
    whole = await event.shown("/entrants")
    assert ([each["id"] for each in whole["entrants"]], whole["next"]) == (["e1", "e2", "e3", "e4", "e5"], None)
    pages = await walk(event, f"/entrants?limit={limit}")
    assert [len(page["entrants"]) for page in pages] == sizes
    assert [each for page in pages for each in page["entrants"]] == whole["entrants"]


async def test_a_walk_stays_with_the_version_that_it_began_with(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    for _ in range(3):
        await event.enter()
    first = await event.get("/entrants?limit=2")
    await event.done("DELETE", "/entrants/e3", event.teams["e3"].headers)
    await event.enter()
    second = (await client.get(first.links["next"]["url"])).json()
    assert second["version"] == first.json()["version"]
    assert [(each["id"], each["status"]) for each in second["entrants"]] == [("e3", "entered")]
    assert second["next"] is None
    now = await event.shown("/entrants", after=2)
    assert [(each["id"], each["status"]) for each in now["entrants"]] == [("e3", "withdrawn"), ("e4", "entered")]


async def test_pages_of_a_round_have_its_matches_and_the_first_one_its_byes(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 7, stage_of(DANISH))
    await event.act("pair")
    whole = await event.round(1)
    assert (len(whole["matches"]), whole["byes"], whole["next"]) == (3, {"e7": "bye"}, None)
    first, second = await walk(event, "/rounds/1?limit=2")
    assert first["matches"] + second["matches"] == whole["matches"]
    assert (first["byes"], second["byes"]) == ({"e7": "bye"}, {})
    seated = [{entrant for match in page["matches"] for (entrant,) in match["sides"]} for page in (first, second)]
    assert [{*page["names"]} for page in (first, second)] == [seated[0] | {"e7"}, seated[1]]
    assert first["next"] == 2


async def test_pages_of_rounds_are_all_of_them_in_order(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 2, stage_of({"kind": "danish", "rounds": 3, "rematches": "all"}))
    for number in (1, 2):
        await event.play_round(number)
        await event.act("close_round", round=number)
    await event.act("pair")
    pages = await walk(event, "/rounds?limit=2")
    assert [[each["round"] for each in page["rounds"]] for page in pages] == [[1, 2], [3]]


async def test_after_the_last_one_there_is_nothing(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4)
    await event.act("pair")
    for path, name in (("/entrants", "entrants"), ("/rounds", "rounds"), ("/rounds/1", "matches")):
        page = await event.shown(path, after=2_000_000_000)
        assert (page[name], page["next"]) == ([], None)
        for query in ("after=-1", "after=e1", "limit=0", "limit=1001", "cursor=x"):
            problem(await event.get(f"{path}?{query}"), "invalid_parameter")


class TestShortPages:
    """A service whose pages are short by its settings."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return replace(settings, page_entrants_max=2)

    async def test_no_page_is_longer_than_the_setting_says(self, client: httpx.AsyncClient) -> None:
        event = await Event.begun(client, 6)
        await event.act("pair")
        assert [len(page["entrants"]) for page in await walk(event, "/entrants?limit=1000")] == [2, 2, 2]
        assert [len(page["matches"]) for page in await walk(event, "/rounds/1")] == [2, 1]
