"""Files with something wrong in them are refused with the place, before anything is made."""

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.ruleset_faults import RuleSetInvalidError
from domain.rulesets import resolve
from domain.tournaments.formats import Ladder
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.seating import Adjustment
from service.tournaments.exporting import RulingOut, TournamentOut
from service.tournaments.importing import StepFailed
from tests.service.tournaments.import_files import directed, file_of, imported


def with_sound_rules(file: TournamentOut) -> TournamentOut:
    """The file; `RuleSetInvalidError` where its rule set is none."""
    resolve(file.terms.ruleset.to_json())
    return file


def changed(file: TournamentOut, change: str) -> TournamentOut:
    """A file with one thing wrong in it."""
    first, *others = file.rounds
    match, *matches = first.matches
    rounds = {
        "opponents unknown": replace(match, sides=(("e1",), ("e77",))),
        "oneself": replace(match, sides=(("e1",), ("e1",))),
        "three sides": replace(match, sides=(("e1",), ("e2",), ("e3",))),
        "twice": replace(match, sides=matches[0].sides),
        "hands too short": replace(match, results=tuple(replace(each, hands=((1,),)) for each in match.results)),
        "score wrong": replace(match, score=(123, 456)),
        "ruling wrong": replace(
            match,
            ruling=RulingOut(adjustment=Adjustment(kind="score"), reason="other"),
        ),
    }
    if change in rounds:
        return replace(file, rounds=(replace(first, matches=(rounds[change], *matches)), *others))
    match change:
        case "round number":
            return replace(file, rounds=(replace(first, number=5), *others))
        case "stage number":
            return replace(file, rounds=(replace(first, stage=3), *others))
        case "entrant id":
            return replace(file, entrants=file.entrants[1:])
        case "member missing":
            return replace(file, entrants=(replace(file.entrants[0], members=()), *file.entrants[1:]))
        case "stage differs":
            return replace(file, stages=(replace(file.stages[0], carried=(5,) * 8),))
        case "nobody begins":
            return replace(file, stages=(replace(file.stages[0], entrants=()),))
        case "ladder":
            ladder = replace(file.terms.stages[0], format=Ladder(days=3))
            return replace(file, terms=replace(file.terms, stages=(ladder,)))
        case _:
            return replace(file, standings=(replace(file.standings[0], rows=file.standings[0].rows[::-1]),))


@pytest.mark.parametrize(
    "change",
    [
        "opponents unknown", "oneself", "three sides", "twice", "hands too short", "score wrong", "ruling wrong",
        "round number", "stage number", "entrant id", "member missing", "stage differs", "nobody begins", "ladder",
        "standings differ",
    ],
)  # fmt: skip
def test_a_file_that_contradicts_itself_is_refused_with_the_place(change: str) -> None:
    file = file_of(directed(lambda _event: None, rounds=2).state)
    with pytest.raises(StepFailed) as failed:
        imported(changed(file, change))
    assert failed.value.place
    assert failed.value.message


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in JSON values."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in items:
        found += places(each, (*path, name))
    return found


FILE: Any = msgspec.to_builtins(file_of(directed(lambda _: None, rounds=2).state))
PLACES = [path for path in places(FILE) if path[:2] != ("terms", "ruleset")]
WRONG: st.SearchStrategy[Any] = st.sampled_from(
    [None, 0, 1, -1, 2**70, "", "e1", "e9", "e99", "x", True, [], {}, [["e1"], ["e1"]], [[1]], [1, 2], "swiss", "void"]
)


@settings(max_examples=400, deadline=None)
@given(changes=st.lists(st.tuples(st.sampled_from(PLACES), WRONG | st.just("gone")), min_size=1, max_size=3))
def test_a_file_with_anything_wrong_in_it_is_imported_or_refused(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    file = copy.deepcopy(FILE)
    for (*path, last), wrong in changes:
        try:
            inner = file
            for name in path:
                inner = inner[name]
            if wrong == "gone":
                del inner[last]
            else:
                inner[last] = copy.deepcopy(wrong)
        except (LookupError, TypeError):
            continue
    try:
        imported(with_sound_rules(msgspec.convert(file, TournamentOut)))
    except (StepFailed, TournamentRefused, msgspec.ValidationError, RuleSetInvalidError):
        return


@pytest.mark.parametrize("change", ["players", "going_out_requirement"])
def test_a_rule_set_that_is_none_is_refused(change: str) -> None:
    file = copy.deepcopy(FILE)
    file["terms"]["ruleset"][change] = {}
    with pytest.raises((RuleSetInvalidError, msgspec.ValidationError)):
        imported(with_sound_rules(msgspec.convert(file, TournamentOut)))
