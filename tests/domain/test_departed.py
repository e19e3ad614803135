"""Who has left a game under way: a set that grows by one at a time, however many copies of the state there are."""

import pickle
from collections.abc import Iterable
from itertools import pairwise

import pytest

from domain.departed import Departed
from domain.evolve import fold, fold_into
from domain.lobby import leave, sit
from domain.state import State
from domain.state_hash import state_hash
from tests.domain.tables import begun

MANY = 20_000


def after_leaving(state: State, *players: str) -> State:
    """Each player sits down at seat 1, which is free, and leaves it."""
    for player in players:
        state = fold(state, sit(state, 1, player))
        state = fold(state, leave(state, 1, player))
    return state


@pytest.fixture
def freed() -> State:
    """A game under way whose seat 1 has been left by p1."""
    state = begun()
    return fold(state, leave(state, 1, "p1"))


def test_departures_are_written_once_however_many_there_are(freed: State, monkeypatch: pytest.MonkeyPatch) -> None:
    copied = []
    whole = Departed.__init__

    def counting(departed: Departed, players: Iterable[str] = ()) -> None:
        whole(departed, players)
        copied.append(len(departed))

    monkeypatch.setattr(Departed, "__init__", counting)
    state = freed.copy()
    for number in range(MANY):
        player = f"x{number}"
        fold_into(state, sit(state, 1, player))
        fold_into(state, leave(state, 1, player))
    assert len(state.table.departed) == MANY + 1
    assert sum(copied) <= 1


def test_states_that_part_keep_their_departed_apart(freed: State) -> None:
    left, right = after_leaving(freed, "anna", "bert"), after_leaving(freed, "cid", "bert")
    again = after_leaving(left, "dora")
    assert set(freed.table.departed) == {"p1"}
    assert set(left.table.departed) == {"p1", "anna", "bert"}
    assert set(right.table.departed) == {"p1", "cid", "bert"}
    assert set(again.table.departed) == {"p1", "anna", "bert", "dora"}
    assert "anna" not in right.table.departed
    assert "dora" not in left.table.departed
    assert sit(freed, 1, "anna")


def test_games_that_begin_alike_share_nothing() -> None:
    start = Departed()
    first, second = start.adding("anna"), start.adding("bert")
    assert (set(first), set(second), set(start)) == ({"anna"}, {"bert"}, set())
    # Every game begins with the same empty set, which outlives them all.
    assert pickle.dumps(start) == pickle.dumps(Departed())


def test_who_departs_twice_stands_there_once() -> None:
    once = Departed(["anna", "bert", "anna"])
    assert once.adding("anna") is once
    assert list(once) == ["anna", "bert"]
    assert len(once) == 2


def test_the_departed_are_equal_whatever_their_order() -> None:
    steps = [Departed()]
    for player in "abc":
        steps.append(steps[-1].adding(player))
    assert [len(step) for step in steps] == [0, 1, 2, 3]
    assert all(one < other for one, other in pairwise(steps))
    assert steps[-1] == Departed("cba")
    assert steps[1] != Departed("b")
    assert pickle.loads(pickle.dumps(steps[1])) == steps[1]


def test_the_hash_of_a_state_does_not_know_who_departed_first(freed: State) -> None:
    one, other = after_leaving(freed, "anna", "bert"), after_leaving(freed, "bert", "anna")
    assert one == other
    assert state_hash(one) == state_hash(other)
