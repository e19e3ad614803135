"""A finished game as something to move about in: the state after any event, and the places worth going to."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final, Literal, cast

from domain import events
from domain.events import AnyEvent, Created
from domain.evolve import fold, fold_into, initial_state
from domain.highlights import HighlightKind, highlights
from domain.state import State

KEPT_EVERY: Final = 64
"""A state is kept after so many events, so that going back folds that many at most."""

Stop = Literal["turn", "hand", "take", "canasta", "going_out"]

_HIGHLIGHTS: Final[dict[Stop, HighlightKind]] = {
    "hand": "hand_start",
    "take": "take",
    "canasta": "canasta",
    "going_out": "going_out",
}
_ENDS_OF_TURNS: Final = (
    events.Dealt, events.Placed, events.Discarded, events.HandEnded, events.GameEnded
)  # fmt: skip


class Course:
    """The events of a game, `length` of them, by their number from 1 on."""

    def __init__(self, happened: Sequence[AnyEvent]) -> None:
        """`happened` is the whole stream, complete or redacted, from `created` on."""
        self._happened = happened
        self.length = len(happened)
        self._at = initial_state(cast(Created, happened[0]))
        self._kept = [self._at]
        found = highlights(happened)
        self._stops = {
            stop: sorted({highlight.n for highlight in found if highlight.kind == kind})
            for stop, kind in _HIGHLIGHTS.items()
        }
        self._stops["turn"] = [n for n, event in enumerate(happened, 1) if isinstance(event, _ENDS_OF_TURNS)]
        self.hands = len(self._stops["hand"])

    def event(self, n: int) -> AnyEvent:
        """The event of that number."""
        return self._happened[n - 1]

    def state(self, n: int) -> State:
        """The state after the event of that number; it belongs to the course and must not be changed."""
        if not self._at.version <= n < self._at.version + KEPT_EVERY:
            self._at = self._nearest(n)
        if self._at.version < n:
            self._at = fold(self._at, self._happened[self._at.version : n])
        return self._at

    def _nearest(self, n: int) -> State:
        """The last kept state at or before an event; those on the way to it are kept as well."""
        index = (n - 1) // KEPT_EVERY
        while len(self._kept) <= index:
            state = self._kept[-1].copy()
            fold_into(state, self._happened[state.version : state.version + KEPT_EVERY])
            self._kept.append(state)
        return self._kept[index]

    def next_stop(self, kind: Stop, n: int) -> int | None:
        """The number of the next event of a kind after `n`."""
        stops = self._stops[kind]
        index = bisect_right(stops, n)
        return stops[index] if index < len(stops) else None

    def stop_before(self, kind: Stop, n: int) -> int | None:
        """The number of the last event of a kind before `n`."""
        stops = self._stops[kind]
        index = bisect_left(stops, n)
        return stops[index - 1] if index else None
