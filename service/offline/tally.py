"""What a number of simulated games comes to, side by side."""

import math
import statistics
from collections.abc import Sequence

from domain.rules import compile_rules
from domain.simulation import Setup
from service.offline.simulated import SimulatedGame


class Tally:
    """Counts games as they end."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._sides = compile_rules(setup.ruleset, len(setup.bots)).sides
        self._won = [0] * len(self._sides)
        self._drawn = [0] * len(self._sides)
        self._by_hand: list[list[float]] = [[] for _ in self._sides]

    def add(self, game: SimulatedGame) -> None:
        """One game more."""
        state = game.state
        shared = self._won if len(state.winners) == 1 else self._drawn
        for side in state.winners:
            shared[side] += 1
        for side, total in enumerate(state.totals):
            self._by_hand[side].append(total / state.hand)

    def text(self) -> str:
        """A line a side: who sits there, games won and drawn, points a hand with a 95 % interval over games."""
        lines = []
        for side, seats in enumerate(self._sides):
            bots = "+".join(self._setup.bots[seat] for seat in seats)
            mean, reach = _interval(self._by_hand[side])
            lines.append(
                f"side {side} ({bots}): won {self._won[side]}, drew {self._drawn[side]} "
                f"of {len(self._by_hand[side])}; {mean:.0f} ± {reach:.0f} points a hand"
            )
        return "\n".join(lines)


def _interval(values: Sequence[float]) -> tuple[float, float]:
    """Mean and half the width of its 95 % interval; at least two values."""
    return statistics.fmean(values), 1.96 * statistics.stdev(values) / math.sqrt(len(values))
