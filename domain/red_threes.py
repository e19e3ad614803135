"""Laying a red three where that is optional (rule book 7.2, 7.4)."""

from domain.cards import RED_THREE_FACES, number_of, size
from domain.dealing import stock_size, take_from
from domain.ending import hand_end
from domain.events import AnyEvent, LaidRedThree
from domain.going_out import check_cards_kept, why_not_out
from domain.moves import LayRedThree, malformed
from domain.refusals import Refused
from domain.state import State, own_melds


def is_replaced(state: State, began: str | None) -> bool:
    """Whether a red three that a seat lays in a turn that began so is replaced (7.2)."""
    rules = state.table.rules
    if rules.red_threes != "optional" or not state.stock_count:
        return False
    policy = rules.red_three_replacement
    return policy == "always" or (policy == "from_stock" and began != "pile")


def may_lay_before_drawing(state: State, seat: int) -> bool:
    """Whether the rule set lets the seat lay a red three before its turn is begun (7.2)."""
    phase = state.table.rules.red_three_phase
    return phase == "draw_or_play" or (phase == "first_draw_or_play" and not state.had_turn >> seat & 1)


def lay_red_three(state: State, seat: int, move: LayRedThree) -> list[AnyEvent]:
    """Lay a red three of the hand (rule book 7.2)."""
    rules = state.table.rules
    if rules.red_threes != "optional":
        raise Refused("off_in_ruleset", parameter="red_threes")
    if move.card not in RED_THREE_FACES:
        raise malformed("card")
    holding = state.holdings[seat]
    if not number_of(holding, move.card):
        raise Refused("cards_not_held", cards=(move.card,))
    replaced = is_replaced(state, state.began)
    left = size(holding) - 1 + replaced
    own = [laid.meld for laid in own_melds(state, seat).values()]
    if state.phase == "play":
        check_cards_kept(state, seat, left, own)
    elif left < 1:
        raise Refused("keep_two_cards", left=left, reason=why_not_out(state, seat, own) or "cards_left")
    replacement, stock = take_from(state.stock, seat, 1) if replaced else ("", state.stock)
    laid = LaidRedThree(n=state.version + 1, seat=seat, card=move.card, replacement=replacement or None)
    happened: list[AnyEvent] = [laid]
    last = rules.last_red_three_ends_hand and replacement in RED_THREE_FACES and not stock_size(stock)
    if last:
        happened.append(LaidRedThree(n=laid.n + 1, seat=seat, card=replacement, replacement=None))
        if not rules.last_red_three_may_meld:
            return hand_end(state, happened, "stock", None)
        left -= 1
    return hand_end(state, happened, "out", seat) if left == 0 and state.phase == "play" else happened
