"""Accepted moves that contain a block: the block alone, or with the completion that it needs (rule book 3.3, 3.6, 5).

Nothing here says why a block is not possible; that is what the guards say of it alone.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import Final

from domain.blocks import (
    PLACE,
    Group,
    Join,
    Supply,
    between,
    extensions,
    faces_for,
    holds,
    joins,
    number_of_black_threes,
    run_extensions,
    without,
)
from domain.budget import Budget
from domain.cards import RED_THREES, Cards, faces_of, is_wild, points, size
from domain.completions import FirstMelds
from domain.events import MeldKind
from domain.melding import may_be_waived, meld
from domain.melds import NATURALS_NEEDED, SET_SIZE, SMALLEST_MELD, rank_of
from domain.moves import Discard, LayMelds, Move
from domain.presence import Run
from domain.refusals import Refused
from domain.state import Laid, State, own_melds, requirement
from domain.way_bounds import may_go_out, sets_in_reach, stranded
from domain.way_counts import Terms
from domain.way_tables import NOTHING_PINNED, Faces, Pinned, Tables
from domain.ways_out import Way, way_out

JOINED_WITH_MAX: Final = 4
"""With how many other groups of a rank a joined completion is looked for."""


class BlockMoves:
    """The melds that a seat in phase `play` could lay, asked block by block; searches share one budget."""

    def __init__(self, state: State, seat: int, budget: Budget) -> None:
        self.state = state
        self.seat = seat
        self.rules = state.table.rules
        self.holding = state.holdings[seat]
        self.held = size(self.holding)
        self.own = own_melds(state, seat)
        self.budget = budget

    @cached_property
    def supply(self) -> Supply:
        """The cards that blocks are picked from."""
        return Supply(self.holding)

    # --- blocks ---

    def group(self, group: Group) -> LayMelds | None:
        """A move with a new group, wild meld or black-three meld."""
        if group.rank == "3" and not self.rules.black_three_melds_any_time:
            return self._exit(Pinned(group)) if self._threes_go_out(group) else None
        if not self.own:
            return self._opening(self.first.with_group(group)) or self._exit(Pinned(group))
        if not self.rules.several_melds_per_rank and self.lies(group.rank):
            return None
        alone = LayMelds(new=(self.supply.pick(group, dear=False),))
        return self._alone_or_out(alone, self.held - group.size, Pinned(group))

    def _threes_go_out(self, group: Group) -> bool:
        """Whether the black threes beside a meld of them could be laid or left: quick."""
        beside = number_of_black_threes(self.holding) - group.naturals
        several = self.rules.several_melds_per_rank and (beside >= SMALLEST_MELD or self.rules.black_three_wilds)
        return beside < 2 or several

    def run(self, run: Run) -> LayMelds | None:
        """A move with a new run."""
        if not self.own:
            return self._opening(self.first.with_run(run)) or self._exit(Pinned(run=run))
        return self._alone_or_out(LayMelds(new=(run,)), self.held - len(run), Pinned(run=run))

    def additions(self) -> Iterator[tuple[Laid, str]]:
        """Every card that some move could add to a meld: those that belong to it as it lies, or after a join."""
        for laid in self.own.values():
            for face in faces_for(self.rules, self.holding, laid):
                yield laid, face
        for meld_id, face in self.onto_joined:
            yield self.own[meld_id], face

    def addition(self, laid: Laid, face: str) -> LayMelds | None:
        """A move that adds a card to a meld."""
        meld_id = laid.meld.id
        if laid.meld.kind == "sequence":
            joined = self.onto_joined.get((meld_id, face))
            whole = joined or LayMelds(add={meld_id: (*between(laid, face), face)})
            left = self.held - len(whole.add[meld_id])
            return self._alone_or_out(whole, left, Pinned(add={meld_id: (face,)}))
        lacking = self._naturals_lacking(laid) if is_wild(face) else 0
        if lacking is None:
            return None
        move = self._with_naturals([laid], face, lacking)
        if lacking and self.all_joins and (move is None or self.held - 1 - lacking < 2):
            joined = self._with_groups(laid, face)
            if joined is not None:
                return joined
        return self._alone_or_out(move, self.held - 1 - lacking, Pinned(add={meld_id: (face,)}))

    def joins(self) -> list[Join]:
        """Pairs of own melds that could become one with the cards held."""
        return [join for join in self.all_joins if holds(self.holding, join.gap)]

    def join(self, join: Join) -> LayMelds | None:
        """A move that joins two melds."""
        first, second = join.first.meld.id, join.second.meld.id
        alone = joined_alone(join)
        if self.accepts(alone):
            return alone
        if join.first.meld.kind == "group":
            for third in self._joined_with(join.first):
                # Two groups of one partner can be joined where one of the other partner is joined with them (2.3).
                whole = LayMelds(join=((first, second, third.meld.id),))
                if third is not join.second and self.accepts(whole):
                    return whole
        return self._exit(Pinned(join=(first, second)))

    # --- going out ---

    def ways_out(self) -> list[Move] | None:
        """The moves by which the seat goes out at once, as its permission stands, or None where none was found."""
        if not self.exit_in_reach:
            return None
        closing = self._closing_discard()
        if closing is not None:
            return closing
        if self.holding & RED_THREES and not self.rules.red_three_discard:
            return None
        way = self._way(self.holding, Terms(0, 0)) if self.state.last_turn else self._any_way
        return None if way is None else way.moves()

    def _closing_discard(self) -> list[Move] | None:
        """Everything laid but three or four black threes, which are discarded together (8.4)."""
        number = number_of_black_threes(self.holding)
        if not (self.rules.black_three_closing_discard and self.own and number in (3, 4) and not self.state.last_turn):
            return None
        threes = self.supply.pick(Group("3", number, 0), dear=False)
        rest = without(self.holding, threes)
        way = self._way(rest, Terms(0, 0))
        if way is None:
            return None
        return [way.meld(), Discard(threes)] if rest else [Discard(threes)]

    @cached_property
    def exit_in_reach(self) -> bool:
        """Whether the right to go out could be there after a move."""
        return (
            self.nothing_stranded
            and may_go_out(self.state, self.seat)
            and sets_in_reach(self.rules, self.holding, self.own)
        )

    @cached_property
    def nothing_stranded(self) -> bool:
        """Whether every card but one may have a place."""
        return stranded(self.rules, self.holding, self.own) <= 1

    @cached_property
    def _any_way(self) -> Way | None:
        return self._way(self.holding, self._terms)

    @cached_property
    def _terms(self) -> Terms:
        """What a way out must keep to: a first meld that goes out reaches the requirement, or is waived (part 5)."""
        rules, state = self.rules, self.state
        undiscardable = bool(self.holding & RED_THREES) and not rules.red_three_discard
        most = None
        if not self.own and not may_be_waived(state, self.seat):
            most = points(faces_of(self.holding), rules.points) - requirement(state, self.seat)
        return Terms(
            least_left=int(rules.final_discard_required), most_left_points=most, black_threes=not undiscardable
        )

    def _exit(self, pinned: Pinned) -> LayMelds | None:
        """A move with what is pinned that leaves at most one card."""
        if not self.exit_in_reach or self._any_way is None:
            return None
        way = self._any_way if self._any_way.has(pinned) else self._way(self.holding, self._terms, pinned)
        move = None if way is None else way.meld()
        return move if move is not None and self.accepts(move) else None

    def _way(self, holding: Cards, terms: Terms, pinned: Pinned = NOTHING_PINNED) -> Way | None:
        return way_out(self._tables, holding, self.budget, terms, pinned)

    @cached_property
    def _tables(self) -> Tables:
        return Tables(self.state, self.own, self.all_joins)

    # --- what makes a block possible ---

    def accepts(self, move: LayMelds) -> bool:
        """Whether the guards accept a move."""
        try:
            meld(self.state, self.seat, move)
        except Refused:
            return False
        return True

    def lies(self, rank: str) -> bool:
        """Whether the party has a group of a rank, a wild meld (`2`) or black threes (`3`)."""
        return rank in self._lying

    @cached_property
    def _lying(self) -> set[str]:
        melds = [laid.meld for laid in self.own.values()]
        return {rank_of(meld.kind, meld.cards) for meld in melds if meld.kind != "sequence"}

    @cached_property
    def first(self) -> FirstMelds:
        """First melds that leave two cards."""
        return FirstMelds(self.rules, self.holding, requirement(self.state, self.seat), 2, self.budget)

    def _opening(self, melds: list[Faces] | None) -> LayMelds | None:
        return None if melds is None else LayMelds(new=tuple(melds))

    def _alone_or_out(self, move: LayMelds | None, left: int, pinned: Pinned) -> LayMelds | None:
        """A move of sound form as it stands where it leaves enough, else a way out with what is pinned."""
        if move is not None and (left >= 2 or (left >= 0 and self.accepts(move))):
            return move
        return self._exit(pinned)

    def _naturals_lacking(self, laid: Laid) -> int | None:
        """How many naturals a meld lacks for one more wild card; None where it may hold no more of them."""
        if laid.meld.kind == "wild":
            return 0
        wilds = sum(map(is_wild, laid.meld.cards))
        finished = len(laid.meld.cards) >= SET_SIZE and not self.rules.wild_on_finished_canasta
        if wilds >= self.rules.max_wilds or finished:
            return None
        return max(NATURALS_NEEDED[self.rules.group_ratio][wilds + 1] - (len(laid.meld.cards) - wilds), 0)

    def _with_naturals(self, melds: Sequence[Laid], face: str, lacking: int) -> LayMelds | None:
        """A card added to the first of these melds, which are joined, with the naturals it needs beside it."""
        naturals: Faces = ()
        first = melds[0].meld
        if lacking > 0:
            group = Group(rank_of(first.kind, first.cards), lacking, 0)
            naturals = self.supply.pick(group, dear=False)
            if len(naturals) < lacking:
                return None
        join = (tuple([laid.meld.id for laid in melds]),) if len(melds) > 1 else ()
        return LayMelds(add={first.id: (face, *naturals)}, join=join)

    def _with_groups(self, laid: Laid, face: str) -> LayMelds | None:
        """A wild card added to a group that is joined with others, whose naturals make up for it."""
        others = self._joined_with(laid)[:JOINED_WITH_MAX]
        needed = NATURALS_NEEDED[self.rules.group_ratio]
        for number in range(1, len(others) + 1):
            for chosen in combinations(others, number):
                melds = (laid, *chosen)
                cards = [card for each in melds for card in each.meld.cards]
                wilds = sum(map(is_wild, cards)) + 1
                if wilds <= self.rules.max_wilds:
                    move = self._with_naturals(melds, face, needed[wilds] - (len(cards) - wilds + 1))
                    if move is not None and self.accepts(move):
                        return move
        return None

    def _joined_with(self, laid: Laid) -> list[Laid]:
        """The melds that could be joined with one."""
        return [
            join.second if join.first is laid else join.first
            for join in self.all_joins
            if laid is join.first or laid is join.second
        ]

    @cached_property
    def all_joins(self) -> list[Join]:
        """Pairs of own melds that could become one, whether their gap is held or not."""
        return joins(self.state, self.own) if len(self.own) > 1 else []

    @cached_property
    def onto_joined(self) -> dict[tuple[str, str], LayMelds]:
        """Cards that lengthen a run only when it is joined with another one: by meld and card the whole move."""
        found: dict[tuple[str, str], LayMelds] = {}
        for join in self.all_joins:
            first, second = join.first.meld, join.second.meld
            if first.kind != "sequence" or not holds(self.holding, join.gap):
                continue
            places = [PLACE[face[0]] for face in (*first.cards, *second.cards)]
            low, high = min(places), max(places)
            for way in (1, -1):
                beyond = list(join.gap)
                for face in extensions(self.holding, first.cards[0][1], low, high):
                    if (PLACE[face[0]] - low) * way > 0:
                        beyond.append(face)
                        for laid in (join.first, join.second):
                            key = laid.meld.id, face
                            if key not in found and face not in run_extensions(self.holding, laid):
                                found[key] = LayMelds(add={laid.meld.id: tuple(beyond)}, join=((first.id, second.id),))
        return found


def joined_alone(join: Join) -> LayMelds:
    """The move that joins two melds and does nothing else."""
    first, second = join.first.meld.id, join.second.meld.id
    return LayMelds(add={first: join.gap} if join.gap else {}, join=((first, second),))


def kind_of_rank(rank: str) -> MeldKind:
    """The kind of a new meld that is no run, by the rank it goes by."""
    return "wild" if rank == "2" else "black_threes" if rank == "3" else "group"
