"""The director's desk: a draft of what an act makes happen, with everything that the act may need."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from domain.tournaments.draft import Draft
from domain.tournaments.entrants import check_status
from domain.tournaments.given import Draw, Given
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.state import Match, Round, Tournament


class Desk(Draft):
    """A draft, with what the service looked up and the seeds that the master gives."""

    def __init__(self, state: Tournament, by: str, now: datetime, draw: Draw, given: Given) -> None:
        super().__init__(state, by, now)
        self.draw = draw
        self.given = given


def round_of(state: Tournament, number: int) -> Round:
    """Raises `TournamentRefused`: `round_not_found`."""
    found = state.rounds.get(number)
    if found is None:
        raise TournamentRefused(TournamentCode.ROUND_UNKNOWN, round=number, rounds=len(state.rounds))
    return found


def round_at(state: Tournament, number: int, needed: str) -> Round:
    """A round of a running tournament that stands at `needed`.

    Raises `TournamentRefused`: `tournament_wrong_status`, `round_not_found`, `round_wrong_status`.
    """
    check_status(state, "running")
    found = round_of(state, number)
    if found.status != needed:
        raise TournamentRefused(TournamentCode.ROUND_WRONG_STATUS, round=number, status=found.status, needed=needed)
    return found


def match_of(state: Tournament, match: str) -> Match:
    """Raises `TournamentRefused`: `match_not_found`."""
    found = state.matches.get(match)
    if found is None:
        raise TournamentRefused(TournamentCode.MATCH_UNKNOWN, match=match)
    return found


def open_matches_of(state: Tournament, number: int, wanted: Iterable[str]) -> tuple[str, ...]:
    """These matches of a round, all of them open.

    Raises `TournamentRefused`: `match_not_found`, `match_wrong_status`.
    """
    ids = tuple(dict.fromkeys(wanted))
    for each in ids:
        match = match_of(state, each)
        if match.round != number:
            raise TournamentRefused(TournamentCode.MATCH_UNKNOWN, match=each, round=number)
        if match.over:
            raise TournamentRefused(TournamentCode.MATCH_WRONG_STATUS, match=each, needed="a match that is not over")
    return ids


def side_of(match: Match, entrant: str) -> int:
    """The side of a match that an entrant belongs to. Raises `TournamentRefused`: `entrant_not_found`."""
    for number, side in enumerate(match.paired.sides):
        if entrant in side:
            return number
    raise TournamentRefused(TournamentCode.ENTRANT_UNKNOWN, entrant=entrant, match=match.id)


def named_twice(named: Iterable[str]) -> list[str]:
    """Whoever is named more than once."""
    return sorted(each for each, times in Counter(named).items() if times > 1)
