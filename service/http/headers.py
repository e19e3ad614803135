"""The headers that operations read and send, as they are described."""

from collections.abc import Mapping
from typing import Any, Final

_VERSION_TAG: Final = '^"(0|[1-9][0-9]{0,8})"$'
_VERSION_SEEN: Final = '^("(0|[1-9][0-9]{0,8})"|0|[1-9][0-9]{0,8})$'

REQUEST_HEADERS: Final[Mapping[str, dict[str, Any]]] = {
    "If-Match": {
        "description": 'The version that you have seen, such as "41"; the quotes may be left out. If the game or '
        "the tournament has moved on, nothing happens (412).",
        "schema": {"type": "string", "pattern": _VERSION_SEEN},
    },
    "If-None-Match": {
        "description": "Versions that you have already: for one of them the answer is 304.",
        "schema": {"type": "string"},
    },
    "Idempotency-Key": {
        "description": "Your name for this command. Sent again with the same body and the same `If-Match`, it gives "
        "the first answer again; after a refusal, which changes nothing, it is free.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
    },
    "Last-Event-ID": {
        "description": "The `id` of the last event that you have; the stream goes on after it.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,10}$"},
    },
}

SECRET_KEY_LENGTH_MIN: Final = 16
"""Of a key that is as secret as the token for which it stands."""

OWN_HEADERS: Final[Mapping[tuple[str, str], dict[str, Any]]] = {
    ("createPlayer", "Idempotency-Key"): {
        "description": "Sent again with the same body, it gives the same guest and token: keep it as secret, and draw "
        "it at random.",
        "schema": {"type": "string", "pattern": f"^[!-~]{{{SECRET_KEY_LENGTH_MIN},255}}$"},
    },
    ("importTournament", "Idempotency-Key"): {
        "description": "Your name for this import, by which one that was cut off goes on.",
        "required": True,
        "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
    },
}
"""Headers that mean something of their own to one operation, by its id."""

RESPONSE_HEADERS: Final[Mapping[str, dict[str, Any]]] = {
    "ETag": {
        "description": "The version of the game or tournament.",
        "schema": {"type": "string", "pattern": _VERSION_TAG},
    },
    "Location": {"description": "Where what is new is.", "schema": {"type": "string"}},
    "Link": {"description": "The next page, where there is one.", "schema": {"type": "string"}},
    "Retry-After": {"description": "Seconds after which to try again.", "schema": {"type": "string"}},
    "WWW-Authenticate": {"description": "What credential is needed.", "schema": {"type": "string"}},
}
