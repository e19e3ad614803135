"""The page in a real browser, served by a real service: a record is dropped, and a verdict is told."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.async_api import Browser, FileChooser, Page, Request, expect

from tests.browser import launched
from tests.domain.records.record_files import forged, golden_bytes
from tests.service.cli.serving import Serving, serving

pytestmark = pytest.mark.browser

NAME = "g9-canasta-classic-3p"
SECONDS_MAX = 60.0
SECONDS_AGAIN = 3.0

# What is expected of a page is waited for, and longer than the five seconds that are usual.
expect.set_options(timeout=SECONDS_MAX * 1000)


@pytest.fixture
def service(database: str, redis_url: str, tmp_path: Path) -> Iterator[Serving]:
    environment = {"REDIS_URL": redis_url, "DATABASE_URL": database, "MELDHOUSE_STATE_DIR": str(tmp_path)}
    with serving(**environment) as running:
        yield running


@pytest.fixture
async def chromium() -> AsyncIterator[Browser]:
    async with launched() as started:
        yield started


@pytest.fixture
async def page(chromium: Browser, service: Serving) -> AsyncIterator[Page]:
    """The page as it has loaded; nothing may go wrong in it while a test runs."""
    opened = await chromium.new_page(viewport={"width": 360, "height": 640})
    opened.set_default_timeout(SECONDS_MAX * 1000)
    troubles: list[str] = []
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    await opened.goto(f"{service.url}/verify")
    await expect(opened.locator("#modules a")).not_to_have_count(0)
    yield opened
    assert troubles == []


async def drop(page: Page, name: str, content: bytes) -> None:
    """Drop a file on the page, as a hand does."""
    moved = await page.evaluate_handle(
        """([name, text]) => {
            const moved = new DataTransfer();
            moved.items.add(new File([text], name));
            return moved;
        }""",
        [name, content.decode()],
    )
    await page.dispatch_event("#drop", "dragover", {"dataTransfer": moved})
    await page.dispatch_event("#drop", "drop", {"dataTransfer": moved})


def tampered() -> bytes:
    """A record in which a line of the count was forged, with every hash made anew."""

    def change(_header: object, events: list[dict[str, object]]) -> None:
        ended = next(event for event in events if event["type"] == "hand_ended")
        lines = ended["lines"]
        assert isinstance(lines, list)
        lines[0]["red_threes"] += 100

    return b"".join(forged(change, NAME))


async def test_a_sound_record_is_called_sound_with_its_game(page: Page) -> None:
    await drop(page, "game.meld.jsonl", golden_bytes(NAME))
    await expect(page.locator("#status")).to_have_text("game.meld.jsonl: the record is sound.")
    article = page.locator("article.good")
    header = json.loads(golden_bytes(NAME).split(b"\n")[0])
    await expect(article.locator("table").first.locator("tbody tr").last).to_contain_text(
        "".join(str(total) for total in header["result"]["totals"])
    )
    await expect(article).to_contain_text("canasta-classic: Seat 0 (bot), Seat 1 (bot), Seat 2 (bot).")
    await expect(article).to_contain_text("Deals: Players.")


async def test_a_forged_record_is_refused_with_the_line_of_its_first_fault(page: Page) -> None:
    await drop(page, "forged.meld.jsonl", tampered())
    line = next(
        place for place, line in enumerate(golden_bytes(NAME).split(b"\n"), start=1) if b'"type":"hand_ended"' in line
    )
    await expect(page.locator("#status")).to_have_text(f"forged.meld.jsonl: wrong in line {line}, differs.")
    await expect(page.locator("article.bad .verdict")).to_have_text(f"Wrong in line {line}")


async def pressed(page: Page, key: str, choosers: asyncio.Queue[FileChooser]) -> FileChooser:
    """What a key opens: a browser on a busy machine may lose it, and whoever sees nothing presses it again."""
    async with asyncio.timeout(SECONDS_MAX):
        while True:
            await page.keyboard.press(key)
            with suppress(TimeoutError):
                return await asyncio.wait_for(choosers.get(), SECONDS_AGAIN)


async def test_a_file_is_chosen_by_the_keyboard_too_and_names_in_it_are_no_markup(page: Page, tmp_path: Path) -> None:
    def change(header: dict[str, list[dict[str, str]]], _events: object) -> None:
        header["players"][0]["name"] = "<img src=x onerror=alert(1)>"

    path = tmp_path / "chosen.meld.jsonl"
    path.write_bytes(b"".join(forged(change, NAME)))
    choosers: asyncio.Queue[FileChooser] = asyncio.Queue()
    page.on("filechooser", choosers.put_nowait)
    async with asyncio.timeout(SECONDS_MAX):
        while await page.evaluate("document.activeElement === document.body"):
            await page.keyboard.press("Tab")
            await asyncio.sleep(0.2)
    assert await page.evaluate("document.activeElement.id") == "file"
    await (await pressed(page, "Enter", choosers)).set_files(path)
    await expect(page.locator("article.good")).to_contain_text("<img src=x onerror=alert(1)> (bot)")
    assert await page.locator("main img").count() == 0


async def test_nothing_is_sent_when_a_record_is_verified(page: Page) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    await page.context.set_offline(True)
    await drop(page, "game.meld.jsonl", golden_bytes(NAME))
    await expect(page.locator("article.good")).to_be_visible()
    assert asked == []


async def test_the_page_may_not_open_a_connection(chromium: Browser, service: Serving) -> None:
    opened = await chromium.new_page()
    await opened.goto(f"{service.url}/verify")
    sent = "fetch('/v1/health/live').then(() => 'sent', error => error.name)"
    assert await opened.evaluate(sent) == "TypeError"
    await opened.goto(f"{service.url}/docs")
    assert await opened.evaluate(sent) == "sent"


async def test_the_page_fits_a_phone_and_the_dark(page: Page) -> None:
    await drop(page, "game.meld.jsonl", golden_bytes(NAME))
    await expect(page.locator("article.good")).to_be_visible()
    too_wide = await page.evaluate(
        """[...document.querySelectorAll("main *:not(.wide *)")]
            .filter((part) => part.getBoundingClientRect().right > window.innerWidth)
            .map((part) => part.outerHTML.slice(0, 80))"""
    )
    assert too_wide == []
    assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    colour = "getComputedStyle(document.body).backgroundColor"
    await page.emulate_media(color_scheme="light")
    light = await page.evaluate(colour)
    await page.emulate_media(color_scheme="dark")
    assert light != await page.evaluate(colour)


async def test_the_page_works_from_any_static_server_out_of_its_folder(chromium: Browser, service: Serving) -> None:
    opened = await chromium.new_page()
    await opened.goto(f"{service.url}/verify/index.html")
    await drop(opened, "game.meld.jsonl", golden_bytes(NAME))
    await expect(opened.locator("article.good")).to_be_visible()
