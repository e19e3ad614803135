"""The pages of a tournament in a real browser, served by a real service: on a screen, in a frame and on paper."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Page, ViewportSize

from tests.browser import launched
from tests.service.cli.serving import Serving, serving
from tests.service.http.tournaments.event import Event, stage_of
from tests.service.pages.pdf import sheets_of

pytestmark = pytest.mark.browser

PAPER: ViewportSize = {"width": 680, "height": 960}
"""A4 without its margins, in pixels of the style sheet."""

LONG = "W" * 40
NAMES = [LONG, "<b>bold</b> & <i>more</i>", "\u202ereversed\u202c \u05e9\u05dc\u05d5\u05dd", "Ἀριστοτέλης", "💠 龍馬"]


@pytest.fixture
def service(database: str, redis_url: str, tmp_path: Path) -> Iterator[Serving]:
    environment = {"REDIS_URL": redis_url, "DATABASE_URL": database, "MELDHOUSE_STATE_DIR": str(tmp_path)}
    with serving(**environment) as running:
        yield running


@pytest.fixture
async def client(service: Serving) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=service.url, timeout=30) as asking:
        yield asking


async def played(client: httpx.AsyncClient, entrants: int, rounds: int) -> Event:
    """A Swiss of so many entrants, some of them with difficult names, and of so many rounds, all of them forfeited."""
    event = await Event.open(client, stage_of({"kind": "swiss", "rounds": rounds}), title=f"Cup {LONG} <em>x</em>")
    for number in range(entrants):
        await event.enter(name=NAMES[number] if number < len(NAMES) else f"Entrant {number}")
    await event.act("start")
    for number in range(1, rounds + 1):
        await event.act("pair")
        for match in (await event.round(number))["matches"]:
            await event.act("forfeit", match=match["id"], entrants=match["sides"][1], reason="absence")
        await event.act("start_round", round=number)
        await event.act("close_round", round=number)
    return event


@pytest.fixture
async def chromium() -> AsyncIterator[Browser]:
    async with launched() as started:
        yield started


def watched(page: Page) -> list[str]:
    """What goes wrong in a page from now on."""
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    return troubles


OVERFLOWING = """() => [...document.querySelectorAll("h1, p, td, th, li")].filter(each => {
    const box = each.getBoundingClientRect();
    return box.right > innerWidth + 1 || box.left < -1 || each.scrollWidth > each.clientWidth + 1;
}).map(each => each.textContent.slice(0, 60))"""


async def test_the_sheets_have_their_headings_on_every_page_and_nothing_is_cut_off(
    chromium: Browser, service: Serving, client: httpx.AsyncClient
) -> None:
    event = await played(client, entrants=62, rounds=10)
    names = [row["name"] for row in (await event.shown("/standings"))["rows"]]
    for path, heading in (
        ("", "RankNoEntrant"),
        ("/pairings/1", "TableNorth-South"),
        ("/pairings/1?by=name", "PlayerEntrant"),
        ("/crosstable", "NoEntrant"),
    ):
        page = await chromium.new_page(viewport=PAPER)
        troubles = watched(page)
        await page.goto(f"{service.url}/tournaments/{event.id}{path}")
        await page.emulate_media(media="print")
        assert await page.evaluate(OVERFLOWING) == [], path
        assert await page.locator("nav").count() > 0
        assert await page.locator("nav:visible").count() == 0
        sheets = sheets_of(await page.pdf(format="A4"))
        of_table = [sheet for sheet in sheets if "Entrant" in sheet]
        assert len(of_table) > 1
        assert [sheet.count(heading) for sheet in of_table] == [1] * len(of_table), path
        printed = "".join(sheets)
        for name in ("Ἀριστοτέλης", *names[:3], *(name for name in names if name.startswith("Entrant"))):
            assert name.replace(" ", "") in printed or name == NAMES[2], (path, name)
        assert printed.count("<b>bold</b>&<i>more</i>") == (2 if path == "/crosstable" else 1)
        assert troubles == []
        await page.close()


async def test_the_pages_fit_a_telephone_and_a_screen_and_names_are_no_markup(
    chromium: Browser, service: Serving, client: httpx.AsyncClient
) -> None:
    event = await played(client, entrants=6, rounds=3)
    for width in (360, 1280):
        page = await chromium.new_page(viewport={"width": width, "height": 700})
        troubles = watched(page)
        for path in ("", "/pairings/1", "/pairings/1?by=name", "/crosstable", "/embed"):
            await page.goto(f"{service.url}/tournaments/{event.id}{path}")
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
            assert await page.locator("script, img, iframe, b, i, em").count() == 0
            assert await page.evaluate("getComputedStyle(document.querySelector('table')).borderCollapse") == "collapse"
        assert troubles == []
        await page.close()


async def test_the_embedded_page_alone_is_shown_in_a_frame_of_another_site(
    chromium: Browser, service: Serving, client: httpx.AsyncClient
) -> None:
    event = await played(client, entrants=6, rounds=1)
    page = await chromium.new_page()
    await page.goto(f"{service.url.replace('127.0.0.1', 'localhost')}/healthz")
    for path, shown in (("/embed", True), ("", False)):
        await page.set_content(f'<iframe src="{service.url}/tournaments/{event.id}{path}"></iframe>')
        (frame,) = page.main_frame.child_frames
        await frame.wait_for_load_state()
        assert (await frame.locator("table.standings").count() == 1) is shown
