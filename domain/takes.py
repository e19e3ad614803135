"""The takes of the pile or upcard that a holding has the cards for, by numbers of naturals and wild cards."""

from collections.abc import Iterator

from domain.blocks import Group, pick, runs, without
from domain.cards import UNIT, Cards, is_three, is_wild, number_of_rank, number_of_wilds
from domain.melds import is_closed
from domain.moves import TakePile, TakeUpcard
from domain.state import Melds, State, own_melds


def takes(state: State, seat: int) -> list[TakePile | TakeUpcard]:
    """Every way to take the pile or the upcard, whether possible now or not."""
    if not state.pile:
        return []
    upcard = state.pile[-2:]
    if is_three(upcard):
        return []
    holding = state.holdings[seat]
    own = own_melds(state, seat)
    if is_wild(upcard):
        return list(_of_wild_upcard(state, holding))
    found: list[TakePile | TakeUpcard] = list(_new_groups(state, holding, upcard))
    if not own:
        found += _opening_runs(state, holding, upcard)
        return found
    for laid in own.values():
        if laid.meld.kind == "group":
            found += _onto_group(state, holding, laid.meld.id, laid.meld.cards, upcard)
        elif laid.meld.kind == "sequence":
            found += _onto_run(state, own, laid.meld.id, upcard)
    return found


def _of_wild_upcard(state: State, holding: Cards) -> Iterator[TakePile]:
    if not state.table.rules.wild_top_taken_with_two_wilds:
        return
    for number in range(2, number_of_wilds(holding) + 1):
        cards = pick(holding, Group("2", 0, number), dear=False)
        if cards is not None:
            yield TakePile(with_=cards)


def _new_groups(state: State, holding: Cards, upcard: str) -> Iterator[TakePile]:
    rules = state.table.rules
    rank = upcard[0]
    held = number_of_rank(holding, rank)
    wilds = min(number_of_wilds(holding), rules.max_wilds)
    for naturals in range(1, held + 1):
        for number in range(wilds + 1):
            if naturals == 1 and not (number and rules.pile_take_natural_plus_wild):
                continue
            cards = pick(holding, Group(rank, naturals, number), dear=False)
            if cards is not None:
                yield TakePile(with_=cards)


def _opening_runs(state: State, holding: Cards, upcard: str) -> Iterator[TakePile]:
    rules = state.table.rules
    if rules.opening_take != "any_meld" or not rules.sequences:
        return
    for run in runs(holding + UNIT[upcard]):
        if upcard in run:
            with_ = tuple(face for face in run if face != upcard)
            if without(holding, with_) >= 0:
                yield TakePile(with_=with_)


def _onto_group(state: State, holding: Cards, meld_id: str, lying: tuple[str, ...], upcard: str) -> Iterator[TakePile]:
    rules = state.table.rules
    rank = upcard[0]
    if all(face[0] != rank for face in lying):
        return
    held = number_of_rank(holding, rank)
    if rules.pile_take_extend == "off" and rules.pair_target == "new":
        return
    wilds = min(number_of_wilds(holding), rules.max_wilds)
    for naturals in range(held + 1):
        for number in range(wilds + 1):
            cards = pick(holding, Group(rank, naturals, number), dear=False)
            if cards is not None:
                yield TakePile(with_=cards, onto=meld_id)


def _onto_run(state: State, own: Melds, meld_id: str, upcard: str) -> Iterator[TakePile | TakeUpcard]:
    laid = own[meld_id]
    run_take = state.table.rules.run_take
    if run_take == "none" or is_closed(state.table.rules, laid.meld) or laid.meld.cards[0][1] != upcard[1]:
        return
    yield TakeUpcard(meld_id) if run_take == "upcard_only" else TakePile(with_=(), onto=meld_id)
