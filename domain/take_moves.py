"""Accepted moves that take the pile or the upcard: the take alone, or with the further melds that it needs (6.2)."""

from functools import cached_property
from typing import Final

from domain.blocks import PLACE, Group, Supply
from domain.budget import Budget
from domain.cards import UNIT, Cards, count, faces_of, is_wild, number_of_red_threes, points, size, split
from domain.completions import FirstMelds
from domain.decide import decide
from domain.melds import find_rank
from domain.moves import TakePile, TakeUpcard
from domain.refusals import Code, Refusal
from domain.state import State, own_melds, requirement
from domain.takes import Take, takes
from domain.way_bounds import may_go_out, sets_in_reach, stranded
from domain.way_counts import Terms
from domain.way_tables import Faces, Pinned, Tables
from domain.ways_out import way_out

_JUDGED_BY_NUMBERS: Final = (Code.FIRST_MELD_TOO_LOW, Code.KEEP_TWO_CARDS, Code.FINAL_DISCARD_NEEDED)


PLANS_FROM_DRAW_MAX: Final = 4
"""How many takes a listing tries as the beginning of a question put before the turn is begun."""


class TakeMoves:
    """The takes that a seat in phase `draw` could make, asked one by one."""

    def __init__(self, state: State, seat: int, budget: Budget) -> None:
        self.state = state
        self.seat = seat
        self.rules = state.table.rules
        self.holding = state.holdings[seat]
        self.own = own_melds(state, seat)
        self.budget = budget
        self._held = size(self.holding)
        self.supply = Supply(self.holding)
        self._of_form: dict[tuple[str, int, int], Refusal | None] = {}

    @cached_property
    def takes(self) -> list[Take]:
        """Every take that the holding has the cards for."""
        return takes(self.state, self.seat)

    def alone(self, take: Take) -> TakePile | TakeUpcard:
        """The take without further melds."""
        return take.move(self.supply, dear=not self.own)

    def refusal(self, take: Take, move: TakePile | TakeUpcard) -> Refusal | None:
        """Why a take is refused without further melds, as `alone` makes it, or None."""
        group = take.group
        if group is None:
            return self._judged(move)
        # Takes of one form differ in the numbers of cards only; beside a jack a joker may make another form of it.
        most = self._held if group.rank == "J" else 2
        key = (take.onto, min(group.naturals, most), min(group.wilds, most))
        if key not in self._of_form:
            self._of_form[key] = self._judged(move)
        refusal = self._of_form[key]
        by_numbers = refusal is None or refusal.code in _JUDGED_BY_NUMBERS
        if by_numbers and not self.own and isinstance(move, TakePile):
            assert isinstance(move.with_, tuple)
            value = points((self._upcard, *move.with_), self.rules.points)
            if value < self._needed:
                return Refusal(Code.FIRST_MELD_TOO_LOW, {"points": value, "needed": self._needed})
        if by_numbers:
            return None if self._free + self._held - group.size >= 2 else self._judged(move)
        return refusal

    def move(self, take: Take) -> TakePile | TakeUpcard | None:
        """The take as it would be accepted, or None."""
        alone = self.alone(take)
        refusal = None if self.is_sure(take) else self.refusal(take, alone)
        return alone if refusal is None else self.completed(take, refusal)

    def is_sure(self, take: Take) -> bool:
        """Whether the guards cannot refuse: a new group with a natural pair, of a party that has melded.

        The seat holds cards beside, it is not barred and the upcard does not block (`may_take`), and a frozen pile
        yields to a pair (6.3).
        """
        group = take.group
        return (
            group is not None
            and group.naturals > 1
            and not take.onto
            and self._new_groups_are_free
            and self._free + self._held - group.size >= 2
        )

    @cached_property
    def _new_groups_are_free(self) -> bool:
        lies = self.rules.pair_target == "existing" and find_rank(self.own, "group", self._upcard[0]) is not None
        return bool(self.own) and self._held > 2 and not lies and not self.state.barred >> self.seat & 1

    def leading_out(self) -> list[Take]:
        """The first takes after which the seat might lay all its cards but one; never wrongly without one."""
        takes = self.takes[:PLANS_FROM_DRAW_MAX]
        return [
            take for take in takes if not (self._strands_alone if take.is_upcard_alone else self._strands_with_pile)
        ]

    @cached_property
    def _strands_alone(self) -> bool:
        return self._strands(self.holding + UNIT[self._upcard])

    @cached_property
    def _strands_with_pile(self) -> bool:
        return self._strands(self.holding + count(split(self.state.pile)))

    def _strands(self, cards: Cards) -> bool:
        # What the take lays of these cards comes to the rank or the run of the upcard, or is wild.
        made = "" if is_wild(self._upcard) else self._upcard[0]
        return stranded(self.rules, cards, self.own, made) > 1

    def completed(self, take: Take, refusal: Refusal) -> TakePile | None:
        """The take with the further melds that a first meld needs, or None."""
        if refusal.code is not Code.FIRST_MELD_TOO_LOW:
            return None
        melds = self._first_melds(take) or self._exit(take)
        if melds is None:
            return None
        with_ = list(melds[0])
        if self._upcard not in with_:
            return None
        with_.remove(self._upcard)
        move = TakePile(with_=tuple(with_), melds=tuple(melds[1:]))
        return move if self._judged(move) is None else None

    def _judged(self, move: TakePile | TakeUpcard) -> Refusal | None:
        decision = decide(self.state, self.seat, move)
        return decision if isinstance(decision, Refusal) else None

    @cached_property
    def _upcard(self) -> str:
        return self.state.pile[-2:]

    @cached_property
    def _needed(self) -> int:
        return requirement(self.state, self.seat)

    @cached_property
    def _free(self) -> int:
        """How many cards the take brings to the hand, red threes that are laid at once taken off (3.6)."""
        rest = len(self.state.pile) // 2 - 1
        if self.rules.red_threes != "automatic":
            return rest
        pile = self.state.pile
        laid = number_of_red_threes(self.holding) + pile.count("3H") + pile.count("3D")
        replaced = self.state.stock_count if self.rules.red_three_replacement == "always" else 0
        return rest - laid + min(laid, replaced)

    def _pinned(self, take: Take) -> Pinned:
        """The meld that the take makes, the upcard with it."""
        if take.group is None:
            return Pinned(run=tuple(sorted((*take.run, self._upcard), key=lambda face: PLACE[face[0]])))
        naturals = take.group.naturals + (not is_wild(self._upcard))
        return Pinned(Group(take.group.rank, naturals, take.group.size + 1 - naturals))

    @cached_property
    def _first(self) -> FirstMelds:
        holding = self.holding + UNIT[self._upcard]
        keep = max(2 - self._free, 0)
        return FirstMelds(self.rules, holding, self._needed, keep, self.budget)

    def _first_melds(self, take: Take) -> list[Faces] | None:
        pinned = self._pinned(take)
        if pinned.group is None:
            return self._first.with_run(pinned.run)
        return self._first.with_group(pinned.group, self._upcard)

    def _exit(self, take: Take) -> list[Faces] | None:
        """The melds of a take that goes out, or keeps one card, in a first meld that reaches the requirement."""
        if not self._exit_in_reach:
            return None
        holding = self.holding + UNIT[self._upcard]
        least = int(self.rules.final_discard_required) - self._free
        most = points(faces_of(holding), self.rules.points) - self._needed
        terms = Terms(max(least, 0), 1 - self._free, most, black_threes=False)
        way = way_out(Tables(self.state, self.own, ()), holding, self.budget, terms, self._pinned(take))
        return None if way is None else list(way.new)

    @cached_property
    def _exit_in_reach(self) -> bool:
        holding = self.holding + UNIT[self._upcard]
        few = 0 <= self._free < 2
        return few and may_go_out(self.state, self.seat) and sets_in_reach(self.rules, holding, self.own)
