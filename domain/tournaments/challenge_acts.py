"""Director's acts on the challenges of a ladder: answered, or taken back, for whoever does not do so."""

from domain.tournaments import acts
from domain.tournaments.challenging import drop, put_answer
from domain.tournaments.desk import Desk
from domain.tournaments.entrants import entrant_of


def answer(desk: Desk, act: acts.AnswerChallenge) -> None:
    """Raises `TournamentRefused`: `entrant_not_found`, and as `put_answer` does."""
    entrant_of(desk.state, act.challenger)
    put_answer(desk, act.challenger, act.accepted)


def take_back(desk: Desk, act: acts.TakeBackChallenge) -> None:
    """Raises `TournamentRefused`: `entrant_not_found`, and as `drop` does."""
    entrant_of(desk.state, act.challenger)
    drop(desk, act.challenger)
