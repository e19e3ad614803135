"""A bot that picks any possible block, all alike.

Two leanings make its games end: it goes on laying three times in four where it can, and it lays every red three, since
one that stays in hand costs more than chance brings in.
"""

from typing import Final

from msgspec import Struct, UnsetType

from domain.bots.chance import Numbers, one_in, one_of
from domain.bots.choices import blocks, possible, questions, takes
from domain.moves import Move
from domain.options import LegalMoves
from domain.rules import Rules
from domain.views import View

STOPS_ONE_IN: Final = 4
"""How seldom it discards although it could lay something, and asks its partner although it could go on."""


class RandomBot(Struct, frozen=True):
    """See `bot.Bot`."""

    rules: Rules

    def choose(self, view: View, legal: LegalMoves, chance: Numbers) -> list[Move]:
        """Some possible move."""
        red_threes = possible(*legal.red_threes)
        if red_threes:
            return [red_threes[0]]
        asked = questions(legal, view.pile)
        if asked and one_in(chance, STOPS_ONE_IN):
            return asked
        if legal.phase == "answer":
            return [one_of(chance, possible(*legal.answers))]
        if legal.phase == "draw":
            return [one_of(chance, [*possible(legal.draw), *takes(legal, view.pile), *possible(legal.pass_)])]
        return self._play(legal, chance)

    def _play(self, legal: LegalMoves, chance: Numbers) -> list[Move]:
        if not isinstance(legal.way_out, UnsetType) and not one_in(chance, STOPS_ONE_IN):
            return legal.way_out
        laying = blocks(legal)
        ending = possible(*legal.discards, legal.pass_)
        if laying and not (ending and one_in(chance, STOPS_ONE_IN)):
            return [one_of(chance, laying)]
        return [one_of(chance, ending)]
