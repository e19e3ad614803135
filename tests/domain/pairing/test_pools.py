"""Arena pools and Case's ladder."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.pairing.arena import pair_pool
from domain.pairing.ladder import after_result, may_challenge
from domain.pairing.shapes import Contender, NoPairing
from tests.domain.pairing.fields import field, matchings, name, numbers

RUNGS = tuple(name(i) for i in range(1, 61))


def test_a_pool_pairs_close_scores_and_the_last_comer_waits() -> None:
    pool = field([30, 10, 31, 11, 500], 1).contenders
    pairing = pair_pool(pool, {})
    assert {frozenset(pair) for pair in numbers(pairing)} == {frozenset({1, 3}), frozenset({2, 4})}
    assert (pairing.byes, pairing.cost) == (("e5",), 2)


def test_last_opponents_do_not_meet_again_at_once() -> None:
    pool = field([30, 31, 0, 0], 1).contenders
    assert frozenset({1, 2}) not in map(frozenset, numbers(pair_pool(pool, {"e1": "e2"})))


@pytest.mark.parametrize("count", [0, 1])
def test_a_pool_of_none_or_one_waits(count: int) -> None:
    pairing = pair_pool(field([0] * count, 1).contenders, {})
    assert pairing.pairs == ()
    assert len(pairing.byes) == count


def test_two_last_opponents_wait_for_others() -> None:
    assert pair_pool(field([0, 0], 1).contenders, {"e1": "e2", "e2": "e1"}).byes == ("e1", "e2")


def test_a_pool_that_names_somebody_twice_is_refused() -> None:
    with pytest.raises(NoPairing):
        pair_pool([Contender("e1", 1), Contender("e1", 2)], {})


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9), st.integers(2, 7))
def test_as_many_of_a_pool_are_paired_as_can_be(seed: int, count: int) -> None:
    random = Random(seed)
    last = {name(i): name(random.randint(1, count)) for i in range(1, count + 1)}
    last = {one: other for one, other in last.items() if one != other}
    barred = {frozenset(pair) for pair in last.items()}
    pairing = pair_pool(field([random.randrange(50) for _ in range(count)], 1).contenders, last)
    seated = [entrant for pair in pairing.pairs for entrant in (pair.ns, pair.ew)] + list(pairing.byes)
    assert sorted(seated) == [name(i) for i in range(1, count + 1)]
    assert not {frozenset((pair.ns, pair.ew)) for pair in pairing.pairs} & barred
    even = count + count % 2
    most = max(
        sum(b < count and frozenset((name(a + 1), name(b + 1))) not in barred for a, b in matching)
        for matching in matchings(even)
    )
    assert len(pairing.pairs) == most


def test_cases_ladder_moves_the_winner_half_of_the_way_up() -> None:
    assert after_result(RUNGS, "e50", "e1").index("e50") == 24
    ten = after_result(RUNGS, "e10", "e1")
    assert ten.index("e10") == 4
    assert ten[7] == "e7"
    assert after_result(RUNGS, "e6", "e5")[4:6] == ("e6", "e5")


def test_on_the_ladder_a_winner_from_above_stays() -> None:
    assert after_result(RUNGS, "e3", "e9") == RUNGS


@given(st.integers(1, 60), st.integers(1, 60))
def test_on_the_ladder_nobody_is_lost_and_only_those_passed_go_down_one(winner: int, loser: int) -> None:
    if winner == loser:
        return
    after = after_result(RUNGS, name(winner), name(loser))
    assert sorted(after) == sorted(RUNGS)
    for rung, entrant in enumerate(RUNGS):
        assert entrant == name(winner) or after.index(entrant) - rung in (0, 1)


def test_a_challenge_reaches_so_many_rungs_up() -> None:
    assert may_challenge(RUNGS, "e9", "e6", reach=3)
    assert not may_challenge(RUNGS, "e9", "e5", reach=3)
    assert not may_challenge(RUNGS, "e5", "e9", reach=9)
    assert may_challenge(RUNGS, "e60", "e1")


@pytest.mark.parametrize(("one", "other"), [("e1", "e1"), ("e1", "e99"), ("e99", "e1")])
def test_only_two_on_the_ladder_play_for_it(one: str, other: str) -> None:
    with pytest.raises(NoPairing):
        after_result(RUNGS, one, other)
