"""The verifier's page and its files: media types, the policy that forbids connections, and what is cached."""

import httpx
import pytest

from tests.service.verifier.javascript import VERIFIER

FILES = sorted(path.name for path in VERIFIER.iterdir())
MEDIA_TYPES = {"mjs": "text/javascript", "css": "text/css", "html": "text/html"}


def assert_locked_down(answer: httpx.Response) -> None:
    policy = dict(part.split(maxsplit=1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert "connect-src" not in policy
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"


async def test_the_page_has_no_script_or_style_of_its_own_text(client: httpx.AsyncClient) -> None:
    answer = await client.get("/verify")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert_locked_down(answer)
    assert '<script type="module" src="./verify/page.mjs"></script>' in answer.text
    assert answer.text.count("<script") == 1
    assert "<style" not in answer.text
    assert "nothing is uploaded" in answer.text


@pytest.mark.parametrize("name", FILES)
async def test_every_file_is_served_as_what_it_is(client: httpx.AsyncClient, name: str) -> None:
    answer = await client.get(f"/verify/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == f"{MEDIA_TYPES[name.rpartition('.')[2]]}; charset=utf-8"
    assert answer.content == (VERIFIER / name).read_bytes()
    assert_locked_down(answer)


@pytest.mark.parametrize("path", ["/verify", "/verify/verify.mjs"])
async def test_what_somebody_has_already_is_not_sent_again(client: httpx.AsyncClient, path: str) -> None:
    first = await client.get(path)
    assert first.headers["cache-control"] == "public, no-cache"
    for tag in (first.headers["etag"], f'"x", W/{first.headers["etag"]}', "*"):
        again = await client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
    other = await client.get(path, headers={"If-None-Match": '"x"'})
    assert other.status_code == 200


@pytest.mark.parametrize("name", ["none.mjs", "..%2fapp.py", "__init__.py", "verify", "%00.mjs"])
async def test_nothing_else_is_served(client: httpx.AsyncClient, name: str) -> None:
    answer = await client.get(f"/verify/{name}")
    assert (answer.status_code, answer.json()["code"]) == (404, "route_not_found")


async def test_the_page_and_its_files_have_etags_of_their_own(client: httpx.AsyncClient) -> None:
    pages = [await client.get(path) for path in ("/verify", "/verify/index.html")]
    assert pages[0].headers["etag"] != pages[1].headers["etag"]
    assert pages[0].text.replace("./verify/", "./") == pages[1].text
