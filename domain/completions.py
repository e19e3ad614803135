"""Further melds that bring a first meld up to the requirement.

A search over the blocks of what is left of the holding, bounded: one that has looked at `SEARCH_NODES_MAX`
combinations gives up and finds nothing. The first look takes the dearest melds and is nearly always enough.
"""

from typing import Final

from msgspec import Struct

from domain.blocks import groups, pick, runs, without
from domain.cards import JOKERS, NATURALS, TWOS, Cards, faces_of, is_wild, points, size
from domain.rules import Rules

SEARCH_NODES_MAX: Final = 400
"""How many combinations one listing of legal moves looks at in its searches."""

MELDS_PER_COMPLETION_MAX: Final = 8
"""How many further melds a completion may have."""

Meld = tuple[str, ...]


class Budget(Struct):
    """How many combinations may still be looked at."""

    nodes: int = SEARCH_NODES_MAX

    def spend(self) -> bool:
        """Whether one more may be looked at."""
        self.nodes -= 1
        return self.nodes >= 0


def further_melds(
    rules: Rules, taken: frozenset[str], rest: Cards, needed: int, keep: int, budget: Budget
) -> tuple[Meld, ...] | None:
    """New melds from `rest` worth at least `needed` points that leave at least `keep` cards, or None.

    `taken` are the ranks that may not be melded again beside the block (rule book 4.2).
    """
    if needed <= 0:
        return () if size(rest) >= keep else None
    if _worth(rules, rest) < needed:
        return None
    return _search(rules, taken, rest, needed, keep, budget, MELDS_PER_COMPLETION_MAX)


def _worth(rules: Rules, cards: Cards) -> int:
    """What all cards that could lie in a first meld are worth."""
    return points(faces_of(cards & (NATURALS | JOKERS | TWOS)), rules.points)


def _search(
    rules: Rules, taken: frozenset[str], rest: Cards, needed: int, keep: int, budget: Budget, melds: int
) -> tuple[Meld, ...] | None:
    if melds == 0 or not budget.spend():
        return None
    room = size(rest) - keep
    options = [cards for cards in _options(rules, taken, rest) if len(cards) <= room]
    values = rules.points
    worth = sorted(((points(cards, values), cards) for cards in options), reverse=True)
    for value, cards in worth:
        if value >= needed:
            return (cards,)
    for value, cards in worth:
        beside = taken if rules.several_melds_per_rank else taken | {_rank(cards)}
        more = _search(rules, beside, without(rest, cards), needed - value, keep, budget, melds - 1)
        if more is not None:
            return (cards, *more)
        if budget.nodes <= 0:
            return None
    return None


def _options(rules: Rules, taken: frozenset[str], rest: Cards) -> list[Meld]:
    options: list[Meld] = []
    for group in groups(rules, rest):
        # Black threes are laid in going out only; a first meld with them is a way out.
        if group.rank in taken or (group.rank == "3" and not rules.black_three_melds_any_time):
            continue
        cards = pick(rest, group, dear=True)
        if cards is not None:
            options.append(cards)
    if rules.sequences:
        options += runs(rest)
    return options


def _rank(cards: Meld) -> str:
    """The rank that a group blocks, `2` for a wild meld, nothing for a run."""
    naturals = [face[0] for face in cards if not is_wild(face)]
    if not naturals:
        return "2"
    return naturals[0] if len(set(naturals)) == 1 else ""
