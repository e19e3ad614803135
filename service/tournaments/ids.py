"""Ids of tournaments and of what the service does in them, told apart from all others by their form."""

import re
import secrets
from hashlib import sha256
from typing import Final

ID_BYTES: Final = 16
_FORM: Final = re.compile("t[0-9a-f]{32}")


def new_tournament_id() -> str:
    """A new id: `t` and 32 hexadecimal digits."""
    return "t" + secrets.token_hex(ID_BYTES)


def is_tournament(stream: str) -> bool:
    """Whether a stream is a tournament; every other one is a game."""
    return _FORM.fullmatch(stream) is not None


def derived_key(subject: str, purpose: str) -> str:
    """The command key under which the service does one thing, whichever worker does it, and however often."""
    return sha256(f"meldhouse/{subject}\n{purpose}".encode()).hexdigest()[:32]
