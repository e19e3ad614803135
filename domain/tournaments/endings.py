"""The ends of rounds and of the tournament, with the standings that they lead to."""

from hashlib import sha256

from domain.canonical import canonical
from domain.pairing.ladder import after_result
from domain.tournaments.draws import MASTER
from domain.tournaments.events import AnyTournamentEvent, BoardsRevealed, TournamentFinished
from domain.tournaments.fold import fold
from domain.tournaments.formats import Ladder
from domain.tournaments.given import Draw
from domain.tournaments.history import is_unplayed
from domain.tournaments.numbering import SERVICE, numbered
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.results import is_held_back
from domain.tournaments.round_events import RoundClosed, RungsMoved, StandingsPublished
from domain.tournaments.standings import standings
from domain.tournaments.state import Match, Tournament


def close_round(state: Tournament, number: int, by: str = SERVICE) -> list[AnyTournamentEvent]:
    """A round whose matches are all over, the rungs that they move on a ladder, and the standings.

    Raises `TournamentRefused`: `round_not_found`, `round_wrong_status` with the matches that are still open.
    """
    if number not in state.rounds:
        raise TournamentRefused(TournamentCode.ROUND_UNKNOWN, round=number)
    closed = state.rounds[number]
    still_open = [each.id for each in state.matches_of(number) if not each.over or is_held_back(each)]
    if closed.status != "started" or still_open:
        raise TournamentRefused(TournamentCode.ROUND_WRONG_STATUS, status=closed.status, open=still_open)
    happened: list[AnyTournamentEvent] = [RoundClosed(round=number)]
    if isinstance(state.stage_terms(closed.stage).format, Ladder):
        happened += _rungs(state, number)
    happened = numbered(state, by, happened)
    return [*happened, *publish(fold(state, happened), by)]


def publish(state: Tournament, by: str = SERVICE) -> list[AnyTournamentEvent]:
    """The standings of the present stage, published. Raises `TournamentRefused`: `stage_over` where none has begun."""
    if state.stage is None:
        raise TournamentRefused(TournamentCode.STAGE_OVER, stage=None)
    now = standings(state)
    event = StandingsPublished(
        stage=state.stage.number,
        round=max((each.number for each in state.rounds.values() if each.status == "closed"), default=0),
        order=tuple(row.entrant for row in now.rows),
        digest=sha256(canonical(now)).hexdigest(),
    )
    return numbered(state, by, [event])


def finish(state: Tournament, by: str = SERVICE) -> list[AnyTournamentEvent]:
    """The end: those of the last stage in their order, then who had stayed behind before each earlier cut.

    Raises `TournamentRefused`: `tournament_wrong_status`.
    """
    if state.status != "running":
        raise TournamentRefused(TournamentCode.WRONG_STATUS, status=state.status, needed=["running"])
    order: dict[str, None] = {}
    for stage in reversed(state.stages):
        order |= dict.fromkeys(row.entrant for row in standings(state, stage.number).rows)
    return numbered(state, by, [TournamentFinished(order=tuple(order))])


def reveal(state: Tournament, draw: Draw) -> list[AnyTournamentEvent]:
    """The master of lots and boards, once nothing is played any more."""
    return [] if state.revealed else numbered(state, SERVICE, [BoardsRevealed(master=draw(MASTER))])


def _rungs(state: Tournament, number: int) -> list[AnyTournamentEvent]:
    """What the matches of a round move on the ladder; who is not on it any more moves nobody."""
    order = state.ladder
    moved: list[AnyTournamentEvent] = []
    for match in state.matches_of(number):
        winner = _winner(match)
        entrants = [side[0] for side in match.paired.sides]
        if winner is not None and set(entrants) <= set(order):
            order = after_result(order, entrants[winner], entrants[1 - winner])
            moved.append(RungsMoved(order=order, match=match.id))
    return moved


def _winner(match: Match) -> int | None:
    """The side that won a match of two; None where it was drawn or counts for nobody."""
    outcome = match.outcome
    if outcome is None:
        return None
    if is_unplayed(match) and outcome.score is None:
        return outcome.winner
    own, other = outcome.points if outcome.score is None else outcome.score
    return None if own == other else int(other > own)
