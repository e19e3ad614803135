"""Accepted moves that take the pile or the upcard: the take alone, or with the further melds that it needs (6.2)."""

from functools import cached_property
from typing import Final

from domain.blocks import PLACE, Group, Supply, without
from domain.budget import Budget
from domain.cards import UNIT, count, faces_of, is_wild, number_of_red_threes, points, size, split
from domain.completions import FirstMelds
from domain.decide import decide
from domain.moves import TakePile, TakeUpcard
from domain.refusals import Code, Refusal
from domain.state import State, own_melds, requirement
from domain.takes import Take, takes
from domain.way_bounds import may_go_out, sets_in_reach, stranded
from domain.way_counts import Terms
from domain.way_tables import Faces, Pinned, Tables
from domain.ways_out import way_out

_JUDGED_BY_NUMBERS: Final = (Code.FIRST_MELD_TOO_LOW, Code.KEEP_TWO_CARDS, Code.FINAL_DISCARD_NEEDED)


class TakeMoves:
    """The takes that a seat in phase `draw` could make, asked one by one."""

    def __init__(self, state: State, seat: int, budget: Budget) -> None:
        self.state = state
        self.seat = seat
        self.rules = state.table.rules
        self.holding = state.holdings[seat]
        self.own = own_melds(state, seat)
        self.budget = budget
        self.supply = Supply(self.holding)
        self._of_form: dict[tuple[str, int, int], Refusal | None] = {}

    @cached_property
    def takes(self) -> list[Take]:
        """Every take that the holding has the cards for."""
        return takes(self.state, self.seat)

    def alone(self, take: Take) -> TakePile | TakeUpcard:
        """The take without further melds."""
        return take.move(self.supply, dear=not self.own)

    def refusal(self, take: Take) -> Refusal | None:
        """Why the take alone is refused, or None."""
        move = self.alone(take)
        group = take.group
        if group is None:
            return self._judged(move)
        # Takes of one form differ in the numbers of cards only; beside a jack a joker may make another form of it.
        most = size(self.holding) if group.rank == "J" else 2
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
            return None if self._free + size(self.holding) - group.size >= 2 else self._judged(move)
        return refusal

    def move(self, take: Take) -> TakePile | TakeUpcard | None:
        """The take as it would be accepted, or None."""
        refusal = self.refusal(take)
        return self.alone(take) if refusal is None else self.completed(take, refusal)

    def strands(self, take: Take) -> bool:
        """Whether the seat could surely not lay all its cards but one after the take: quick."""
        rest = self.holding
        if not take.is_upcard_alone:
            cards = take.run if take.group is None else self.supply.pick(take.group, dear=False)
            rest = without(rest, cards) + count(split(self.state.pile[:-2]))
        made = "" if take.group is None or is_wild(self._upcard) else self._upcard[0]
        return bool(self.own) and stranded(self.rules, rest, self.own, made) > 1

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
        laid = number_of_red_threes(self.holding + count(split(self.state.pile[:-2])))
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
