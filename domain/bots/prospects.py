"""What melds are worth to the greedy bot: their cards, and the part of a set that they already are."""

from collections.abc import Sequence
from typing import Final

from domain.cards import is_wild, points
from domain.events import MeldKind
from domain.melds import SET_SIZE
from domain.rules import Rules

A_SET_MORE: Final = 300
"""What finishing a set is worth beside its bonus, since sets let a party go out."""

A_WILD_CARD: Final = 100
"""What a wild card is worth in hand, in points: it is spent for no less."""


def kind_of(cards: Sequence[str]) -> MeldKind:
    """The kind of a new meld that is known to be legal."""
    naturals = {face[0] for face in cards if not is_wild(face)}
    if not naturals:
        return "wild"
    if naturals == {"3"}:
        return "black_threes"
    return "group" if len(naturals) == 1 else "sequence"


def prospect(rules: Rules, kind: MeldKind, cards: Sequence[str]) -> float:
    """What a meld is worth: its points, the bonus of a set, or for a beginning a growing part of that."""
    value = points(cards, rules.points)
    if kind == "sequence":
        bonus = rules.samba_bonus
    elif kind == "wild":
        bonus = rules.wild_canasta_bonus
    elif kind == "group" and len(cards) >= SET_SIZE and not any(map(is_wild, cards)):
        bonus = rules.natural_canasta_bonus
    elif kind == "group":
        bonus = rules.mixed_canasta_bonus
    else:
        return value
    if len(cards) >= SET_SIZE:
        return value + bonus + A_SET_MORE
    return value + bonus * (len(cards) / SET_SIZE) ** 2


def wilds_in(cards: Sequence[str]) -> int:
    """How many wild cards are among them."""
    return sum(map(is_wild, cards))
