"""What a correction of what has counted already brings with it: the end is none, and standings are published anew."""

from domain.tournaments.desk import Desk
from domain.tournaments.endings import finish, publish
from domain.tournaments.event import Reason
from domain.tournaments.events import TournamentReopened


def reopen_ended(desk: Desk, reason: Reason) -> bool:
    """Whether the tournament had ended."""
    if desk.state.status != "finished":
        return False
    desk.add(TournamentReopened(reason=reason))
    return True


def publish_again(desk: Desk, round_number: int | None, ended: bool) -> None:
    """Standings that have been published are published anew, where the round (None: any) counted in them; a tournament
    that had ended ends again.
    """
    state = desk.state
    counted = round_number is None or state.rounds[round_number].status == "closed"
    if state.published and counted:
        desk.take(publish(state, desk.by))
    if ended:
        desk.take(finish(desk.state, desk.by))
