"""Averages on single boards of a match whose boards are not compared with other tables.

What was played on such a board is cancelled, and each side has 3 IMPs more or less, or nothing (Laws of Duplicate
Bridge 12C2), or 60, 50 or 40 % of the board. What the sides are given need not balance: then each has the score of its
own total. Only where no more than one side can win, in a bracket, by win, draw and loss or by place, each has the mean
of its own total and what that of the other side leaves it (Law 12C4).
"""

from typing import Final

from msgspec import Struct

from domain.standings.board_a_match import board_a_match
from domain.standings.boards import IMPS, PERCENT, Share
from domain.standings.imps import imps, points_of
from domain.standings.victory_points import blitz_margin, victory_points
from domain.tournaments.board_hands import hands_on_boards
from domain.tournaments.formats import Elimination
from domain.tournaments.lengths import legs_of
from domain.tournaments.matches import BoardAMatch, ImpMatch, Placing, WinDrawLoss
from domain.tournaments.scores import Scores, lost_score, match_score, most
from domain.tournaments.state import Match
from domain.tournaments.terms import Stage

HUNDREDTHS: Final = 100
BOARD: Final = 200
"""What a board of board-a-match is worth, in hundredths."""


class BoardShare(Struct, frozen=True):
    """What both sides of a match have of a board, and whether they were given it.

    `has` is by side of the match: hundredths of IMPs, hundredths of board-a-match, or else margins in points.
    """

    board: int
    has: tuple[int, int]
    given: bool


class Averaged(Struct, frozen=True, kw_only=True):
    """A match with averages on single boards.

    points   by side, what was played on the other boards
    boards   those that count, in order of play; of teams by boards only what both tables played
    totals   by side, what they have of them
    hands    the length of the match, averages and all
    score    by side, in hundredths
    """

    points: Scores
    boards: tuple[BoardShare, ...]
    totals: tuple[int, int]
    hands: int
    score: Scores


def averaged(stage: Stage, match: Match, shares: tuple[Share, ...], boards: tuple[int, ...]) -> Averaged:
    """What a match of two sides comes to with an average on these of its regular boards, `shares` by side.

    Without a board it is what was played. A score that compares boards with other tables, and one that nothing bounds,
    has none of this. A side that gave the match up still loses it.
    """
    tables = [hands_on_boards(stage, match, seats.table) for seats in match.paired.tables]
    played = [{board: hand for board, (_, hand) in each.items() if board not in boards} for each in tables]
    each_needed = isinstance(stage.score, ImpMatch | BoardAMatch)
    found = []
    for board in tables[0]:
        margins = [hand[0] - hand[1] for each in played if (hand := each.get(board)) is not None]
        if board in boards:
            found.append(BoardShare(board, share_of_board(stage, shares), given=True))
        elif margins and (len(margins) == len(tables) or not each_needed):
            found.append(BoardShare(board, _share_played(stage, sum(margins)), given=False))
    totals = sum(each.has[0] for each in found), sum(each.has[1] for each in found)
    points = [sum(hand[side] for each in played for hand in each.values() if hand is not None) for side in (0, 1)]
    hands = len(boards) + min(sum(hand is not None for hand in each.values()) for each in played)
    return Averaged(
        points=tuple(points),
        boards=tuple(found),
        totals=totals,
        hands=hands,
        score=_but_lost(stage, match, _score(stage, totals, len(found) if each_needed else hands)),
    )


def share_of_board(stage: Stage, shares: tuple[Share, ...]) -> tuple[int, int]:
    """What the sides have of a board on which they are given these shares, in the unit of the stage's boards."""
    own, other = (_worth(stage, each) for each in shares)
    if not isinstance(stage.format, Elimination) and not isinstance(stage.score, WinDrawLoss | Placing):
        return own, other
    whole = BOARD if isinstance(stage.score, BoardAMatch) else 0
    mean = (own + whole - other) // 2
    return mean, whole - mean


def _worth(stage: Stage, share: Share) -> int:
    match stage.score:
        case ImpMatch():
            return HUNDREDTHS * IMPS[share]
        case BoardAMatch():
            return BOARD * PERCENT[share] // 100
        case _:
            return points_of(IMPS[share])


def _share_played(stage: Stage, margin: int) -> tuple[int, int]:
    match stage.score:
        case ImpMatch(divisor):
            own = HUNDREDTHS * imps(margin, divisor)
            return own, -own
        case BoardAMatch():
            return board_a_match(margin, 0)
        case _:
            return margin, -margin


def _score(stage: Stage, totals: tuple[int, int], length: int) -> Scores:
    match stage.score:
        case BoardAMatch():
            return totals
        case ImpMatch(_, blitz):
            full = blitz_margin(max(length, 1), HUNDREDTHS * blitz)
            return tuple(victory_points(each, full)[0] for each in totals)
        case _:
            scores = [match_score(stage, (each, 0), length) for each in totals]
            return tuple(score[0] for score in scores if score is not None)


def _but_lost(stage: Stage, match: Match, score: Scores) -> Scores:
    """The same, or less for a side that gave the match up, and more for the other, but no more than there is."""
    regular = [each for each in match.results if each.leg <= legs_of(stage)]
    loser = next((each.loser for each in regular if each.loser is not None), None)
    if loser is None:
        return score
    boards = max(len(match.paired.boards), 1)
    top = most(stage, boards)
    lost = lost_score(stage, score, loser, boards)
    return lost if top is None else tuple(min(each, top) for each in lost)
