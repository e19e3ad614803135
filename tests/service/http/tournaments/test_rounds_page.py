"""Events of many rounds, such as ladders: pages link to the last ones, and to a list of all of them."""

import httpx
import pytest

from domain.tournaments.formats import Danish
from service.http.tournaments import list_page, pages
from service.http.tournaments.pages import ROUNDS_LINKED, common
from service.http.tournaments.templating import rendered
from tests.domain.tournaments.scenarios import terms_of
from tests.domain.tournaments.told import Told, met
from tests.service.http.tables import problem
from tests.service.http.tournaments.event import Event, stage_of
from tests.service.http.tournaments.test_page_marks import said
from tests.service.http.tournaments.test_pages import ALLOWED, Reading, page_of

AGAIN = stage_of({"kind": "danish", "rounds": 5, "rematches": "all"})


def links(page: Reading, part: str) -> list[str]:
    """Where the links of a page lead whose address has this part, below the tournament."""
    found = [each["href"] or "" for tag, each in page.elements if tag == "a"]
    return [href.split("/", 3)[3] for href in found if part in href]


def after(rounds: int) -> Reading:
    """A page of a tournament of which so many rounds have begun."""
    told = Told(terms_of(Danish(rounds=rounds, rematches="all")), 2)
    for _ in range(rounds):
        told.round([met("e1", "e2", 500, 0)])
    made = rendered("rounds.html", **common(told.state, "The cup", 0), stages=1, lines=(), following=None)
    return Reading(made.decode())


@pytest.fixture
async def event(client: httpx.AsyncClient) -> Event:
    """Two entrants who have met twice and are about to meet again."""
    begun = await Event.begun(client, 2, AGAIN, time_zone="Europe/Rome")
    for number in (1, 2):
        await begun.play_round(number)
        await begun.act("close_round", round=number)
    await begun.act("pair")
    return begun


def test_a_page_links_to_all_rounds_as_long_as_they_are_few() -> None:
    few = after(ROUNDS_LINKED)
    assert links(few, "/pairings/") == [f"pairings/{number}" for number in range(1, ROUNDS_LINKED + 1)]
    assert links(few, "/rounds") == []


def test_of_many_rounds_a_page_links_to_the_last_ones_and_to_all() -> None:
    many = after(ROUNDS_LINKED + 2)
    assert links(many, "/pairings/") == [f"pairings/{number}" for number in range(3, ROUNDS_LINKED + 3)]
    assert links(many, "/rounds") == ["rounds"]
    assert "All rounds" in many.text


@pytest.mark.parametrize("path", ["", "/pairings/1", "/crosstable", "/rounds"])
async def test_every_page_leads_to_all_rounds(event: Event, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setattr(pages, "ROUNDS_LINKED", 2)
    page = await page_of(event.client, event, path)
    assert links(page, "/rounds") == ["rounds"]
    assert links(page, "/pairings/")[:2] == ["pairings/2", "pairings/3"]
    version = (await event.shown())["version"]
    assert links(await page_of(event.client, event, path, at=version), "/rounds") == [f"rounds?at={version}"]


async def test_the_embedded_standings_link_to_no_rounds(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "ROUNDS_LINKED", 2)
    embedded = await page_of(event.client, event, "/embed")
    assert links(embedded, "/") == []


async def test_the_list_tells_of_every_round_how_far_it_is(event: Event) -> None:
    page = await page_of(event.client, event, "/rounds")
    assert page.tags <= ALLOWED
    lines = said(page).split("Finished ")[1]
    assert [line.split()[0] for line in lines.split("Round ")[1:]] == ["3", "2", "1"]
    third, second, first = lines.split("Round ")[1:]
    assert third.startswith("3 paired 1 0")
    for line in (first, second):
        assert "over" in line
        assert "Europe/Rome 1 1" in line
    await event.act("start_round", round=3)
    await event.dealt(3)
    assert "3 under way" in said(await page_of(event.client, event, "/rounds"))
    closed = next(each["n"] for each in await event.events() if each["type"] == "round_closed")
    earlier = await page_of(event.client, event, "/rounds", at=closed)
    assert set(links(earlier, "/pairings/")) == {f"pairings/1?at={closed}"}


async def test_pages_of_the_list_are_all_rounds_the_last_one_first(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_page, "ROWS", 2)
    monkeypatch.setattr(pages, "ROUNDS_LINKED", 1)
    version = (await event.shown())["version"]
    for suffix, address in (("", "rounds?before=2"), (f"?at={version}", f"rounds?at={version}&before=2")):
        first = Reading((await event.client.get(f"/tournaments/{event.id}/rounds{suffix}")).text)
        # The first link is that of the navigation.
        assert links(first, "/pairings/")[1:] == [f"pairings/{number}{suffix}" for number in (3, 2)]
        assert links(first, "before=") == [address]
        second = Reading((await event.client.get(f"/tournaments/{event.id}/{address}")).text)
        assert links(second, "/pairings/")[1:] == [f"pairings/1{suffix}"]
        assert links(second, "before=") == []


async def test_stages_count_from_one_where_there_are_several(client: httpx.AsyncClient) -> None:
    last = stage_of({"kind": "round_robin"}, qualifiers=2)
    event = await Event.begun(client, 4, stage_of({"kind": "swiss", "rounds": 1}), last)
    await event.play_round(1)
    assert " Stage " not in said(await page_of(client, event, "/rounds"))
    await event.act("advance")
    await event.act("pair")
    shown = said(await page_of(client, event, "/rounds"))
    assert " Stage " in shown
    assert "Round 2 2 paired" in shown
    assert "Round 1 1 over" in shown


async def test_before_the_first_round_the_list_is_empty(client: httpx.AsyncClient, event: Event) -> None:
    waiting = await Event.open(client)
    assert "There are no rounds." in (await page_of(client, waiting, "/rounds")).text
    assert "There are no rounds." in (await page_of(client, event, "/rounds", before=1)).text
    problem(await client.get(f"/tournaments/t{'0' * 32}/rounds"), "tournament_not_found")
    problem(await client.get(f"/tournaments/{event.id}/rounds?at=100000"), "event_not_found")
    for query in ("before=-1", "before=x", "after=1", "limit=2"):
        problem(await client.get(f"/tournaments/{event.id}/rounds?{query}"), "invalid_parameter")


async def test_a_list_that_has_not_changed_is_not_sent_again(client: httpx.AsyncClient, event: Event) -> None:
    address = f"/tournaments/{event.id}/rounds"
    first = await client.get(address)
    assert "frame-ancestors 'none'" in first.headers["content-security-policy"]
    tag = {"If-None-Match": first.headers["etag"]}
    assert (await client.get(address, headers=tag)).status_code == 304
    await event.act("start_round", round=3)
    assert (await client.get(address, headers=tag)).status_code == 200
