"""Discarding, and passing where nothing else is left (rule book 8.1, 8.4, 10.2, 10.3)."""

from domain.cards import BLACK_THREES, RED_THREES, UNIT, canonical, count, missing, number_of_red_threes, remove, size
from domain.drawing import can_draw
from domain.ending import hand_end
from domain.events import AnyEvent, Discarded, Passed
from domain.going_out import why_not_out
from domain.moves import Discard, Pass
from domain.refusals import Refused
from domain.state import State, own_melds
from domain.taking import take_required


def discard(state: State, seat: int, move: Discard) -> list[AnyEvent]:
    """Discard; a discard that empties the hand needs the right to go out (rule book 8.1, 8.4)."""
    rules = state.table.rules
    cards = move.cards
    holding = state.holdings[seat]
    rest = remove(holding, cards)
    if rest < 0:
        raise Refused("cards_not_held", cards=missing(holding, cards))
    if state.last_turn:
        raise Refused("no_discard_now")
    if len(cards) > 1 and not _is_closing_discard(state, seat, move):
        raise Refused("closing_discard_wrong", cards=canonical(cards))
    if not rules.red_three_discard and UNIT[cards[0]] & RED_THREES:
        raise Refused("off_in_ruleset", parameter="red_three_discard")
    event = Discarded(n=state.version + 1, seat=seat, cards=cards if len(cards) == 1 else canonical(cards))
    if rest:
        return [event]
    reason = why_not_out(state, seat, [laid.meld for laid in own_melds(state, seat).values()])
    if reason is not None:
        raise Refused("may_not_go_out", reason=reason)
    return hand_end(state, [event], "out", seat)


def _is_closing_discard(state: State, seat: int, move: Discard) -> bool:
    """Three or four black threes that are the whole hand (8.4)."""
    holding = state.holdings[seat]
    return (
        state.table.rules.black_three_closing_discard
        and len(move.cards) in (3, 4)
        and count(move.cards) == holding
        and all(UNIT[face] & BLACK_THREES for face in move.cards)
    )


def can_discard(state: State, seat: int) -> bool:
    """Whether a discard of some card of the hand would be accepted (10.3)."""
    rules = state.table.rules
    holding = state.holdings[seat]
    held = size(holding)
    only_red_threes = held == number_of_red_threes(holding)
    if state.last_turn or held == 0 or (only_red_threes and not rules.red_three_discard):
        return False
    return held > 1 or why_not_out(state, seat, [laid.meld for laid in own_melds(state, seat).values()]) is None


def pass_(state: State, seat: int, _move: Pass) -> list[AnyEvent]:
    """End the hand where nothing else is left (rule book 10.3)."""
    if state.phase == "draw":
        if can_draw(state):
            raise Refused("pass_not_allowed", stock=state.stock_count)
        required = take_required(state, seat) if state.table.rules.stock_end == "forced_take" else None
        if required is not None:
            raise Refused("take_required", meld=required)
    elif can_discard(state, seat):
        raise Refused("pass_not_allowed", stock=state.stock_count)
    return hand_end(state, [Passed(n=state.version + 1, seat=seat)], "stock", None)
