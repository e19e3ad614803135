"""What a round is worth that was not played, in hundredths, for every way of scoring.

Where a match has a most that it can give, the percentages of the terms are of that. Points have none: there the
percentage is of twice the mean of the round. In IMPs 50 % is nothing, and each 10 % more or less are 3 IMPs a board,
against every other table where IMPs are summed over the tables. Nothing at all is 0 everywhere.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain.standings.boards import PERCENT
from domain.standings.rounding import half_away, half_up
from domain.standings.table_points import table_points
from domain.standings.victory_points import TOTAL
from domain.tournaments.history import is_winner_unplayed
from domain.tournaments.lengths import boards_of_match
from domain.tournaments.matches import Butler, CrossImps, RawPoints, WinDrawLoss
from domain.tournaments.scores import most
from domain.tournaments.seating import Bye
from domain.tournaments.state import Match
from domain.tournaments.terms import Stage
from domain.tournaments.unplayed import percents_of

IMPS_OF_TEN_PERCENT: Final = 300
EVEN_PERCENT: Final = 50


class RoundFacts(Struct, frozen=True):
    """What there is to go by in a round: the mean score where it was played, and how many tables it has."""

    mean: int
    tables: int


def percent_worth(stage: Stage, percent: int, facts: RoundFacts) -> int:
    """So many percent of a match."""
    boards = max(boards_of_match(stage), 1)
    if percent == 0:
        return 0
    match stage.score:
        case RawPoints():
            return half_up(2 * facts.mean * percent, 100)
        case Butler():
            return boards * _imps(percent)
        case CrossImps():
            return boards * _imps(percent) * max(facts.tables - 1, 0)
        case _:
            return half_up((most(stage, boards) or 0) * percent, 100)


def bye_worth(stage: Stage, bye: Bye, facts: RoundFacts) -> int:
    """A bye of each kind."""
    half = stage.unplayed.half_bye
    if bye == "half_bye" and half is None and isinstance(stage.score, WinDrawLoss):
        return stage.score.draw
    percent = {"bye": percents_of(stage).bye, "half_bye": EVEN_PERCENT if half is None else half, "zero_bye": 0}[bye]
    return percent_worth(stage, percent, facts)


def forfeit_worth(stage: Stage, match: Match, facts: RoundFacts) -> Sequence[int]:
    """By side, a match that was not played and has no score of its own. Where nobody came nobody has anything."""
    came = [is_winner_unplayed(match, side) for side in range(len(match.paired.sides))]
    worth = percents_of(stage)
    lost = percent_worth(stage, worth.forfeit_loss, facts)
    if not any(came):
        return [min(lost, 0)] * len(came)
    won = percent_worth(stage, worth.forfeit_win, facts)
    return [won if there else lost for there in came]


def placed_worth(stage: Stage, match: Match, points: Sequence[int], facts: RoundFacts) -> Sequence[int]:
    """By side, a table of other than two sides where boards are compared: nobody else has its hands.

    By place, evenly between: of matchpoints all to nothing, of IMPs as much as an average plus to an average minus.
    """
    adjustment = None if match.ruling is None else match.ruling.adjustment
    if adjustment is not None and adjustment.kind == "average":
        return [percent_worth(stage, PERCENT[each], facts) for each in adjustment.average]
    places = table_points(points)
    if isinstance(stage.score, Butler | CrossImps):
        plus = percent_worth(stage, PERCENT["plus"], facts)
        return [half_away(plus * (2 * each - TOTAL), TOTAL) for each in places]
    return [half_up((most(stage) or 0) * each, TOTAL) for each in places]


def _imps(percent: int) -> int:
    return (percent - EVEN_PERCENT) * IMPS_OF_TEN_PERCENT // 10
