"""Lots and boards of a tournament from its one master: what is drawn by chance, and can be drawn again once it is out.

The master is committed to in `tournament_created`, and shown in `boards_revealed` when no board is still to be played.
"""

from collections.abc import Collection
from hashlib import sha256
from typing import Final

from domain.fairness import enc

MASTER: Final = "master"
"""The purpose that asks for the master itself, once it may be shown."""

LOTS: Final = "lots"
"""The kind of the lots that decide where nothing else does, and that draw a first round."""

SEEDS: Final = "seeds"
"""The kind of the lots by which seeds are drawn."""


def draw_seed(master: bytes, tournament: str, purpose: str) -> str:
    """The seed of a draw in hex: SHA-256(enc("MELD-LOT-1/seed", master, tournament, purpose))."""
    return sha256(enc(b"MELD-LOT-1/seed", master, tournament.encode(), purpose.encode())).hexdigest()


def purpose_of(kind: str, known: Collection[str]) -> str:
    """The purpose of lots of this kind, the first that is not `known`: `lots`, then `lots/2`, `lots/3` and so on."""
    number, purpose = 1, kind
    while purpose in known:
        number += 1
        purpose = f"{kind}/{number}"
    return purpose


def kind_of(purpose: str) -> str:
    """The kind of lots that a purpose asks for."""
    return purpose.partition("/")[0]


def drawn_last(lots: dict[str, str], kind: str) -> str | None:
    """The seed of the lots of this kind that were drawn last; `lots` are by purpose, in the order of drawing."""
    return next((seed for purpose, seed in reversed(lots.items()) if kind_of(purpose) == kind), None)
