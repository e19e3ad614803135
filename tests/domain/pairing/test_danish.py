"""Danish rounds: neighbours meet; with or without last or earlier opponents."""

import msgspec
import pytest

from domain.pairing.danish import pair_danish
from domain.pairing.shapes import NoPairing, Relaxation
from tests.domain.pairing.fields import couples, field, met, numbers
from tests.domain.pairing.test_swiss import WORKED


def test_pure_danish_pairs_neighbours_whoever_met_before() -> None:
    pairing = pair_danish(WORKED)
    assert numbers(pairing) == [(1, 2), (3, 4), (5, 6), (7, 8)]
    assert (pairing.cost, pairing.relaxations) == (4, ())


def test_modified_danish_bars_the_opponent_of_the_round_before_only() -> None:
    pairing = pair_danish(field([40, 30, 20, 10], 3, met=met({1: [(1, 3), (2, 4)], 2: [(1, 2), (3, 4)]})), "not_last")
    assert numbers(pairing) == [(1, 3), (2, 4)]
    assert pairing.relaxations == ()


def test_modified_danish_without_earlier_opponents() -> None:
    pairing = pair_danish(field([40, 30, 20, 10], 3, met=met({1: [(1, 3), (2, 4)], 2: [(1, 2), (3, 4)]})), "never")
    assert numbers(pairing) == [(1, 4), (2, 3)]


def test_two_play_each_other_again_when_modified_danish_has_no_other() -> None:
    again = field([10, 0], 2, met=met({1: [(1, 2)]}))
    assert pair_danish(again, "not_last").relaxations == (Relaxation("rematch", ("e1", "e2")),)
    with pytest.raises(NoPairing):
        pair_danish(msgspec.structs.replace(again, relaxations=()), "not_last")


def test_an_odd_danish_round_gives_the_lowest_the_bye() -> None:
    pairing = pair_danish(field([50, 40, 30, 20, 10], 2, byes={5: 1}))
    assert pairing.byes == ("e4",)
    assert numbers(pairing) == [(1, 2), (3, 5)]


def test_equal_sums_of_distances_are_spread() -> None:
    pairing = pair_danish(field([40, 30, 20, 10], 2, avoided=couples((1, 2))))
    assert numbers(pairing) == [(1, 3), (2, 4)]
