"""The fold: a tournament's events turned into its state. Total: it refuses nothing and looks nothing up."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from domain.tournaments import events
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.fold_entries import ENTRIES
from domain.tournaments.fold_rounds import ROUNDS
from domain.tournaments.state import Announcement, Tournament

Step = Callable[[Tournament, Any], None]


def begin(tournament_id: str, created: events.TournamentCreated) -> Tournament:
    """The state after the first event."""
    return Tournament(
        id=tournament_id,
        version=1,
        at=created.at,
        terms=created.terms,
        commitment=created.commitment,
        title=created.title,
        created_at=created.at,
        organiser=created.by,
        engine=created.engine,
    )


def fold(state: Tournament, happened: Iterable[AnyTournamentEvent]) -> Tournament:
    """The state after these events; the one given stays as it is."""
    state = state.copy()
    for event in happened:
        _STEPS[type(event)](state, event)
        state.version = event.n
        state.at = event.at
    return state


def replayed(tournament_id: str, happened: Iterable[AnyTournamentEvent]) -> Tournament:
    """The state after all events of a stream, `tournament_created` first."""
    first, *rest = happened
    assert isinstance(first, events.TournamentCreated), "A tournament begins with being created."
    return fold(begin(tournament_id, first), rest)


def _terms(state: Tournament, event: events.TermsChanged) -> None:
    state.terms = event.terms


def _title(state: Tournament, event: events.Retitled) -> None:
    state.title = event.title


def _handed_over(state: Tournament, event: events.HandedOver) -> None:
    state.organiser = event.organiser


def _registration(state: Tournament, _event: events.RegistrationOpened) -> None:
    state.status = "registration"
    state.lots_known = frozenset(state.lots)


def _closed(state: Tournament, _event: events.RegistrationClosed) -> None:
    state.status = "closed"


def _lots(state: Tournament, event: events.LotsDrawn) -> None:
    state.lots[event.purpose] = event.seed


def _beacon(state: Tournament, event: events.BeaconFixed) -> None:
    state.beacon = event.beacon


def _beacon_shown(state: Tournament, event: events.BeaconShown) -> None:
    state.beacon_shown = event.beacon


def _boards(state: Tournament, event: events.BoardsCommitted) -> None:
    state.boards = event.boards


def _started(state: Tournament, _event: events.TournamentStarted) -> None:
    state.status = "running"


def _announced(state: Tournament, event: events.Announced) -> None:
    state.announcements += (Announcement(event.n, event.at, event.text),)


def _revealed(state: Tournament, _event: events.BoardsRevealed) -> None:
    state.revealed = True


def _finished(state: Tournament, event: events.TournamentFinished) -> None:
    state.status = "finished"
    state.reopened = False
    state.order = event.order


def _reopened(state: Tournament, _event: events.TournamentReopened) -> None:
    state.status = "running"
    state.reopened = True


def _cancelled(state: Tournament, event: events.TournamentCancelled) -> None:
    state.status = "cancelled"
    state.cancelled = event.reason


def _created(_state: Tournament, _event: events.TournamentCreated) -> None:
    """Only `begin` makes something of it."""


_STEPS: Final[dict[type, Step]] = {
    events.TournamentCreated: _created,
    events.TermsChanged: _terms,
    events.Retitled: _title,
    events.RegistrationOpened: _registration,
    events.RegistrationClosed: _closed,
    events.LotsDrawn: _lots,
    events.BeaconFixed: _beacon,
    events.BeaconShown: _beacon_shown,
    events.BoardsCommitted: _boards,
    events.HandedOver: _handed_over,
    events.TournamentStarted: _started,
    events.Announced: _announced,
    events.BoardsRevealed: _revealed,
    events.TournamentFinished: _finished,
    events.TournamentReopened: _reopened,
    events.TournamentCancelled: _cancelled,
    **ENTRIES,
    **ROUNDS,
}
