"""Further melds that bring a first meld up to the requirement (rule book part 5).

Groups are counted, not searched: every rank with three naturals can lie, a pair needs a wild card, and further wild
cards go where there is room. Only which runs lie beside them is searched for, within a budget.
"""

from collections.abc import Sequence
from itertools import accumulate, combinations_with_replacement
from typing import Final

from msgspec import Struct

from domain.blocks import (
    GROUP_RANKS,
    RANK_FACES,
    Group,
    Supply,
    holds,
    number_of_black_threes,
    without,
)
from domain.budget import Budget
from domain.cards import JOKER, RUN_RANKS, Cards, number_of_rank, number_of_wilds, points, size
from domain.layings import black_three_limits, layings, limits_of, span
from domain.melds import SET_SIZE, SMALLEST_MELD
from domain.presence import NATURAL_BITS, RANK_BITS, Run, in_runs, presence, rank_counts, runs
from domain.rules import Rules

_CARDS_PER_NODE: Final = 12

Meld = tuple[str, ...]


class _Rank(Struct, frozen=True):
    """The naturals of a rank that could lie in new groups: their number and value, the wild cards that they take."""

    rank: str
    number: int
    value: int
    fewest: int
    most: int


class FirstMelds:
    """First melds from one holding. `keep` cards at least must stay in hand."""

    def __init__(self, rules: Rules, holding: Cards, needed: int, keep: int, budget: Budget) -> None:
        self.rules = rules
        self.holding = holding
        self.needed = needed
        self.keep = keep
        self.budget = budget
        self.values = {rank: rules.points[RANK_FACES[rank][0]] for rank in GROUP_RANKS}
        self.supply = Supply(holding)
        self.wild_points = self._points_of(self.supply)
        self.plain = [each for each in self._ranks(holding, None) if not each.fewest]
        self.in_reach = self._worth(holding) >= needed
        """Whether all cards that could lie at all are worth enough."""

    def with_group(self, group: Group, first: str = "") -> list[Meld] | None:
        """A group, and the further melds that it needs; `first` is a card that the group must have."""
        if not self.in_reach:
            return None
        value = self.wild_points[group.wilds]
        if group.naturals:
            value += group.naturals * self.values[group.rank]
        room = size(self.holding) - self.keep - group.size
        chosen = self._plain_beside(group.rank, value, room)
        if chosen is None:
            return self._search(self.holding, group, (), 0, first)
        return self._dealt(self.holding, [group, *chosen], (), first)

    def with_run(self, run: Run) -> list[Meld] | None:
        """A run, and the further melds that it needs."""
        rest = without(self.holding, run)
        value = points(run, self.rules.points)
        if value >= self.needed:
            return [run] if size(rest) >= self.keep else None
        if not self.in_reach or value + self._worth(rest) < self.needed:
            return None
        found = self._search(rest, None, (run,), value, "")
        if found is not None:
            found.remove(run)
            found.insert(0, run)
        return found

    def _plain_beside(self, rank: str, value: int, room: int) -> list[Group] | None:
        """Groups of other ranks without wild cards that are enough, the dearest first."""
        if room < 0:
            return None
        chosen: list[Group] = []
        for each in self.plain:
            if value >= self.needed:
                break
            if each.rank != rank:
                number = min(each.number, room)
                if number < SMALLEST_MELD:
                    continue
                chosen.append(Group(each.rank, number, 0))
                value += number * self.values[each.rank]
                room -= number
        return chosen if value >= self.needed else None

    def _search(
        self, rest: Cards, pinned: Group | None, chosen: tuple[Run, ...], value: int, first: str
    ) -> list[Meld] | None:
        """Groups beside the runs chosen, else one run more; runs are taken in one order only."""
        groups = self._groups(rest, pinned, value)
        if groups is not None:
            made = [pinned, *groups] if pinned is not None else groups
            return self._dealt(rest, made, chosen, first)
        if not self.rules.sequences or not self.budget.spend(2 + size(rest) // _CARDS_PER_NODE):
            return None
        least = chosen[-1] if len(chosen) > (pinned is None) else ()
        for run in sorted(runs(rest), key=_order):
            if least and _order(run) < _order(least):
                continue
            after = without(rest, run)
            more = value + points(run, self.rules.points)
            if first and run.count(first) and not holds(after, (first,)):
                continue
            if more + self._worth(after) >= self.needed:
                found = self._search(after, pinned, (*chosen, run), more, first)
                if found is not None or self.budget.nodes <= 0:
                    return found
        return None

    def _groups(self, rest: Cards, pinned: Group | None, value: int) -> list[Group] | None:
        """Groups and wild melds from `rest` that are enough beside what is worth `value` already, or None."""
        wilds = number_of_wilds(rest)
        if pinned is not None:
            if number_of_wilds(rest) < pinned.wilds or self._held(rest, pinned.rank) < pinned.naturals:
                return None
            value += pinned.naturals * self.values.get(pinned.rank, 0)
        room = size(rest) - self.keep
        ranks = self._ranks(rest, pinned)
        found = self._enough(rest, ranks, wilds, pinned, value, room)
        if found is not None:
            return found
        return self._with_cards_kept(rest, ranks, wilds, pinned, value, room)

    def _with_cards_kept(
        self, rest: Cards, ranks: Sequence[_Rank], wilds: int, pinned: Group | None, value: int, room: int
    ) -> list[Group] | None:
        """The same where all together leave too few cards: naturals are kept out of groups, the cheap ones first."""
        most = sum([each.number + each.most for each in ranks]) + (0 if pinned is None else pinned.size)
        worth = sum([each.value for each in ranks]) + value + self._wild_points(rest)[-1]
        if most <= room or worth < self.needed or room < SMALLEST_MELD:
            return None
        places = sorted(range(len(ranks)), key=lambda at: ranks[at].value)
        for excess in range(1, self.keep + 1):
            if not self.budget.spend(1 + len(places) ** excess // 4):
                return None
            for kept in combinations_with_replacement(places, excess):
                fewer = [self._fewer(each, kept.count(at), wilds) for at, each in enumerate(ranks)]
                found = self._enough(rest, [each for each in fewer if each is not None], wilds, pinned, value, room)
                if found is not None:
                    return found
        return None

    def _fewer(self, each: _Rank, number: int, wilds: int) -> _Rank | None:
        return each if not number else self._rank(each.rank, each.number - number, wilds)

    def _enough(
        self, rest: Cards, ranks: Sequence[_Rank], wilds: int, pinned: Group | None, value: int, room: int
    ) -> list[Group] | None:
        """The fewest of these ranks and wild cards, the dear ones first, that are worth enough and leave room."""
        top = self._wild_points(rest)
        spent = 0 if pinned is None else pinned.wilds
        laid = 0 if pinned is None else pinned.size
        free = [each for each in ranks if not each.fewest]
        pairs = [each for each in ranks if each.fewest]
        for number in range(min(len(pairs), wilds - spent) + 1):
            chosen: list[_Rank] = []
            total, used, cards = value, spent, laid
            for each in (*pairs[:number], *free):
                if total + top[used] >= self.needed and not each.fewest:
                    break
                chosen.append(each)
                total += each.value
                used += each.fewest
                cards += each.number + each.fewest
            more = self._more_wilds(chosen, wilds - used, self.needed - total, top, used, pinned)
            if more is not None and cards + sum(more) <= room:
                return self._made(chosen, more)
        return None

    def _more_wilds(
        self, chosen: Sequence[_Rank], left: int, lacking: int, top: Sequence[int], used: int, pinned: Group | None
    ) -> list[int] | None:
        """Wild cards beside those used: for every rank chosen, then for a wild meld; None where they are too few."""
        more = [0] * (len(chosen) + 1)
        placed = 0
        for at, each in enumerate(chosen):
            while top[used + placed] < lacking and placed < left and more[at] < each.most - each.fewest:
                more[at] += 1
                placed += 1
        if top[used + placed] >= lacking:
            return more
        blocked = pinned is not None and pinned.rank == "2" and not self.rules.several_melds_per_rank
        if not self.rules.wild_melds or blocked:
            return None
        for number in range(SMALLEST_MELD, min(left, SET_SIZE if self.rules.wild_melds_closed else left) + 1):
            in_groups = min(placed, left - number)
            if top[used + in_groups + number] >= lacking:
                kept = in_groups
                for at in range(len(chosen)):
                    more[at] = min(more[at], kept)
                    kept -= more[at]
                more[-1] = number
                return more
        return None

    def _made(self, chosen: Sequence[_Rank], more: Sequence[int]) -> list[Group]:
        found: list[Group] = []
        for each, number in zip(chosen, more, strict=False):
            limits = black_three_limits(self.rules) if each.rank == "3" else limits_of(self.rules)
            wilds = each.fewest + number
            parts = layings(limits, each.number, (), max(wilds, each.most))[wilds].groups
            found += [Group(each.rank, naturals, with_it) for naturals, with_it in parts]
        return [*found, Group("2", 0, more[-1])] if more[-1] else found

    def _ranks(self, rest: Cards, pinned: Group | None) -> list[_Rank]:
        """The ranks that could lie in groups beside the pinned one, the dearest first."""
        wilds = number_of_wilds(rest) - (0 if pinned is None else pinned.wilds)
        found = []
        for rank, held in self._counts(rest):
            if pinned is not None and pinned.rank == rank:
                held = held - pinned.naturals if self.rules.several_melds_per_rank else 0
            each = self._rank(rank, held, wilds)
            if each is not None:
                found.append(each)
        return sorted(found, key=lambda each: -each.value)

    def _counts(self, cards: Cards) -> list[tuple[str, int]]:
        """How many naturals of each rank there are, and black threes where they lie like those."""
        counts = rank_counts(cards)
        black = [("3", number_of_black_threes(cards))] if self.rules.black_three_melds_any_time else []
        return [*zip(RUN_RANKS, counts[1:], strict=False), *black]

    def _rank(self, rank: str, held: int, wilds: int) -> _Rank | None:
        if held < 2 or wilds < 0:
            return None
        limits = black_three_limits(self.rules) if rank == "3" else limits_of(self.rules)
        found = span(limits, held)
        if found is None or found[0] > wilds:
            return None
        return _Rank(rank, held, held * self.values[rank], found[0], min(found[1], wilds))

    def _held(self, cards: Cards, rank: str) -> int:
        if rank == "2":
            return 0
        return number_of_black_threes(cards) if rank == "3" else number_of_rank(cards, rank)

    def _wild_points(self, cards: Cards) -> list[int]:
        """What so many wild cards are worth, the dear ones first."""
        if cards != self.holding:
            return self._points_of(Supply(cards))
        return self.wild_points

    def _points_of(self, supply: Supply) -> list[int]:
        return [0, *accumulate([self.rules.points[face] for face in self._dear_first(supply.wilds)])]

    def _worth(self, cards: Cards) -> int:
        """What all cards that could lie in a first meld are worth: never too little."""
        wilds = number_of_wilds(cards)
        worth = self._wild_points(cards)[-1]
        covered = in_runs(presence(cards) & NATURAL_BITS) if self.rules.sequences else 0
        for rank, held in self._counts(cards):
            in_group = held >= SMALLEST_MELD or (held == SMALLEST_MELD - 1 and wilds > 0)
            if in_group or covered & RANK_BITS[rank]:
                worth += held * self.values[rank]
        return worth

    def _dealt(self, cards: Cards, groups: Sequence[Group], chosen: Sequence[Run], first: str) -> list[Meld]:
        """The melds in cards: what is pinned first, with the card `first`; dear wild cards before cheap ones."""
        supply = self.supply if cards == self.holding else Supply(cards)
        wilds = self._dear_first(supply.wilds)
        naturals = {group.rank: supply.naturals(group.rank) for group in groups}
        if first:
            wilds = _to_front(wilds, first)
            naturals = {rank: _to_front(faces, first) for rank, faces in naturals.items()}
        melds: list[Meld] = []
        for group in groups:
            melds.append(naturals[group.rank][: group.naturals] + wilds[: group.wilds])
            naturals[group.rank] = naturals[group.rank][group.naturals :]
            wilds = wilds[group.wilds :]
        return [*melds, *chosen]

    def _dear_first(self, wilds: Meld) -> Meld:
        """Wild cards by their value; a supply has them by their face, jokers last."""
        return wilds if self.rules.points[JOKER] < self.rules.points["2S"] else wilds[::-1]


def _to_front(faces: Meld, first: str) -> Meld:
    if first not in faces:
        return faces
    at = faces.index(first)
    return (first, *faces[:at], *faces[at + 1 :])


def _order(run: Run) -> tuple[int, Run]:
    """Long runs first: they are worth more."""
    return -len(run), run
