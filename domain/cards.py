"""Cards, and multisets of cards as one integer (formats, part 1).

A card is its two-character face. Copies of a face are the same value, so nothing can tell them apart.

A multiset of cards (`Cards`) is an `int` of lanes: four bits for each of the 52 suited faces, eight bits for the
joker, and above them a lane that holds how many cards there are. Adding and removing cards is plain addition and
subtraction. A hidden card adds to the topmost lane only, so the same arithmetic folds what a viewer was shown: for
a holding of hidden cards the lower lanes mean nothing (they may even borrow), and the size stays right.

Ordered cards (pile, stock, deck) are plain text, two characters a card. No face can be found across the border of
two others, so a search for a face in such text is exact.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    # For the type checker a face is text; msgspec reads the permitted values below.
    Face = str
else:
    Face = Literal[
        "JK",
        "2S", "2H", "2D", "2C", "AS", "AH", "AD", "AC", "KS", "KH", "KD", "KC", "QS", "QH", "QD", "QC",
        "JS", "JH", "JD", "JC", "TS", "TH", "TD", "TC", "9S", "9H", "9D", "9C", "8S", "8H", "8D", "8C",
        "7S", "7H", "7D", "7C", "6S", "6H", "6D", "6C", "5S", "5H", "5D", "5C", "4S", "4H", "4D", "4C",
        "3S", "3H", "3D", "3C",
    ]  # fmt: skip

Cards = int
"""A multiset of cards: lanes of an integer, see the module's text."""

JOKER: Final = "JK"
RANKS: Final = "2AKQJT9876543"
SUITS: Final = "SHDC"
RUN_RANKS: Final = "456789TJQKA"
"""Ranks of natural cards, low to high; ace high and never low (rule book 4.3)."""

FACES: Final[tuple[str, ...]] = (JOKER, *(rank + suit for rank in RANKS for suit in SUITS))
"""Every face in canonical order."""

HIDDEN: Final = "??"
"""Stands in a public form for a card that the viewer may not know."""

_LANE_BITS: Final = 4
_LANE_MASK: Final = (1 << _LANE_BITS) - 1
_JOKER_SHIFT: Final = 52 * _LANE_BITS
_SIZE_SHIFT: Final = _JOKER_SHIFT + 16
_ONE: Final = 1 << _SIZE_SHIFT
_HALF: Final = _ONE >> 1

ORDER: Final[dict[str, int]] = {face: index for index, face in enumerate(FACES)}
"""A face's place in the canonical order."""

_SHIFT: Final = {face: _JOKER_SHIFT - index * _LANE_BITS for face, index in ORDER.items()}
UNIT: Final[dict[str, Cards]] = {face: (1 << _SHIFT[face]) + _ONE for face in FACES} | {HIDDEN: _ONE}
"""One card of a face as a multiset; a hidden card counts as one card of no face."""

LANE: Final[dict[str, int]] = {face: _LANE_MASK << _SHIFT[face] for face in FACES} | {JOKER: 0xFF << _JOKER_SHIFT}
"""The lane of a face: `cards & LANE[face]` is true where the face is among the cards."""

RANK_SHIFT: Final[dict[str, int]] = {rank: _SHIFT[rank + "C"] for rank in RANKS}
RANK_LANES: Final[dict[str, int]] = {rank: 0xFFFF << shift for rank, shift in RANK_SHIFT.items()}

JOKERS: Final = LANE[JOKER]
TWOS: Final = RANK_LANES["2"]
WILDS: Final = JOKERS | TWOS
RED_THREES: Final = LANE["3H"] | LANE["3D"]
BLACK_THREES: Final = LANE["3S"] | LANE["3C"]
NATURALS: Final = sum(RANK_LANES[rank] for rank in RUN_RANKS)

RED_THREE_FACES: Final = ("3H", "3D")
BLACK_THREE_FACES: Final = ("3S", "3C")

NONE: Final[Cards] = 0
"""No cards."""

_unit = UNIT.__getitem__
_order = ORDER.__getitem__

FOUR_LANES: Final[bytes] = bytes(sum(bits >> shift & _LANE_MASK for shift in (0, 4, 8, 12)) for bits in range(0x10000))
"""How many cards the four lanes of one rank hold, by the sixteen bits of those lanes."""


def count(faces: Iterable[str]) -> Cards:
    """The multiset of the cards named."""
    return sum(map(_unit, faces))


def size(cards: Cards) -> int:
    """How many cards there are, hidden ones included."""
    return (cards + _HALF) >> _SIZE_SHIFT


def hidden(number: int) -> Cards:
    """A multiset of `number` cards that nobody knows."""
    return number * _ONE


def number_of(cards: Cards, face: str) -> int:
    """How many cards of one face."""
    return (cards & LANE[face]) >> _SHIFT[face]


def number_of_rank(cards: Cards, rank: str) -> int:
    """How many cards of one rank, all suits."""
    return FOUR_LANES[cards >> RANK_SHIFT[rank] & 0xFFFF]


def number_of_wilds(cards: Cards) -> int:
    """How many jokers and twos."""
    return FOUR_LANES[cards >> RANK_SHIFT["2"] & 0xFFFF] + (cards >> _JOKER_SHIFT & 0xFF)


def number_of_red_threes(cards: Cards) -> int:
    """How many red threes."""
    return number_of(cards, "3H") + number_of(cards, "3D")


def remove(cards: Cards, faces: Iterable[str]) -> Cards:
    """The cards without those named, or -1 where one of them is not there."""
    for face in faces:
        if not cards & LANE[face]:
            return -1
        cards -= UNIT[face]
    return cards


def missing(cards: Cards, faces: Iterable[str]) -> tuple[str, ...]:
    """Those of the named cards that the multiset lacks, in canonical order."""
    lacking = []
    for face in faces:
        if cards & LANE[face]:
            cards -= UNIT[face]
        else:
            lacking.append(face)
    return canonical(lacking)


def canonical(faces: Iterable[str]) -> tuple[str, ...]:
    """The cards in canonical order, which carries no information."""
    return tuple(sorted(faces, key=_order))


@lru_cache(maxsize=65536)
def faces_of(cards: Cards) -> tuple[str, ...]:
    """The cards of a multiset in canonical order; none of them may be hidden."""
    faces: list[str] = []
    for face in FACES:
        if cards & LANE[face]:
            faces += [face] * number_of(cards, face)
    return tuple(faces)


def text(faces: Iterable[str]) -> str:
    """Ordered cards as text, two characters a card."""
    return "".join(faces)


def split(ordered: str) -> tuple[str, ...]:
    """The cards of a text, in its order."""
    return tuple([ordered[at : at + 2] for at in range(0, len(ordered), 2)])


@lru_cache(maxsize=8192)
def drawn(ordered: str) -> tuple[str, ...]:
    """A few cards of a text in canonical order: there are some 2,800 pairs, so most have been asked for before."""
    return canonical(split(ordered))


def pack(packs: int, jokers: int) -> tuple[str, ...]:
    """The whole pack in canonical order: `packs` times 52 cards and `jokers` jokers (rule book 2.1)."""
    return (JOKER,) * jokers + tuple(face for face in FACES[1:] for _ in range(packs))


def is_wild(face: str) -> bool:
    """Whether a card is a joker or a two."""
    return face == JOKER or face[0] == "2"


def is_three(face: str) -> bool:
    """Whether a card is a three of either colour."""
    return face[0] == "3"


def has_wild(ordered: str) -> bool:
    """Whether a wild card lies anywhere in the text."""
    return "2" in ordered or JOKER in ordered


def has_red_three(ordered: str) -> bool:
    """Whether a red three lies anywhere in the text."""
    return "3H" in ordered or "3D" in ordered


def has_black_three(ordered: str) -> bool:
    """Whether a black three lies anywhere in the text."""
    return "3S" in ordered or "3C" in ordered


def _runs() -> dict[Cards, tuple[str, ...]]:
    runs = {}
    for suit in SUITS:
        for low in range(len(RUN_RANKS)):
            for high in range(low + 3, len(RUN_RANKS) + 1):
                run = tuple(rank + suit for rank in RUN_RANKS[low:high])
                runs[count(run)] = run
    return runs


RUNS: Final[dict[Cards, tuple[str, ...]]] = _runs()
"""Every unbroken run of three or more natural cards of one suit, low to high, by its multiset (rule book 4.3)."""


def points(cards: Sequence[str], values: dict[str, int]) -> int:
    """The sum of the cards' values."""
    return sum(map(values.__getitem__, cards))
