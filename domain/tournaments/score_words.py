"""How the score of a match came about, in words and numbers."""

from decimal import Decimal
from math import isqrt
from typing import Final

from domain.standings.boards import PERCENT
from domain.standings.imps import imps
from domain.standings.keys import decimal_text
from domain.standings.lines import Line, Scale
from domain.tournaments.averages import averaged
from domain.tournaments.board_results import Board
from domain.tournaments.lengths import legs_of
from domain.tournaments.match_lines import is_average, match_kind
from domain.tournaments.matches import (
    BOARD_SCORES,
    BoardAMatch,
    ImpMatch,
    RawPoints,
    Steps,
    VictoryPoints,
    WbfScale,
    WinDrawLoss,
)
from domain.tournaments.scores import match_score
from domain.tournaments.seating import Adjustment
from domain.tournaments.state import Match
from domain.tournaments.terms import Stage
from domain.tournaments.unplayed import percents_of

RATIO: Final = "R = 0.2360680"
"""τ³ with τ = (√5 − 1)/2, of the continuous scale."""


def score_words(stage: Stage, match: Match, side: int, line: Line, scale: Scale, boards: dict[int, Board]) -> str:
    """What a side has of a match that counts, and why."""
    has = in_scale(line.score, scale)
    match match_kind(match):
        case "void":
            return "counts for nobody, by a ruling"
        case "forfeit":
            worth = percents_of(stage)
            if line.kind == "forfeit_win":
                return f"{has}, {worth.forfeit_win} % of a match: the other side did not come"
            return f"{has}, {worth.forfeit_loss} % of a match or nothing where nobody came: did not come"
        case "adjusted":
            return _adjusted(stage, match, side, has, boards)
    if isinstance(stage.score, BOARD_SCORES):
        return f"{has} = {_on_boards(match, side, boards)}"
    if match.decided is not None and match.decided.how == "loser":
        return f"{has}, since a side gave up or lost on time; {_points(match, side)}"
    return f"{_points(match, side)}: {_formula(stage, match, side, has)}"


def _adjusted(stage: Stage, match: Match, side: int, has: str, boards: dict[int, Board]) -> str:
    """Points only where they were ruled: those of what was played count no more."""
    ruling = match.ruling
    adjustment = None if ruling is None else ruling.adjustment
    if ruling is None or adjustment is None:
        return f"{has}, shared: too few hands"
    why = f"by a ruling ({ruling.reason.replace('_', ' ')})"
    if adjustment.kind == "points":
        return f"{has} {why}; {_points(match, side)}"
    if adjustment.kind == "average" and is_average(match):
        return f"{has}, an average of {PERCENT[adjustment.average[side]]} % {why}"
    if adjustment.kind == "average" and isinstance(stage.score, BOARD_SCORES):
        return f"{has} {why} = {_on_boards(match, side, boards)}"
    if adjustment.kind == "average":
        return f"{has} {why}; {_with_averages(stage, match, adjustment, side, has)}"
    return f"{has}, set {why}"


def _with_averages(stage: Stage, match: Match, adjustment: Adjustment, side: int, has: str) -> str:
    """What was played on the other boards, what was given on those of the ruling, and what both come to."""
    found = averaged(stage, match, adjustment.average, adjustment.boards)
    by_margin = not isinstance(stage.score, ImpMatch | BoardAMatch)
    given = f"{adjustment.average[side]} against {adjustment.average[1 - side]}"
    parts = [f"{_points(match, side)} on the other boards"] if by_margin else []
    for each in found.boards:
        share = each.has[side] if by_margin else Decimal(each.has[side]) / 100
        told = f"{share:,}" if isinstance(stage.score, BoardAMatch) else _signed(share)
        if each.given:
            parts.append(f"{told} (board {each.board}, {given})")
        elif not by_margin:
            parts.append(told)
    total = found.totals[side]
    match stage.score:
        case BoardAMatch():
            return f"{' + '.join(parts)} by board"
        case ImpMatch(_, blitz):
            won = Decimal(total) / 100
            sums = f"IMPs by board {' '.join(parts)} = {_signed(won)}"
            worth = _continuous(won, len(found.boards), blitz, has)
        case _:
            sums, worth = ", ".join(parts), _by_margin(stage, total, found.hands, has)
    if match.decided is not None and match.decided.how == "loser":
        return f"{sums}; a side gave up or lost on time"
    if total == 0 and any(found.totals):
        worth = f"no margin, {has}"
    return f"{sums}; {worth}"


def in_scale(score: int, scale: Scale) -> str:
    """A score in hundredths as it is written in this event."""
    return decimal_text(score, 2, scale.decimals)


def _points(match: Match, side: int) -> str:
    outcome = match.outcome
    assert outcome is not None, "Only a match that is over counts."
    others = [f"{points:,}" for place, points in enumerate(outcome.points) if place != side]
    return f"{outcome.points[side]:,} to {', '.join(others)} points"


def _formula(stage: Stage, match: Match, side: int, has: str) -> str:
    outcome = match.outcome
    assert outcome is not None, "Only a match that is over counts."
    if len(outcome.points) > 2:
        if isinstance(stage.score, RawPoints):
            return has
        place = 1 + sum(points > outcome.points[side] for points in outcome.points)
        return f"place {place} of {len(outcome.points)}, {has}"
    margin = outcome.points[side] - outcome.points[1 - side]
    hands = _hands(stage, match)
    match stage.score:
        case ImpMatch(divisor, blitz):
            tables = _hands_by_table(stage, match)
            margins = [sum(own - other for own, other in played) for played in zip(*tables, strict=False)]
            won = [imps(each if side == 0 else -each, divisor) for each in margins]
            each = " ".join(_signed(one) for one in won)
            return f"IMPs by board {each} = {_signed(sum(won))}; {_continuous(sum(won), len(won), blitz, has)}"
        case VictoryPoints(WbfScale()) if match_score(stage, outcome.points, hands) != outcome.score:
            return has
        case BoardAMatch():
            return f"{has} of {2 * hands} for better and equal boards"
        case _:
            return _by_margin(stage, margin, hands, has)


def _by_margin(stage: Stage, margin: int, hands: int, has: str) -> str:
    """How a margin in points becomes a score."""
    match stage.score:
        case VictoryPoints(WbfScale(blitz)):
            return f"margin {_signed(margin)}; {_continuous(margin, hands, blitz, has)}"
        case VictoryPoints(Steps()):
            return f"margin {_signed(margin)}; {has} by the table of margins"
        case WinDrawLoss():
            return f"{'drawn' if margin == 0 else 'won' if margin > 0 else 'lost'}, {has}"
        case _:
            return has


def _continuous(margin: int | Decimal, hands: int, blitz: int, has: str) -> str:
    """The continuous scale of the WBF with its figures."""
    root = isqrt(hands)
    unit = f"{blitz:,}·√{hands}" if root * root != hands else f"{blitz * root:,}"
    if margin == 0:
        return f"no margin, {has} each"
    if margin * margin >= blitz * blitz * hands:
        return f"{has}, as from a margin of X = {unit} on"
    less = "" if margin > 0 else "20 − "
    share = "10 + 10·(1 − R^(d/X))/(1 − R)"
    share = share if margin > 0 else f"({share})"
    return f"{less}{share} = {has} with d = {abs(margin):,}, X = {unit}, {RATIO}"


def _on_boards(match: Match, side: int, boards: dict[int, Board]) -> str:
    """Every board of a match that counts in it."""
    parts = []
    for number in match.paired.boards:
        board = boards.get(number)
        table = next((each for each in board.tables if each.match == match.id), None) if board is not None else None
        if board is None or table is None or table.score is None:
            continue
        of = "" if board.top is None else f" of {decimal_text(board.top, 2, 0)}"
        ruled = "" if table.adjusted is None else f", {table.adjusted[side]}"
        score = decimal_text(table.score[side], 2, 0)
        parts.append(f"{score}{of} (board {number}{ruled})")
    return " + ".join(parts) if parts else "no board that counts"


def _hands_by_table(stage: Stage, match: Match) -> list[list[tuple[int, ...]]]:
    """The hands of the regular games, by table."""
    return [
        [
            hand
            for leg in range(1, legs_of(stage) + 1)
            if (result := match.result(seats.table, leg)) is not None
            for hand in result.hands
        ]
        for seats in match.paired.tables
    ]


def _hands(stage: Stage, match: Match) -> int:
    return min(map(len, _hands_by_table(stage, match)))


def _signed(number: int | Decimal) -> str:
    return f"+{number:,}" if number > 0 else f"{number:,}".replace("-", "−")
