"""What a command makes happen, put together event by event."""

from collections.abc import Iterable
from datetime import datetime

from msgspec.structs import replace

from domain.tournaments.clocks import text
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.fold import fold
from domain.tournaments.numbering import numbered
from domain.tournaments.state import Tournament


class Draft:
    """The events of one append so far; `state` is what they lead to, so that each is decided upon those before it."""

    def __init__(self, state: Tournament, by: str, now: datetime) -> None:
        self.state = state
        self.by = by
        self.now = now
        self.events: list[AnyTournamentEvent] = []

    def add(self, *happened: AnyTournamentEvent) -> None:
        """These happen now and in this order."""
        self.take(numbered(self.state, self.by, happened))

    def take(self, happened: Iterable[AnyTournamentEvent]) -> None:
        """These happen, which were decided upon `state`; whatever else follows, it was done by whoever acts."""
        at = text(self.now)
        known = [replace(event, at=at, by=self.by) for event in happened]
        self.events += known
        self.state = fold(self.state, known)
