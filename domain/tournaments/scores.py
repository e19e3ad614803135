"""What a match comes to: its points as score by side, in hundredths (background b.1, b.2, b.9).

A game that a side resigned, lost on time or was ruled against loses the match for that side: the margin counts as it
was played, but the loser has no more than a forfeit would leave it, and what it loses so goes to the other side.
"""

from collections.abc import Sequence

from domain.standings.board_a_match import board_a_match
from domain.standings.imps import imps
from domain.standings.rounding import half_up
from domain.standings.step_scales import Step, StepScale, by_steps
from domain.standings.table_points import table_points
from domain.standings.victory_points import TOTAL, blitz_margin, match_points, victory_points
from domain.tournaments.matches import (
    BOARD_SCORES,
    BoardAMatch,
    ImpMatch,
    Matchpoints,
    Placing,
    RawPoints,
    Score,
    Steps,
    VictoryPoints,
    WinDrawLoss,
)
from domain.tournaments.terms import Stage
from domain.tournaments.unplayed import percents_of

Scores = tuple[int, ...]


def match_score(stage: Stage, points: Sequence[int], hands: int) -> Scores | None:
    """The score of a match by side for its points; None where its boards are compared with other tables.

    More than two sides are placed at their table: 20 for the first, 0 for the last, evenly between. `hands` is how
    many were played, at each table of a match of teams.
    """
    score = stage.score
    if isinstance(score, BOARD_SCORES):
        return None
    if isinstance(score, RawPoints):
        return tuple(100 * each for each in points)
    if len(points) > 2 or isinstance(score, Placing):
        return _placed(score, points)
    own, other = points
    match score:
        case WinDrawLoss():
            return _win_draw_loss(score, own - other)
        case ImpMatch():
            return imp_score(score, [own - other], hands)
        case BoardAMatch():
            return board_a_match(own, other)
        case _:
            return _victory_points(score, own - other, hands)


def team_score(stage: Stage, margins: Sequence[int]) -> Scores | None:
    """The score of a match of teams by boards; `margins` has the first side's points at both tables less the other's.

    None where the score of the stage does not go by boards.
    """
    match stage.score:
        case ImpMatch() as score:
            return imp_score(score, margins, len(margins))
        case BoardAMatch():
            boards = [board_a_match(each, 0) for each in margins]
            return sum(own for own, _ in boards), sum(other for _, other in boards)
        case _:
            return None


def imp_score(score: ImpMatch, margins: Sequence[int], boards: int) -> Scores:
    """IMPs of every board in all, as victory points."""
    total = sum(imps(each, score.divisor) for each in margins)
    return victory_points(total, blitz_margin(max(boards, 1), score.blitz))


def most(stage: Stage, boards: int = 1) -> int | None:
    """The most that a match can give, in hundredths; None where nothing bounds it."""
    match stage.score:
        case VictoryPoints() | ImpMatch() | Placing():
            return TOTAL
        case WinDrawLoss(win):
            return win
        case BoardAMatch():
            return 200 * boards
        case Matchpoints():
            return 10_000
        case _:
            return None


def forfeit_score(stage: Stage, forfeits: Sequence[bool], boards: int = 1) -> Scores | None:
    """The score of a match that was not played, `forfeits` True for each side that did not come.

    None where a match has no most that it can give; who is absent where all are has nothing.
    """
    top = most(stage, boards)
    if top is None:
        return None
    worth = percents_of(stage)
    came = worth.forfeit_win if any(forfeits) else worth.bye
    stayed = 0 if all(forfeits) else worth.forfeit_loss
    return tuple(half_up(top * (stayed if absent else came), 100) for absent in forfeits)


def shared_score(stage: Stage, sides: int, boards: int = 1) -> Scores | None:
    """The score of a match that nobody won and that has no result of its own."""
    if isinstance(stage.score, RawPoints):
        return (0,) * sides
    if isinstance(stage.score, BoardAMatch):
        return (100 * boards,) * sides
    return match_score(stage, (0,) * sides, 1)


def lost_score(stage: Stage, scores: Scores, loser: int, boards: int = 1) -> Scores:
    """The score where a side lost by resigning, on time or by a ruling."""
    limit = forfeit_score(stage, [side == loser for side in range(len(scores))], boards)
    others = [side for side in range(len(scores)) if side != loser]
    if isinstance(stage.score, WinDrawLoss) and len(scores) == 2:
        return tuple(stage.score.loss if side == loser else stage.score.win for side in range(len(scores)))
    least = min(scores[side] for side in others)
    kept = min(scores[loser], least if limit is None else limit[loser])
    given, left = divmod(0 if limit is None else scores[loser] - kept, len(others))
    return tuple(
        kept if side == loser else scores[side] + given + (others.index(side) < left) for side in range(len(scores))
    )


def _victory_points(score: Score, margin: int, hands: int) -> Scores:
    assert isinstance(score, VictoryPoints)
    if isinstance(score.scale, Steps):
        steps = tuple(Step(each, 1000 + 100 * number) for number, each in enumerate(score.scale.margins))
        return by_steps(StepScale(steps=steps, beyond=TOTAL), margin)
    return match_points(margin, max(hands, 1), score.scale.blitz)


def _win_draw_loss(score: WinDrawLoss, margin: int) -> Scores:
    if margin == 0:
        return score.draw, score.draw
    return (score.win, score.loss) if margin > 0 else (score.loss, score.win)


def _placed(score: Score, points: Sequence[int]) -> Scores:
    places = table_points(points)
    if isinstance(score, WinDrawLoss):
        span = score.win - score.loss
        return tuple(score.loss + half_up(span * each, TOTAL) for each in places)
    return places
