"""What stands on the sheets of stages that have no scores."""

import pytest

from domain.tournaments.crosstable import crosstable
from domain.tournaments.formats import Elimination, Format, Ladder, Swiss
from domain.tournaments.standings import standings
from domain.tournaments.terms import DEFAULT_VP
from service.http.tournaments.cross_sheet import cross_blocks
from service.http.tournaments.sheets import standing_groups, tie_break_heads
from tests.domain.tournaments.scenarios import terms_of
from tests.domain.tournaments.told import Told, met


def told_of(form: Format) -> Told:
    """A match of two is over."""
    told = Told(terms_of(form), 2)
    told.round([met("e1", "e2", 500, 0)])
    return told


@pytest.mark.parametrize("form", [Elimination(), Ladder(days=10, reach=2)])
def test_tie_breaks_that_nobody_has_a_value_of_have_no_column(form: Format) -> None:
    told = told_of(form)
    found = standings(told.state)
    assert tie_break_heads(told.state.stage_terms(0), found.rows) == ()


def test_a_column_leads_to_the_values_of_its_tie_break() -> None:
    told = told_of(Swiss(rounds=1))
    found = standings(told.state)
    heads = tie_break_heads(told.state.stage_terms(0), found.rows)
    assert [each.code for each in heads] == ["BH-C1", "MPD", "WIN"]
    assert [DEFAULT_VP[each.place] for each in heads] == ["opponents_vp_cut_1", "margin", "wins"]
    (group,) = standing_groups(told.state, found, {"e1": "e1", "e2": "e2"})
    assert [row.ties[heads[1].place] for row in group.rows] == ["500", "−500"]


def test_in_a_bracket_nothing_carried_is_told_of() -> None:
    told = Told(terms_of(Elimination()), 2, carried={"e1": 500})
    names = {"e1": "e1", "e2": "e2"}
    (group,) = standing_groups(told.state, standings(told.state), names)
    (block,) = cross_blocks(told.state, crosstable(told.state), names)
    assert {row.carried for row in group.rows} == {line.carried for line in block.lines} == {""}
