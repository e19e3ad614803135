"""The models: published examples, and what must hold of any of their numbers."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ratings import glicko, plackett_luce
from domain.ratings.models import BOT_RATINGS, GLICKO, MODELS, PLACKETT_LUCE, model_of, value_of
from domain.ratings.pools import POOLS, pool_of
from domain.ratings.shapes import Rating, rounded
from domain.rulesets import resolve

WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)


def rating(estimate: float, deviation: float, volatility: float | None = None) -> Rating:
    return Rating(rounded(estimate), rounded(deviation), None if volatility is None else rounded(volatility))


def numbers(sides: list[list[Rating]]) -> list[list[tuple[float, float]]]:
    return [[(float(each.estimate), float(each.deviation)) for each in side] for side in sides]


NEWCOMER = MODELS[PLACKETT_LUCE].newcomer
PUBLISHED = rating(31.321989232514305, 11.379964801443018)
PLAYER = rating(1500, 200, 0.06)

glicko_ratings = st.builds(rating, st.floats(100, 3500), st.floats(20, 350), st.floats(0.03, 0.12))
plackett_luce_ratings = st.builds(rating, st.floats(-20, 70), st.floats(0.5, 9))


def test_glickmans_example_comes_out_to_ten_digits() -> None:
    games = [(rating(1400, 30, 0.06), WIN), (rating(1550, 100, 0.06), LOSS), (rating(1700, 300, 0.06), LOSS)]
    after = glicko.rated(PLAYER, games)
    assert round(after.estimate, 7) == Decimal("1464.0506705")
    assert round(after.deviation, 7) == Decimal("151.5165241")
    assert after.volatility is not None
    assert round(after.volatility, 10) == Decimal("0.0599959843")


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ((1, 2), [[(36.48967347401391, 11.237778601372977)], [(26.154304991014694, 11.17822477763209)] * 2]),
        ((2, 1), [[(30.19454401757094, 11.237778601372977)], [(32.44943444745767, 11.17822477763209)] * 2]),
    ],
)
def test_the_librarys_own_example_of_one_against_two_comes_out(
    ranks: tuple[int, int], expected: list[list[tuple[float, float]]]
) -> None:
    after = numbers(plackett_luce.rated([[PUBLISHED], [PUBLISHED] * 2], ranks))
    assert after == [[pytest.approx(each, abs=2e-9) for each in side] for side in expected]


def test_the_first_win_of_newcomers_two_against_two() -> None:
    winners, losers = plackett_luce.rated([[NEWCOMER] * 2, [NEWCOMER] * 2], (1, 2))
    assert {(str(each.estimate), str(each.deviation)) for each in winners} == {("26.964294622", "8.177962604")}
    assert {(str(each.estimate), str(each.deviation)) for each in losers} == {("23.035705378", "8.177962604")}


def test_numbers_are_kept_to_so_many_places_and_go_on_from_there() -> None:
    one, two = [NEWCOMER], [NEWCOMER, NEWCOMER]
    first = plackett_luce.rated([one, two], (1, 2))
    assert all(each.estimate == rounded(each.estimate) for side in first for each in side)
    again = [[Rating(Decimal(str(each.estimate)), Decimal(str(each.deviation))) for each in side] for side in first]
    assert plackett_luce.rated(again, (2, 1)) == plackett_luce.rated(first, (2, 1))


@given(glicko_ratings, glicko_ratings)
def test_a_win_lifts_the_winner_and_a_loss_is_its_mirror(one: Rating, other: Rating) -> None:
    won, lost = glicko.rated(one, [(other, WIN)]), glicko.rated(one, [(other, LOSS)])
    assert lost.estimate < one.estimate < won.estimate
    assert lost.estimate < glicko.rated(one, [(other, DRAW)]).estimate < won.estimate
    assert won.deviation > 0


@given(glicko_ratings)
def test_a_draw_between_equals_moves_neither(one: Rating) -> None:
    assert glicko.rated(one, [(one, DRAW)]).estimate == one.estimate


@given(st.lists(st.lists(plackett_luce_ratings, min_size=1, max_size=3), min_size=2, max_size=6), st.data())
def test_the_first_never_sinks_and_the_last_never_rises(sides: list[list[Rating]], data: st.DataObject) -> None:
    ranks = data.draw(st.permutations(range(1, len(sides) + 1)))
    after = plackett_luce.rated(sides, ranks)
    for side, news, rank in zip(sides, after, ranks, strict=True):
        for old, new in zip(side, news, strict=True):
            assert rank != 1 or new.estimate >= old.estimate
            assert rank != len(sides) or new.estimate <= old.estimate
            assert new.deviation > 0


@given(st.lists(plackett_luce_ratings, min_size=2, max_size=4), st.data())
def test_only_the_order_of_ranks_counts(sides: list[Rating], data: st.DataObject) -> None:
    ranks = data.draw(st.lists(st.integers(1, 4), min_size=len(sides), max_size=len(sides)))
    spread = [10 * rank for rank in ranks]
    alone = [[each] for each in sides]
    assert plackett_luce.rated(alone, ranks) == plackett_luce.rated(alone, spread)


def test_pools_of_two_seats_are_rated_by_glicko_and_all_others_by_plackett_luce() -> None:
    assert {pool: model_of(pool).id for pool in POOLS} == {
        f"{family}-{seats}": GLICKO if seats == 2 else PLACKETT_LUCE
        for family in ("samba", "canasta")
        for seats in range(2, 7)
    }


def test_a_value_lies_below_the_estimate_by_what_is_not_known() -> None:
    assert value_of(rating(25, 8)) == 1
    assert value_of(rating(1500, 350, 0.06)) == 800


def test_bots_are_ordered_as_they_play() -> None:
    for ratings in BOT_RATINGS.values():
        assert ratings["random"].estimate < ratings["greedy"].estimate
        assert {each.deviation for each in ratings.values()} == {0}


@pytest.mark.parametrize(
    ("preset", "family"),
    [
        ("samba-official", "samba"), ("samba-online", "samba"), ("samba-czech", "samba"), ("samba-hoyle", "samba"),
        ("bolivia", "samba"), ("canasta-classic", "canasta"), ("canasta-standard", "canasta"),
    ],
)  # fmt: skip
def test_a_preset_belongs_to_its_family(preset: str, family: str) -> None:
    assert pool_of(resolve(preset), 4) == f"{family}-4"


def test_a_rule_set_of_ones_own_belongs_where_its_play_belongs_whatever_its_name() -> None:
    named = resolve("canasta-classic").to_json() | {"name": "samba-official"}
    assert pool_of(resolve(named), 3) == "canasta-3"
    assert pool_of(resolve("samba-official", {"hand_cap": 5}), 6) == "samba-6"
