"""The takes of the pile or the upcard that a holding has the cards for, by numbers of naturals and wild cards."""

from collections.abc import Iterator

from msgspec import UNSET, Struct

from domain.blocks import Group, Supply, holds
from domain.cards import JOKER, RUNS, UNIT, Cards, is_three, is_wild, number_of, number_of_rank, number_of_wilds
from domain.layings import limits_of, most_wilds
from domain.melds import NATURALS_NEEDED, SET_SIZE, SMALLEST_MELD, find_rank, is_closed
from domain.moves import TakePile, TakeUpcard
from domain.presence import Run, runs
from domain.rules import Rules
from domain.state import Laid, Melds, State, own_melds


class Take(Struct, frozen=True):
    """A take: cards of the hand by their numbers, or those of a run, the own meld that the upcard goes onto, if any.

    `group` counts hand cards only, beside the upcard; `is_upcard_alone` leaves the rest of the pile where it is.
    """

    group: Group | None
    run: Run = ()
    onto: str = ""
    is_upcard_alone: bool = False

    def move(self, supply: Supply, *, dear: bool) -> TakePile | TakeUpcard:
        """The take with cards of a holding that has them, without further melds."""
        if self.is_upcard_alone:
            return TakeUpcard(self.onto)
        # Beside a jack a joker counts as one (`domain.taking`), so it goes first.
        dear = dear or (self.group is not None and self.group.rank == "J")
        with_ = self.run if self.group is None else supply.pick(self.group, dear=dear)
        return TakePile(with_=with_, onto=self.onto or UNSET)


def may_take(state: State, seat: int) -> bool:
    """Whether a take could be possible at all: quick, and never wrongly false."""
    upcard = state.pile[-2:]
    if not upcard or is_three(upcard) or state.barred >> seat & 1:
        return False
    rules = state.table.rules
    holding = state.holdings[seat]
    if is_wild(upcard):
        return rules.wild_top_taken_with_two_wilds and number_of_wilds(holding) > 1
    held = number_of_rank(holding, upcard[0])
    if held > 1 or (held and number_of_wilds(holding) and (rules.pile_take_natural_plus_wild or upcard[0] == "J")):
        return True
    own = own_melds(state, seat)
    if not own:
        return rules.opening_take == "any_meld"
    for laid in own.values():
        if laid.meld.kind == "group":
            if laid.meld.cards[-1][0] == upcard[0]:
                return True
        elif rules.run_take != "none" and laid.cards + UNIT[upcard] in RUNS:
            return True
    return False


def takes(state: State, seat: int) -> list[Take]:
    """Every way to take the pile or the upcard, whether possible now or not."""
    if not state.pile:
        return []
    rules = state.table.rules
    upcard = state.pile[-2:]
    holding = state.holdings[seat]
    if is_three(upcard):
        return []
    if is_wild(upcard):
        most = number_of_wilds(holding) if rules.wild_top_taken_with_two_wilds else 0
        most = min(most, SET_SIZE - 1) if rules.wild_melds_closed else most
        return [Take(Group("2", 0, number)) for number in range(2, most + 1)]
    own = own_melds(state, seat)
    if not own:
        return [*_new_groups(rules, holding, own, upcard), *_opening_runs(rules, holding, upcard)]
    found = list(_new_groups(rules, holding, own, upcard))
    for laid in own.values():
        if laid.meld.kind == "group" and laid.meld.cards[-1][0] == upcard[0]:
            found += _onto_group(rules, holding, laid)
        elif laid.meld.kind == "sequence" and laid.meld.cards[0][1] == upcard[1]:
            found += _onto_run(rules, laid)
    return found


def _new_groups(rules: Rules, holding: Cards, own: Melds, upcard: str) -> Iterator[Take]:
    """Groups of the upcard and hand cards; with `pair_target` = `existing` they may come to a group that lies (6.4)."""
    opening = rules.opening_take == "any_meld" and not own
    mixed = rules.pile_take_natural_plus_wild or opening
    target = find_rank(own, "group", upcard[0]) if rules.pair_target == "existing" else None
    jokers = number_of(holding, JOKER) if upcard[0] == "J" else 0
    for naturals, wilds in _numbers(rules, holding, upcard[0], target):
        if naturals + min(jokers, wilds) > 1 or (naturals and wilds and mixed):
            yield Take(Group(upcard[0], naturals, wilds))


def _numbers(rules: Rules, holding: Cards, rank: str, target: Laid | None) -> Iterator[tuple[int, int]]:
    """Numbers of naturals and wild cards that with the upcard make a legal group, or leave one legal."""
    there = wilds_there = 0
    if target is not None:
        wilds_there = sum(map(is_wild, target.meld.cards))
        there = len(target.meld.cards) - wilds_there
    held = number_of_rank(holding, rank)
    needed = NATURALS_NEEDED[rules.group_ratio]
    limits = limits_of(rules)
    most = min(number_of_wilds(holding), most_wilds(limits, there + held + 1) - wilds_there)
    for wilds in range(most + 1):
        least = needed[wilds_there + wilds] if wilds_there + wilds else 0
        least = max(least, SMALLEST_MELD - wilds_there - wilds) - there - 1
        for naturals in range(max(least, 0), held + 1):
            yield naturals, wilds


def _opening_runs(rules: Rules, holding: Cards, upcard: str) -> Iterator[Take]:
    if rules.opening_take != "any_meld" or not rules.sequences:
        return
    for run in runs(holding + UNIT[upcard]):
        if upcard in run:
            with_ = tuple([face for face in run if face != upcard])
            if holds(holding, with_):
                yield Take(None, with_)


def _onto_run(rules: Rules, laid: Laid) -> list[Take]:
    """The upcard onto a run that lies, without hand cards (6.4, 6.6)."""
    if rules.run_take == "none" or is_closed(rules, laid.meld):
        return []
    return [Take(None, onto=laid.meld.id, is_upcard_alone=rules.run_take == "upcard_only")]


def _onto_group(rules: Rules, holding: Cards, laid: Laid) -> Iterator[Take]:
    """The upcard onto a group that lies, with hand cards (6.4)."""
    if rules.pile_take_extend == "off" and rules.pair_target == "new":
        return
    rank = laid.meld.cards[-1][0]
    for naturals, wilds in _numbers(rules, holding, rank, laid):
        if not (wilds and len(laid.meld.cards) >= SET_SIZE and not rules.wild_on_finished_canasta):
            yield Take(Group(rank, naturals, wilds), onto=laid.meld.id)
