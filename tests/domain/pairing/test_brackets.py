"""Single and double elimination: order of seeds, byes, numbers of matches, delayed rematches, the reset."""

from random import Random
from time import process_time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.pairing.advancing import Standing, standing
from domain.pairing.brackets import (
    Bracket,
    LoserOf,
    Seed,
    WinnerOf,
    double_elimination,
    seeding,
    single_elimination,
)
from domain.pairing.shapes import NoPairing, NoPairingCode


def play(bracket: Bracket, random: Random | None = None) -> tuple[dict[str, int], Standing]:
    """Play a bracket to its end: the better seed wins, or whoever chance says."""
    winners: dict[str, int] = {}
    while ready := standing(bracket, winners).ready:
        sides = standing(bracket, winners).sides
        for match in ready:
            one, other = sides[match]
            assert one is not None
            assert other is not None
            winners[match] = min(one, other) if random is None else random.choice([one, other])
    return winners, standing(bracket, winners)


def test_the_order_of_seeds_is_the_published_one() -> None:
    assert seeding(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    assert seeding(16) == (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)


def test_of_six_the_two_best_have_a_bye() -> None:
    matches = {match.id: match.sources for match in single_elimination(6).matches}
    assert matches == {
        "W1-1": (Seed(4), Seed(5)),
        "W1-2": (Seed(3), Seed(6)),
        "W2-1": (Seed(1), WinnerOf("W1-1")),
        "W2-2": (Seed(2), WinnerOf("W1-2")),
        "W3-1": (WinnerOf("W2-1"), WinnerOf("W2-2")),
    }


def test_the_largest_bracket_is_looked_at_in_no_time() -> None:
    bracket = double_elimination(1024)
    begun = process_time()
    standing(bracket, {})
    assert process_time() - begun < 0.2, "It is looked at some twenty times whenever a round ends."


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 8, 11, 16, 33])
def test_a_knock_out_of_n_has_n_minus_one_matches_and_better_seeds_place_better(entrants: int) -> None:
    bracket = single_elimination(entrants)
    assert len(bracket.matches) == entrants - 1
    _, end = play(bracket)
    assert end.over
    assert end.places[:2] == ((1,), (2,))
    assert sorted(seed for group in end.places for seed in group) == list(range(1, entrants + 1))


def test_third_place_is_played_between_the_losers_of_the_semi_finals() -> None:
    bracket = single_elimination(8, third_place=True)
    third = bracket.matches[-1]
    assert (third.section, third.sources) == ("third", (LoserOf("W2-1"), LoserOf("W2-2")))
    _, end = play(bracket)
    assert end.places == ((1,), (2,), (3,), (4,), (5, 6, 7, 8))
    with pytest.raises(NoPairing):
        single_elimination(3, third_place=True)


@pytest.mark.parametrize(
    ("entrants", "matches"), [(8, 14), (6, 10), (16, 30), (2, 2), (3, 4), (5, 8), (7, 12), (100, 198)]
)
def test_a_double_elimination_of_n_has_two_n_minus_two_matches(entrants: int, matches: int) -> None:
    found = double_elimination(entrants).matches
    assert [each.reset for each in found] == [False] * matches + [True]


def test_of_eight_there_are_three_winners_and_four_losers_rounds_with_losers_reversed() -> None:
    matches = {match.id: match for match in double_elimination(8).matches}
    assert max(match.round for match in matches.values() if match.section == "winners") == 3
    assert max(match.round for match in matches.values() if match.section == "losers") == 4
    assert matches["L1-1"].sources == (LoserOf("W1-1"), LoserOf("W1-2"))
    assert matches["L2-1"].sources == (LoserOf("W2-2"), WinnerOf("L1-1"))
    assert matches["L2-2"].sources == (LoserOf("W2-1"), WinnerOf("L1-2"))
    assert matches["F1"].sources == (WinnerOf("W3-1"), WinnerOf("L4-1"))


def test_in_losers_round_two_nobody_meets_again_who_met_in_winners_round_one() -> None:
    for entrants in (8, 16, 32):
        _, end = play(double_elimination(entrants))
        first = {frozenset(sides) for match, sides in end.sides.items() if match.startswith("W1-")}
        assert not first & {frozenset(sides) for match, sides in end.sides.items() if match.startswith("L2-")}


def test_the_reset_is_played_only_if_the_final_is_won_by_who_lost_before() -> None:
    bracket = double_elimination(4)
    winners, end = play(bracket)
    assert end.needless == ("F2",)
    assert end.places == ((1,), (2,), (3,), (4,))
    before = {match: seed for match, seed in winners.items() if match != "F1"}
    other = next(seed for seed in standing(bracket, before).sides["F1"] if seed != winners["F1"])
    assert other is not None
    upset = standing(bracket, before | {"F1": other})
    assert upset.ready == ("F2",)
    assert not upset.over
    assert upset.places == ((3,), (4,))
    assert standing(bracket, before | {"F1": other, "F2": other}).places[:2] == ((other,), (winners["F1"],))


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 70), st.integers(0, 10**6))
def test_in_a_double_elimination_only_the_second_loss_ends_it(entrants: int, seed: int) -> None:
    bracket = double_elimination(entrants)
    winners, end = play(bracket, Random(seed))
    assert end.over
    losses = dict.fromkeys(range(1, entrants + 1), 0)
    for match, sides in end.sides.items():
        if match in winners:
            losses[next(seed for seed in sides if seed is not None and seed != winners[match])] += 1
    (champion,), (second,) = end.places[:2]
    assert losses.pop(champion) <= 1
    assert losses.pop(second) in (1, 2)
    assert set(losses.values()) <= {2}
    assert sorted(seed for group in end.places for seed in group) == list(range(1, entrants + 1))


@pytest.mark.parametrize(
    "winners",
    [{"W9-9": 1}, {"W1-1": 2}, {"W2-1": 1}, {"W1-1": 1, "W1-2": 2, "W2-1": 1, "L1-1": 3, "L2-1": 2, "F1": 1, "F2": 1}],
)
def test_results_that_cannot_be_are_refused(winners: dict[str, int]) -> None:
    with pytest.raises(NoPairing) as caught:
        standing(double_elimination(4), winners)
    assert caught.value.code == NoPairingCode.FIELD_INVALID


@pytest.mark.parametrize("entrants", [0, 1, 1025])
def test_brackets_are_bounded(entrants: int) -> None:
    for build in (single_elimination, double_elimination):
        with pytest.raises(NoPairing):
            build(entrants)


def test_a_bracket_is_plain_data() -> None:
    bracket = double_elimination(5)
    assert msgspec.json.decode(msgspec.json.encode(bracket), type=Bracket) == bracket
