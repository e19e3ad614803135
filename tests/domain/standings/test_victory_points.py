"""Margins to victory points: the continuous scale and the tables of steps."""

from decimal import ROUND_HALF_UP, Decimal, localcontext
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.standings.step_scales import BURRACO_3, BURRACO_4, Step, StepScale, by_steps
from domain.standings.table_points import table_points
from domain.standings.victory_points import blitz_margin, forfeit_points, match_points, victory_points


@pytest.mark.parametrize(("imps", "winner"), [(2, 1066), (7, 1216), (10, 1297), (20, 1526)])
def test_fourteen_boards_have_the_published_anchors(imps: int, winner: int) -> None:
    assert victory_points(imps, blitz_margin(14, 15)) == (winner, 2000 - winner)


def test_the_first_steps_over_fourteen_boards_are_the_published_ones() -> None:
    blitz = blitz_margin(14, 15)
    points = [victory_points(imps, blitz)[0] for imps in range(8)]
    assert [more - less for less, more in pairwise(points)] == [33, 33, 31, 31, 30, 29, 29]


@pytest.mark.parametrize(
    ("margin", "winner"),
    [
        (0, 1000),
        (100, 1031),
        (500, 1148),
        (1000, 1280),
        (2000, 1500),
        (3000, 1673),
        (5999, 2000),
        (6000, 2000),
        (7000, 2000),
    ],
)
def test_four_hands_have_the_worked_row(margin: int, winner: int) -> None:
    assert match_points(margin, 4) == (winner, 2000 - winner)
    assert match_points(-margin, 4) == (2000 - winner, winner)


def test_the_unit_is_a_setting() -> None:
    assert blitz_margin(4, 3000) == 6000
    assert match_points(500, 4, unit=1500) == match_points(1000, 4)


@pytest.mark.parametrize(("hands", "unit"), [(0, 3000), (4, 0)])
def test_a_blitz_margin_needs_hands_and_a_unit(hands: int, unit: int) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        blitz_margin(hands, unit)
    with pytest.raises(ValueError, match="above 0"):
        victory_points(10, Decimal(0))


@given(margin=st.integers(-20000, 20000), hands=st.integers(1, 12))
def test_both_sides_share_twenty_and_a_greater_margin_never_gives_less(margin: int, hands: int) -> None:
    own, other = match_points(margin, hands)
    assert own + other == 2000
    assert 0 <= own <= 2000
    assert match_points(margin + 10, hands)[0] >= own
    assert match_points(-margin, hands) == (other, own)


@given(margin=st.integers(0, 6000))
def test_points_are_the_formula_rounded_half_up_whatever_decimals_the_caller_works_with(margin: int) -> None:
    with localcontext() as context:
        context.prec = 60
        ratio = ((Decimal(5).sqrt() - 1) / 2) ** 3
        exact = 10 + 10 * (1 - ratio ** (Decimal(margin) / 6000)) / (1 - ratio)
        expected = int((exact * 100).to_integral_value(ROUND_HALF_UP))
        context.prec = 3
        assert victory_points(margin, Decimal(6000))[0] == min(expected, 2000)


def test_an_absent_side_keeps_something_by_the_length_of_the_match() -> None:
    assert [forfeit_points(hands) for hands in (2, 3, 4)] == [(1400, 600), (1400, 600), (1200, 800)]


@pytest.mark.parametrize(
    ("scale", "margin", "winner"),
    [
        (BURRACO_3, 50, 1000), (BURRACO_3, 51, 1100), (BURRACO_3, 150, 1100), (BURRACO_3, 350, 1300),
        (BURRACO_3, 500, 1400), (BURRACO_3, 1000, 1700), (BURRACO_3, 1500, 1900), (BURRACO_3, 1505, 2000),
        (BURRACO_4, 100, 1000), (BURRACO_4, 105, 1100), (BURRACO_4, 2000, 1900), (BURRACO_4, 2005, 2000),
    ],
)  # fmt: skip
def test_burraco_tables_give_the_published_steps(scale: StepScale, margin: int, winner: int) -> None:
    assert by_steps(scale, margin) == (winner, 2000 - winner)
    assert by_steps(scale, -margin) == (2000 - winner, winner)


def test_a_level_match_is_shared_in_halves() -> None:
    steep = StepScale(steps=(Step(100, 1500),), beyond=2000)
    assert by_steps(steep, 0) == (1000, 1000)
    assert by_steps(steep, 5) == (1500, 500)


def test_places_at_a_table_of_individuals_are_brought_to_twenty() -> None:
    assert table_points((300, 900, -50)) == (1000, 2000, 0)
    assert table_points((1, 2, 3, 4, 5)) == (0, 500, 1000, 1500, 2000)
    assert table_points((7, 7, 1)) == (1500, 1500, 0)
    with pytest.raises(ValueError, match="two or more"):
        table_points((5,))


@given(scores=st.lists(st.integers(-50, 50), min_size=2, max_size=6))
def test_a_table_shares_ten_a_head_but_for_rounding(scores: list[int]) -> None:
    assert abs(sum(table_points(scores)) - 1000 * len(scores)) <= len(scores)
