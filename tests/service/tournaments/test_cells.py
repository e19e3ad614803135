"""Cells of tables that other programs open."""

import pytest

from service.tournaments.cells import cell, plain


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-x", "@x", "|x", "%x", "＝1+1", "＋1", "－x", "＠SUM(1)", "'=1"])
def test_what_begins_like_a_formula_is_marked_as_text_and_read_as_it_was(text: str) -> None:
    assert cell(text) == "'" + text
    assert plain(cell(text)) == text


@pytest.mark.parametrize("text", ["Ada", "-1.50", "17", "a=1", "O'Neill"])
def test_all_else_stays_as_it_is(text: str) -> None:
    assert cell(text) == text
