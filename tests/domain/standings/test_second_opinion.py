"""Unplayed rounds by FIDE C.07: our sums against those of the library, over random events."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.standings.lines import CHESS_POINTS, MATCH_POINTS, VP_SCALE, Entry, Line, Scale
from domain.standings.second_opinion import LIBRARY_CODES, differences, library_values
from tests.domain.standings.random_fields import random_field, round_robin

CODES = tuple(LIBRARY_CODES)
SCALES = (VP_SCALE, MATCH_POINTS, CHESS_POINTS)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**9),
    scale=st.sampled_from(SCALES),
    entrants=st.integers(2, 24),
    rounds=st.integers(1, 9),
    trouble=st.sampled_from((0.0, 0.1, 0.3, 0.7)),
    data=st.data(),
)
def test_swiss_values_are_those_of_the_library_after_any_round(
    seed: int, scale: Scale, entrants: int, rounds: int, trouble: float, data: st.DataObject
) -> None:
    entries = random_field(seed, scale, entrants=entrants, rounds=rounds, trouble=trouble)
    after = data.draw(st.integers(1, rounds))
    assert differences(entries, CODES, after=after, scale=scale) == ()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**9),
    scale=st.sampled_from(SCALES),
    entrants=st.integers(2, 12),
    trouble=st.sampled_from((0.0, 0.2)),
    data=st.data(),
)
def test_round_robin_values_are_those_of_the_library_after_any_round(
    seed: int, scale: Scale, entrants: int, trouble: float, data: st.DataObject
) -> None:
    entries, rounds = round_robin(seed, scale, entrants=entrants, trouble=trouble)
    after = data.draw(st.integers(1, rounds))
    assert differences(entries, CODES, after=after, scale=scale, pairing="round_robin") == ()


@pytest.mark.parametrize("seed", range(4))
def test_a_field_of_a_hundred_and_one_with_much_trouble_agrees(seed: int) -> None:
    entries = random_field(seed, VP_SCALE, entrants=101, rounds=11, trouble=0.4)
    assert differences(entries, CODES, after=11, scale=VP_SCALE) == ()


def test_penalties_agree() -> None:
    entries = random_field(5, VP_SCALE, entrants=9, rounds=4, trouble=0.5)
    fined = [*entries[:4], Entry(entrant="e5", seed=5, lines=entries[4].lines, penalty=150), *entries[5:]]
    assert differences(fined, CODES, after=4, scale=VP_SCALE) == ()
    assert library_values(fined, ("SCORE",), after=4, scale=VP_SCALE)["SCORE"][4] == (
        sum(line.score for line in entries[4].lines) - 150
    )


def test_a_difference_names_the_entrant_the_tie_break_and_both_values(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = random_field(1, CHESS_POINTS, entrants=4, rounds=2, trouble=0.0)
    monkeypatch.setitem(LIBRARY_CODES, "BH", "BH/C1")
    found = differences(entries, ("BH",), after=2, scale=CHESS_POINTS)
    assert found
    assert {one.code for one in found} == {"BH"}
    assert all(one.ours is not None and one.theirs is not None and one.ours >= one.theirs for one in found)


def test_the_library_cannot_take_tables_of_individuals_or_one_sided_meetings() -> None:
    one = Line(round=1, kind="played", score=2000, opponents=("e2", "e3"))
    table = [
        Entry(entrant="e1", seed=1, lines=(one,)),
        Entry(entrant="e2", seed=2, lines=()),
        Entry(entrant="e3", seed=3, lines=()),
    ]
    with pytest.raises(ValueError, match="several opponents"):
        library_values(table, ("BH",), after=1, scale=VP_SCALE)
    lonely = [
        Entry(entrant="e1", seed=1, lines=(Line(round=1, kind="played", score=2000, opponents=("e2",)),)),
        Entry(entrant="e2", seed=2, lines=()),
    ]
    with pytest.raises(ValueError, match="Only e1 has the meeting with e2"):
        library_values(lonely, ("BH",), after=1, scale=VP_SCALE)
