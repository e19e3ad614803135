"""Standings and crosstables page by page, all pages of one version whatever happens meanwhile."""

from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from service.settings import Settings
from tests.service.http.tables import problem
from tests.service.http.tournaments.event import Event, stage_of
from tests.service.http.tournaments.test_paging import walk

PATHS = ("/standings", "/crosstable")
ROUND_ROBIN = stage_of({"kind": "round_robin"})
PAGE = ("rows", "names", "square", "next", "explained")
"""What differs from page to page."""


@pytest.fixture
async def event(client: httpx.AsyncClient) -> Event:
    """Five entrants, the first round played, the second begun."""
    begun = await Event.begun(client, 5)
    await begun.play_round(1)
    await begun.act("close_round", round=1)
    await begun.begin_round(2)
    return begun


def rows(pages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for page in pages for row in page["rows"]]


def others(page: dict[str, Any]) -> dict[str, Any]:
    """All of a page but what differs from page to page."""
    return {name: value for name, value in page.items() if name not in PAGE}


@pytest.mark.parametrize("path", PATHS)
async def test_pages_are_the_whole_in_order(event: Event, path: str) -> None:
    whole = await event.shown(path)
    assert (len(whole["rows"]), whole["entrants"], whole["next"]) == (5, 5, None)
    for limit, sizes in ((1, [1] * 5), (2, [2, 2, 1]), (4, [4, 1]), (5, [5]), (1000, [5])):
        pages = await walk(event, f"{path}?limit={limit}")
        assert [len(page["rows"]) for page in pages] == sizes
        assert rows(pages) == whole["rows"]
        assert [others(page) for page in pages] == [others(whole)] * len(pages)
        assert [page["next"] for page in pages[:-1]] == [
            f"{limit * number}@{whole['version']}" for number in range(1, len(pages))
        ]


async def test_without_a_limit_five_hundred_come_at_once_and_of_more_the_first_ones(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, stage_of({"kind": "danish", "rounds": 2}), registration={"late_rounds": 1})
    names = "".join(f"Ada {number}\n" for number in range(1, 501))
    listed = await client.post(
        f"{event.path}/entrants/import",
        content=f"name\n{names}",
        headers=event.director | {"Content-Type": "text/csv"},
    )
    assert listed.is_success, listed.text
    await event.act("start")
    for path in PATHS:
        answer = await event.get(path)
        assert (len(answer.json()["rows"]), answer.json()["next"], answer.links) == (500, None, {})
    await event.enter()
    for path in PATHS:
        first, second = await walk(event, path)
        assert (len(first["rows"]), len(second["rows"]), first["entrants"]) == (500, 1, 501)
        assert rows([first, second]) == (await event.shown(path, limit=1000))["rows"]


@pytest.mark.parametrize("path", PATHS)
async def test_a_walk_stays_with_its_version_when_the_order_changes(event: Event, path: str) -> None:
    whole = await event.shown(path)
    first = await event.get(f"{path}?limit=2")
    match = (await event.round(2))["matches"][0]
    await event.resign(match, 0)
    await event.until(lambda shown: shown["round"]["over"] == 1)
    last = whole["rows"][-1]["entrant"]
    await event.act("penalty", entrant=last, score=-9000, reason="technical")
    await event.act("withdraw", entrant="e1", reason="request")
    now = await event.shown(path)
    assert now["rows"][0]["entrant"] == last
    page, walked = first.json(), first.json()["rows"]
    answer = first
    while page["next"] is not None:
        answer = await event.client.get(answer.links["next"]["url"])
        assert answer.json() == await event.shown(path, after=page["next"], limit=2)
        page = answer.json()
        assert (page["version"], answer.headers["etag"]) == (whole["version"], f'"{whole["version"]}"')
        walked += page["rows"]
    assert walked == whole["rows"]


@pytest.mark.parametrize("path", PATHS)
async def test_a_page_of_an_earlier_event_is_followed_by_others_of_it(event: Event, path: str) -> None:
    then = (await event.shown())["version"]
    whole = await event.shown(path)
    await event.act("penalty", entrant=whole["rows"][-1]["entrant"], score=-9000, reason="technical")
    pages = await walk(event, f"{path}?at={then}&limit=2")
    assert rows(pages) == whole["rows"]
    beside = await event.shown(path, at=then, after=f"2@{then}", limit=2)
    assert beside == pages[1]
    for at in (then - 1, then + 1):
        refused = problem(await event.get(path, params={"at": at, "after": f"2@{then}"}), "cursor_invalid")
        assert refused["params"] == {"version": then}


@pytest.mark.parametrize("path", PATHS)
async def test_a_walk_stays_with_its_stage(client: httpx.AsyncClient, path: str) -> None:
    event = await Event.begun(client, 4, stage_of({"kind": "swiss", "rounds": 1}), ROUND_ROBIN | {"qualifiers": 2})
    await event.play_round(1)
    first = await event.shown(path)
    await event.act("advance")
    for wanted, entrants in ((0, 4), (1, 2), (-1, 2)):
        pages = await walk(event, f"{path}?stage={wanted}&limit=1")
        assert {page["stage"] for page in pages} == {wanted if wanted >= 0 else 1}
        assert len(pages) == entrants
        if wanted == 0:
            assert rows(pages) == first["rows"]


async def test_an_explanation_comes_whole_whatever_page_it_is_asked_with(event: Event) -> None:
    whole = await event.shown("/standings", explain="e1")
    assert "Player" in str(whole["explained"]["tie_breaks"])
    first = await event.get("/standings", params={"explain": "e1", "limit": 1})
    second = await event.shown("/standings", explain="e1", limit=1, after=first.json()["next"])
    assert first.json()["explained"] == second["explained"] == whole["explained"]
    assert (await event.client.get(first.links["next"]["url"])).json()["explained"] is None


async def test_a_page_of_a_crosstable_names_whom_its_rows_met(event: Event) -> None:
    whole = await event.shown("/crosstable")
    assert set(whole["names"]) == {"e1", "e2", "e3", "e4", "e5"}
    for page in await walk(event, "/crosstable?limit=1"):
        (row,) = page["rows"]
        met = {f"e{number}" for cell in row["cells"] for number in cell["opponents"]}
        assert page["names"] == {each: whole["names"][each] for each in met | {row["entrant"]}}


async def test_a_page_of_a_round_robin_has_its_lines_of_the_square(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, ROUND_ROBIN)
    await event.play_round(1)
    whole = await event.shown("/crosstable")
    assert [len(line) for line in whole["square"]] == [4] * 4
    pages = await walk(event, "/crosstable?limit=3")
    assert [len(page["square"]) for page in pages] == [3, 1]
    assert [line for page in pages for line in page["square"]] == whole["square"]


@pytest.mark.parametrize("path", PATHS)
async def test_behind_the_last_place_there_is_nothing(event: Event, path: str) -> None:
    version = (await event.shown())["version"]
    for place in (5, 6, 999_999_999):
        page = await event.shown(path, after=f"{place}@{version}")
        assert (page["rows"], page["next"], page["entrants"]) == ([], None, 5)
    problem(await event.get(path, params={"after": f"1@{version + 1}"}), "event_not_found")
    problem(await event.get(path, params={"after": "1@1"}), "stage_not_found")
    for after in ("2", f"-1@{version}", f"0@{version}", f"02@{version}", "2@0", "2@", "@2", "e2", f"2@{version}\n"):
        refused = problem(await event.get(path, params={"after": after}), "invalid_parameter")
        assert refused["params"]["name"] == "after"
    for limit in (0, 1001, "x"):
        problem(await event.get(path, params={"limit": limit}), "invalid_parameter")


@pytest.mark.parametrize("path", PATHS)
async def test_a_page_that_is_known_is_not_sent_again(event: Event, path: str) -> None:
    following = (await event.shown(path, limit=2))["next"]
    page = await event.get(path, params={"after": following})
    tag = {"If-None-Match": page.headers["etag"]}
    assert (await event.get(path, params={"after": following}, headers=tag)).status_code == 304
    await event.act("penalty", entrant="e1", score=100, reason="late")
    assert (await event.get(path, params={"after": following}, headers=tag)).status_code == 304
    assert (await event.get(path, headers=tag)).status_code == 200


@pytest.mark.parametrize("path", PATHS)
async def test_every_version_has_a_page_of_its_own(event: Event, path: str) -> None:
    """Whatever is kept of versions that were asked for before."""
    before = await event.shown(path, limit=2)
    await event.act("penalty", entrant=before["rows"][0]["entrant"], score=9000, reason="conduct")
    now = await event.shown(path, limit=2)
    assert now["rows"] != before["rows"]
    assert await event.shown(path, limit=2, at=before["version"]) == before
    assert await event.shown(path, limit=2) == now


class TestShortPages:
    """A service whose pages are short by its settings."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return replace(settings, page_entrants_max=2)

    async def test_no_page_is_longer_than_the_setting_says_and_sheets_are_whole(self, event: Event) -> None:
        for path in PATHS:
            for query in ("", "?limit=1000"):
                pages = await walk(event, path + query)
                assert [len(page["rows"]) for page in pages] == [2, 2, 1]
        for path in (
            f"/tournaments/{event.id}",
            f"/tournaments/{event.id}/crosstable",
            f"{event.path}/export?format=csv",
        ):
            written = (await event.client.get(path)).text
            assert all(f"Player {number}" in written for number in range(1, 6)), path
