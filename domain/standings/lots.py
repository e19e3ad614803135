"""Lots that anybody can draw again: the order of hashes of a published seed and the entrants' ids."""

from collections.abc import Iterable
from hashlib import sha256

from domain.fairness import enc


def lot(seed: bytes, entrant: str) -> bytes:
    """The entrant's lot, SHA-256(enc("MELD-LOT-1", seed, entrant)); the lowest comes first."""
    return sha256(enc(b"MELD-LOT-1", seed, entrant.encode())).digest()


def lot_order(seed: bytes, entrants: Iterable[str]) -> tuple[str, ...]:
    """The entrants in the order of their lots."""
    return tuple(sorted(entrants, key=lambda entrant: lot(seed, entrant)))
