"""What there is not is told to a browser as a page, with the status that programs get."""

import httpx
import pytest

from tests.service.http.tables import problem
from tests.service.http.tournaments.event import Event
from tests.service.http.tournaments.test_pages import ALLOWED, Reading

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        (f"/tournaments/t{'0' * 32}", 404, "There is no such tournament"),
        (f"/tournaments/t{'0' * 32}/embed", 404, "There is no such tournament"),
        (f"/tournaments/t{'0' * 32}/rounds", 404, "There is no such tournament"),
        ("/tournaments/{id}/pairings/7", 404, "no such round"),
        ("/tournaments/{id}?at=100000", 404, "There is no event 100000 yet"),
        ("/tournaments/{id}/crosstable?stage=3", 404, "stages have begun"),
        ("/tournaments/{id}/standings", 404, "There is nothing at this address"),
        ("/tournaments?cursor=x", 422, "Take the address from the link"),
    ],
)
async def test_a_browser_reads_what_is_wrong(client: httpx.AsyncClient, path: str, status: int, words: str) -> None:
    event = await Event.begun(client, 3)
    address = path.replace("{id}", event.id)
    answer = await client.get(address, headers=BROWSER)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
    page = Reading(answer.text)
    assert page.tags <= ALLOWED
    assert words.lower() in " ".join(page.text).lower()
    assert {"/tournaments"} <= {each.get("href") for tag, each in page.elements if tag == "a"}
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert ("x-frame-options" in answer.headers) is not path.endswith("/embed")
    told = problem(await client.get(address), answer_code(await client.get(address)))
    assert told["status"] == status


def answer_code(answer: httpx.Response) -> str:
    code: str = answer.json()["code"]
    return code
