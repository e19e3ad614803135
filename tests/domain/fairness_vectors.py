"""The shared vectors of shuffle and fairness."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from domain.canonical import canonical

VECTORS: Final[dict[str, Any]] = json.loads(
    (Path(__file__).resolve().parent.parent / "data" / "fairness_vectors.json").read_text(encoding="utf-8")
)


def deck_sha256(deck: list[str]) -> str:
    """The vectors' hash of a deck."""
    return sha256(canonical(deck)).hexdigest()
