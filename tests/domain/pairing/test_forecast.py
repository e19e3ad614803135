"""Dead ends told before the start."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.pairing.forecast import forecast
from domain.pairing.shapes import Couple, couple
from domain.pairing.swiss import pair_swiss
from tests.domain.pairing.fields import field


@pytest.mark.parametrize(
    ("entrants", "rounds", "possible"),
    [
        (8, 6, True),
        (8, 7, False),
        (9, 8, True),
        (9, 9, False),
        (2, 1, True),
        (2, 2, False),
        (1, 1, False),
        (3, 2, True),
        (0, 1, False),
        (64, 0, False),
    ],
)
def test_more_rounds_than_there_is_room_for_are_refused(entrants: int, rounds: int, possible: bool) -> None:
    told = forecast(entrants, rounds)
    assert told.possible == possible == (told.reason is None)


def test_a_refusal_offers_the_round_robin() -> None:
    told = forecast(8, 7)
    assert (told.most, told.round_robin, told.certain) == (6, 7, 4)
    assert told.reason == "8 entrants have room for 6 rounds, 7 are asked for; a round robin has 7."
    assert forecast(2, 2).reason == "2 entrants have room for 1 round, 2 are asked for; a round robin has 1."


@pytest.mark.parametrize(("entrants", "advised"), [(8, 5), (12, 6), (16, 6), (24, 7), (32, 7), (50, 8), (100, 9)])
def test_two_rounds_more_than_one_unbeaten_winner_needs_are_advised(entrants: int, advised: int) -> None:
    assert forecast(entrants, 5).advised == advised


def test_two_entrants_have_their_one_match() -> None:
    told = forecast(2, 1)
    assert (told.certain, told.most, told.advised, told.round_robin) == (1, 1, 1, 1)
    assert len(pair_swiss(field([0, 0], 1, relaxations=())).pairs) == 1


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 24), st.integers(0, 10**6))
def test_the_certain_rounds_are_paired_without_relaxing_whatever_is_scored(entrants: int, seed: int) -> None:
    random = Random(seed)
    past: dict[Couple, int] = {}
    scores = [0] * entrants
    byes: dict[int, int] = {}
    for number in range(1, forecast(entrants, 1).certain + 1):
        now = field(scores, number, met=dict(past), byes=byes, relaxations=())
        pairing = pair_swiss(now)
        past |= {couple(pair.ns, pair.ew): number for pair in pairing.pairs}
        byes |= {int(entrant[1:]): 1 for entrant in pairing.byes}
        scores = [score + random.choice([0, 1000, 2000]) for score in scores]
