"""A bot that takes, melds and goes out wherever it can, and thinks no further than its own turn.

It takes the pile where that is worth more than a draw, opens as soon as it can, lays whatever gains something, finishes
canastas and sambas, asks its partner where it must, goes out as soon as it may, and discards what helps least.
"""

from msgspec import Struct, UnsetType

from domain.bots.beginning import begin
from domain.bots.chance import Numbers
from domain.bots.choices import blocks, possible
from domain.bots.discards import discard
from domain.bots.laying import first_meld, join, worth_laying
from domain.bots.outlook import Outlook
from domain.moves import Answer, Move
from domain.options import LegalMoves
from domain.rules import Rules
from domain.views import View


class GreedyBot(Struct, frozen=True):
    """See `bot.Bot`."""

    rules: Rules

    def choose(self, view: View, legal: LegalMoves, chance: Numbers) -> list[Move]:
        """What gains most at once."""
        outlook = Outlook(view, self.rules)
        if legal.phase == "answer":
            return [Answer(yes=_lets_go_out(outlook))]
        if legal.phase == "draw":
            return begin(outlook, legal, chance)
        if not isinstance(legal.way_out, UnsetType):
            return legal.way_out
        return _go_on(outlook, legal, chance)


def _lets_go_out(outlook: Outlook) -> bool:
    """Whether the end of the hand costs the others and earns the bonus more than the bot's own holding costs."""
    theirs = sum(outlook.view.holdings[seat].count for seat in outlook.others) * A_CARD_LEFT
    return outlook.ending or outlook.in_hand <= theirs + outlook.rules.going_out_bonus


def _go_on(outlook: Outlook, legal: LegalMoves, chance: Numbers) -> list[Move]:
    """One more move of a turn that has begun."""
    red_threes = possible(*legal.red_threes)
    if red_threes:
        return [red_threes[0]]
    asked = possible(legal.ask)
    if asked and outlook.rules.partner_permission == "required":
        return asked
    laid = worth_laying(outlook, legal) if outlook.own else first_meld(outlook, legal)
    laid = join(outlook, legal) or laid
    if laid is not None:
        return [laid]
    last = discard(outlook, legal, chance)
    if last is not None:
        return [last]
    return (blocks(legal) or possible(legal.pass_))[:1]


A_CARD_LEFT = 8
"""What a card left in hand costs on average, in points."""
