"""What every bot is: a function of what its seat sees, with chance from outside."""

from collections.abc import Callable
from typing import Final, Protocol

from domain.bots.chance import Numbers
from domain.bots.greedy_bot import GreedyBot
from domain.bots.random_bot import RandomBot
from domain.moves import Move
from domain.options import LegalMoves
from domain.rules import Rules
from domain.views import View


class Bot(Protocol):
    """A player that needs no time to think."""

    def choose(self, view: View, legal: LegalMoves, chance: Numbers) -> list[Move]:
        """The moves that the seat to act sends next, to be accepted all or not at all; at least one.

        `view` is that of the seat, `legal` are its legal moves at the same version, in which something is possible.
        The same arguments and the same numbers always give the same moves. Asked again until its seat is no longer
        to act, a bot ends its turn.
        """


class BotLevelUnknownError(ValueError):
    """There is no bot of this level; `known` are those there are."""

    def __init__(self, level: str) -> None:
        super().__init__(f"There is no bot {level!r}; there are {', '.join(LEVELS)}.")
        self.level = level
        self.known = LEVELS


def bot_of(level: str, rules: Rules) -> Bot:
    """A bot of a level for a table with these rules. Raises `BotLevelUnknownError`."""
    maker = _MAKERS.get(level)
    if maker is None:
        raise BotLevelUnknownError(level)
    return maker(rules)


_MAKERS: Final[dict[str, Callable[[Rules], Bot]]] = {"random": RandomBot, "greedy": GreedyBot}

LEVELS: Final[tuple[str, ...]] = tuple(_MAKERS)
"""The levels there are, the weakest first."""
