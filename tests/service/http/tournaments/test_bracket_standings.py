"""The standings of a bracket say how far everybody came, and nothing that contradicts the ranks."""

import csv
import io

import httpx
import pytest

from tests.service.http.tournaments.event import Event, stage_of
from tests.service.http.tournaments.test_page_marks import said
from tests.service.http.tournaments.test_pages import page_of

REACHED = ["winner", "lost in the final", "lost in a semi-final", "lost in a semi-final"]


@pytest.fixture
async def event(client: httpx.AsyncClient) -> Event:
    """A knock-out of four that is over."""
    begun = await Event.begun(client, 4, stage_of({"kind": "elimination"}))
    for number in (1, 2):
        await begun.play_round(number)
        await begun.act("close_round", round=number)
    return begun


async def test_json_tells_how_far_everybody_came(event: Event) -> None:
    rows = (await event.shown("/standings"))["rows"]
    assert [row["reached"] for row in rows] == REACHED
    assert {row["score_shown"] for row in rows} == {""}


@pytest.mark.parametrize("path", ["", "/embed", "/crosstable"])
async def test_pages_have_it_in_the_place_of_the_score(event: Event, path: str) -> None:
    shown = said(await page_of(event.client, event, path))
    assert " Reached " in shown
    assert " Score " not in shown
    assert [shown.count(each) for each in ("winner", "lost in the final", "lost in a semi-final")] == [1, 1, 2]


async def test_a_table_of_cells_has_it_in_the_place_of_the_score(event: Event) -> None:
    written = (await event.get("/export?format=csv")).text
    rows = [*csv.DictReader(io.StringIO(written, newline=""))]
    assert [row["reached"] for row in rows] == REACHED
    assert "score" not in rows[0]


async def test_other_standings_have_scores(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4)
    await event.play_round(1)
    rows = (await event.shown("/standings"))["rows"]
    assert {row["reached"] for row in rows} == {None}
    assert all(row["score_shown"] for row in rows)
    assert " Score " in said(await page_of(client, event))
    assert ",score," in (await event.get("/export?format=csv")).text
