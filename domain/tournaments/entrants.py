"""Looking up entrants for a decision, and places that become free."""

from domain.tournaments.draft import Draft
from domain.tournaments.entry_events import Admitted
from domain.tournaments.formats import Ladder
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_events import RungsMoved
from domain.tournaments.state import Entrant, EntrantStatus, Status, Tournament

BEFORE_START: tuple[Status, ...] = ("announced", "registration", "closed")
NOT_OVER: tuple[Status, ...] = (*BEFORE_START, "running")
OVER: tuple[Status, ...] = ("finished", "cancelled")


def entrant_of(state: Tournament, entrant: str) -> Entrant:
    """Raises `TournamentRefused`: `entrant_not_found`."""
    found = state.entrants.get(entrant)
    if found is None:
        raise TournamentRefused(TournamentCode.ENTRANT_UNKNOWN, entrant=entrant)
    return found


def check_status(state: Tournament, *needed: Status) -> None:
    """Raises `TournamentRefused`: `tournament_wrong_status`."""
    if state.status not in needed:
        raise TournamentRefused(TournamentCode.WRONG_STATUS, status=state.status, needed=list(needed))


def check_entrant_status(entrant: Entrant, *needed: EntrantStatus) -> None:
    """Raises `TournamentRefused`: `entrant_wrong_status`."""
    if entrant.status not in needed:
        raise TournamentRefused(
            TournamentCode.ENTRANT_WRONG_STATUS, entrant=entrant.id, status=entrant.status, needed=list(needed)
        )


def nothing_to_change(**params: object) -> TournamentRefused:
    """The refusal of what is so already."""
    return TournamentRefused(TournamentCode.NOTHING_TO_CHANGE, **params)


def fill_places(draft: Draft) -> None:
    """Before the start, free places go to the waiting list in its order."""
    if draft.state.status not in BEFORE_START:
        return
    free = draft.state.terms.registration.capacity - len(draft.state.active)
    waiting = [each.id for each in draft.state.entrants.values() if each.status == "waiting"]
    draft.add(*(Admitted(entrant=each) for each in waiting[: max(free, 0)]))


def add_rung(draft: Draft, entrant: str) -> None:
    """On a ladder under way a newcomer stands at the foot."""
    stage = draft.state.stage
    if stage is not None and isinstance(draft.state.stage_terms(stage.number).format, Ladder):
        draft.add(RungsMoved(order=(*draft.state.ladder, entrant)))


def next_round(state: Tournament) -> int:
    """The number of the next round to be paired."""
    return max(state.rounds, default=0) + 1
