"""What the results of a match come to, and who goes on from a bracket (background b.7)."""

from collections.abc import Sequence
from operator import add
from typing import Final

from domain.tournaments.formats import Elimination
from domain.tournaments.history import UNPLAYED
from domain.tournaments.lengths import legs_of
from domain.tournaments.matches import FixedHands
from domain.tournaments.scores import Scores, forfeit_score, lost_score, match_score, shared_score, team_score
from domain.tournaments.seating import GameResult
from domain.tournaments.state import Decided, Match, Tournament
from domain.tournaments.terms import Stage

TOO_FEW_HANDS: Final = "too_few_hands"
"""`how` of a match with fewer finished hands at the end of its time than it needs: it is shared."""


def outcome(state: Tournament, match: Match) -> Decided:
    """What a match comes to whose games are over, with the side that goes on where it belongs to a bracket.

    A hand that decided a tie does nothing but that: points and score are those of the regular hands.
    """
    counted = _counted(state, match)
    if not isinstance(state.stage_terms(match.stage).format, Elimination) or counted.how in UNPLAYED:
        return counted
    loser = _loser(_regular(state, match))
    if loser is not None:
        return Decided(counted.points, counted.score, 1 - loser, counted.how)
    winner, how = winner_of(state, match, counted.points, counted.score)
    return Decided(counted.points, counted.score, winner, how or counted.how)


def winner_of(
    state: Tournament, match: Match, points: Sequence[int], score: Sequence[int] | None
) -> tuple[int, str | None]:
    """The side that goes on with these points and this score, and how where they do not tell it.

    The higher score, then more points, then the hand that decides a tie, then the higher seed.
    """
    best = _best(points, score)
    if len(best) == 1:
        return best[0], None
    extra = [each for each in match.results if each.leg > legs_of(state.stage_terms(match.stage))]
    loser = _loser(extra)
    if loser is not None:
        return 1 - loser, "extra_hand"
    if extra:
        best = _best(_sum(match, extra), None)
        if len(best) == 1:
            return best[0], "extra_hand"
    order = state.stages[match.stage].entrants
    return min(best, key=lambda side: order.index(match.paired.sides[side][0])), "higher_seed"


def is_tied(state: Tournament, match: Match) -> bool:
    """Whether all regular games of a match are in and nobody has won it."""
    counted = _counted(state, match)
    if counted.how in UNPLAYED:
        return False
    return _loser(_regular(state, match)) is None and len(_best(counted.points, counted.score)) > 1


def _counted(state: Tournament, match: Match) -> Decided:
    stage = state.stage_terms(match.stage)
    results = _regular(state, match)
    points = _sum(match, results)
    sides = len(match.paired.sides)
    boards = max(len(match.paired.boards), 1)
    loser = _loser(results)
    tables = _tables(match, results)
    hands = [_finished(table) for table in tables]
    too_few = min(hands) < stage.match.hands_to_count
    absent = _absent(state, match)
    if loser is None and any(absent) and not any(hands) and (too_few or not any(each.hands for each in results)):
        return not_come(stage, absent, boards)
    if loser is None and too_few:
        return Decided((0,) * sides, shared_score(stage, sides, boards), None, TOO_FEW_HANDS)
    score = None
    if len(tables) > 1 and match.paired.boards:
        score = team_score(stage, _margins(tables))
    if score is None:
        score = match_score(stage, points, _fewest(tables))
    if loser is None:
        return Decided(points, score, None, None)
    return Decided(points, None if score is None else lost_score(stage, score, loser, boards), None, "loser")


def hands_counted(state: Tournament, match: Match) -> int | None:
    """How many hands the score of a match goes by, of those played at the table that has the fewest.

    None where it goes by none: of a match that is open or was not played, or ruled otherwise than by points.
    """
    ruled = None if match.ruling is None else match.ruling.adjustment
    if ruled is not None:
        return hands_ruled(state, match) if ruled.kind == "points" else None
    if match.decided is None:
        return None
    return _fewest(_tables(match, _regular(state, match))) or None


def hands_ruled(state: Tournament, match: Match) -> int:
    """How many hands ruled points are for: those that were played, or without any those of the terms."""
    played = sum(len(each.hands) for each in match.results if each.table == match.paired.tables[0].table)
    length = state.stage_terms(match.stage).match.length
    return played or (length.hands if isinstance(length, FixedHands) else 1)


def _tables(match: Match, results: Sequence[GameResult]) -> list[list[GameResult]]:
    return [[each for each in results if each.table == seats.table] for seats in match.paired.tables]


def _fewest(tables: Sequence[Sequence[GameResult]]) -> int:
    """How many hands there are at the table that has the fewest."""
    return min(sum(len(each.hands) for each in table) for table in tables)


def not_come(stage: Stage, absent: Sequence[bool], boards: int = 1) -> Decided:
    """What a match comes to that was not played, `absent` True for each side that did not come.

    The one that did wins it, where there is one; several share what a win without playing is worth.
    """
    return Decided(
        points=(0,) * len(absent),
        score=forfeit_score(stage, absent, boards),
        winner=None if sum(absent) != len(absent) - 1 else absent.index(False),
        how="nobody" if all(absent) else "walkover",
    )


def still_missing(state: Tournament, match: Match) -> list[str]:
    """The entrants noted as missing that a person is still to play for: a bot that took the seat is there."""
    persons = {
        entrant
        for table in match.paired.tables
        for entrant, player in zip(table.entrants, table.players, strict=True)
        if player not in state.entrants[entrant].levels
    }
    return [each for each in match.missing if each in persons]


def _absent(state: Tournament, match: Match) -> list[bool]:
    """By side, whether an entrant of it is missing."""
    missing = still_missing(state, match)
    return [any(each in missing for each in side) for side in match.paired.sides]


def _regular(state: Tournament, match: Match) -> list[GameResult]:
    legs = legs_of(state.stage_terms(match.stage))
    return sorted((each for each in match.results if each.leg <= legs), key=lambda each: (each.table, each.leg))


def _loser(results: Sequence[GameResult]) -> int | None:
    return next((each.loser for each in results if each.loser is not None), None)


def _finished(results: Sequence[GameResult]) -> int:
    """How many hands were played to their end."""
    return sum(len(each.hands) - (each.reason == "position") for each in results)


def _sum(match: Match, results: Sequence[GameResult]) -> Scores:
    points: Scores = (0,) * len(match.paired.sides)
    for each in results:
        points = tuple(map(add, points, each.points))
    return points


def _margins(tables: Sequence[Sequence[GameResult]]) -> list[int]:
    """By board that all tables of a match of teams have played, what the first side has there more than the other."""
    hands = [[hand for each in table for hand in each.hands] for table in tables]
    return [sum(own - other for own, other in played) for played in zip(*hands, strict=False)]


def _best(points: Sequence[int], score: Sequence[int] | None) -> list[int]:
    standing = list(zip(points if score is None else score, points, strict=True))
    return [side for side, each in enumerate(standing) if each == max(standing)]
