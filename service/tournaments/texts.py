"""Texts beside the log: titles, names, announcements and notes. Events name them by a digest, so they can be erased.

The key before the body keeps a short text from being guessed by its digest once it has been erased.
"""

import secrets
from collections.abc import Collection
from hashlib import sha256
from typing import Final, Literal

from domain.tournaments.event import Text
from service.store.append import PutText
from service.store.database import Pool, reached

ID_BYTES: Final = 8
KEY_BYTES: Final = 32
UNNAMED: Final = "Tournament"
"""For a tournament without a title, wherever some title must stand."""

TextKind = Literal["title", "name", "announcement", "note"]

_BODIES: Final = """
select id, body from tournament_text where tournament = $1 and id = any($2::text[]) and body is not null
"""


def text_digest(key: bytes, body: str) -> str:
    """What an event names a text by: the SHA-256 (hex) of its key and itself in UTF-8."""
    return sha256(key + body.encode()).hexdigest()


def new_text(kind: TextKind, body: str, author: str) -> tuple[Text, PutText]:
    """A text for an event, and how it is kept; `author` is the player who wrote it."""
    key = secrets.token_bytes(KEY_BYTES)
    text = Text(secrets.token_hex(ID_BYTES), text_digest(key, body))
    return text, PutText(id=text.id, kind=kind, author=author, key=key.hex(), body=body)


async def texts_of(pool: Pool, tournament: str, ids: Collection[str]) -> dict[str, str]:
    """Texts by their ids; one that was erased is absent. Raises `StoreUnavailable`, `StoreBusy`."""
    with reached():
        rows = await pool.fetch(_BODIES, tournament, list(ids))
    return {row["id"]: row["body"] for row in rows}
