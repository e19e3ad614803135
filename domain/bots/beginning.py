"""How the greedy bot begins its turn: it takes the pile or the upcard where that is worth more than a draw."""

from typing import Final

from msgspec import UnsetType

from domain.bots.chance import Numbers, one_of
from domain.bots.choices import possible, questions, takes
from domain.bots.laying import new_worth
from domain.bots.outlook import Outlook
from domain.bots.prospects import A_WILD_CARD, prospect, wilds_in
from domain.events import MeldKind
from domain.moves import Move, TakePile, TakeUpcard
from domain.options import LegalMoves

A_CARD: Final = 12
"""What a card more in hand is worth, in points: some of them come to lie in melds."""

A_CARD_TOO_LATE: Final = -8
"""The same when the hand is about to end."""

A_PARTNER: Final = 400
"""What it is worth not to be the one who plays alone against two: the first to take the pile is (rule book 2.3)."""


def begin(outlook: Outlook, legal: LegalMoves, chance: Numbers) -> list[Move]:
    """The move that begins the turn; red threes that may be laid before it and a question come first."""
    first = possible(*legal.red_threes)
    if first:
        return [first[0]]
    asked = questions(legal, outlook.view.pile)
    if asked and outlook.rules.partner_permission == "required":
        return asked
    drawn = possible(legal.draw)
    taken = [(_worth(outlook, move), move) for move in takes(legal, outlook.view.pile)]
    if taken:
        best = max(worth for worth, _ in taken)
        if not drawn or best > outlook.rules.draw_count * _a_card(outlook):
            return [one_of(chance, [move for worth, move in taken if worth == best])]
    return drawn or possible(legal.pass_)


def _a_card(outlook: Outlook) -> int:
    return A_CARD_TOO_LATE if outlook.ending else A_CARD


def _worth(outlook: Outlook, move: Move) -> float:
    """What a take is worth: the meld that it makes or extends, and the rest of the pile."""
    assert isinstance(move, TakePile | TakeUpcard)
    upcard = outlook.view.pile[-1]
    if isinstance(move, TakeUpcard):
        return _gain(outlook, move.onto, (upcard,))
    rest = outlook.view.pile[:-1]
    value: float = _a_card(outlook) * len(rest) + (A_WILD_CARD - A_CARD) * wilds_in(rest)
    if outlook.rules.lone_side and outlook.view.lone is None:
        value -= A_PARTNER
    cards = () if isinstance(move.with_, UnsetType) else move.with_
    if isinstance(move.onto, UnsetType):
        return value + new_worth(outlook, (upcard, *cards))
    return value + _gain(outlook, move.onto, (upcard, *cards))


def _gain(outlook: Outlook, meld_id: str, cards: tuple[str, ...]) -> float:
    meld = next(meld for meld in outlook.own if meld.id == meld_id)
    kind: MeldKind = meld.kind
    after = prospect(outlook.rules, kind, (*meld.cards, *cards))
    spent = 0 if outlook.ending else A_WILD_CARD * wilds_in(cards)
    return after - prospect(outlook.rules, kind, meld.cards) - spent
