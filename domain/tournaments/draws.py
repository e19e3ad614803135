"""Lots and boards of a tournament from its one master: what is drawn by chance, and can be drawn again once it is out.

The master is committed to in `tournament_created`, and shown in `boards_revealed` when no board is still to be played.
"""

from hashlib import sha256
from typing import Final

from domain.fairness import enc

MASTER: Final = "master"
"""The purpose that asks for the master itself, once it may be shown."""


def draw_seed(master: bytes, tournament: str, purpose: str) -> str:
    """The seed of a draw in hex: SHA-256(enc("MELD-LOT-1/seed", master, tournament, purpose))."""
    return sha256(enc(b"MELD-LOT-1/seed", master, tournament.encode(), purpose.encode())).hexdigest()
