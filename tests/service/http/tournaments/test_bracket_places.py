"""Matches of brackets in words, and who waits for the next one."""

import pytest

from domain.tournaments.formats import Elimination
from service.http.tournaments.bracket_places import places_in_bracket, waiting
from tests.domain.tournaments.scenarios import terms_of
from tests.domain.tournaments.told import Told

FIRST = (500, 0)
SECOND = (0, 500)


def test_the_last_matches_of_a_knock_out_have_names() -> None:
    told = Told(terms_of(Elimination(third_place=True)), 16)
    places = places_in_bracket(told.state, told.state.stages[0])
    assert places["W1-8"] == "Round 1"
    assert {places[f"W2-{place}"] for place in range(1, 5)} == {"Quarter-final"}
    assert [places[each] for each in ("W3-1", "W3-2", "W4-1", "T")] == [
        "Semi-final", "Semi-final", "Final", "Third place",
    ]  # fmt: skip


def test_matches_of_a_double_elimination_are_called_by_their_side_of_it() -> None:
    told = Told(terms_of(Elimination(double=True)), 11)
    places = places_in_bracket(told.state, told.state.stages[0])
    assert {places["W1-1"], places["W4-1"]} == {"Winners, round 1", "Winners, round 4"}
    assert places["L4-2"] == "Losers, round 4"
    assert (places["F1"], places["F2"]) == ("Final", "Final, second match")


def test_who_waits_in_a_round_of_a_bracket_is_neither_out_nor_paired() -> None:
    told = Told(terms_of(Elimination(double=True)), 3)
    told.bracket({"W1-1": FIRST})
    told.bracket({"W2-1": FIRST})
    told.bracket({"L2-1": FIRST})
    told.bracket({"F1": SECOND})
    told.bracket({"F2": FIRST})
    rounds = [waiting(told.state, told.state.rounds[number]) for number in range(1, 6)]
    assert rounds == [{"e1": "bye"}, {"e3": "waits for an opponent"}, {"e1": "waits for an opponent"}, {}, {}]


@pytest.mark.parametrize("third", [True, False])
def test_who_has_lost_in_a_knock_out_waits_for_nothing(third: bool) -> None:
    told = Told(terms_of(Elimination(third_place=third)), 6)
    told.bracket({"W1-1": FIRST, "W1-2": FIRST})
    told.bracket({"W2-1": FIRST, "W2-2": FIRST})
    told.bracket({"W3-1": FIRST, "T": FIRST} if third else {"W3-1": FIRST})
    rounds = [waiting(told.state, played) for played in told.state.rounds.values()]
    assert rounds == [{"e1": "bye", "e2": "bye"}, {}, {}]
