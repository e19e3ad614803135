"""The fold: who is rated by a result, and what is no result."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ratings.folding import check_result, fold, rate, subjects_of
from domain.ratings.models import GLICKO, PLACKETT_LUCE
from domain.ratings.shapes import MANY, Result, ResultInvalid, Side, Standing, subject_of

PAIRS: tuple[Side, ...] = ((("d", "a"),), (("b", "c"),))


def result(*sides: Side, ranks: tuple[int, ...] = (), model: str = PLACKETT_LUCE, partnerships: bool = True) -> Result:
    places = ranks or tuple(range(1, len(sides) + 1))
    return Result(sides=sides, ranks=places, model=model, partnerships=partnerships)


def folded(*results: Result) -> dict[str, Standing]:
    standings: dict[str, Standing] = {}
    fold(results, standings)
    return standings


def test_partners_are_rated_alone_and_together() -> None:
    changes = {change.subject: change for change in rate(result(*PAIRS), {})}
    assert set(changes) == {"a", "b", "c", "d", "a.d", "b.c"}
    assert changes["a.d"].kind == "partnership"
    assert changes["a.d"].players == ("a", "d")
    assert {subject: change.rank for subject, change in changes.items() if change.rank == 1} == {
        "a": 1,
        "d": 1,
        "a.d": 1,
    }


def test_a_partnership_is_rated_as_one_against_one() -> None:
    pair = folded(result(*PAIRS))["a.d"].rating
    assert pair == folded(result((("x",),), (("y",),)))["x"].rating
    assert pair != folded(result(*PAIRS))["a"].rating


def test_partners_drawn_by_a_movement_are_no_partnership() -> None:
    assert set(folded(result(*PAIRS, partnerships=False))) == {"a", "b", "c", "d"}


def test_players_who_sat_alone_are_no_partnership() -> None:
    assert set(folded(result((("a",),), (("b",),), (("c",),)))) == {"a", "b", "c"}
    assert set(folded(result((("a",),), (("b", "c"),)))) == {"a", "b", "c"}


def test_a_team_of_two_pairs_is_rated_as_its_pairs_and_its_persons() -> None:
    teams = result((("a", "b"), ("c", "d")), (("e", "f"), ("g", "h")))
    assert set(folded(teams)) == {*"abcdefgh", "a.b", "c.d", "e.f", "g.h"}


def test_a_rating_with_one_partner_only_is_told_from_one_with_several() -> None:
    other = result((("a", "c"),), (("b", "d"),))
    assert folded(result(*PAIRS), result(*PAIRS))["a"].company == "d"
    assert folded(result(*PAIRS), other)["a"].company == MANY
    assert folded(result(*PAIRS), other, result(*PAIRS))["a"].company == MANY
    assert folded(result((("a",),), (("b",),)))["a"].company == ""


def test_every_result_counts_once_for_each_subject() -> None:
    standings = folded(*[result(*PAIRS)] * 3)
    assert {standing.results for standing in standings.values()} == {3}


def test_heads_up_results_are_rated_by_glicko() -> None:
    after = folded(result((("a",),), (("b",),), model=GLICKO))
    assert after["a"].rating.volatility is not None
    assert after["a"].rating.estimate - 1500 == 1500 - after["b"].rating.estimate > 100


def test_a_tie_of_equals_moves_nobody() -> None:
    for model in (GLICKO, PLACKETT_LUCE):
        tied = folded(result((("a",),), (("b",),), ranks=(1, 1), model=model))
        assert tied["a"].rating == tied["b"].rating
        assert tied["a"].rating.estimate in (25, 1500)


@pytest.mark.parametrize(
    "wrong",
    [
        result((("a",),)),
        result((("a",),), (("a",),)),
        result((("a", "b"),), (("b", "c"),)),
        result((("a",),), (("b",),), ranks=(1, 2, 3)),
        result((("a",),), (("b",),), ranks=(0, 1)),
        result((), (("b",),)),
        result(((),), (("b",),)),
        result((("a.b",),), (("c",),)),
        result((("",),), (("c",),)),
        result((("*",),), (("c",),)),
        result(*PAIRS, model=GLICKO),
        result((("a",),), (("b",),), (("c",),), model=GLICKO),
        result((("a",), ("b",)), (("c",),), model=GLICKO),
        result(*[((f"p{number}",),) for number in range(65)]),
        result((tuple(f"p{number}" for number in range(65)),), (("c",),)),
    ],
)
def test_what_cannot_be_rated_is_refused(wrong: Result) -> None:
    with pytest.raises(ResultInvalid):
        check_result(wrong)


def test_what_can_be_rated_is_not_refused() -> None:
    for fine in (result(*PAIRS), result((("a",),), (("b",),), model=GLICKO), result((("a",),), (("b", "c"),))):
        check_result(fine)


@st.composite
def results(draw: st.DrawFn) -> Result:
    players = draw(st.permutations("abcdefgh"))
    sizes = draw(st.lists(st.integers(1, 3), min_size=2, max_size=4).filter(lambda sizes: sum(sizes) <= len(players)))
    ends = count()
    sides = tuple((tuple(players[next(ends)] for _ in range(size)),) for size in sizes)
    ranks = draw(st.lists(st.integers(1, 3), min_size=len(sides), max_size=len(sides)))
    return result(*sides, ranks=tuple(ranks), partnerships=draw(st.booleans()))


@given(st.lists(results(), max_size=8), st.data())
def test_folding_in_parts_is_folding_at_once(happened: list[Result], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(happened)))
    standings: dict[str, Standing] = {}
    first, second = fold(happened[:cut], standings), fold(happened[cut:], standings)
    whole: dict[str, Standing] = {}
    assert first + second == fold(happened, whole)
    assert standings == whole


@given(results())
def test_a_result_changes_nobody_but_its_subjects(one: Result) -> None:
    changes = rate(one, {})
    assert {change.subject: change.players for change in changes} == subjects_of(one)
    assert len({change.subject for change in changes}) == len(changes)
    assert all(subject_of(change.players) == change.subject for change in changes)
