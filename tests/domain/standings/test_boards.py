"""Boards compared over their tables: matchpoints, Neuberg, cross-IMPs, Butler, board-a-match, adjusted scores."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.standings.board_a_match import board_a_match
from domain.standings.boards import Adjusted, BoardScore, Comparison, board_scores
from domain.standings.butler import butler, datum
from domain.standings.cross_imps import cross_imps
from domain.standings.imps import imps
from domain.standings.matchpoints import matchpoints, neuberg, top

EXAMPLE = (1450, 300, -200, 300)
RESULTS = st.lists(st.integers(-400, 400).map(lambda n: 5 * n), min_size=1, max_size=40)


def test_matchpoints_give_two_for_each_result_beaten_and_one_for_each_equal() -> None:
    assert matchpoints(EXAMPLE) == (600, 300, 0, 300)
    assert top(4) == 600


def test_fifteen_tables_have_the_published_matchpoints() -> None:
    results = [900, 800, 700, 700, 700, 600, 500, 400, 30, 20, 10, 0, -10, -20, -30]
    assert matchpoints(results)[:8] == (2800, 2600, 2200, 2200, 2200, 1800, 1600, 1400)


def test_ten_results_of_eleven_have_the_published_neuberg_figures() -> None:
    results = list(range(100, 0, -10))
    assert neuberg(results, 11) == (1990, 1770, 1550, 1330, 1110, 890, 670, 450, 230, 10)


def test_neuberg_rounds_half_up_exactly_and_changes_nothing_where_all_results_are_there() -> None:
    assert neuberg(EXAMPLE, 4) == matchpoints(EXAMPLE)
    # Of matchpoints 4, 2, 0: (4·5 + 2)/3 = 7.333…, (2·5 + 2)/3 = 4, (0·5 + 2)/3 = 0.666…
    assert neuberg((30, 20, 10), 5) == (733, 400, 67)
    # The last of eight, beaten by six and level with one: (1·9 + 1)/8 = 1.25; of 16: (1·17 + 1)/16 = 1.125.
    assert neuberg((30, 20, 20, 10, 10, 10, 0, 0), 9)[7] == 125
    assert neuberg((*range(16, 2, -1), 0, 0), 17)[15] == 113
    with pytest.raises(ValueError, match="more than the 3 expected"):
        neuberg(EXAMPLE, 3)


@given(results=RESULTS)
def test_matchpoints_of_a_board_are_half_of_top_times_results(results: list[int]) -> None:
    assert 2 * sum(matchpoints(results)) == top(len(results)) * len(results)


@given(results=RESULTS, missing=st.integers(1, 5))
def test_neuberg_keeps_the_mean_of_a_board_at_half_of_its_top(results: list[int], missing: int) -> None:
    expected = len(results) + missing
    assert abs(2 * sum(neuberg(results, expected)) - top(expected) * len(results)) <= len(results)


@pytest.mark.parametrize(
    ("points", "due"),
    [
        (0, 0), (10, 0), (20, 1), (40, 1), (50, 2), (80, 2), (90, 3), (130, 4), (170, 5), (220, 6), (270, 7), (320, 8),
        (370, 9), (430, 10), (490, 10), (500, 11), (600, 12), (750, 13), (900, 14), (1100, 15), (1300, 16), (1500, 17),
        (1750, 18), (2000, 19), (2250, 20), (2500, 21), (3000, 22), (3490, 22), (3500, 23), (3990, 23), (4000, 24),
        (99990, 24),
    ],
)  # fmt: skip
def test_the_table_of_imps_is_the_published_one(points: int, due: int) -> None:
    assert imps(points, 1) == due
    assert imps(-points, 1) == -due
    assert imps(4 * points) == due


def test_the_divisor_of_imps_is_1_or_more() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        imps(100, 0)


def test_cross_imps_of_the_worked_board() -> None:
    assert cross_imps(EXAMPLE) == (23, -4, -15, -4)


@given(results=RESULTS, divisor=st.integers(1, 8))
def test_cross_imps_of_a_board_are_zero_together(results: list[int], divisor: int) -> None:
    scores = cross_imps(results, divisor)
    assert sum(scores) == 0
    assert scores[0] == sum(imps(results[0] - other, divisor) for other in results[1:])


def test_butler_of_the_published_board() -> None:
    results = [980] * 3 + [480] * 11 + [450] * 7 + [-50]
    assert datum(results) == 510
    scores = butler(results, divisor=1)
    assert (scores[0], scores[3], scores[14], scores[21]) == (10, -1, -2, -11)


def test_a_datum_may_leave_out_the_extremes_and_rounds_to_ten_alike_for_both_sides() -> None:
    assert datum((5000, 100, 200, -9000), trim=1) == 150
    assert datum((10, 20)) == 20
    assert datum((-10, -20)) == -20
    with pytest.raises(ValueError, match="cannot be left out"):
        datum((1, 2), trim=1)


def test_board_a_match_counts_no_margin() -> None:
    assert board_a_match(10, 5000) == (0, 200)
    assert board_a_match(5000, 10) == (200, 0)
    assert board_a_match(7, 7) == (100, 100)


def test_an_adjusted_score_stands_beside_results_that_are_compared_without_it() -> None:
    results = (1450, Adjusted("plus", "minus"), 300, -200, 300)
    scores = board_scores(results, "matchpoints")
    assert scores[1] == BoardScore(480, 320)
    assert [score.north_south for score in scores if score != scores[1]] == list(neuberg((1450, 300, -200, 300), 5))
    assert all(score.north_south + score.east_west == top(5) for score in scores)


@pytest.mark.parametrize(
    ("comparison", "given_", "expected"),
    [
        ("matchpoints", Adjusted("plus", "plus"), BoardScore(480, 480)),
        ("matchpoints", Adjusted("even", "minus"), BoardScore(400, 320)),
        ("butler", Adjusted("plus", "minus"), BoardScore(300, -300)),
        ("cross_imps", Adjusted("plus", "even"), BoardScore(1200, 0)),
    ],
)
def test_adjusted_scores_are_sixty_fifty_and_forty_percent_or_three_imps_a_comparison(
    comparison: Comparison, given_: Adjusted, expected: BoardScore
) -> None:
    assert board_scores((1450, given_, 300, -200, 300), comparison)[1] == expected


def test_boards_are_scored_by_the_comparison_that_is_asked() -> None:
    assert [score.north_south for score in board_scores(EXAMPLE, "cross_imps")] == [2300, -400, -1500, -400]
    assert [score.north_south for score in board_scores(EXAMPLE, "butler")] == [
        100 * score for score in butler(EXAMPLE)
    ]
    assert [score.east_west for score in board_scores(EXAMPLE, "matchpoints")] == [0, 300, 600, 300]


def test_a_board_without_any_result_has_only_its_adjusted_scores() -> None:
    assert board_scores((Adjusted("even", "even"),) * 3, "matchpoints") == (BoardScore(200, 200),) * 3
    assert board_scores((), "butler") == ()


@given(results=RESULTS, comparison=st.sampled_from(("cross_imps", "butler")))
def test_what_one_side_wins_the_other_loses(results: list[int], comparison: Comparison) -> None:
    assert all(score.north_south == -score.east_west for score in board_scores(results, comparison))
