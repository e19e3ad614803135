"""Taking the pile, or the upcard alone (rule book 6): the guards and what a take makes."""

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import UNSET

from domain import cards as deck
from domain.cards import (
    Cards,
    canonical,
    is_three,
    is_wild,
    number_of_red_threes,
    points,
    remove,
    size,
    split,
)
from domain.dealing import lay_red_threes
from domain.events import Meld, RedThreeLaid, TookPile, TookUpcard
from domain.going_out import check_cards_kept, why_not_out
from domain.melds import SET_SIZE, added_to, find_rank, is_closed, new_meld, rank_of
from domain.moves import TakePile, TakeUpcard
from domain.refusals import Refused
from domain.rules import Rules
from domain.state import Laid, Melds, State, own_melds, party_has_melded, requirement

KEPT_WITHOUT_SETS: Final = 2
"""With so many cards left there is nothing to check: fewer need the right to go out (3.6)."""

TakeForm = Literal["pair", "mixed", "extension", "opening"]


def take_pile(state: State, seat: int, move: TakePile) -> tuple[TookPile, int, bool]:
    """Judge a take of the whole pile (6.2).

    Returns the event, how many cards are then left in hand, and whether the last card of the stock left it and was a
    red three (7.4).
    """
    if not state.pile:
        raise Refused("pile_empty")
    with_ = () if move.with_ is UNSET else move.with_
    holding = _rest_of_holding(state.holdings[seat], with_, move.melds)
    own = own_melds(state, seat)
    onto = None if move.onto is UNSET else _find_own(state, own, move.onto)
    upcard = state.pile[-2:]
    _check_pile(state, seat, upcard)
    form, target = _form_of_take(state.table.rules, own, onto, with_, upcard)
    because = why_frozen(state, seat)
    if because is not None and not _yields(state, seat, form):
        raise Refused("pile_frozen", because=because)
    laid = [_meld_made(state, own, target, (*with_, upcard))]
    picked_up = canonical(split(state.pile[:-2]))
    holding += deck.count(picked_up)
    for number, faces in enumerate(move.melds, state.next_meld + (target is None)):
        laid.append(new_meld(state.table.rules, own, laid, faces, f"m{number}", in_take=True))
        if laid[-1].meld.kind == "black_threes":
            _check_black_threes(state, seat, holding, _melds_after(own, laid))
    if not own:
        _check_first_meld(state, seat, laid)
    left = _cards_left(state, holding)
    if left < KEPT_WITHOUT_SETS:
        check_cards_kept(state, seat, left, _melds_after(own, laid))
    return _settle(state, seat, holding, left, laid, picked_up)


def _melds_after(own: Melds, laid: Sequence[Laid]) -> list[Meld]:
    """The party's melds as they lie after the take."""
    return [each.meld for each in {**own, **{each.meld.id: each for each in laid}}.values()]


def _rest_of_holding(holding: Cards, with_: Sequence[str], melds: Sequence[Sequence[str]]) -> Cards:
    rest = remove(holding, with_)
    for faces in melds:
        if rest >= 0:
            rest = remove(rest, faces)
    if rest < 0:
        named = [*with_, *(face for faces in melds for face in faces)]
        raise Refused("cards_not_held", cards=deck.missing(holding, named))
    return rest


def no_own_meld(state: State, meld_id: str) -> Refused:
    """The refusal of an id that is no own meld: `unknown_meld` or `not_your_meld`."""
    known = any(meld_id in melds for melds in state.melds)
    return Refused("not_your_meld" if known else "unknown_meld", meld=meld_id)


def _find_own(state: State, own: Melds, meld_id: str) -> Laid:
    laid = own.get(meld_id)
    if laid is None:
        raise no_own_meld(state, meld_id)
    return laid


def _check_pile(state: State, seat: int, upcard: str) -> None:
    """Barred, blocked, and the bar on a pile of one card (6.2, checks 4 to 6)."""
    rules = state.table.rules
    if state.barred >> seat & 1:
        raise Refused("pile_barred")
    if is_three(upcard) or (is_wild(upcard) and not rules.wild_top_taken_with_two_wilds):
        raise Refused("pile_blocked", card=upcard)
    if rules.one_card_pile_bar and len(state.pile) == 2 and size(state.holdings[seat]) == 1:
        raise Refused("one_card_pile")


def _form_of_take(
    rules: Rules, own: Melds, onto: Laid | None, with_: Sequence[str], upcard: str
) -> tuple[TakeForm, Laid | None]:
    """Which form a take has, and the own meld that the cards go to, None for a new one (6.4)."""
    if is_wild(upcard):
        if onto is not None or len(with_) < 2 or not all(map(is_wild, with_)):
            raise Refused("wild_pair_needed", card=upcard)
        return "pair", None
    if onto is not None:
        return _form_onto(rules, onto, with_, upcard), onto
    rank = upcard[0]
    of_rank = _of_rank(with_, rank)
    others = [face for face in with_ if face[0] != rank and not is_wild(face)]
    wilds = len(with_) - of_rank - len(others)
    if rules.opening_take == "any_meld" and not own:
        return _form_of_opening(rules, of_rank, wilds, bool(others)), None
    if others:
        raise Refused("upcard_does_not_fit", card=upcard, meld=None)
    if of_rank < 2 and not (of_rank == 1 and wilds and rules.pile_take_natural_plus_wild):
        raise Refused("natural_pair_needed", card=upcard)
    target = find_rank(own, "group", rank) if rules.pair_target == "existing" else None
    return "pair" if of_rank >= 2 else "mixed", target


def _of_rank(with_: Sequence[str], rank: str) -> int:
    """How many of the cards beside an upcard are of its rank.

    Beside a jack a joker is counted too, as in the golden games, which hold three such takes; the letter of rule book
    6.4 knows a joker as a wild card only.
    """
    return len([face for face in with_ if face[0] == rank])


def _form_of_opening(rules: Rules, of_rank: int, wilds: int, others: bool) -> TakeForm:
    if others:
        return "opening"
    if of_rank >= 2:
        return "pair"
    return "mixed" if of_rank == 1 and wilds and rules.pile_take_natural_plus_wild else "opening"


def _form_onto(rules: Rules, onto: Laid, with_: Sequence[str], upcard: str) -> TakeForm:
    meld = onto.meld
    if meld.kind == "sequence":
        if rules.run_take != "whole_pile":
            raise Refused("off_in_ruleset", parameter="run_take")
        if is_closed(rules, meld):
            raise Refused("meld_closed", meld=meld.id)
        if with_ or not _extends(onto, upcard):
            raise _misfit(upcard, meld)
        return "extension"
    rank = upcard[0]
    others = [face for face in with_ if face[0] != rank and not is_wild(face)]
    if meld.kind != "group" or rank != rank_of("group", meld.cards) or others:
        raise _misfit(upcard, meld)
    if rules.pair_target != "new":
        of_rank = _of_rank(with_, rank)
        if of_rank >= 2:
            return "pair"
        if of_rank == 1 and len(with_) > 1 and rules.pile_take_natural_plus_wild:
            return "mixed"
    if rules.pile_take_extend == "off":
        raise Refused("off_in_ruleset", parameter="pile_take_extend")
    if rules.pile_take_extend == "below_seven" and len(meld.cards) >= SET_SIZE:
        raise Refused("take_onto_canasta", meld=meld.id)
    return "extension"


def _misfit(upcard: str, meld: Meld) -> Refused:
    return Refused("upcard_does_not_fit", card=upcard, meld=meld.id)


def _extends(laid: Laid, face: str) -> bool:
    """Whether a card extends a run at one end."""
    return laid.cards + deck.UNIT[face] in deck.RUNS


def why_frozen(state: State, seat: int) -> str | None:
    """Why the pile is frozen to the seat's party, the first reason that applies, or None (6.3)."""
    freezing = state.table.rules.freezing
    if freezing == "none":
        return None
    if deck.has_wild(state.pile):
        return "wild_in_pile"
    if freezing == "classic":
        if deck.has_red_three(state.pile):
            return "red_three_in_pile"
        return None if party_has_melded(state, seat) else "not_melded"
    return "black_three_in_pile" if deck.has_black_three(state.pile) else None


def _yields(state: State, seat: int, form: TakeForm) -> bool:
    """Whether a frozen pile yields to a take of this form (6.3)."""
    if form == "pair":
        return True
    rules = state.table.rules
    frozen_by_party = rules.freezing == "classic" and not party_has_melded(state, seat)
    return form == "mixed" and rules.mixed_take_when_frozen and not frozen_by_party


def _meld_made(state: State, own: Melds, target: Laid | None, faces: Sequence[str]) -> Laid:
    if target is None:
        return new_meld(state.table.rules, own, (), faces, f"m{state.next_meld}")
    return added_to(state.table.rules, target, faces)


def _check_black_threes(state: State, seat: int, holding: Cards, melds: Sequence[Meld]) -> None:
    """Black threes are no further meld of a take, except where they are laid at any time (6.2, check 10)."""
    if state.table.rules.black_three_melds_any_time:
        return
    reason = why_not_out(state, seat, melds) or "cards_left"
    raise Refused("black_threes_only_when_going_out", left=_cards_left(state, holding), reason=reason)


def _check_first_meld(state: State, seat: int, laid: Sequence[Laid]) -> None:
    values = state.table.rules.points
    total = sum(points(meld.meld.cards, values) for meld in laid)
    needed = requirement(state, seat)
    if total < needed:
        raise Refused("first_meld_too_low", points=total, needed=needed)


def _cards_left(state: State, holding: Cards) -> int:
    """How many cards a take leaves in hand, automatic red threes laid (3.6).

    One card is counted for each replacement, whatever it is, so that a refusal tells nothing of the stock.
    """
    rules = state.table.rules
    if rules.red_threes != "automatic":
        return size(holding)
    number = number_of_red_threes(holding)
    replaced = state.stock_count if rules.red_three_replacement == "always" else 0
    return size(holding) - number + min(number, replaced)


def _settle(
    state: State, seat: int, holding: Cards, left: int, laid: Sequence[Laid], picked_up: Sequence[str]
) -> tuple[TookPile, int, bool]:
    """The event of a take that is accepted; automatic red threes are laid. The rest of the pile is in the holding."""
    rules = state.table.rules
    red_threes: Sequence[RedThreeLaid] = ()
    ends = False
    if rules.red_threes == "automatic" and holding & deck.RED_THREES:
        replaced = rules.red_three_replacement == "always"
        red_threes, holding, _, last = lay_red_threes(rules, seat, holding, state.stock, replaced=replaced)
        # A red three is replaced in its turn as long as the stock lasts: one that comes last has emptied it.
        ends = rules.last_red_three_ends_hand and last in deck.RED_THREE_FACES
        left = size(holding)
    melds = [each.meld for each in laid]
    event = TookPile(
        n=state.version + 1,
        seat=seat,
        meld=melds[0],
        melds=tuple(melds[1:]),
        picked_up=tuple(picked_up),
        red_threes=tuple(red_threes),
    )
    return event, left, ends


def take_upcard(state: State, seat: int, move: TakeUpcard) -> tuple[TookUpcard, int]:
    """Judge a take of the upcard alone (6.6). Returns the event and how many cards the seat holds."""
    rules = state.table.rules
    if not state.pile:
        raise Refused("pile_empty")
    own = own_melds(state, seat)
    onto = _find_own(state, own, move.onto)
    if state.barred >> seat & 1:
        raise Refused("pile_barred")
    upcard = state.pile[-2:]
    if is_three(upcard) or is_wild(upcard):
        raise Refused("pile_blocked", card=upcard)
    if rules.sequence_take_needs_clean_pile:
        for face in split(state.pile):
            if is_wild(face) or face in deck.BLACK_THREE_FACES:
                raise Refused("pile_not_clean", card=face)
    if onto.meld.kind != "sequence":
        raise _misfit(upcard, onto.meld)
    if is_closed(rules, onto.meld):
        raise Refused("meld_closed", meld=onto.meld.id)
    if not _extends(onto, upcard):
        raise _misfit(upcard, onto.meld)
    made = added_to(rules, onto, (upcard,))
    left = size(state.holdings[seat])
    check_cards_kept(state, seat, left, [made.meld if key == move.onto else laid.meld for key, laid in own.items()])
    return TookUpcard(n=state.version + 1, seat=seat, meld=made.meld), left


def take_required(state: State, seat: int) -> str | None:
    """The own meld with the lowest number that a take without hand cards could go onto, or None (10.2)."""
    for meld_id in own_melds(state, seat):
        try:
            take_pile(state, seat, TakePile(with_=(), onto=meld_id))
            return meld_id
        except Refused:
            pass
        if state.table.rules.run_take == "upcard_only":
            try:
                take_upcard(state, seat, TakeUpcard(meld_id))
                return meld_id
            except Refused:
                pass
    return None
