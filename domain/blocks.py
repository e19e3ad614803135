"""The building blocks of melds that a holding offers, interchangeable cards counted once.

A group is a rank with a number of naturals and a number of wild cards, whichever they are; a run is its cards; an
addition is one card on one meld; a join is two melds. Everything a seat can meld is made of these. Enumeration looks
at the holding and at the shape of melds only; whether a block is possible now is `domain.prospects`' question.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from domain.cards import (
    BLACK_THREE_FACES,
    JOKER,
    LANE,
    RANK_SHIFT,
    RUN_RANKS,
    SUITS,
    UNIT,
    Cards,
    number_of,
    number_of_rank,
    number_of_wilds,
    remove,
)
from domain.layings import black_three_limits, limits_of, most_wilds
from domain.melds import NATURALS_NEEDED, SET_SIZE, SMALLEST_MELD, is_closed, rank_of
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

_PRESENT: Final = bytes(sum(1 << suit for suit in range(4) if bits >> 4 * suit & 0xF) for bits in range(0x10000))
"""Which of the four lanes of a rank hold cards, one bit a suit, by the sixteen bits of those lanes."""

_SHIFTS: Final = tuple((4 * place, RANK_SHIFT[rank]) for place, rank in enumerate(RUN_RANKS))

Run = tuple[str, ...]


class Group(Struct, frozen=True):
    """A new group: a rank (`3` for black threes, `2` for a wild meld), how many naturals, how many wild cards."""

    rank: str
    naturals: int
    wilds: int

    @property
    def size(self) -> int:
        """How many cards it has."""
        return self.naturals + self.wilds


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
    found: list[Group] = []
    for rank in RUN_RANKS:
        held = number_of_rank(holding, rank)
        if held >= 2:
            _of_rank(found, rank, held, min(wilds, most_wilds(limits_of(rules), held)), rules)
    if rules.black_three_melds:
        held = number_of_black_threes(holding)
        if held:
            _of_rank(found, "3", held, min(wilds, most_wilds(black_three_limits(rules), held)), rules)
    if rules.wild_melds:
        most = min(wilds, SET_SIZE) if rules.wild_melds_closed else wilds
        found += [Group("2", 0, number) for number in range(SMALLEST_MELD, most + 1)]
    return found


def _of_rank(found: list[Group], rank: str, held: int, wilds: int, rules: Rules) -> None:
    found += [Group(rank, naturals, 0) for naturals in range(SMALLEST_MELD, held + 1)]
    needed = NATURALS_NEEDED[rules.group_ratio]
    for number in range(1, wilds + 1):
        least = max(needed[number], SMALLEST_MELD - number, 1)
        found += [Group(rank, naturals, number) for naturals in range(least, held + 1)]


def presence(holding: Cards) -> int:
    """Which natural faces are held: four bits a rank from the four upwards, in each clubs lowest."""
    present = 0
    for place, shift in _SHIFTS:
        bits = holding >> shift & 0xFFFF
        if bits:
            present |= _PRESENT[bits] << place
    return present


def run_starts(holding: Cards) -> list[int]:
    """Where runs of three, four … seven cards begin, as in `presence`; short where there are no longer ones."""
    present = presence(holding)
    starts = present & present >> 4 & present >> 8
    found: list[int] = []
    while starts and len(found) <= SET_SIZE - SMALLEST_MELD:
        found.append(starts)
        starts &= present >> 4 * (SMALLEST_MELD + len(found) - 1)
    return found


def run_at(start: int, length: int) -> Run:
    """The run of so many cards that begins at a bit of `presence`."""
    place, suit = divmod(start, 4)
    # The lanes of a rank run from clubs upwards, so the lowest bit is clubs.
    return tuple([rank + SUITS[3 - suit] for rank in RUN_RANKS[place : place + length]])


def runs(holding: Cards) -> list[Run]:
    """Every run of three to seven cards that the holding has the cards for, the short ones first."""
    found: list[Run] = []
    for length, starts in enumerate(run_starts(holding), SMALLEST_MELD):
        while starts:
            low = starts & -starts
            starts ^= low
            found.append(run_at(low.bit_length() - 1, length))
    return found


def additions(rules: Rules, holding: Cards, own: Melds) -> Iterator[tuple[Laid, tuple[str, ...]]]:
    """For each own meld the faces held that belong to it, alone or with others of the holding between."""
    wilds = tuple([face for face in WILD_FACES if holding & LANE[face]])
    for laid in own.values():
        kind = laid.meld.kind
        if kind == "sequence":
            faces = tuple(run_extensions(holding, laid))
        elif kind == "wild":
            faces = () if is_closed(rules, laid.meld) else wilds
        elif kind == "black_threes" and not rules.black_three_melds_any_time:
            faces = ()
        else:
            naturals = RANK_FACES[rank_of(kind, laid.meld.cards)]
            faces = tuple([face for face in naturals if holding & LANE[face]])
            limits = limits_of(rules) if kind == "group" else black_three_limits(rules)
            if limits.max_wilds:
                faces += wilds
        if faces:
            yield laid, faces


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
    found: list[Join] = []
    runs_join = rules.sequences and rules.join_sequences
    if not (runs_join or rules.merge_groups or state.lone is not None):
        return found
    melds = list(own.values())
    for index, first in enumerate(melds):
        kind = first.meld.kind
        for second in melds[index + 1 :]:
            if kind != second.meld.kind:
                continue
            if kind == "group":
                if first.meld.cards[-1][0] == second.meld.cards[-1][0]:
                    found.append(Join(first, second, ()))
            elif kind == "sequence" and runs_join:
                gap = _gap(first.meld.cards, second.meld.cards)
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


def pick(holding: Cards, group: Group, *, dear: bool) -> tuple[str, ...]:
    """Cards of the holding for a group that it has the cards for, the naturals held most often first.

    `dear` picks jokers before twos, for points; otherwise the cheap wild cards go first.
    """
    naturals: tuple[str, ...] = ()
    if group.naturals:
        naturals = _pick(holding, _most_held(holding, RANK_FACES[group.rank]), group.naturals)
    if not group.wilds:
        return naturals
    return naturals + _pick(holding, WILD_FACES[::-1] if dear else WILD_FACES, group.wilds)


def _most_held(holding: Cards, faces: Sequence[str]) -> list[str]:
    return sorted(faces, key=lambda face: -number_of(holding, face))


def _pick(holding: Cards, faces: Sequence[str], number: int) -> tuple[str, ...]:
    picked: list[str] = []
    for face in faces:
        held = number_of(holding, face)
        if held:
            picked += [face] * min(held, number - len(picked))
    return tuple(picked)


def without(holding: Cards, faces: Sequence[str]) -> Cards:
    """The holding without cards that it has."""
    return holding - sum(map(UNIT.__getitem__, faces))


def holds(holding: Cards, faces: Sequence[str]) -> bool:
    """Whether all the cards named are in the holding."""
    return remove(holding, faces) >= 0


def between(laid: Laid, face: str) -> Run:
    """The cards between a run and a card beyond one of its ends."""
    low, high = (PLACE[laid.meld.cards[end][0]] for end in (0, -1))
    place = PLACE[face[0]]
    ranks = RUN_RANKS[high + 1 : place] if place > high else RUN_RANKS[place + 1 : low]
    return tuple([rank + face[1] for rank in ranks])
