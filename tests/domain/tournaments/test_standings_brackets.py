"""Brackets are ranked by how far everybody came."""

from domain.tournaments.entry_events import Withdrawn
from domain.tournaments.formats import Elimination
from domain.tournaments.matches import FixedHands, MatchTerms
from domain.tournaments.terms import Stage
from tests.domain.tournaments.scenarios import terms_of
from tests.domain.tournaments.told import Told

FIRST = (1, 0)
SECOND = (0, 1)
SEMIFINALS = {"W1-1": FIRST, "W1-2": FIRST}


def knockout(entrants: int, form: Elimination) -> Told:
    return Told(terms_of(Stage(format=form, match=MatchTerms(length=FixedHands(1)))), entrants)


def test_those_who_are_still_in_stand_before_all_who_are_out() -> None:
    told = knockout(4, Elimination())
    assert told.ranks() == [(1, "e1"), (1, "e2"), (1, "e3"), (1, "e4")]
    told.bracket(SEMIFINALS)
    assert told.ranks() == [(1, "e1"), (1, "e2"), (3, "e3"), (3, "e4")]
    told.bracket({"W2-1": SECOND})
    assert told.ranks() == [(1, "e2"), (2, "e1"), (3, "e3"), (3, "e4")]
    assert told.row("e2").values == (None,) * 5
    assert (told.row("e2").wins, told.row("e1").losses) == (2, 1)


def test_the_match_for_the_third_place_parts_the_losers_of_the_semifinals() -> None:
    told = knockout(4, Elimination(third_place=True))
    told.bracket(SEMIFINALS)
    assert told.ranks() == [(1, "e1"), (1, "e2"), (3, "e3"), (3, "e4")]
    told.bracket({"T": SECOND})
    third, fourth = (row.entrant for row in told.standings().rows[2:])
    assert told.ranks()[:2] == [(1, "e1"), (1, "e2")]
    assert [rank for rank, _ in told.ranks()] == [1, 1, 3, 4]
    told.bracket({"W2-1": FIRST})
    assert told.ranks() == [(1, "e1"), (2, "e2"), (3, third), (4, fourth)]


def test_the_final_may_be_over_before_the_match_for_the_third_place() -> None:
    told = knockout(5, Elimination(third_place=True))
    told.bracket({"W1-1": FIRST})
    told.bracket({"W2-1": FIRST, "W2-2": FIRST})
    told.bracket({"W3-1": FIRST})
    assert [rank for rank, _ in told.ranks()] == [1, 2, 3, 3, 5]
    assert told.ranks()[:2] == [(1, "e1"), (2, "e2")]
    assert told.ranks()[-1] == (5, "e5")


def test_who_lost_once_is_still_in_a_double_elimination() -> None:
    told = knockout(4, Elimination(double=True))
    told.bracket(SEMIFINALS)
    assert [rank for rank, _ in told.ranks()] == [1, 1, 1, 1]
    told.bracket({"L1-1": FIRST, "W2-1": FIRST})
    assert [rank for rank, _ in told.ranks()] == [1, 1, 1, 4]


def test_a_disqualified_winner_makes_room() -> None:
    told = knockout(4, Elimination())
    told.bracket(SEMIFINALS)
    told.bracket({"W2-1": FIRST})
    told.add(Withdrawn(entrant="e1", disqualified=True))
    assert told.ranks() == [(1, "e2"), (2, "e3"), (2, "e4"), (4, "e1")]
