"""The right to go out, and the cards a seat must keep without it (rule book 3.5, 3.6, 8.2)."""

from collections.abc import Iterable

from domain.cards import RED_THREES, Cards
from domain.events import Meld
from domain.melds import count_sets
from domain.refusals import Refused
from domain.rules import Rules
from domain.state import State, party_of


def meets_requirement(rules: Rules, melds: Iterable[Meld]) -> bool:
    """Whether a party's melds, as they lie, meet `going_out_requirement` (rule book 8.2)."""
    canastas, sambas = count_sets(rules, melds)
    required = rules.going_out_requirement
    if required == "one_any":
        return canastas + sambas >= 1
    if required == "two_any":
        return canastas + sambas >= 2
    if required == "two_with_samba":
        return canastas + sambas >= 2 and sambas >= 1
    return canastas >= 2 and sambas >= 1


def why_not_out(state: State, seat: int, melds: Iterable[Meld]) -> str | None:
    """Why the seat lacks the right to go out with these melds of its party, or None where it has it (3.5)."""
    rules = state.table.rules
    if not meets_requirement(rules, melds):
        return "sets_missing"
    if state.permission == "refused" and rules.partner_permission != "advisory":
        return "permission_refused"
    if rules.partner_permission == "required" and state.permission != "granted" and len(party_of(state, seat)) > 1:
        return "permission_needed"
    return None


def check_cards_kept(state: State, seat: int, left: int, melds: Iterable[Meld]) -> None:
    """The keep-a-card rule (3.6) after a move that leaves `left` cards in hand."""
    if left >= 2:
        return
    reason = why_not_out(state, seat, melds)
    if reason is not None:
        raise Refused("keep_two_cards", left=left, reason=reason)
    if left == 0 and state.table.rules.final_discard_required:
        raise Refused("final_discard_needed")


def check_black_threes(state: State, seat: int, rest: Cards, left: int, melds: Iterable[Meld]) -> None:
    """Black threes are melded only in going out: one card at most is left, and it can be discarded (4.5)."""
    reason = why_not_out(state, seat, melds)
    undiscardable = rest & RED_THREES and not state.table.rules.red_three_discard
    if reason is None and (left > 1 or undiscardable):
        reason = "cards_left"
    if reason is not None:
        raise Refused("black_threes_only_when_going_out", left=left, reason=reason)
