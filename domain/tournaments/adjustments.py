"""What a ruling comes to: points and score that stand in the place of a match's result (background b.2, b.9)."""

from typing import Final

from domain.standings.boards import PERCENT
from domain.standings.rounding import half_up
from domain.tournaments.averages import averaged
from domain.tournaments.board_hands import regular_boards
from domain.tournaments.matches import BOARD_SCORES, RawPoints
from domain.tournaments.outcomes import hands_ruled, winner_of
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.results import POINTS_MAX
from domain.tournaments.scores import Scores, forfeit_score, match_score, most
from domain.tournaments.seating import Adjustment
from domain.tournaments.state import Decided, Match, Tournament
from domain.tournaments.terms import Stage

SCORE_MAX: Final = 10_000_000


def adjusted(state: Tournament, match: Match, adjustment: Adjustment) -> Decided:
    """Points, score and who goes on by an adjustment. Raises `TournamentRefused`: `adjustment_invalid`."""
    stage = state.stage_terms(match.stage)
    _check_fields(stage, match, adjustment)
    sides = len(match.paired.sides)
    played = match.decided.points if match.decided is not None else (0,) * sides
    boards = max(len(match.paired.boards), 1)
    points: Scores
    score: Scores | None
    match adjustment.kind:
        case "points":
            points = adjustment.points
            score = match_score(stage, points, hands_ruled(state, match))
        case "score":
            _check_score(match, adjustment.score, most(stage, boards))
            points, score = played, adjustment.score
        case "average" if adjustment.boards and not isinstance(stage.score, BOARD_SCORES):
            points, score = _averaged(stage, match, adjustment)
        case "average":
            points, score = played, _average(stage, match, adjustment)
        case "forfeit":
            points, score = (0,) * sides, forfeit_score(stage, adjustment.forfeit, boards)
        case _:
            return Decided((0,) * sides, None, None, "ruling")
    return Decided(points, score, _winner(state, match, adjustment, points, score), "ruling")


def _winner(
    state: Tournament, match: Match, adjustment: Adjustment, points: tuple[int, ...], score: tuple[int, ...] | None
) -> int | None:
    """Nobody goes on where all sides were missing."""
    if match.paired.bracket is None:
        return None
    if adjustment.kind == "forfeit":
        came = [side for side, absent in enumerate(adjustment.forfeit) if not absent]
        return came[0] if len(came) == 1 else None
    return winner_of(state, match, points, score)[0]


def check_played(state: Tournament, match: Match, adjustment: Adjustment) -> None:
    """Averages on single boards stand beside what was played on the others, which has to be known by then.

    Where boards are compared with other tables, what they are worth is made anew whenever one comes to a result.
    Raises `TournamentRefused`: `match_wrong_status`.
    """
    compared = isinstance(state.stage_terms(match.stage).score, BOARD_SCORES)
    if adjustment.boards and not compared and (match.decided is None or not match.results):
        raise TournamentRefused(
            TournamentCode.MATCH_WRONG_STATUS,
            match=match.id,
            boards=list(adjustment.boards),
            needed="a match that was played and whose results are told, or an average for all of it",
        )


def _averaged(stage: Stage, match: Match, adjustment: Adjustment) -> tuple[Scores, Scores]:
    """Points without the boards named, and the score with averages on them."""
    if len(match.paired.sides) != 2:
        raise _invalid(match, "points or a score at a table of other than two sides", field="boards")
    if isinstance(stage.score, RawPoints):
        raise _no_average(match)
    found = averaged(stage, match, adjustment.average, adjustment.boards)
    return found.points, found.score


def _average(stage: Stage, match: Match, adjustment: Adjustment) -> Scores | None:
    if isinstance(stage.score, BOARD_SCORES):
        # What an average is worth there follows from the board at the other tables.
        return None
    top = most(stage, max(len(match.paired.boards), 1))
    if top is None:
        raise _no_average(match)
    return tuple(half_up(top * PERCENT[each], 100) for each in adjustment.average)


def _check_fields(stage: Stage, match: Match, adjustment: Adjustment) -> None:
    """The fields of the kind, and no others, with an entry for each side."""
    sides = len(match.paired.sides)
    needed = {"void": ()}.get(adjustment.kind, (adjustment.kind,))
    for field in ("points", "score", "average", "forfeit"):
        entries = getattr(adjustment, field)
        if field in needed and len(entries) != sides:
            raise _invalid(match, f"an entry for each of {sides} sides", field=field)
        if field not in needed and entries:
            raise _invalid(match, f"nothing here for the kind {adjustment.kind}", field=field)
    boards, named = regular_boards(stage, match), set(adjustment.boards)
    if named and (adjustment.kind != "average" or not named <= set(boards)):
        raise _invalid(match, "boards that count for the match, for averages", field="boards", boards=boards)
    if len(named) < len(adjustment.boards):
        raise _invalid(match, "every board once", field="boards")
    if adjustment.kind == "forfeit" and not any(adjustment.forfeit):
        raise _invalid(match, "a side that did not come", field="forfeit")
    if any(abs(each) > POINTS_MAX for each in adjustment.points):
        raise _invalid(match, f"points up to {POINTS_MAX}", field="points")


def _check_score(match: Match, score: tuple[int, ...], top: int | None) -> None:
    """Nobody has more of a match than it can give, nor less than nothing; what nothing bounds may be negative."""
    if top is not None and not all(0 <= each <= top for each in score):
        raise _invalid(match, f"hundredths from 0 to {top}", field="score", most=top)
    if any(abs(each) > SCORE_MAX for each in score):
        raise _invalid(match, f"hundredths up to {SCORE_MAX}", field="score", most=SCORE_MAX)


def _no_average(match: Match) -> TournamentRefused:
    return _invalid(match, "points or a score, since there is no most that a match can give", field="average")


def _invalid(match: Match, needed: str, field: str, **told: int | list[int]) -> TournamentRefused:
    return TournamentRefused(TournamentCode.ADJUSTMENT_INVALID, match=match.id, field=field, needed=needed, **told)
