"""Standings that were asked for a moment ago, kept so that many readers of one version cost one ranking."""

from collections import OrderedDict

from msgspec import Struct

from domain.tournaments.standings import Standings, standings
from domain.tournaments.state import Tournament

Places = tuple[tuple[str, int, int], ...]
"""Entrant, rank and score (hundredths), in order."""


class Ranking(Struct):
    """Standings, the places in them, and the message about them once somebody has written one."""

    standings: Standings
    places: Places
    message: bytes | None = None


class Rankings:
    """A bounded number of standings by tournament, version and stage, the one longest unused leaves first.

    For states as they are stored only: a state that was only tried has a version that will mean something else.
    """

    def __init__(self, most: int) -> None:
        self._known: OrderedDict[tuple[str, int, int], Ranking] = OrderedDict()
        self._most = most

    def __len__(self) -> int:
        return len(self._known)

    def of(self, state: Tournament, stage: int | None = None) -> Standings:
        """The standings of a stage, the present one unless told otherwise. Raises `IndexError` for one not begun."""
        return self.ranking(state, stage).standings

    def ranking(self, state: Tournament, stage: int | None = None) -> Ranking:
        """The same with what is kept beside them."""
        key = (state.id, state.version, len(state.stages) - 1 if stage is None else stage)
        # Taken out and put back at the end: pages are made in other threads, and what is there now may be gone then.
        known = self._known.pop(key, None)
        if known is None:
            found = standings(state, stage)
            known = Ranking(found, tuple((row.entrant, row.rank, row.score) for row in found.rows))
        self._known[key] = known
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        return known
