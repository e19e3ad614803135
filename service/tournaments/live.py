"""Tournaments as one worker has them in memory."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from domain.tournaments.entry_events import Substituted
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.state import Tournament
from service.live_stream import Link, LiveStream

PAST_MAX: Final = 8
"""Earlier states of a tournament that are kept, for those who ask how it stood."""


class LiveTournament(LiveStream[Tournament, AnyTournamentEvent]):
    """A tournament at its last known version.

    master   that of its lots and boards
    reseat   whether line-ups may have changed since the seats of its games were compared with them
    beside   what its followers are told beside the events, with its version, so that many of them cost one look
    """

    __slots__ = ("_past", "beside", "master", "reseat")

    def __init__(self, tournament_id: str, state: Tournament, head: str, master: bytes) -> None:
        super().__init__(tournament_id, state, head)
        self.master = master
        self.reseat = True
        self.beside: tuple[int, object] | None = None
        self._past: OrderedDict[int, Tournament] = OrderedDict()

    def advance(self, links: Sequence[Link[AnyTournamentEvent]], state: Tournament, head: str) -> bool:
        """Take over what was appended to the version held; False if it is not what comes next."""
        advanced = super().advance(links, state, head)
        self.reseat |= advanced and any(isinstance(link.stored, Substituted) for link in links)
        return advanced

    def keep(self, state: Tournament) -> None:
        """Remember an earlier state that was asked for."""
        self._past[state.version] = state
        self._past.move_to_end(state.version)
        if len(self._past) > PAST_MAX:
            self._past.popitem(last=False)

    def nearest(self, version: int) -> Tournament | None:
        """The last state at hand that is not after a version."""
        return max(
            (state for state in (*self._past.values(), self.state) if state.version <= version),
            key=lambda state: state.version,
            default=None,
        )
