"""The `meld` move, judged as one action: additions, then joins, then new melds (rule book 3.3, 4, 5)."""

from collections.abc import Sequence
from typing import Final

from domain.cards import Cards, missing, points, remove, size
from domain.events import JoinedMeld, Meld, Melded
from domain.going_out import check_black_threes, check_cards_kept, why_not_out
from domain.melds import added_to, is_set, joined, joined_meld, new_meld
from domain.moves import LayMelds
from domain.refusals import Refused
from domain.state import Laid, Melds, State, own_melds, requirement
from domain.taking import KEPT_WITHOUT_SETS, no_own_meld


def meld(state: State, seat: int, move: LayMelds) -> tuple[Melded, int]:
    """Judge a meld move (rule book 9.2, `meld`). Returns the event and how many cards are then left in hand."""
    rest = _rest_of_holding(state.holdings[seat], move)
    own = own_melds(state, seat)
    rules = state.table.rules
    added: list[Laid] = []
    joins: list[JoinedMeld] = []
    new: list[Laid] = []
    if move.add or move.join:
        added, joins = _changes(state, own, move)
    for faces in move.new:
        new.append(new_meld(rules, own, new, faces, f"m{state.next_meld + len(new)}"))
    left = size(rest)
    if not own:
        _check_first_meld(state, seat, new, left)
    black_threes = bool(new) and any(laid.meld.kind == "black_threes" for laid in new)
    if left < KEPT_WITHOUT_SETS or black_threes:
        after = melds_after(own, added, joins, new)
        if black_threes and not rules.black_three_melds_any_time:
            check_black_threes(state, seat, rest, left, after)
        check_cards_kept(state, seat, left, after)
    event = Melded(
        n=state.version + 1,
        seat=seat,
        new=tuple([laid.meld for laid in new]) if new else (),
        added=tuple([laid.meld for laid in added]) if added else (),
        joined=tuple(joins),
    )
    return event, left


def _rest_of_holding(holding: Cards, move: LayMelds) -> Cards:
    rest = holding
    laid = (*move.add.values(), *move.new)
    for faces in laid:
        rest = remove(rest, faces)
        if rest < 0:
            raise Refused("cards_not_held", cards=missing(holding, [face for cards in laid for face in cards]))
    return rest


def _number(meld_id: str) -> tuple[int, str]:
    """Orders the ids a client names by number; what is no id comes last."""
    digits = meld_id[1:]
    return (
        int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_MAX else 10**_DIGITS_MAX,
        meld_id,
    )


_DIGITS_MAX: Final = 9


def _changes(state: State, own: Melds, move: LayMelds) -> tuple[list[Laid], list[JoinedMeld]]:
    """The melds added to, by number, and the joins as given (checks 2 to 4)."""
    rules = state.table.rules
    ids = sorted(move.add, key=_number) if len(move.add) > 1 else list(move.add)
    for meld_id in ids:
        if meld_id not in own:
            raise no_own_meld(state, meld_id)
    if not move.join:
        return [added_to(rules, own[meld_id], move.add[meld_id]) for meld_id in ids], []
    in_joins = [meld_id for group in move.join for meld_id in group]
    for meld_id in in_joins:
        if meld_id not in own:
            raise no_own_meld(state, meld_id)
    added = [added_to(rules, own[meld_id], move.add[meld_id]) for meld_id in ids if meld_id not in in_joins]
    joins = []
    for group in move.join:
        named: dict[str, Sequence[str]] = {meld_id: move.add[meld_id] for meld_id in group if meld_id in move.add}
        result = joined(rules, [own[meld_id] for meld_id in group], named, partners=_of_partners(state, group))
        joins.append(joined_meld(result, group))
    return added, joins


def _of_partners(state: State, ids: Sequence[str]) -> bool:
    """Whether melds lie under both partners of a lone side, who may join their groups (2.3, 4.7)."""
    if state.lone is None:
        return False
    owners = {owner for owner, melds in enumerate(state.melds) for meld_id in ids if meld_id in melds}
    return len(owners) > 1


def melds_after(own: Melds, added: Sequence[Laid], joins: Sequence[JoinedMeld], new: Sequence[Laid]) -> list[Meld]:
    """The party's melds as they lie after the move."""
    after = {key: laid.meld for key, laid in own.items()}
    after.update((laid.meld.id, laid.meld) for laid in added)
    for result in joins:
        for meld_id in result.of:
            del after[meld_id]
        after[result.id] = Meld(result.id, result.kind, result.cards)
    return [*after.values(), *(laid.meld for laid in new)]


def _check_first_meld(state: State, seat: int, new: Sequence[Laid], left: int) -> None:
    """The first meld of a party reaches the requirement by itself, or is waived (part 5)."""
    values = state.table.rules.points
    total = sum(points(laid.meld.cards, values) for laid in new)
    needed = requirement(state, seat)
    if total < needed and not _is_waived(state, seat, new, left):
        raise Refused("first_meld_too_low", points=total, needed=needed)


def _is_waived(state: State, seat: int, new: Sequence[Laid], left: int) -> bool:
    rules = state.table.rules
    return (
        may_be_waived(state, seat)
        and left <= 1
        and any(is_set(rules, laid.meld) for laid in new)
        and why_not_out(state, seat, [laid.meld for laid in new]) is None
    )


def may_be_waived(state: State, seat: int) -> bool:
    """Whether the seat could go out without the first-meld minimum, as far as its turn goes (part 5, waiver)."""
    return (
        state.table.rules.concealed_first_meld_waiver
        and state.began == "stock"
        and not state.melded_this_turn
        and not state.has_melded >> seat & 1
    )
