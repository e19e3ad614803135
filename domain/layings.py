"""How the cards of one rank can lie in groups, by the number of wild cards that go with them (rule book 4.2).

Suits do not matter here, so the numbers alone tell every way, and few different ones ever come up: they are kept.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from domain.melds import NATURALS_NEEDED, SET_SIZE, SMALLEST_MELD
from domain.rules import Rules

_KEPT_MAX: Final = 32768
"""How many answers are kept."""

_MANY_GROUPS: Final = 3
"""From so many groups of one rank on, its cards are not divided among them."""

Lying = tuple[int, int, bool]
"""A group on the table: how many naturals, how many wild cards, and whether more of those may come to it (4.2)."""


class Limits(Struct, frozen=True):
    """What a rule set allows in a group; `sets` says whether seven cards of it make a set."""

    ratio: str
    max_wilds: int
    several: bool
    sets: bool = True


class Laying(Struct, frozen=True):
    """Cards for the groups that lie, in their order, then for new ones: naturals and wild cards; and how many sets."""

    sets: int
    groups: tuple[tuple[int, int], ...]


def limits_of(rules: Rules) -> Limits:
    """The limits on groups of naturals."""
    return Limits(rules.group_ratio, rules.max_wilds, rules.several_melds_per_rank)


def black_three_limits(rules: Rules) -> Limits:
    """The limits on melds of black threes (4.5)."""
    most = rules.max_wilds if rules.black_three_wilds else 0
    return Limits(rules.group_ratio, most, rules.several_melds_per_rank, rules.black_three_wilds)


@lru_cache(maxsize=_KEPT_MAX)
def most_wilds(limits: Limits, naturals: int) -> int:
    """How many wild cards a group with so many naturals may hold."""
    needed = NATURALS_NEEDED[limits.ratio]
    return max((wilds for wilds in range(limits.max_wilds + 1) if needed[wilds] <= naturals), default=0)


@lru_cache(maxsize=_KEPT_MAX)
def layings(limits: Limits, naturals: int, lying: tuple[Lying, ...], wilds: int) -> dict[int, Laying]:
    """How all of `naturals` can be laid with each number of wild cards up to `wilds`: the way that makes most sets."""
    found: dict[int, Laying] = {}
    for parts in _divisions(limits, naturals, lying, wilds):
        for used, laying in _with_wilds(limits, parts, lying, wilds):
            if used not in found or laying.sets > found[used].sets:
                found[used] = laying
    return found


@lru_cache(maxsize=_KEPT_MAX)
def span(limits: Limits, naturals: int) -> tuple[int, int] | None:
    """The fewest and the most wild cards that new groups of all these naturals can hold, None where there are none."""
    least = max(SMALLEST_MELD - naturals, 0)
    if naturals < 2 or least > most_wilds(limits, naturals):
        return None
    return least, max(sum([most_wilds(limits, part) for part in parts]) for parts in _partitions(limits, naturals))


def _divisions(limits: Limits, naturals: int, lying: Sequence[Lying], wilds: int) -> Iterator[tuple[int, ...]]:
    """How many naturals come to each group that lies, and to new ones.

    All go together, wherever that is, unless more sets or more room for wild cards could be had by dividing them.
    """
    together = naturals + wilds + sum([there + with_it for there, with_it, _ in lying])
    if not lying:
        divided = naturals and (together >= 2 * SET_SIZE or wilds > most_wilds(limits, naturals))
        yield from _partitions(limits, naturals) if divided else [(naturals,) if naturals else ()]
        return
    rooms = [_range(limits, naturals if at == 0 else 0, each)[1] for at, each in enumerate(lying)]
    if together < 2 * SET_SIZE and wilds <= sum([room for room in rooms if room > 0]):
        yield from _onto_one(naturals, len(lying))
        return
    for onto in _shares(naturals, len(lying)):
        rest = naturals - sum(onto)
        if not rest or limits.several:
            yield (*onto, rest) if rest else onto


def _onto_one(naturals: int, groups: int) -> Iterator[tuple[int, ...]]:
    for index in range(groups if naturals else 1):
        yield tuple([naturals * (at == index) for at in range(groups)])


def _shares(naturals: int, groups: int) -> Iterator[tuple[int, ...]]:
    """Ways to share out naturals: over one group and a new one, or over two groups; all to one of many."""
    for index in range(groups):
        for number in range(naturals + 1) if groups < _MANY_GROUPS else (0, naturals):
            yield tuple([number * (at == index) for at in range(groups)])
    if groups == _MANY_GROUPS - 1:
        yield from ((number, naturals - number) for number in range(1, naturals))


def _partitions(limits: Limits, naturals: int) -> Iterator[tuple[int, ...]]:
    """Ways to divide naturals into new groups: one, any two, or three alike; none has fewer than two of them."""
    yield (naturals,)
    if limits.several:
        yield from ((naturals - part, part) for part in range(2, naturals // 2 + 1))
        if naturals >= 6:
            third = naturals // 3
            yield naturals - 2 * third, third, third


def _with_wilds(
    limits: Limits, parts: Sequence[int], lying: Sequence[Lying], wilds: int
) -> Iterator[tuple[int, Laying]]:
    """Every number of wild cards that goes with naturals so divided, and the way that makes most sets with it."""
    ranges = [_range(limits, part, lying[at] if at < len(lying) else None) for at, part in enumerate(parts)]
    fewest = most = 0
    for least, room, _ in ranges:
        if least > room:
            return
        fewest += least
        most += room
    if len(parts) == 1:
        full = ranges[0][2]
        for used in range(fewest, min(most, wilds) + 1):
            yield used, Laying(int(limits.sets and used >= full), ((parts[0], used),))
        return
    # A set costs the wild cards that its group lacks: the cheapest ones come first.
    costs = sorted([(max(full - least, 0), at) for at, (least, room, full) in enumerate(ranges) if full <= room])
    for used in range(fewest, min(most, wilds) + 1):
        yield used, _given(limits, parts, ranges, costs, used - fewest)


def _given(
    limits: Limits,
    parts: Sequence[int],
    ranges: Sequence[tuple[int, int, int]],
    costs: Sequence[tuple[int, int]],
    left: int,
) -> Laying:
    """Wild cards beyond the fewest, given to groups that they make sets first."""
    given, sets = [least for least, _, _ in ranges], 0
    for cost, at in costs:
        if cost <= left:
            given[at] += cost
            left -= cost
            sets += limits.sets
    for at, (_, room, _) in enumerate(ranges):
        if not left:
            break
        more = min(room - given[at], left)
        given[at] += more
        left -= more
    return Laying(sets, tuple(zip(parts, given, strict=True)))


def _range(limits: Limits, naturals: int, lying: Lying | None) -> tuple[int, int, int]:
    """The fewest and the most wild cards that come to a group with these naturals, and how many make it a set."""
    if lying is None:
        return max(SMALLEST_MELD - naturals, 0), most_wilds(limits, naturals), SET_SIZE - naturals
    there, wilds, is_open = lying
    most = most_wilds(limits, there + naturals) - wilds
    return 0, most if is_open else min(most, 0), SET_SIZE - there - wilds - naturals
