"""What a director did in a tournament is in its file, and done again."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from domain.tournaments.formats import RoundRobin, Swiss
from domain.tournaments.terms import Registration
from service.tournaments.exporting import rounds_over
from tests.domain.tournaments.directors import BY_HAND, Event
from tests.domain.tournaments.scenarios import terms_of
from tests.service.tournaments.import_files import check_same, directed, file_of, imported, late, stage


def rule_of(kind: str, **fields: Any) -> Callable[[Event], object]:
    return lambda event: event.act("rule", match="r1m1", adjustment={"kind": kind, **fields}, reason="conduct")


DIRECTED: dict[str, Callable[[Event], Any]] = {
    "withdrawal": lambda event: event.act("withdraw", entrant="e1"),
    "disqualification": lambda event: event.act("disqualify", entrant="e2", reason="conduct"),
    "penalty": lambda event: event.act("penalty", entrant="e3", score=250, reason="late"),
    "penalty of a round": lambda event: event.act("penalty", entrant="e3", score=-50, round=1, reason="late"),
    "half bye": lambda event: event.act("give_bye", entrant="e4", rounds=[3], bye="half_bye"),
    "score": rule_of("score", score=[1500, 200]),
    "points": rule_of("points", points=[100, 900]),
    "average": rule_of("average", average=["plus", "minus"]),
    "forfeit": rule_of("forfeit", forfeit=[False, True]),
    "both missing": rule_of("forfeit", forfeit=[True, True]),
    "void": rule_of("void"),
    "late entry": late,
}


@pytest.mark.parametrize("name", DIRECTED)
def test_what_directors_did_is_in_it(name: str) -> None:
    event = directed(DIRECTED[name], registration=Registration(late_rounds=3, late_score=40))
    check_same(event.state, imported(file_of(event.state))[1])


def test_a_tournament_that_has_not_started_brings_its_entrants() -> None:
    event = Event(terms_of(Swiss(rounds=3), pace=BY_HAND), 6)
    found = imported(file_of(event.state))[1]
    assert found.status == "registration"
    assert len(found.active) == 6


def test_a_round_under_way_is_left_out() -> None:
    event = directed(lambda _event: None)
    event.act("pair")
    event.act("start_round", round=4)
    file = file_of(event.state)
    assert len(rounds_over(file.terms, file.rounds)) == 3
    assert len(imported(file)[1].rounds) == 3


def test_a_penalty_counts_in_the_stage_in_which_it_was_given() -> None:
    terms = terms_of(Swiss(rounds=2), stage(RoundRobin(), qualifiers=4), pace=BY_HAND)
    event = Event(terms, 6)
    event.begin()
    event.whole_round()
    event.act("penalty", entrant="e1", score=700, reason="late")
    event.whole_round()
    event.now += timedelta(hours=1)
    event.act("advance")
    event.whole_round()
    file = file_of(event.state)
    assert [each.stage for each in file.penalties] == [0]
    check_same(event.state, imported(file)[1])
