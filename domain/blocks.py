"""The building blocks of melds that a holding offers, interchangeable cards counted once.

A group is a rank with a number of naturals and a number of wild cards, whichever they are; a run is its cards; an
addition is one card on one meld; a join is two melds. Everything a seat can meld is made of these. Enumeration looks
at the holding and at the shape of melds only; whether a block is possible now is `domain.block_moves`' question.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Final

from msgspec import Struct

from domain.cards import (
    BLACK_THREE_FACES,
    BLACK_THREES,
    JOKER,
    LANE,
    RUN_RANKS,
    SUITS,
    UNIT,
    Cards,
    number_of,
    number_of_wilds,
    remove,
)
from domain.layings import Limits, black_three_limits, limits_of, most_wilds
from domain.melds import NATURALS_NEEDED, SET_SIZE, SMALLEST_MELD, is_closed, rank_of
from domain.presence import Run, rank_counts
from domain.rules import Rules
from domain.state import Laid, Melds, State

WILD_FACES: Final = ("2S", "2H", "2D", "2C", JOKER)
"""Wild cards, the cheap ones first."""

GROUP_RANKS: Final = RUN_RANKS + "3"
"""Ranks that can lie in groups, black threes with them."""

PLACE: Final = {rank: place for place, rank in enumerate(RUN_RANKS)}
"""A rank's place in runs, from 0."""

RANK_FACES: Final = {rank: tuple(rank + suit for suit in SUITS) for rank in RUN_RANKS} | {"3": BLACK_THREE_FACES}
"""The natural faces of a rank, and the black threes."""

_KEPT_MAX: Final = 8192
"""How many lists of groups are kept."""


class Group(Struct, frozen=True):
    """A new group: a rank (`3` for black threes, `2` for a wild meld), how many naturals, how many wild cards."""

    rank: str
    naturals: int
    wilds: int

    @property
    def size(self) -> int:
        """How many cards it has."""
        return self.naturals + self.wilds


class Supply:
    """The cards of one holding in the order in which groups take them."""

    def __init__(self, holding: Cards) -> None:
        self.holding = holding
        self._naturals: dict[str, tuple[str, ...]] = {"2": ()}

    @cached_property
    def wilds(self) -> tuple[str, ...]:
        """Wild cards, the cheap ones first."""
        return tuple([face for face in WILD_FACES for _ in range(number_of(self.holding, face))])

    def naturals(self, rank: str) -> tuple[str, ...]:
        """The naturals of a rank, or black threes, those held most often first."""
        found = self._naturals.get(rank)
        if found is None:
            held = sorted([(-number_of(self.holding, face), at) for at, face in enumerate(RANK_FACES[rank])])
            faces = RANK_FACES[rank]
            found = self._naturals[rank] = tuple([faces[at] for number, at in held for _ in range(-number)])
        return found

    def pick(self, group: Group, *, dear: bool) -> tuple[str, ...]:
        """Cards for a group, fewer where it has too few; `dear` takes the last wild cards, else the cheap ones go."""
        naturals = self.naturals(group.rank)[: group.naturals]
        if not group.wilds:
            return naturals
        return naturals + (self.wilds[-group.wilds :] if dear else self.wilds[: group.wilds])


class Join(Struct, frozen=True):
    """Two own melds that could become one, with the cards missing between two runs (4.7)."""

    first: Laid
    second: Laid
    gap: Run


def number_of_black_threes(holding: Cards) -> int:
    """How many black threes."""
    return number_of(holding, "3S") + number_of(holding, "3C")


def groups(rules: Rules, holding: Cards) -> list[Group]:
    """Every new group, wild meld and black-three meld that the holding has the cards for, within the limits of 4.2."""
    wilds = number_of_wilds(holding)
    limits = limits_of(rules)
    found: list[Group] = []
    for rank, held in zip(RUN_RANKS, rank_counts(holding)[1:], strict=False):
        if held > 1:
            found += groups_of(limits, rank, held, wilds)
    if rules.black_three_melds and holding & BLACK_THREES:
        found += groups_of(black_three_limits(rules), "3", number_of_black_threes(holding), wilds)
    if rules.wild_melds and wilds >= SMALLEST_MELD:
        found += wild_groups(min(wilds, SET_SIZE) if rules.wild_melds_closed else wilds)
    return found


@lru_cache(maxsize=_KEPT_MAX)
def groups_of(limits: Limits, rank: str, held: int, wilds: int) -> tuple[Group, ...]:
    """Every new group from so many naturals of a rank and so many wild cards."""
    found = [Group(rank, naturals, 0) for naturals in range(SMALLEST_MELD, held + 1)]
    needed = NATURALS_NEEDED[limits.ratio]
    for number in range(1, min(wilds, most_wilds(limits, held)) + 1):
        least = max(needed[number], SMALLEST_MELD - number, 1)
        found += [Group(rank, naturals, number) for naturals in range(least, held + 1)]
    return tuple(found)


@lru_cache(maxsize=64)
def wild_groups(most: int) -> tuple[Group, ...]:
    """Every new wild meld of at most so many cards."""
    return tuple([Group("2", 0, number) for number in range(SMALLEST_MELD, most + 1)])


def faces_for(rules: Rules, holding: Cards, laid: Laid) -> tuple[str, ...]:
    """The faces held that belong to a meld, alone or with others of the holding between."""
    kind = laid.meld.kind
    if kind == "sequence":
        return tuple(run_extensions(holding, laid))
    wilds = tuple([face for face in WILD_FACES if holding & LANE[face]])
    if kind == "wild":
        return () if is_closed(rules, laid.meld) else wilds
    if kind == "black_threes" and not rules.black_three_melds_any_time:
        return ()
    limits = limits_of(rules) if kind == "group" else black_three_limits(rules)
    naturals = tuple([face for face in RANK_FACES[rank_of(kind, laid.meld.cards)] if holding & LANE[face]])
    return naturals + wilds if limits.max_wilds else naturals


def run_extensions(holding: Cards, laid: Laid) -> Iterator[str]:
    """The cards that lengthen a run at either end without a gap, nearest first, up to a samba."""
    cards = laid.meld.cards
    yield from extensions(holding, cards[0][1], PLACE[cards[0][0]], PLACE[cards[-1][0]])


def extensions(holding: Cards, suit: str, low: int, high: int) -> Iterator[str]:
    """The cards held that lengthen a run from place `low` to `high`: upwards, then downwards, up to a samba."""
    room = SET_SIZE - (high - low + 1)
    for ranks in (RUN_RANKS[high + 1 : high + 1 + room], RUN_RANKS[max(low - room, 0) : low][::-1]):
        for rank in ranks:
            if not holding & LANE[rank + suit]:
                break
            yield rank + suit


def joins(state: State, own: Melds) -> list[Join]:
    """Pairs of own melds that could become one, the gap between two runs filled by cards wherever they are."""
    rules = state.table.rules
    groups_join = rules.merge_groups or state.lone is not None
    if not (groups_join or rules.join_sequences):
        return []
    alike: dict[str, list[Laid]] = {}
    for laid in own.values():
        meld = laid.meld
        if meld.kind == "group":
            if groups_join:
                alike.setdefault(meld.cards[-1][0], []).append(laid)
        elif meld.kind == "sequence" and rules.join_sequences and len(meld.cards) < SET_SIZE:
            alike.setdefault(meld.cards[0][1], []).append(laid)
    found: list[Join] = []
    for melds in alike.values():
        for first, second in combinations(melds, 2):
            gap = () if first.meld.kind == "group" else _gap(first.meld.cards, second.meld.cards)
            if gap is not None:
                found.append(Join(first, second, gap))
    return found


def _gap(first: Sequence[str], second: Sequence[str]) -> Run | None:
    """The cards between two runs of one suit that together make at most a samba, or None."""
    if first[0][1] != second[0][1]:
        return None
    lower, upper = sorted((first, second), key=lambda run: PLACE[run[0][0]])
    end, start = PLACE[lower[-1][0]] + 1, PLACE[upper[0][0]]
    if end > start or len(first) + len(second) + start - end > SET_SIZE:
        return None
    return tuple([rank + first[0][1] for rank in RUN_RANKS[end:start]])


def without(holding: Cards, faces: Sequence[str]) -> Cards:
    """The holding without cards that it has."""
    return holding - sum(map(UNIT.__getitem__, faces))


def holds(holding: Cards, faces: Sequence[str]) -> bool:
    """Whether all the cards named are in the holding."""
    return remove(holding, faces) >= 0


def between(laid: Laid, face: str) -> Run:
    """The cards between a run and a card beyond one of its ends, nearest to the run first."""
    low, high = (PLACE[laid.meld.cards[end][0]] for end in (0, -1))
    place = PLACE[face[0]]
    ranks = RUN_RANKS[high + 1 : place] if place > high else RUN_RANKS[place + 1 : low][::-1]
    return tuple([rank + face[1] for rank in ranks])
