"""Which hand of a match was played on which of its boards."""

from domain.tournaments.lengths import boards_of_game, legs_of
from domain.tournaments.state import Match
from domain.tournaments.terms import Stage

BoardHand = tuple[int, tuple[int, ...] | None]
"""The number of the game in the match, from 1, and the points by side of the match; None where nothing was played."""


def hands_on_boards(stage: Stage, match: Match, table: int) -> dict[int, BoardHand]:
    """By board, what a table came to there, in order of play, without the board of a hand that decides a tie.

    A result by hand may go on over the boards of further games.
    """
    planned = _planned(stage, match.paired.boards)
    played: dict[int, BoardHand] = {board: (leg, None) for leg, board in planned}
    for result in match.results:
        if result.table == table and result.leg <= legs_of(stage):
            boards = [board for leg, board in planned if leg >= result.leg]
            played |= {board: (result.leg, hand) for board, hand in zip(boards, result.hands, strict=False)}
    return played


def regular_boards(stage: Stage, match: Match) -> list[int]:
    """Those of a match's boards that count for its score: all without the one of a hand that decides a tie."""
    return [board for _, board in _planned(stage, match.paired.boards)]


def _planned(stage: Stage, boards: tuple[int, ...]) -> list[tuple[int, int]]:
    """The game and the board of every hand in order of play."""
    return [(leg, board) for leg in range(1, legs_of(stage) + 1) for board in boards_of_game(stage, boards, leg)]
