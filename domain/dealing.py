"""Dealing and drawing from a given deck (formats, part 8; rule book 2.2, 7.3).

The stock is a tuple of stripes, texts in drawing order: one common stripe, or one a seat in a game with a striped
stock. Nothing here is random: the deck comes from outside.
"""

from collections.abc import Sequence

from msgspec import UNSET

from domain.cards import (
    BLACK_THREE_FACES,
    NONE,
    RED_THREES,
    UNIT,
    Cards,
    count,
    faces_of,
    is_three,
    is_wild,
    number_of,
    split,
    text,
)
from domain.events import Dealt, RedThreeLaid
from domain.rules import Rules
from domain.state import Table

Stock = tuple[str, ...]


def take_from(stock: Stock, seat: int, number: int) -> tuple[str, Stock]:
    """Take `number` cards, or all there are, for a seat: the cards as text, and the stock without them."""
    if len(stock) == 1:
        ordered = stock[0]
        return ordered[: 2 * number], (ordered[2 * number :],)
    stripes = list(stock)
    taken = ""
    for _ in range(number):
        # An empty stripe is helped out by the longest one, the lowest seat on ties.
        source = seat if stripes[seat] else max(range(len(stripes)), key=lambda index: len(stripes[index]))
        taken += stripes[source][:2]
        stripes[source] = stripes[source][2:]
    return taken, tuple(stripes)


def deal_stripes(ordered: str, stripes: int, first: int) -> Stock:
    """Deal ordered cards into stripes, one card at a time, beginning with the stripe `first`."""
    if stripes == 1:
        return (ordered,)
    cards = split(ordered)
    return tuple(text(cards[(index - first) % stripes :: stripes]) for index in range(stripes))


def stock_after_deal(table: Table, event: Dealt) -> Stock:
    """The stock that a deal leaves, from the deck in its event."""
    rules = table.rules
    deck = () if event.deck is UNSET else event.deck
    used = rules.players * rules.hand_size + len(event.pile)
    stock = _stock(rules, table.striped, event.dealer, deck[used:])
    for laid in event.red_threes:
        if laid.replacement is not None:
            _, stock = take_from(stock, laid.seat, 1)
    return stock


def deal(table: Table, hand: int, dealer: int, deck: Sequence[str]) -> Dealt:
    """Deal a hand from a deck: holdings, pile by the upcard rule, automatic red threes (rule book 2.2)."""
    rules = table.rules
    players = rules.players
    order = [(dealer + 1 + step) % players for step in range(players)]
    holdings = [NONE] * players
    dealt = players * rules.hand_size
    for place, seat in enumerate(order):
        holdings[seat] = count(deck[place:dealt:players])
    pile = _turn_upcards(rules, deck[dealt:])
    stock = _stock(rules, table.striped, dealer, deck[dealt + len(pile) :])
    red_threes: list[RedThreeLaid] = []
    if rules.red_threes == "automatic":
        for seat in order:
            laid, holdings[seat], stock, _ = lay_red_threes(rules, seat, holdings[seat], stock, replaced=True)
            red_threes += laid
    return Dealt(
        hand=hand,
        dealer=dealer,
        deck=tuple(deck),
        holdings=tuple(map(faces_of, holdings)),
        pile=tuple(pile),
        stock=stock_size(stock),
        red_threes=tuple(red_threes),
    )


def lay_red_threes(
    rules: Rules, seat: int, holding: Cards, stock: Stock, *, replaced: bool
) -> tuple[list[RedThreeLaid], Cards, Stock, str]:
    """Lay every red three of a holding, in rounds: all that are held, then those among the replacements (7.3).

    Returns the entries, holding and stock afterwards, and the last card that left the stock ("" for none).
    """
    laid: list[RedThreeLaid] = []
    last = ""
    while holding & RED_THREES:
        for face in ("3H",) * number_of(holding, "3H") + ("3D",) * number_of(holding, "3D"):
            card = ""
            if replaced and rules.red_three_replacement != "none":
                card, stock = take_from(stock, seat, 1)
            holding -= UNIT[face]
            if card:
                holding += UNIT[card]
                last = card
            laid.append(RedThreeLaid(seat=seat, card=face, replacement=card or None))
    return laid, holding, stock, last


def stock_size(stock: Stock) -> int:
    """How many cards a stock holds."""
    return len(stock[0]) // 2 if len(stock) == 1 else sum(map(len, stock)) // 2


def _stock(rules: Rules, striped: bool, dealer: int, cards: Sequence[str]) -> Stock:
    ordered = text(cards)
    return deal_stripes(ordered, rules.players, (dealer + 1) % rules.players) if striped else (ordered,)


def _turn_upcards(rules: Rules, cards: Sequence[str]) -> list[str]:
    """Turn cards by the upcard rule until one may stay on top, or none is left (rule book 2.2, step 3)."""
    pile: list[str] = []
    for face in cards:
        pile.append(face)
        natural = not is_wild(face) and not is_three(face)
        stays = rules.upcard_rule == "cover_and_freeze" and face in BLACK_THREE_FACES
        if natural or stays or rules.upcard_rule == "plain":
            break
    return pile
