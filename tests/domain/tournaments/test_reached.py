"""How far everybody came in a bracket, in words."""

from domain.tournaments.entry_events import Withdrawn
from domain.tournaments.formats import Elimination, Swiss
from domain.tournaments.matches import FixedHands, MatchTerms
from domain.tournaments.reached import is_bracket, reached
from domain.tournaments.terms import Stage
from tests.domain.tournaments.scenarios import Desk, terms_of
from tests.domain.tournaments.told import Told

FIRST = (1, 0)
SECOND = (0, 1)
SEMIFINALS = {"W1-1": FIRST, "W1-2": FIRST}


def knockout(entrants: int, form: Elimination) -> Told:
    return Told(terms_of(Stage(format=form, match=MatchTerms(length=FixedHands(1)))), entrants)


def words(told: Desk) -> list[str]:
    """In the order of the entrants."""
    assert is_bracket(told.state, 0)
    return [*reached(told.state, told.state.stages[0]).values()]


def test_a_bracket_tells_who_is_still_in_and_where_others_lost() -> None:
    told = knockout(4, Elimination())
    assert words(told) == ["still in"] * 4
    told.bracket(SEMIFINALS)
    assert words(told) == ["still in", "still in", "lost in a semi-final", "lost in a semi-final"]
    told.bracket({"W2-1": SECOND})
    assert words(told)[:2] == ["lost in the final", "winner"]


def test_who_plays_for_the_third_place_has_not_lost_all() -> None:
    told = knockout(4, Elimination(third_place=True))
    told.bracket(SEMIFINALS)
    assert words(told)[2:] == ["plays for the third place"] * 2
    told.bracket({"T": FIRST, "W2-1": FIRST})
    assert sorted(words(told)) == ["fourth", "lost in the final", "third", "winner"]


def test_early_rounds_have_numbers() -> None:
    event = Desk(terms_of(Elimination()), 17)
    event.finish()
    told = words(event)
    assert sorted(set(told)) == [
        "lost in a quarter-final", "lost in a semi-final", "lost in round 1", "lost in round 2", "lost in the final",
        "winner",
    ]  # fmt: skip
    assert told.count("lost in round 2") == 8


def test_who_lost_once_is_still_in_a_double_elimination() -> None:
    told = knockout(4, Elimination(double=True))
    told.bracket(SEMIFINALS)
    assert words(told) == ["still in"] * 4
    told.bracket({"L1-1": FIRST, "W2-1": FIRST})
    assert words(told).count("lost in losers' round 1") == 1
    event = Desk(terms_of(Elimination(double=True)), 6)
    event.finish()
    assert {"winner", "lost in the final", "lost in losers' round 2"} <= {*words(event)}


def test_who_was_disqualified_reached_nothing() -> None:
    told = knockout(4, Elimination())
    told.bracket(SEMIFINALS)
    told.bracket({"W2-1": FIRST})
    told.add(Withdrawn(entrant="e1", disqualified=True))
    assert words(told)[:2] == ["disqualified", "lost in the final"]


def test_only_brackets_are_ranked_so() -> None:
    event = Desk(terms_of(Swiss(rounds=1)), 4)
    event.finish()
    assert reached(event.state, event.state.stages[0]) == {}
    assert not is_bracket(event.state, 0)
