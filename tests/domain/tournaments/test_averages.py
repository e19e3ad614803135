"""Averages on single boards of matches whose boards are not compared with other tables: what they are worth."""

from random import Random
from typing import Final

import msgspec
import pytest

from domain.standings.boards import Share
from domain.standings.imps import imps, points_of
from domain.tournaments.averages import averaged
from domain.tournaments.formats import Elimination, RoundRobin, Swiss
from domain.tournaments.matches import (
    BoardAMatch,
    FixedHands,
    ImpMatch,
    MatchTerms,
    PerHand,
    Placing,
    Score,
    VictoryPoints,
    WbfScale,
    WinDrawLoss,
)
from domain.tournaments.terms import Boards, Stage
from tests.domain.tournaments.scenarios import terms_of
from tests.domain.tournaments.told import Told
from tests.domain.tournaments.two_boards import BY_STEPS, BY_TEAMS, outcome, played, ruled


@pytest.mark.parametrize(
    ("average", "boards", "expected"),
    [
        # +4 IMPs of board 1 with +3, 0 or −3 in the place of −1, on the scale of 15·√2.
        (("plus", "minus"), (2,), (1496, 504)),
        (("even", "even"), (2,), (1312, 688)),
        (("minus", "plus"), (2,), (1086, 914)),
        # Both not at fault: +7 for one side, −4 + 3 for the other.
        (("plus", "plus"), (2,), (1496, 914)),
        (("minus", "minus"), (2,), (1086, 504)),
        (("even", "plus"), (2,), (1312, 914)),
        # 3 IMPs in the place of 4, and −1 as it was played.
        (("plus", "minus"), (1,), (1167, 833)),
        (("even", "even"), (1, 2), (1000, 1000)),
    ],
)
def test_a_match_by_imps_has_three_more_or_less_of_a_board(
    average: tuple[Share, Share], boards: tuple[int, ...], expected: tuple[int, int]
) -> None:
    assert ruled(played(ImpMatch()), average, *boards) == expected


@pytest.mark.parametrize(
    ("average", "expected"),
    [
        (("plus", "minus"), (320, 80)),
        (("even", "even"), (300, 100)),
        (("plus", "plus"), (320, 120)),
        (("minus", "even"), (280, 100)),
    ],
)
def test_board_a_match_has_its_percentage_of_the_board(average: tuple[Share, Share], expected: tuple[int, int]) -> None:
    assert ruled(played(BoardAMatch()), average, 2) == expected


@pytest.mark.parametrize(
    ("score", "average", "expected"),
    [
        # 300 points of board 1, and 420 more, nothing or 420 less; 20 to 0 at 3000·√2.
        (VictoryPoints(), ("plus", "minus"), (1284, 716)),
        (VictoryPoints(), ("even", "even"), (1127, 873)),
        (VictoryPoints(), ("minus", "plus"), (948, 1052)),
        (VictoryPoints(), ("plus", "plus"), (1284, 1052)),
        (BY_STEPS, ("plus", "minus"), (1700, 300)),
        (BY_STEPS, ("plus", "plus"), (1700, 1100)),
    ],
)
def test_a_match_of_victory_points_has_four_hundred_and_twenty_points_more_or_less(
    score: Score, average: tuple[Share, Share], expected: tuple[int, int]
) -> None:
    assert ruled(played(score), average, 2) == expected


def test_three_imps_are_the_mean_of_their_line_in_points() -> None:
    assert [points_of(3, divisor) for divisor in (1, 4)] == [105, 420]
    assert [points_of(each, 1) for each in (-3, 0, 1, 2, 23)] == [-105, 0, 30, 65, 3745]
    assert [imps(points_of(each, 7), 7) for each in range(-23, 24)] == [*range(-23, 24)]
    for beyond in (24, -24):
        with pytest.raises(ValueError, match="1 to 23"):
            points_of(beyond)


@pytest.mark.parametrize(
    ("score", "average", "expected"),
    [
        # Of +3 and nothing each side has the mean: 1.5 IMPs with the 4 of board 1, or 210 points with the 300.
        (ImpMatch(), ("plus", "even"), (1409, 591)),
        (ImpMatch(), ("plus", "plus"), (1312, 688)),
        (BoardAMatch(), ("plus", "even"), (310, 90)),
        (VictoryPoints(), ("plus", "even"), (1209, 791)),
        (WinDrawLoss(), ("minus", "plus"), (0, 100)),
        (WinDrawLoss(), ("plus", "plus"), (100, 0)),
    ],
)
def test_where_only_one_can_win_what_does_not_balance_is_brought_to_its_mean(
    score: Score, average: tuple[Share, Share], expected: tuple[int, int]
) -> None:
    assert ruled(played(score, Elimination(tie="extra_hand")), average, 2) == expected


def test_by_win_and_loss_and_by_place_nobody_wins_beside_another() -> None:
    for score, won in ((WinDrawLoss(), (100, 0)), (Placing(), (2000, 0))):
        assert ruled(played(score), ("plus", "plus"), 2) == won
        assert ruled(played(score), ("minus", "plus"), 2) == won[::-1]
        assert ruled(played(score), ("even", "even"), 1) == won[::-1]


def test_who_goes_on_from_a_bracket_follows_from_the_boards_that_count() -> None:
    told = played(ImpMatch(), Elimination(tie="extra_hand"))
    assert outcome(told).winner == 0
    ruled(told, ("minus", "plus"), 1)
    assert outcome(told).winner == 1


@pytest.mark.parametrize("score", [ImpMatch(), VictoryPoints()])
def test_points_and_margins_are_those_of_the_other_boards(score: Score) -> None:
    told = played(score)
    before = outcome(told).points
    ruled(told, ("plus", "minus"), 2)
    of_board = {ImpMatch(): (220, 300), VictoryPoints(): (0, 80)}[score]
    assert outcome(told).points == tuple(all_of - one for all_of, one in zip(before, of_board, strict=True))
    margin = outcome(told).points[0] - outcome(told).points[1]
    assert [told.row(each).values for each in ("e1", "e2")] == [(margin, 1), (-margin, 0)]
    assert told.lines("e1")[0][1] == "adjusted"


def test_a_board_that_no_time_was_left_for_counts_once_it_is_an_average() -> None:
    told = Told(terms_of(Stage(format=Swiss(rounds=1), score=VictoryPoints()), boards=Boards()), 2)
    told.pair([(("e1",), ("e2",))], boards=[(1, 2, 3, 4)])
    told.end("r1m1", [(300, 0)], reason="time")
    # 20 to 0 at 3000·√1, and with the average at 3000·√2.
    assert outcome(told).score == (1176, 824)
    assert ruled(told, ("even", "even"), 3) == (1127, 873)


def test_who_gave_the_match_up_has_no_more_than_a_forfeit_leaves() -> None:
    told = played(VictoryPoints(), loser=0, reason="resigned")
    assert outcome(told).score is not None
    assert ruled(told, ("plus", "plus"), 2) == (600, 1736)
    told = played(VictoryPoints(WbfScale(100)), loser=0, reason="resigned")
    assert ruled(told, ("plus", "plus"), 2) == (600, 2000), "Nobody has more than a match can give."


SCORES: Final[tuple[Score, ...]] = (
    ImpMatch(),
    BoardAMatch(),
    VictoryPoints(),
    BY_STEPS,
    WinDrawLoss(),
    Placing(),
)


@pytest.mark.parametrize("score", SCORES, ids=lambda each: type(each).__name__)
def test_without_a_board_margins_and_scores_are_as_they_were_played_and_even_boards_share_all_there_is(
    score: Score,
) -> None:
    chance = Random(5)
    for _ in range(60):
        teams = score in BY_TEAMS or chance.random() < 0.4
        number = chance.choice((2, 3, 4, 7))
        match = MatchTerms(length=FixedHands(number), hands_to_count=0)
        if chance.random() < 0.3:
            match = msgspec.structs.replace(match, first_meld=PerHand((50,)))
        form = chance.choice((RoundRobin(), Elimination(tie="extra_hand"), Elimination(tie="higher_seed")))
        boards = tuple(range(1, number + 1 + (form == Elimination(tie="extra_hand"))))
        stage = Stage(format=form, match=match, score=score)
        told = Told(terms_of(stage, boards=Boards(), entrants="teams" if teams else "fixed"), 2)
        bracket = ["F"] if isinstance(form, Elimination) else []
        told.pair([(("e1",), ("e2",))], boards=[boards], brackets=bracket)
        lost = {"loser": chance.randrange(2), "reason": "resigned"} if chance.random() < 0.2 else {"reason": "ruling"}
        for place in range(1 + teams):
            hands = [(5 * chance.randrange(-40, 400), 5 * chance.randrange(-40, 400)) for _ in range(number)]
            told.end("r1m1", hands[: chance.choice((number, number, number - 1))], table=place + 1, **lost)
        found = told.state.matches["r1m1"]
        assert found.decided is not None
        same = averaged(stage, found, ("plus", "minus"), ())
        assert (same.points, same.score) == (found.decided.points, found.decided.score)
        if "loser" not in lost:
            balanced = averaged(stage, found, chance.choice((("plus", "minus"), ("even", "even"))), (boards[0],))
            most = {BoardAMatch(): 200 * len(balanced.boards), WinDrawLoss(): 100}.get(score, 2000)
            assert sum(balanced.score) == most
