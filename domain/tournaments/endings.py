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
from domain.tournaments.results import is_held_back, is_played_out
from domain.tournaments.round_events import RoundClosed, RungsMoved, StandingsPublished
from domain.tournaments.standings import standings
from domain.tournaments.state import Match, Tournament


def close_round(state: Tournament, number: int, by: str = SERVICE) -> list[AnyTournamentEvent]:
    """A round whose matches are all over, the ladder as they leave it, and the standings.

    Raises `TournamentRefused`: `round_not_found`, `round_wrong_status` with the matches that are still open.
    """
    if number not in state.rounds:
        raise TournamentRefused(TournamentCode.ROUND_UNKNOWN, round=number)
    closed = state.rounds[number]
    matches = state.matches_of(number)
    if closed.status != "started" or any(not each.over or is_held_back(each) for each in matches):
        being_played = [each.id for each in matches if not is_played_out(state, each)]
        sealed = [each.id for each in matches if not each.over and each.id not in being_played]
        raise TournamentRefused(
            TournamentCode.ROUND_WRONG_STATUS, status=closed.status, open=being_played, boards_sealed=sealed
        )
    happened: list[AnyTournamentEvent] = [RoundClosed(round=number)]
    if isinstance(state.stage_terms(closed.stage).format, Ladder):
        happened += _rungs(state, number)
    happened = numbered(state, by, happened)
    return [*happened, *publish(fold(state, happened), by)]


def publish(state: Tournament, by: str = SERVICE, stage: int | None = None) -> list[AnyTournamentEvent]:
    """The standings of a stage, the present one unless told otherwise, published.

    Raises `TournamentRefused`: `stage_over` where none has begun.
    """
    if state.stage is None:
        raise TournamentRefused(TournamentCode.STAGE_OVER, stage=None)
    number = state.stage.number if stage is None else stage
    now = standings(state, number)
    closed = (each.number for each in state.rounds.values() if each.status == "closed" and each.stage <= number)
    event = StandingsPublished(
        stage=number,
        round=max(closed, default=0),
        order=tuple(row.entrant for row in now.rows),
        digest=sha256(canonical(now)).hexdigest(),
    )
    return numbered(state, by, [event])


def finish(state: Tournament, by: str = SERVICE) -> list[AnyTournamentEvent]:
    """The end: those of the last stage in their order, then who had stayed behind before each earlier cut, and last
    whoever was disqualified.

    Raises `TournamentRefused`: `tournament_wrong_status`.
    """
    if state.status != "running":
        raise TournamentRefused(TournamentCode.WRONG_STATUS, status=state.status, needed=["running"])
    order: dict[str, None] = {}
    for stage in reversed(state.stages):
        order |= dict.fromkeys(row.entrant for row in standings(state, stage.number).rows)
    last = sorted(order, key=lambda each: state.entrants[each].status == "disqualified")
    return numbered(state, by, [TournamentFinished(order=tuple(last))])


def reveal(state: Tournament, draw: Draw) -> list[AnyTournamentEvent]:
    """The master of lots and boards, once nothing is played any more."""
    return [] if state.revealed else numbered(state, SERVICE, [BoardsRevealed(master=draw(MASTER))])


def _rungs(state: Tournament, number: int) -> list[AnyTournamentEvent]:
    """What the matches of a round make of the ladder, one after the other; who is not on it any more moves nobody.

    It is told once a round: a ladder of thousands, once for each of a thousand matches, would be no append.
    """
    order = state.ladder
    movers: list[str] = []
    climbed: dict[str, tuple[str, int]] = {}
    for match in state.matches_of(number):
        winner = _winner(match)
        entrants = [side[0] for side in match.paired.sides]
        if winner is not None and set(entrants) <= set(order):
            rung = order.index(entrants[winner])
            order = after_result(order, entrants[winner], entrants[1 - winner])
            movers.append(match.id)
            if order[rung] != entrants[winner]:
                climbed[match.id] = (entrants[winner], rung)
    return [RungsMoved(order=order, matches=tuple(movers), climbed=climbed)] if movers else []


def rungs_corrected(state: Tournament, before: Match) -> list[AnyTournamentEvent]:
    """What a ruling on a match of a round that is closed makes of the ladder, where somebody else won by it.

    Whoever the match took up goes back to the rung it came from; then whoever won now goes up. Everybody else keeps
    the order that other matches gave them. `before` is the match without the ruling.
    """
    match = state.matches[before.id]
    winner = _winner(match)
    entrants = [side[0] for side in match.paired.sides]
    if winner == _winner(before) or not set(entrants) <= set(state.ladder):
        return []
    order = state.ladder
    if match.climbed is not None:
        down, rung = match.climbed
        rest = [each for each in order if each != down]
        order = (*rest[:rung], down, *rest[rung:])
    climbed: dict[str, tuple[str, int]] = {}
    if winner is not None:
        rung = order.index(entrants[winner])
        order = after_result(order, entrants[winner], entrants[1 - winner])
        if order[rung] != entrants[winner]:
            climbed[match.id] = (entrants[winner], rung)
    return [RungsMoved(order=order, matches=(match.id,), climbed=climbed)]


def _winner(match: Match) -> int | None:
    """The side that won a match of two; None where it was drawn or counts for nobody."""
    outcome = match.outcome
    if outcome is None:
        return None
    if is_unplayed(match) and outcome.score is None:
        return outcome.winner
    own, other = outcome.points if outcome.score is None else outcome.score
    return None if own == other else int(other > own)
