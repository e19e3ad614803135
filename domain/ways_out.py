"""Ways to go out: a meld move that leaves at most one card (rule book 3.6, 8.3).

Which naturals go into runs is searched for, within a budget. How the rest is laid is counted, not searched: by rank
there are few ways to lay so many naturals with so many wild cards (`domain.layings`), and a bit for each number of
wild cards used tells which of them fit together.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from domain.blocks import PLACE, RANK_FACES, WILD_FACES, Group, extensions
from domain.budget import Budget
from domain.cards import LANE, RED_THREE_FACES, Cards, is_wild, number_of, number_of_red_threes, number_of_wilds, size
from domain.melds import SET_SIZE
from domain.moves import Discard, LayMelds, Move
from domain.presence import runs
from domain.rules import Rules
from domain.way_bounds import fits_nowhere, sets_fit
from domain.way_counts import Settled, Terms, settle
from domain.way_tables import NOTHING_PINNED, Faces, LyingRun, Pinned, Tables, WayTable

_CARDS_PER_NODE: Final = 6


class Way(Struct, frozen=True):
    """A way out: the move that lays all cards but those left; what is pinned as new comes first in `new`."""

    new: tuple[Faces, ...]
    add: dict[str, Faces]
    join: tuple[Faces, ...]
    left: Faces

    def has(self, pinned: Pinned) -> bool:
        """Whether it contains what is pinned."""
        group, run = pinned.group, pinned.run
        return (
            (group is None or any(is_of(cards, group) for cards in self.new))
            and (not run or run in self.new)
            and all(set(faces) <= set(self.add.get(meld_id, ())) for meld_id, faces in pinned.add.items())
            and (not pinned.join or any(set(pinned.join) <= set(ids) for ids in self.join))
        )

    def meld(self) -> LayMelds:
        """The move."""
        return LayMelds(new=self.new, add=self.add, join=self.join)

    def moves(self) -> list[Move]:
        """The move, where it lays anything, and the discard of what is left."""
        moves: list[Move] = [self.meld()] if self.new or self.add or self.join else []
        return [*moves, Discard(self.left)] if self.left else moves


def way_out(
    tables: Tables, holding: Cards, budget: Budget, terms: Terms, pinned: Pinned = NOTHING_PINNED
) -> Way | None:
    """A way to lay `holding` by one meld move so that the right to go out is there, or None where none was found.

    Whether the right is not denied for another reason than sets (`may_go_out`) is the caller's question.
    """
    too_few_points = terms.most_left_points is not None and terms.most_left_points < 0
    if too_few_points or number_of_red_threes(holding) > terms.most_left:
        return None
    search = _Search(tables.rules, pinned.group, terms, budget)
    for table in tables.choices(holding, pinned):
        way = search.way(table)
        if way is not None or budget.nodes <= 0:
            return way
    return None


class _RunCards(Struct, frozen=True):
    """Cards for a run: a new one, or one on the table, which they lengthen."""

    faces: Faces
    lying: LyingRun | None = None

    @property
    def order(self) -> tuple[int, Faces, str]:
        """Sambas first, which are what may be lacking."""
        return -len(self.faces), self.faces, "" if self.lying is None else self.lying.meld_id


class _Search:
    """A search for the naturals that go into runs."""

    def __init__(self, rules: Rules, pinned: Group | None, terms: Terms, budget: Budget) -> None:
        self.rules = rules
        self.pinned = pinned
        self.terms = terms
        self.budget = budget

    def way(self, table: WayTable) -> Way | None:
        """The first way found."""
        for face in RED_THREE_FACES:
            if table.holding & LANE[face]:
                # A red three can only be the card that is left.
                return self._cover(table.without_card(face), (face,), None)
        return self._cover(table, (), None)

    def _cover(self, table: WayTable, left: Faces, after: _RunCards | None) -> Way | None:
        """Lay the holding: by numbers alone where that is possible, else with one more run.

        A rank that no group can hold has to be helped by a run or by the card left; beside that, runs are taken in
        one order only, from `after` on, so that no choice of them is looked at twice.
        """
        spare = self.terms.most_left - len(left)
        if not self.budget.spend(1):
            return None
        if not sets_fit(self.rules, table) or fits_nowhere(self.rules, table, self.pinned) > spare:
            return None
        # Wild cards count double: they can go nearly anywhere.
        cards = size(table.holding) + 2 * number_of_wilds(table.holding)
        if not self.budget.spend(2 + cards // _CARDS_PER_NODE):
            return None
        settled = settle(self.rules, table, self.pinned, self.terms, left)
        if isinstance(settled, Settled):
            return self._written(table, left, settled)
        return self._with_runs(table, left, after, settled)

    def _with_runs(self, table: WayTable, left: Faces, after: _RunCards | None, stuck: str | None) -> Way | None:
        rest = table.holding
        more = list(self._runs(table)) if self.rules.sequences else []
        if stuck is None:
            more = [each for each in more if after is None or each.order >= after.order]
        else:
            more = [each for each in more if any(face[0] == stuck for face in each.faces)]
        for each in sorted(more, key=lambda each: each.order):
            child = table.with_new_run(each.faces)
            if each.lying is not None:
                child = table.with_longer_run(each.lying, each.faces)
            way = self._cover(child, left, each if stuck is None else after)
            if way is not None or self.budget.nodes <= 0:
                return way
        if stuck is not None and len(left) < self.terms.most_left:
            for face in RANK_FACES[stuck]:
                if rest & LANE[face] and self.terms.may_leave(self.rules, face):
                    way = self._cover(table.without_card(face), (face,), after)
                    if way is not None:
                        return way
        return None

    def _runs(self, table: WayTable) -> Iterator[_RunCards]:
        """Every new run, and every way to lengthen a run that is open."""
        rest = table.holding
        for run in runs(rest):
            yield _RunCards(run)
        for lying in table.runs:
            room = SET_SIZE - lying.length
            if room > 0 and lying.is_open:
                cards = tuple(extensions(rest, lying.suit, lying.low, lying.high))
                upwards = tuple([face for face in cards if PLACE[face[0]] > lying.high])
                downwards = cards[len(upwards) :]
                for up in range(len(upwards) + 1):
                    for down in range(min(len(downwards), room - up) + 1):
                        if up or down:
                            yield _RunCards(upwards[:up] + downwards[:down], lying)

    def _written(self, table: WayTable, left: Faces, settled: Settled) -> Way:
        """The way in cards: what was settled by numbers takes any cards of the right rank."""
        rest = table.holding
        add = dict(table.add)
        new = list(table.new)
        wilds = [face for face in WILD_FACES for _ in range(number_of(rest, face))]
        if settled.leaves_wild:
            left = (wilds.pop(0),)
        for rank, laying in settled.layings:
            naturals = [face for face in RANK_FACES.get(rank, ()) for _ in range(number_of(rest, face))]
            if settled.left_rank == rank:
                left = (naturals.pop(),)
            lying = table.wilds if rank == "2" else table.groups.get(rank, [])
            for index, (number, wild_number) in enumerate(laying.groups):
                cards = tuple(naturals[:number] + wilds[:wild_number])
                del naturals[:number], wilds[:wild_number]
                if index >= len(lying):
                    new.append(cards)
                elif cards:
                    add[lying[index][0]] = (*add.get(lying[index][0], ()), *cards)
        new = [cards for cards in new if cards]
        if self.pinned is not None:
            new = _pinned_first(new, self.pinned)
        return Way(tuple(new), add, table.join, left)


def _pinned_first(new: list[Faces], group: Group) -> list[Faces]:
    at = next(index for index, cards in enumerate(new) if is_of(cards, group))
    return [new[at], *new[:at], *new[at + 1 :]]


def is_of(cards: Sequence[str], group: Group) -> bool:
    """Whether cards are a group of these numbers."""
    naturals = [face for face in cards if not is_wild(face)]
    return len(cards) == group.size and len(naturals) == group.naturals and all(f[0] == group.rank for f in naturals)
