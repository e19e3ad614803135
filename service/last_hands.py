"""Games by a clock: from a moment on no further hand is dealt, and the game ends with the one in play."""

import time
from collections.abc import Sequence
from datetime import datetime

from domain.chance import Chance
from domain.events import EndReason, Revealed
from domain.state import State, Table


class TimedChance:
    """Chance of a game that gets no further deck from a moment on."""

    def __init__(self, chance: Chance, no_new_hand_at: datetime) -> None:
        self._chance = chance
        self._until = no_new_hand_at.timestamp()

    @property
    def _over(self) -> bool:
        return time.time() >= self._until

    @property
    def spent(self) -> EndReason:
        """The time, once it is over."""
        return "time" if self._over else self._chance.spent

    def deck(self, state: State) -> Sequence[str] | None:
        """The deck of the hand after the state's; a game that begins has its first one, however late."""
        return None if state.hand > 0 and self._over else self._chance.deck(state)

    def first_dealer(self, table: Table) -> int:
        """The seat that deals first."""
        return self._chance.first_dealer(table)

    def revealed(self, state: State) -> Revealed | None:
        """What is revealed in the end."""
        return self._chance.revealed(state)


def depends_on_the_clock(before: State, after: State) -> bool:
    """Whether the clock may have decided what led from one state to the other: the next hand, or the end instead."""
    return after.hand != before.hand or (after.end_reason == "adjudicated" and after.end_reason != before.end_reason)
