"""Melds as a view shows them."""

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from domain.cards import Face, is_wild, points
from domain.events import Meld, MeldKind
from domain.melds import is_closed, is_set
from domain.rules import Rules

SetKind = Literal["natural_canasta", "mixed_canasta", "wild_canasta", "samba"]


class MeldView(Struct, frozen=True, gc=False):
    """A meld as it lies, the points of its cards, which set it is if any, and whether it can take no further card."""

    id: str
    kind: MeldKind
    cards: tuple[Face, ...]
    points: int
    set: SetKind | None
    closed: bool


class _RulesKey:
    """Rules as a key: two are the same where their rule sets have the same hash."""

    __slots__ = ("rules",)

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def __hash__(self) -> int:
        return hash(self.rules.ruleset_hash)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _RulesKey) and self.rules.ruleset_hash == other.rules.ruleset_hash


def meld_shower(rules: Rules) -> Callable[[Meld], MeldView]:
    """What shows a meld under these rules; melds shown before are kept, since most lie through many views."""
    return _shower(_RulesKey(rules))


@lru_cache(maxsize=64)
def _shower(key: _RulesKey) -> Callable[[Meld], MeldView]:
    rules = key.rules

    @lru_cache(maxsize=4096)
    def show(meld: Meld) -> MeldView:
        return MeldView(
            id=meld.id,
            kind=meld.kind,
            cards=meld.cards,
            points=points(meld.cards, rules.points),
            set=_set_kind(meld) if is_set(rules, meld) else None,
            closed=is_closed(rules, meld),
        )

    return show


def _set_kind(meld: Meld) -> SetKind:
    if meld.kind == "sequence":
        return "samba"
    if meld.kind == "wild":
        return "wild_canasta"
    return "mixed_canasta" if any(map(is_wild, meld.cards)) else "natural_canasta"
