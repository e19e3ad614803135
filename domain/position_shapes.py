"""What the keys of a position look like, and what is said of one that is wrong (formats, part 3)."""

from collections.abc import Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from domain.cards import Face
from domain.events import Meld
from domain.state import Ended

HANDS_MAX: Final = 100_000
"""The highest number of a hand that a position may have."""

SCORE_MAX: Final = 10_000_000
"""The largest sheet total, for or against, that a position may have."""

RECYCLES_MAX: Final = 100_000
"""How often the pile of a position may have been turned over."""


class PositionFault(Struct, frozen=True):
    """One thing wrong with a position: the key at fault and what was expected."""

    key: str
    message: str


class PositionInvalidError(ValueError):
    """A position that cannot be; `faults` lists everything wrong with it."""

    def __init__(self, faults: Sequence[PositionFault]) -> None:
        super().__init__("; ".join(f"{fault.key}: {fault.message}" for fault in faults))
        self.faults = tuple(faults)


class GivenStock(Struct, frozen=True, forbid_unknown_fields=True):
    """The stock as a position gives it: how many cards, and those to be drawn first as far as they matter."""

    count: int
    next: tuple[Face, ...] = ()


Holding = int | tuple[Face, ...]
"""What a seat holds: cards, or how many of them where they do not matter."""

SHAPES: Final[dict[str, Any]] = {
    "players": int,
    "hand": int,
    "dealer": int,
    "scores": tuple[int, ...],
    "turn": int,
    "phase": Literal["draw", "play", "answer", "hand_over", "game_over"],
    "holdings": tuple[Holding, ...],
    "melds": tuple[tuple[Meld, ...], ...],
    "red_threes": tuple[tuple[Literal["3H", "3D"], ...], ...],
    "red_threes_by_seat": tuple[tuple[Literal["3H", "3D"], ...], ...],
    "pile": tuple[Face, ...],
    "stock": GivenStock,
    "began": Literal["stock", "pile", "upcard"] | None,
    "melded_this_turn": bool,
    "last_turn": bool,
    "has_melded": tuple[bool, ...],
    "had_turn": tuple[bool, ...],
    "permission": Literal["granted", "refused"] | None,
    "barred": tuple[int, ...] | int | None,
    "lone": int | None,
    "recycles": int,
    "ended": Ended | None,
}
"""The type of every key that stands by itself."""

OTHER_KEYS: Final = frozenset({"ruleset", "options", "ask"})
"""Keys that are read with more than their type in mind."""
