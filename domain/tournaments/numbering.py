"""Places of new events in the stream."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.state import Tournament

SERVICE = "meldhouse"
"""Who acts where nobody does."""


def numbered(state: Tournament, by: str, happened: Iterable[AnyTournamentEvent]) -> list[AnyTournamentEvent]:
    """These events behind those of the state, in this order."""
    return [replace(event, n=n, by=by) for n, event in enumerate(happened, state.version + 1)]
