"""The verifier in JavaScript as a page: a record is checked in the browser, and nothing of it is sent here."""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from msgspec import Struct

from service.http.operations import AnswerKind, Call, Header, Operation, Reply
from service.http.problems import Problem

PAGE: Final = "index.html"
MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
}
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Own scripts and styles from files, and nothing else: the page cannot send anything anywhere."""

HEADERS: Final[tuple[Header, ...]] = (
    # Asked about each time, or after a release modules of two versions could meet in one page.
    (b"cache-control", b"public, no-cache"),
    (b"content-security-policy", POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)


class Served(Struct, frozen=True):
    """One file as it is served."""

    content: bytes
    media_type: str
    etag: bytes


@cache
def served() -> dict[str, Served]:
    """The files of the page by name, the page as it stands in their folder among them."""
    found = {}
    for file in files("service").joinpath("verifier").iterdir():
        media_type = MEDIA_TYPES.get("." + file.name.rpartition(".")[2])
        if media_type is not None:
            found[file.name] = _served(file.read_bytes(), media_type)
    return found


@cache
def page() -> Served:
    """The page as it stands above the folder of its files."""
    within = served()[PAGE]
    return _served(within.content.replace(b'="./', b'="./verify/'), within.media_type)


def _served(content: bytes, media_type: str) -> Served:
    return Served(content, media_type, b'"%s"' % sha256(content).hexdigest().encode())


async def get_verifier(call: Call) -> Reply:
    """The page."""
    return _answer(call, page())


async def get_verifier_file(call: Call) -> Reply:
    """One of the files beside the page."""
    file = served().get(call.path["file"])
    if file is None:
        raise Problem("route_not_found", "The verifier has no such file; see /verify.")
    return _answer(call, file)


def _answer(call: Call, file: Served) -> Reply:
    headers = (*HEADERS, (b"etag", file.etag))
    known = {tag.strip().removeprefix(b"W/") for tag in call.headers.get(b"if-none-match", b"").split(b",")}
    if file.etag in known or b"*" in known:
        return Reply(304, b"", headers)
    return Reply(200, file.content, headers, file.media_type)


_SAME: Final = AnswerKind(status=304, description="You have this already.")

OPERATIONS: Final = (
    Operation(
        id="getVerifier",
        method="GET",
        path="/verify",
        tag="records",
        summary="A page that verifies records in the browser",
        description="Nothing is uploaded: the page may not open any connection. `POST /v1/verifications` and "
        "`meldhouse verify` also judge every move.",
        credential="none",
        answers=(AnswerKind(status=200, description="A page.", kind=str, media_types=("text/html",)), _SAME),
        run=get_verifier,
    ),
    Operation(
        id="getVerifierFile",
        method="GET",
        path="/verify/{file}",
        tag="records",
        summary="A file of that page",
        description="The modules run in Node, too: `node cli.mjs FILE`.",
        credential="none",
        answers=(
            AnswerKind(
                status=200,
                description="A module, a style sheet or the page.",
                kind=str,
                media_types=("text/javascript", "text/css", "text/html"),
            ),
            _SAME,
        ),
        problems=("route_not_found",),
        run=get_verifier_file,
    ),
)
