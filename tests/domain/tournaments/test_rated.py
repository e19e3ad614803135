"""What ratings take from a match: places by the score that decides it, by points where it has none."""

from collections.abc import Sequence

import pytest

from domain.tournaments.formats import Danish
from domain.tournaments.games import WantedGame
from domain.tournaments.matches import (
    BoardAMatch,
    FixedHands,
    ImpMatch,
    Matchpoints,
    MatchTerms,
    RawPoints,
    Score,
    Steps,
    VictoryPoints,
    WinDrawLoss,
)
from domain.tournaments.rated import ranks_of
from domain.tournaments.terms import Boards, Stage
from tests.domain.tournaments.directors import BY_HAND, event
from tests.domain.tournaments.scenarios import Entrants, terms_of

BURRACO = Steps((100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 2000))


def places(
    score: Score, hands: Sequence[Sequence[int]], entrants: Entrants = "fixed", second: Sequence[Sequence[int]] = ()
) -> tuple[int, ...] | None:
    """The places in a match of two entrants with these hands, at a second table of teams with those."""
    stage = Stage(format=Danish(rounds=1), match=MatchTerms(length=FixedHands(len(hands))), score=score)
    boards = Boards() if entrants == "teams" or isinstance(score, Matchpoints) else None
    tournament = event(terms_of(stage, pace=BY_HAND, entrants=entrants, boards=boards), 2)
    tournament.begin()
    tournament.next_round()
    games = tournament.play_list()
    first = min(game.table for game in games)

    def points(game: WantedGame) -> Sequence[Sequence[int]]:
        return hands if game.table == first else second

    tournament.play(games, points)
    (match,) = tournament.state.matches.values()
    return ranks_of(match)


@pytest.mark.parametrize(
    ("score", "expected"),
    [(VictoryPoints(), (1, 2)), (VictoryPoints(BURRACO), (1, 1)), (WinDrawLoss(), (1, 2)), (RawPoints(), (1, 2))],
)
def test_a_margin_that_is_a_draw_by_the_score_is_a_draw_in_the_ratings(score: Score, expected: tuple[int, int]) -> None:
    assert places(score, [(350, 300), (0, 0)]) == expected


@pytest.mark.parametrize(
    ("score", "expected"), [(ImpMatch(), (1, 2)), (BoardAMatch(), (1, 2)), (VictoryPoints(), (2, 1))]
)
def test_teams_are_placed_by_what_decides_their_match(score: Score, expected: tuple[int, int]) -> None:
    hands = [(1000, 0), (1000, 0), (0, 2200)]
    assert places(score, hands, "teams", [(0, 0)] * 3) == expected


def test_where_boards_are_compared_with_other_tables_the_points_place() -> None:
    assert places(Matchpoints(), [(350, 300), (0, 0)]) == (1, 2)
