"""Who is erased leaves the tournaments that they are in, as they leave the seats that they hold."""

from datetime import datetime

from domain.tournaments.entering import withdraw
from domain.tournaments.entrants import NOT_OVER
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.given import Draw
from domain.tournaments.state import Tournament
from service.tournaments.commands import TournamentCommand
from service.tournaments.tournaments import Tournaments


async def withdraw_erased(tournaments: Tournaments, tournament_id: str, player: str, actor: str) -> None:
    """Withdraw the entrant of a player from a tournament that is not over; nothing happens where there is none.

    Raises `TournamentUnknown`, `GameContended`, `TournamentTooLarge`, `StoreUnavailable`, `StoreBusy`.
    """

    def decide(state: Tournament, now: datetime, _draw: Draw) -> list[AnyTournamentEvent]:
        own = [
            each.id
            for each in state.entrants.values()
            if player in each.players and each.status in ("entered", "waiting") and state.status in NOT_OVER
        ]
        # A player is in one entrant at most.
        return withdraw(state, own[0], player, now) if own else []

    await tournaments.perform(await tournaments.fresh(tournament_id), TournamentCommand(actor=actor, decide=decide))
