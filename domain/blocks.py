"""The building blocks of melds that a holding offers, interchangeable cards counted once.

A group is a rank with a number of naturals and a number of wild cards, whichever they are; a run is its cards; an
addition is one card on one meld. Everything a seat can meld is made of these. Enumeration looks at the holding and at
the shape of melds only; whether a block is possible now is `domain.legal`'s question.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from domain.cards import (
    BLACK_THREE_FACES,
    FOUR_LANES,
    JOKER,
    LANE,
    RANK_SHIFT,
    RUN_RANKS,
    SUITS,
    UNIT,
    Cards,
    is_wild,
    number_of,
    number_of_rank,
    number_of_wilds,
    remove,
)
from domain.melds import NATURALS_NEEDED, SET_SIZE, SMALLEST_MELD, is_closed
from domain.rules import Rules
from domain.state import Laid, Melds

WILD_FACES: Final = ("2S", "2H", "2D", "2C", JOKER)
"""Wild cards, the cheap ones first."""

_PRESENT: Final = bytes(sum(1 << suit for suit in range(4) if bits >> 4 * suit & 0xF) for bits in range(0x10000))
"""Which of the four lanes of a rank hold cards, one bit a suit, by the sixteen bits of those lanes."""

_RANK_FACES: Final = {rank: tuple(rank + suit for suit in SUITS) for rank in "23456789TJQKA"}
_SHIFTS: Final = tuple((RANK_SHIFT[rank], rank) for rank in RUN_RANKS)


class Group(Struct, frozen=True):
    """A new group: a rank (`3` for black threes, `2` for a wild meld), how many naturals, how many wild cards."""

    rank: str
    naturals: int
    wilds: int


Run = tuple[str, ...]


def groups(rules: Rules, holding: Cards) -> list[Group]:
    """Every new group, wild meld and black-three meld that the holding has the cards for."""
    wilds = min(number_of_wilds(holding), rules.max_wilds)
    needed = NATURALS_NEEDED[rules.group_ratio]
    found: list[Group] = []
    for shift, rank in _SHIFTS:
        held = FOUR_LANES[holding >> shift & 0xFFFF]
        if held + wilds >= SMALLEST_MELD and held:
            _of_rank(found, rank, held, wilds, needed)
    if rules.black_three_melds or rules.black_three_melds_any_time:
        held = sum(number_of(holding, face) for face in BLACK_THREE_FACES)
        if held:
            _of_rank(found, "3", held, wilds if rules.black_three_wilds else 0, needed)
    if rules.wild_melds:
        held = number_of_wilds(holding)
        most = min(held, SET_SIZE) if rules.wild_melds_closed else held
        found += [Group("2", 0, number) for number in range(SMALLEST_MELD, most + 1)]
    return found


def _of_rank(found: list[Group], rank: str, held: int, wilds: int, needed: Sequence[int]) -> None:
    found += [Group(rank, naturals, 0) for naturals in range(SMALLEST_MELD, held + 1)]
    for number in range(1, wilds + 1):
        least = max(needed[number], SMALLEST_MELD - number, 1)
        found += [Group(rank, naturals, number) for naturals in range(least, held + 1)]


def runs(holding: Cards) -> list[Run]:
    """Every run of three to seven cards that the holding has the cards for."""
    present = 0
    for index, (shift, _) in enumerate(_SHIFTS):
        bits = holding >> shift & 0xFFFF
        if bits:
            present |= _PRESENT[bits] << 4 * index
    starts = present & present >> 4 & present >> 8
    found: list[Run] = []
    length = SMALLEST_MELD
    while starts and length <= SET_SIZE:
        rest = starts
        while rest:
            low = rest & -rest
            rest ^= low
            rank, suit = divmod(low.bit_length() - 1, 4)
            # The lanes of a rank run from clubs upwards, so the first bit is clubs.
            found.append(tuple(each + SUITS[3 - suit] for each in RUN_RANKS[rank : rank + length]))
        starts &= present >> 4 * length
        length += 1
    return found


def additions(rules: Rules, holding: Cards, own: Melds) -> Iterator[tuple[Laid, str]]:
    """Every card of the holding that belongs to an own meld, alone or with others of the holding between."""
    wilds = [face for face in WILD_FACES if holding & LANE[face]]
    for laid in own.values():
        kind = laid.meld.kind
        if kind == "sequence":
            for face in run_extensions(rules, holding, laid):
                yield laid, face
            continue
        if kind == "group":
            rank = next(face[0] for face in laid.meld.cards if not is_wild(face))
            if number_of_rank(holding, rank):
                for face in _RANK_FACES[rank]:
                    if holding & LANE[face]:
                        yield laid, face
            takes_wilds = rules.max_wilds > 0
        elif kind == "black_threes":
            if not rules.black_three_melds_any_time:
                continue
            for face in BLACK_THREE_FACES:
                if holding & LANE[face]:
                    yield laid, face
            takes_wilds = rules.black_three_wilds
        else:
            takes_wilds = not is_closed(rules, laid.meld)
        if takes_wilds:
            for face in wilds:
                yield laid, face


def run_extensions(rules: Rules, holding: Cards, laid: Laid) -> Iterator[str]:
    """The cards that lengthen a run at either end without a gap, nearest first, up to a samba."""
    cards = laid.meld.cards
    if is_closed(rules, laid.meld):
        return
    suit = cards[0][1]
    room = SET_SIZE - len(cards)
    low, high = RUN_RANKS.index(cards[0][0]), RUN_RANKS.index(cards[-1][0])
    for rank in RUN_RANKS[high + 1 : high + 1 + room]:
        if not holding & LANE[rank + suit]:
            break
        yield rank + suit
    for rank in reversed(RUN_RANKS[max(low - room, 0) : low]):
        if not holding & LANE[rank + suit]:
            break
        yield rank + suit


def joins(rules: Rules, own: Melds, partners: bool) -> Iterator[tuple[Laid, Laid, Run]]:
    """Pairs of own melds that could become one, with the cards missing between two runs (4.7)."""
    melds = list(own.values())
    for index, first in enumerate(melds):
        for second in melds[index + 1 :]:
            if first.meld.kind != second.meld.kind:
                continue
            if first.meld.kind == "group":
                same = rank_of_group(first) == rank_of_group(second)
                if same and (rules.merge_groups or partners):
                    yield first, second, ()
            elif first.meld.kind == "sequence" and rules.join_sequences:
                gap = _gap(first.meld.cards, second.meld.cards)
                if gap is not None:
                    yield first, second, gap


def rank_of_group(laid: Laid) -> str:
    """The rank of a group on the table."""
    return next(face[0] for face in laid.meld.cards if not is_wild(face))


def _gap(first: Sequence[str], second: Sequence[str]) -> Run | None:
    """The cards between two runs of one suit that together make at most a samba, or None."""
    if first[0][1] != second[0][1]:
        return None
    lower, upper = sorted((first, second), key=lambda run: RUN_RANKS.index(run[0][0]))
    end, start = RUN_RANKS.index(lower[-1][0]) + 1, RUN_RANKS.index(upper[0][0])
    if end > start or len(first) + len(second) + start - end > SET_SIZE:
        return None
    return tuple(rank + first[0][1] for rank in RUN_RANKS[end:start])


def pick(holding: Cards, group: Group, *, dear: bool) -> tuple[str, ...] | None:
    """Cards of the holding for a group, the naturals that are held most often first, or None where it has too few.

    `dear` picks jokers before twos, for points; otherwise the cheap wild cards go first.
    """
    naturals: tuple[str, ...] = ()
    if group.naturals:
        faces = BLACK_THREE_FACES if group.rank == "3" else _RANK_FACES[group.rank]
        naturals = _pick(holding, sorted(faces, key=lambda face: -number_of(holding, face)), group.naturals)
    wilds = _pick(holding, reversed(WILD_FACES) if dear else WILD_FACES, group.wilds) if group.wilds else ()
    cards = naturals + wilds
    return cards if len(cards) == group.naturals + group.wilds else None


def _pick(holding: Cards, faces: Iterator[str] | Sequence[str], number: int) -> tuple[str, ...]:
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
    low, high = (RUN_RANKS.index(laid.meld.cards[end][0]) for end in (0, -1))
    place = RUN_RANKS.index(face[0])
    ranks = RUN_RANKS[high + 1 : place] if place > high else RUN_RANKS[place + 1 : low]
    return tuple(rank + face[1] for rank in ranks)
