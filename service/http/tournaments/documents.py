"""Answers for people and their programs: pages, calendars, files; asked about each time, sent only when changed."""

import re
import unicodedata
from hashlib import sha256
from typing import Final

from domain.tournaments.state import Tournament
from service.http.operations import AnswerKind, Call, Header, Reply
from service.tournaments.one_line import one_line
from service.tournaments.texts import UNNAMED, texts_of

FILE_NAME_MAX: Final = 60
_OTHERS: Final = re.compile("[^A-Za-z0-9]+")

BASIC: Final[tuple[Header, ...]] = (
    (b"cache-control", b"public, no-cache"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)
SAME: Final = AnswerKind(status=304, description="You have this already.")


def document(call: Call, content: bytes, media_type: str, *headers: Header) -> Reply:
    """The bytes as an answer, or only that the caller has them already."""
    tag = b'"%s"' % sha256(content).hexdigest()[:32].encode()
    headers = (*BASIC, *headers, (b"etag", tag))
    known = {each.strip().removeprefix(b"W/") for each in call.headers.get(b"if-none-match", b"").split(b",")}
    if tag in known or b"*" in known:
        return Reply(304, b"", headers)
    return Reply(200, content, headers, media_type)


def download(title: str, ending: str) -> Header:
    """That the answer is a file to be kept, named after the tournament in letters that every system takes."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    name = _OTHERS.sub("-", plain).strip("-")[:FILE_NAME_MAX].lower() or "tournament"
    return b"content-disposition", f'attachment; filename="{name}.{ending}"'.encode()


async def title_of(call: Call, state: Tournament) -> str:
    """The title on one line."""
    texts = await texts_of(call.service.store.pool, state.id, {state.title.id})
    return one_line(texts.get(state.title.id) or "") or UNNAMED
