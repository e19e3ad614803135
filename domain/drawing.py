"""Drawing from the stock, and whether it can still serve (rule book 6.1, 7.3, 7.4, 10.1)."""

from msgspec import UNSET, UnsetType

from domain.cards import RED_THREE_FACES, RED_THREES, count, drawn
from domain.dealing import Stock, deal_stripes, lay_red_threes, stock_size, take_from
from domain.ending import hand_end
from domain.events import AnyEvent, Drew, RedThreeLaid
from domain.moves import Draw
from domain.refusals import Refused
from domain.state import State


def draw(state: State, seat: int, _move: Draw) -> list[AnyEvent]:
    """Draw from the stock; automatic red threes are laid and replaced (rule book 6.1, 7.3)."""
    rules = state.table.rules
    recycled: int | UnsetType = UNSET
    if state.stock_count >= rules.draw_count:
        ordered, stock = take_from(state.stock, seat, rules.draw_count)
    else:
        ordered, stock, recycled = _draw_the_last(state, seat)
    cards = drawn(ordered)
    last = ordered[-2:]
    red_threes: list[RedThreeLaid] = []
    if rules.red_threes == "automatic":
        holding = state.holdings[seat] + count(cards)
        if holding & RED_THREES:
            red_threes, _, stock, replacement = lay_red_threes(rules, seat, holding, stock, replaced=True)
            last = replacement or last
    left = stock_size(stock)
    ends = not left and last in RED_THREE_FACES and rules.last_red_three_ends_hand
    if ends and rules.red_threes == "optional":
        red_threes = [RedThreeLaid(card=face, seat=seat, replacement=None) for face in cards if face in RED_THREE_FACES]
    event = Drew(
        n=state.version + 1,
        seat=seat,
        cards=cards,
        red_threes=tuple(red_threes),
        stock=left,
        recycled=recycled,
    )
    if ends and not rules.last_red_three_may_meld:
        return hand_end(state, [event], "stock", None)
    return [event]


def _draw_the_last(state: State, seat: int) -> tuple[str, Stock, int | UnsetType]:
    """Draw where the stock has too few cards: what there is, or that and the turned pile (10.1).

    Returns the cards, the stock without them, and how many cards were turned over.
    """
    rules = state.table.rules
    stocked = state.stock_count
    if not can_draw(state):
        raise Refused("cannot_draw", stock=stocked, needed=rules.draw_count)
    ordered, stock = take_from(state.stock, seat, stocked)
    if not turns_pile(state):
        return ordered, stock, UNSET
    turned = deal_stripes(state.pile, rules.players if state.table.striped else 1, seat)
    more, stock = take_from(turned, seat, rules.draw_count - stocked)
    return ordered + more, stock, len(state.pile) // 2


def turns_pile(state: State) -> bool:
    """Whether a draw would turn the pile over (10.1)."""
    rules = state.table.rules
    together = state.stock_count + len(state.pile) // 2
    return rules.stock_end == "recycle" and state.stock_count < rules.draw_count <= together


def can_draw(state: State) -> bool:
    """Whether the stock can serve a draw (10.1)."""
    rules = state.table.rules
    if state.stock_count >= rules.draw_count or turns_pile(state):
        return True
    return state.stock_count >= 1 and rules.short_draw == "take_remaining"
