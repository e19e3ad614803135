"""The boards of a stage compared over all tables: what each table has of a board, what each match of its boards.

A board is told when a result on it is; until then nothing is known of it. Every table that was to play it counts for
the top of matchpoints (Neuberg's formula), whether it came to a result there or not.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import lcm
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.standings.board_a_match import board_a_match
from domain.standings.boards import Adjusted, BoardScore, Comparison, Share, board_scores
from domain.standings.imps import DIVISOR, imps
from domain.standings.matchpoints import top
from domain.tournaments.averages import share_of_board
from domain.tournaments.board_hands import hands_on_boards
from domain.tournaments.lengths import legs_of
from domain.tournaments.matches import BoardAMatch, Butler, CrossImps, ImpMatch, Matchpoints
from domain.tournaments.outcomes import TOO_FEW_HANDS
from domain.tournaments.seating import Adjustment
from domain.tournaments.state import Match, StageState, Tournament
from domain.tournaments.terms import Stage

Unit = Literal["matchpoints", "imps", "points"]
"""What the score of a board is in: matchpoints, IMPs, or nothing but the points of both sides."""

EXACT: Final = 10_000
"""A percentage in hundredths of the whole, of which the shares of boards are multiples."""

Shares = tuple[Share, Share]
_Cell = tuple[int, tuple[int, ...] | None, Shares | None]
"""Leg, points by side and what is given in their place."""

_NO_RESULT: Final = Adjusted("even", "even")
_CACHED: Final = 512


class BoardTable(Struct, frozen=True, kw_only=True):
    """A board at one table.

    north_south, east_west   the entrants there
    leg        the number of its game in the match, from 1
    points     by side, North-South first; null where it was not played to a result, or the result does not count
    adjusted   what either side is given in the place of a result
    score      matchpoints or IMPs in hundredths, North-South first; null where nothing is compared
    """

    match: str
    round: int
    table: int
    north_south: tuple[str, ...]
    east_west: tuple[str, ...]
    leg: int
    points: tuple[int, ...] | None
    adjusted: Shares | None
    score: tuple[int, int] | None = None


class Board(Struct, frozen=True, kw_only=True):
    """A board that is told, with its tables by round and number. `top` is the most in matchpoints, in hundredths."""

    number: int
    stage: int
    unit: Unit
    top: int | None
    tables: tuple[BoardTable, ...]


class MatchOnBoards(Struct, frozen=True):
    """What a match has of the boards that count in it.

    `shares` are by side: parts of `EXACT` × `whole` in matchpoints, hundredths of IMPs else.
    """

    boards: int
    shares: tuple[int, int]


def boards_told(state: Tournament) -> dict[int, Board]:
    """Every board of a tournament that is told, by number."""
    return {number: board for begun in state.stages for number, board in boards_of_stage(state, begun).items()}


def boards_used(state: Tournament) -> int:
    """The highest number of a board: of those committed to, and those that matches have."""
    return max([state.boards, *(board for match in state.matches.values() for board in match.paired.boards)])


def boards_of_stage(state: Tournament, begun: StageState) -> dict[int, Board]:
    """Every board of a stage that is told, by number."""
    stage = state.stage_terms(begun.number)
    tables: dict[int, list[BoardTable]] = {}
    told: set[int] = set()
    still_open: set[int] = set()
    for number in begun.rounds:
        for match in state.matches_of(number):
            if not match.paired.boards or _is_void(match) or len(match.paired.sides) != 2:
                continue
            if match.results:
                told.update(match.paired.boards)
            elif not match.over:
                still_open.update(match.paired.boards)
            for board, each in _tables(stage, match):
                tables.setdefault(board, []).append(each)
    return {
        board: _compared(stage, begun.number, board, there)
        for board, there in sorted(tables.items())
        if board in told or board not in still_open
    }


def whole_of(boards: dict[int, Board]) -> int:
    """A number of which every top of matchpoints is a part, so that shares of them are integers."""
    return lcm(EXACT, *(board.top for board in boards.values() if board.top))


def matches_on_boards(boards: dict[int, Board], whole: int) -> dict[str, MatchOnBoards]:
    """By match, what it has of its boards that are told; boards that were not played at its table do not count.

    Shares of matchpoints are parts of `whole` a board; with one table only nobody is better than half.
    """
    sums: dict[str, tuple[int, int, int]] = {}
    for board in boards.values():
        factor = whole // board.top if board.top else 0
        for each in board.tables:
            count, own, other = sums.get(each.match, (0, 0, 0))
            if each.score is not None:
                north_south, east_west = each.score
                if board.unit == "matchpoints":
                    north_south, east_west = north_south * factor, east_west * factor
                    if not factor:
                        north_south = east_west = whole // 2
                count, own, other = count + 1, own + north_south, other + east_west
            sums[each.match] = (count, own, other)
    return {match: MatchOnBoards(count, (own, other)) for match, (count, own, other) in sums.items()}


def _is_void(match: Match) -> bool:
    adjustment = _adjustment(match)
    return adjustment is not None and adjustment.kind == "void"


def _adjustment(match: Match) -> Adjustment | None:
    return None if match.ruling is None else match.ruling.adjustment


def _tables(stage: Stage, match: Match) -> Iterator[tuple[int, BoardTable]]:
    """Every board of a match at each of its tables; at the second one the sides have each other's seats."""
    one, other = match.paired.sides
    for place, seats in enumerate(match.paired.tables):
        for board, (leg, points, adjusted) in _at_table(stage, match, seats.table).items():
            given = _given_of_team(stage, match, board)
            yield (
                board,
                BoardTable(
                    match=match.id,
                    round=match.round,
                    table=seats.table,
                    leg=leg,
                    north_south=other if place else one,
                    east_west=one if place else other,
                    points=points[::-1] if place and points is not None else points,
                    adjusted=adjusted[::-1] if place and adjusted is not None else adjusted,
                    score=given[::-1] if place and given is not None else given,
                ),
            )


def _given_of_team(stage: Stage, match: Match, board: int) -> tuple[int, int] | None:
    """By side, what a match of teams has of a board that a ruling gives an average for."""
    adjustment = _adjustment(match)
    if adjustment is None or board not in adjustment.boards or not isinstance(stage.score, ImpMatch | BoardAMatch):
        return None
    return share_of_board(stage, adjustment.average)


def _at_table(stage: Stage, match: Match, table: int) -> dict[int, _Cell]:
    """By board, what a table came to, by side of the match.

    Where a side resigned or lost on time, it was at fault for the boards that were not played any more.
    """
    cells: dict[int, _Cell] = {
        board: (leg, hand, None) for board, (leg, hand) in hands_on_boards(stage, match, table).items()
    }
    regular = [each for each in match.results if each.table == table and each.leg <= legs_of(stage)]
    losers = [each.loser for each in regular if each.loser is not None]
    if losers:
        fault: Shares = ("minus", "plus") if losers[-1] == 0 else ("plus", "minus")
        cells |= {board: (leg, None, fault) for board, (leg, hand, _) in cells.items() if hand is None}
    return _ruled(match, cells)


def _ruled(match: Match, cells: dict[int, _Cell]) -> dict[int, _Cell]:
    """The same with what a ruling puts in the place of it. Ruled points are shared among the boards of the match."""
    adjustment = _adjustment(match)
    if adjustment is None:
        if match.decided is not None and match.decided.how == TOO_FEW_HANDS:
            return {board: (leg, None, None) for board, (leg, _, _) in cells.items()}
        return cells
    if adjustment.kind == "forfeit":
        return {board: (leg, None, None) for board, (leg, _, _) in cells.items()}
    if adjustment.kind == "points" and len(match.paired.tables) == 1:
        own, other = ([*_parts(each, len(cells))] for each in adjustment.points)
        return {
            board: (leg, (own[place], other[place]), None) for place, (board, (leg, _, _)) in enumerate(cells.items())
        }
    if adjustment.kind == "average":
        one, other_side = adjustment.average
        ruled = adjustment.boards or tuple(cells)
        return cells | {board: (cells[board][0], None, (one, other_side)) for board in ruled if board in cells}
    return cells


def _parts(points: int, number: int) -> Iterator[int]:
    """Points in as many equal parts as can be, the first ones with what is over."""
    part, over = divmod(points, number)
    return (part + (place < over) for place in range(number))


def _compared(stage: Stage, stage_number: int, board: int, tables: Sequence[BoardTable]) -> Board:
    match stage.score:
        case Matchpoints():
            scores = _scores(_results(tables), "matchpoints", DIVISOR, 0)
            return _board(board, stage_number, "matchpoints", tables, scores, top(len(tables)))
        case CrossImps(divisor):
            return _board(board, stage_number, "imps", tables, _scores(_results(tables), "cross_imps", divisor, 0))
        case Butler(divisor, trimmed):
            played = sum(each.points is not None for each in tables)
            trim = min(trimmed, max(played - 1, 0) // 2)
            return _board(board, stage_number, "imps", tables, _scores(_results(tables), "butler", divisor, trim))
        case ImpMatch() | BoardAMatch():
            unit: Unit = "imps" if isinstance(stage.score, ImpMatch) else "matchpoints"
            return _board(board, stage_number, unit, tables, _between_teams(stage.score, tables))
        case _:
            return Board(number=board, stage=stage_number, unit="points", top=None, tables=tuple(tables))


def _board(
    number: int,
    stage: int,
    unit: Unit,
    tables: Sequence[BoardTable],
    scores: Sequence[BoardScore | None],
    most: int | None = None,
) -> Board:
    shown = tuple(
        each
        if score is None or (each.points is None and each.adjusted is None)
        else replace(each, score=(score.north_south, score.east_west))
        for each, score in zip(tables, scores, strict=True)
    )
    return Board(number=number, stage=stage, unit=unit, top=most, tables=shown)


def _results(tables: Sequence[BoardTable]) -> tuple[int | Adjusted, ...]:
    """What every table has to compare; one without a result counts only for how many were expected."""
    return tuple(
        each.points[0] - each.points[1]
        if each.points is not None
        else _NO_RESULT
        if each.adjusted is None
        else Adjusted(*each.adjusted)
        for each in tables
    )


@lru_cache(_CACHED)
def _scores(
    results: tuple[int | Adjusted, ...], comparison: Comparison, divisor: int, trim: int
) -> tuple[BoardScore, ...]:
    return board_scores(results, comparison, divisor=divisor, trim=trim)


def _between_teams(score: ImpMatch | BoardAMatch, tables: Sequence[BoardTable]) -> list[BoardScore | None]:
    """At the two tables of a match, what the side there that sits North-South has of the board."""
    margins: dict[str, list[int]] = {}
    for each in tables:
        if each.points is not None:
            margins.setdefault(each.match, []).append(each.points[0] - each.points[1])
    found: list[BoardScore | None] = []
    firsts: set[str] = set()
    for each in tables:
        both = margins.get(each.match, [])
        if len(both) < 2:
            found.append(None)
            continue
        margin = both[0] - both[1]
        margin = -margin if each.match in firsts else margin
        firsts.add(each.match)
        if isinstance(score, BoardAMatch):
            found.append(BoardScore(*board_a_match(margin, 0)))
        else:
            own = 100 * imps(margin, score.divisor)
            found.append(BoardScore(own, -own))
    return found
