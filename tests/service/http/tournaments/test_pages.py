"""Pages of a tournament as they are sent: what stands on them, and what cannot come onto them."""

from html.parser import HTMLParser
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.tournaments.formats import Swiss
from domain.tournaments.state import Tournament
from service.http.tournaments.sheets import clock_text, entered_rows
from service.http.tournaments.templating import rendered
from tests.domain.tournaments.scenarios import Desk, terms_of
from tests.service.http.tables import problem
from tests.service.http.tournaments.event import Event, stage_of

ALLOWED = {
    "html", "head", "meta", "title", "link", "body", "header", "h1", "h2", "p", "nav", "a", "main", "footer", "table",
    "caption", "thead", "tbody", "tr", "th", "td", "bdi", "ul", "li", "br", "small",
}  # fmt: skip
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>&amp;\"'"


class Reading(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    @property
    def tags(self) -> set[str]:
        return {tag for tag, _ in self.elements}

    @property
    def attributes(self) -> set[str]:
        return {name for _, attributes in self.elements for name in attributes}


async def page_of(client: httpx.AsyncClient, event: Event, path: str = "", **params: Any) -> Reading:
    answer = await client.get(f"/tournaments/{event.id}{path}", params=params)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return Reading(answer.text)


@pytest.fixture
async def event(client: httpx.AsyncClient) -> Event:
    """Two rounds of four entrants, the first one over."""
    begun = await Event.begun(client, 4, time_zone="Europe/Rome")
    await begun.play_round(1)
    await begun.act("close_round", round=1)
    return begun


async def test_the_pages_tell_standings_pairings_and_the_crosstable(client: httpx.AsyncClient, event: Event) -> None:
    await event.act("announce", text="Lunch at one.\nBring your cards.")
    standings = await page_of(client, event)
    said = " ".join(standings.text)
    for name in ("The cup", "Player 1", "Player 4", "Lunch at one.", "under way", "Europe/Rome"):
        assert name in said
    ranks = [each["score_shown"] for each in (await event.shown("/standings"))["rows"]]
    for score in ranks:
        assert score in said
    pairings = " ".join((await page_of(client, event, "/pairings/1")).text)
    assert all(f"Player {number}" in pairings for number in range(1, 5))
    assert "loser" in pairings
    cross = " ".join((await page_of(client, event, "/crosstable")).text)
    assert "Player 3" in cross
    assert {"Standings", "Round 1", "Crosstable", "Calendar"} <= set(standings.text)


async def test_a_page_as_of_an_earlier_event_is_what_it_was(client: httpx.AsyncClient, event: Event) -> None:
    entered = next(each["n"] for each in await event.events() if each["type"] == "tournament_started")
    before = await page_of(client, event, at=entered)
    assert "Nothing has been played yet." in before.text
    assert f"?at={entered}" in " ".join(each.get("href") or "" for _, each in before.elements)
    assert "refresh" not in {each.get("http-equiv") for _, each in before.elements}
    problem(await client.get(f"/tournaments/{event.id}?at=100000"), "event_not_found")


async def test_a_page_is_asked_for_anew_until_the_tournament_is_over(client: httpx.AsyncClient, event: Event) -> None:
    def refreshes(page: Reading) -> bool:
        return "refresh" in {each.get("http-equiv") for _, each in page.elements}

    assert refreshes(await page_of(client, event))
    assert refreshes(await page_of(client, event, "/embed"))
    await event.act("finish")
    assert not refreshes(await page_of(client, event))
    assert not refreshes(await page_of(client, event, "/embed"))


async def test_only_the_embedded_page_may_stand_in_a_frame(client: httpx.AsyncClient, event: Event) -> None:
    for path in ("", "/pairings/1", "/crosstable", "/embed"):
        answer = await client.get(f"/tournaments/{event.id}{path}")
        policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert policy["style-src"] == "'self'"
        assert "script-src" not in policy
        assert policy["frame-ancestors"] == ("*" if path == "/embed" else "'none'")
        assert ("x-frame-options" in answer.headers) is (path != "/embed")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"


async def test_a_page_that_has_not_changed_is_not_sent_again(client: httpx.AsyncClient, event: Event) -> None:
    for path in (f"/tournaments/{event.id}", "/pages/tournament.css", f"/v1/tournaments/{event.id}/calendar.ics"):
        first = await client.get(path)
        again = await client.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    tag = (await client.get(f"/tournaments/{event.id}")).headers["etag"]
    await event.act("announce", text="News")
    changed = await client.get(f"/tournaments/{event.id}", headers={"If-None-Match": tag})
    assert changed.status_code == 200


async def test_names_and_titles_are_text_whatever_stands_in_them(client: httpx.AsyncClient) -> None:
    hostile = await Event.open(client, title=MARKUP)
    names = [MARKUP[:40], "שלום עולם", "a" * 40, "{{ 7 * 7 }}{% raw %}"]
    for name in names:
        await hostile.enter(name=name)
    await hostile.act("start")
    await hostile.act("announce", text=f"{MARKUP}\n]]>--></p>")
    await hostile.play_round(1)
    for path in ("", "/pairings/1", "/crosstable", "/embed"):
        page = await page_of(client, hostile, path)
        assert page.tags <= ALLOWED
        assert not {name for name in page.attributes if name.startswith("on")}
        assert {each.get("href") for tag, each in page.elements if tag == "link"} == {"data:,", "/pages/tournament.css"}
        for name in names:
            assert any(name in text for text in page.text)
        assert MARKUP in page.text


async def test_what_there_is_not_is_told_as_a_problem(client: httpx.AsyncClient, event: Event) -> None:
    for path in ("", "/embed", "/crosstable", "/pairings/1"):
        problem(await client.get(f"/tournaments/t{'0' * 32}{path}"), "tournament_not_found")
    for number in ("2", "0", "-1", "one", "9" * 30):
        problem(await client.get(f"/tournaments/{event.id}/pairings/{number}"), "round_not_found")
    problem(await client.get(f"/tournaments/{event.id}?page=2"), "invalid_parameter")


async def test_unlisted_tournaments_have_pages_for_those_who_know_the_address(client: httpx.AsyncClient) -> None:
    unlisted = await Event.open(client, shown="unlisted")
    assert "The cup" in (await page_of(client, unlisted)).text
    listed = (await client.get("/v1/tournaments")).json()["tournaments"]
    assert unlisted.id not in {each["id"] for each in listed}


async def test_everybody_at_a_table_of_three_among_tables_of_four_is_on_the_list(client: httpx.AsyncClient) -> None:
    form = {"kind": "individual", "movement": "swiss", "rounds": 1}
    event = await Event.open(client, stage_of(form), players=4, entrants="individuals")
    for _ in range(7):
        await event.enter()
    await event.act("start")
    await event.act("pair")
    page = (await client.get(f"/tournaments/{event.id}/pairings/1")).text
    lines = (await event.get("/export", params={"format": "csv", "what": "pairings"})).text.splitlines()
    assert lines[0] == "round,match,tables,side 1,side 2,side 3,boards,bye"
    assert {line.count(",") for line in lines} == {7}
    for number in range(1, 8):
        assert f"<bdi>Player {number}</bdi>" in page


async def test_two_fields_are_ranked_apart_and_sides_of_several_entrants_stand_together(
    client: httpx.AsyncClient,
) -> None:
    mitchell = await Event.begun(client, 4, stage_of({"kind": "mitchell"}))
    await mitchell.play_round(1)
    page = await page_of(client, mitchell)
    assert {"North-South", "East-West"} <= set(page.text)
    partners = await Event.open(client, stage_of({"kind": "individual"}), players=4, entrants="individuals")
    for _ in range(4):
        await partners.enter()
    await partners.act("start")
    await partners.act("pair")
    written = (await client.get(f"/tournaments/{partners.id}/pairings/1")).text
    assert written.count("</bdi> &amp; <small>") == 2


def sheet(state: Tournament, name: str, title: str) -> bytes:
    """The page before the first round, with a name and a title in it."""
    names = dict.fromkeys(state.entrants, name)
    return rendered(
        "standings.html", id=state.id, title=title, embedded=False, refresh=None, suffix="", rounds=[], version=1,
        at=clock_text(state.at, "UTC"), status="x", clock=None, until="", announcements=[name], groups=(), ties=(),
        stage=None, stages=0, earlier=False, carried=False, penalties=False, entered=entered_rows(state, names),
    )  # fmt: skip


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=100)
STATE = Desk(terms_of(Swiss(rounds=1)), 1).state


@given(name=TEXTS, title=TEXTS)
def test_no_name_and_no_title_makes_an_element(name: str, title: str) -> None:
    page = Reading(sheet(STATE, name, title).decode())
    plain = Reading(sheet(STATE, "x", "y").decode())
    assert page.elements == plain.elements
