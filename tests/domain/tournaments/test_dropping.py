"""What is not played any more is told before it is dropped."""

from typing import Any

import pytest

from domain.tournaments.formats import Elimination, Format, Mitchell, Swiss
from domain.tournaments.matches import Matchpoints
from domain.tournaments.previews import Preview
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.terms import Boards, Stage
from tests.domain.tournaments.directors import BY_HAND, Event
from tests.domain.tournaments.scenarios import QUICK, terms_of

CUP = Stage(format=Elimination(), match=QUICK, qualifiers=4)


def running(*forms: Format | Stage, rounds: int = 1, entrants: int = 8, **terms: Any) -> Event:
    """So many rounds are over."""
    event = Event(terms_of(*forms, pace=BY_HAND, **terms), entrants)
    event.begin()
    for _ in range(rounds):
        event.whole_round()
    return event


def dropped(shown: Preview) -> list[tuple[int, bool, int | None]]:
    return [(each.stage, each.begun, each.rounds) for each in shown.dropped]


@pytest.mark.parametrize("act", ["finish", "cancel"])
def test_an_end_drops_the_rounds_that_were_not_played_and_the_stages_that_did_not_begin(act: str) -> None:
    fields = {"reason": "other"} if act == "cancel" else {}
    event = running(Swiss(rounds=3), CUP)
    assert dropped(event.show(act, **fields)) == [(0, True, 2), (1, False, None)]
    event.whole_round()
    event.whole_round()
    assert dropped(event.show(act, **fields)) == [(1, False, None)]
    event.act("advance")
    assert dropped(event.show(act, **fields)) == [(1, True, None)]


def test_a_round_that_is_paired_is_dropped_and_one_that_is_over_is_not() -> None:
    event = running(Swiss(rounds=3), rounds=0)
    event.next_round()
    event.play_all()
    assert dropped(event.show("finish")) == [(0, True, 2)]
    event.act("pair")
    assert dropped(event.show("finish")) == [(0, True, 2)]
    assert dropped(event.show("cancel", reason="other")) == [(0, True, 2)]


@pytest.mark.parametrize("act", ["advance", "end_stage"])
def test_the_next_stage_drops_the_rounds_of_the_one_before(act: str) -> None:
    event = running(Swiss(rounds=3), CUP)
    assert dropped(event.show(act)) == [(0, True, 2)]
    event.whole_round()
    event.whole_round()
    assert dropped(event.show(act)) == []


def test_the_end_of_everything_that_was_planned_drops_nothing() -> None:
    event = running(Swiss(rounds=2), rounds=2)
    assert dropped(event.show("finish")) == []
    bracket = running(Elimination(), rounds=2)
    assert dropped(bracket.show("finish")) == [(0, True, None)]
    bracket.whole_round()
    assert dropped(bracket.show("finish")) == []


def test_a_stage_whose_results_are_held_back_drops_its_rounds_and_what_would_follow() -> None:
    forms = Stage(format=Mitchell(rounds=4), match=QUICK, score=Matchpoints())
    event = running(forms, rounds=0, entrants=10, boards=Boards(movement="rotating"))
    event.next_round()
    event.play_all()
    assert dropped(event.show("finish")) == [(0, True, 3)]


def test_what_was_dropped_is_not_dropped_again_by_a_ruling_after_the_end() -> None:
    event = running(Swiss(rounds=3), CUP)
    event.act("finish")
    void = {"match": "r1m1", "adjustment": {"kind": "void"}, "reason": "conduct"}
    assert dropped(event.show("rule", **void)) == []


def test_other_acts_drop_nothing() -> None:
    event = running(Swiss(rounds=3), CUP)
    for act in ("pair", "publish_standings"):
        assert dropped(event.show(act)) == []


def test_at_the_end_of_a_stage_pairing_is_refused_with_what_there_is_to_do() -> None:
    event = running(Swiss(rounds=1), CUP)
    assert event.refused("pair", TournamentCode.STAGE_OVER) == {"stage": 0, "needed": "advance or end_stage"}
    event.act("advance")
    event.whole_round()
    event.whole_round()
    assert event.refused("pair", TournamentCode.STAGE_OVER) == {"stage": 1, "needed": "finish"}
