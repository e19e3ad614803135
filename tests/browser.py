"""The browser for the tests of pages: Chromium, where the machine has it."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playwright.async_api import Browser

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
REQUIRED: Final = os.environ.get("MELDHOUSE_BROWSER") == "required"
"""Whether the tests of pages must run: without a browser they fail then, instead of being left out."""

FLAGS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def browser() -> str | None:
    """The path of the browser, or None where there is none."""
    return next((found for found in map(shutil.which, NAMES) if found is not None), None)


@asynccontextmanager
async def launched() -> "AsyncIterator[Browser]":
    """The browser, started and closed again. Only who asks for it loads what drives it."""
    from playwright.async_api import async_playwright

    path = browser()
    assert path is not None, "No browser was found, and MELDHOUSE_BROWSER asks for one: apt-get install chromium."
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield started
        await started.close()


def are_left_out() -> bool:
    """Whether the tests of pages are not collected at all."""
    return browser() is None and not REQUIRED


def header() -> list[str]:
    """What the head of a run says of them."""
    if are_left_out():
        return [
            "browser: none found, so the tests of pages (-m browser) are LEFT OUT",
            "browser: on Debian apt-get install chromium brings one; with MELDHOUSE_BROWSER=required they fail",
        ]
    return [f"browser: {browser() or 'none found, and required'}"]
