"""Director's acts on penalties."""

from typing import Any

import pytest

from domain.tournaments.entry_events import Entered
from domain.tournaments.formats import Elimination
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.terms import Carry, Registration
from tests.domain.tournaments.directors import Event, scores, two_stages, under_way


def test_a_penalty_is_taken_from_the_score_and_lifted_again() -> None:
    tournament = under_way()
    tournament.play_all()
    tournament.act("close_round", round=1)
    before = scores(tournament)
    tournament.act("penalty", entrant="e1", score=150, round=1, reason="slow_play", note="Twice.")
    number = next(iter(tournament.state.penalties))
    assert scores(tournament)["e1"] == before["e1"] - 150
    assert tournament.state.penalties[number].note is not None
    shown = tournament.act("lift_penalty", penalty=number, reason="agreement")
    assert scores(tournament) == before
    assert {each.entrant for each in shown.ranks} >= {"e1"}
    told = tournament.refused("lift_penalty", TournamentCode.PENALTY_UNKNOWN, penalty=number, reason="agreement")
    assert told["penalties"] == []


def test_a_penalty_is_for_a_known_entrant_and_round_and_not_nothing() -> None:
    tournament = under_way()
    tournament.refused("penalty", TournamentCode.ENTRANT_UNKNOWN, entrant="e9", score=1, reason="conduct")
    tournament.refused("penalty", TournamentCode.ROUND_UNKNOWN, entrant="e1", score=1, round=2, reason="conduct")
    tournament.refused("penalty", TournamentCode.NOTHING_TO_CHANGE, entrant="e1", score=0, reason="conduct")


def test_a_penalty_is_for_somebody_in_the_standings_of_its_stage() -> None:
    tournament = two_stages(qualifiers=2)
    out = next(each for each in tournament.state.entrants if each not in tournament.state.stages[1].entrants)
    told = tournament.refused("penalty", TournamentCode.ENTRANT_UNKNOWN, entrant=out, score=100, reason="conduct")
    assert told == {"entrant": out, "stage": 1}
    tournament.act("penalty", entrant=out, score=100, round=1, reason="conduct")
    assert [each.stage for each in tournament.state.penalties.values()] == [0]


def test_who_waits_for_a_place_has_nothing_to_lose_and_who_has_come_late_has() -> None:
    tournament = under_way(registration=Registration(late_rounds=2))
    tournament.enter(late_round=2)
    tournament.act("penalty", entrant="e7", score=100, reason="late")
    assert scores(tournament)["e7"] == -100
    players = ("p8x0", "p8x1")
    tournament.add(Entered(entrant="e8", players=players, bots=(None, None), consents=players, status="waiting"))
    told = tournament.refused("penalty", TournamentCode.ENTRANT_UNKNOWN, entrant="e8", score=100, reason="late")
    assert told == {"entrant": "e8", "stage": 0}


def test_a_penalty_after_the_end_gives_a_new_final_order() -> None:
    tournament = under_way(rounds=1)
    tournament.play_all()
    tournament.act("finish")
    winner = tournament.state.order[0]
    tournament.act("penalty", entrant=winner, score=1500, reason="eligibility")
    assert tournament.state.status == "finished"
    assert tournament.state.order[0] != winner


def started_bracket() -> tuple[Event, str]:
    """The final is being played by two of six; the first of them comes with it."""
    tournament = two_stages(Elimination(), qualifiers=2)
    tournament.next_round()
    return tournament, tournament.state.stages[1].entrants[0]


def test_a_penalty_that_would_have_changed_who_went_on_to_a_stage_under_way_has_to_be_accepted() -> None:
    tournament, first = started_bracket()
    act: dict[str, Any] = {"entrant": first, "score": 2000, "round": 1, "reason": "conduct"}
    told = tournament.refused("penalty", TournamentCode.DEPENDANTS, **act)
    assert (told["entrant"], told["stage"], told["matches"]) == (first, 1, ["r2m1"])
    shown = tournament.act("penalty", **act, accept_dependants=True)
    assert shown.dependants == ("r2m1",)
    assert first in tournament.state.stages[1].entrants


def test_lifting_a_penalty_that_had_kept_somebody_out_has_to_be_accepted_as_well() -> None:
    tournament = two_stages(Elimination(), qualifiers=2)
    first = tournament.state.stages[1].entrants[0]
    tournament.act("penalty", entrant=first, score=2000, round=1, reason="conduct")
    tournament.next_round()
    act: dict[str, Any] = {"penalty": next(iter(tournament.state.penalties)), "reason": "agreement"}
    tournament.refused("lift_penalty", TournamentCode.DEPENDANTS, **act)
    tournament.act("lift_penalty", **act, accept_dependants=True)
    assert first not in tournament.state.stages[1].entrants


@pytest.mark.parametrize("later", [True, False], ids=["given in the second stage", "given in the first"])
def test_a_penalty_for_no_round_is_for_the_stage_of_its_time_also_where_that_begins_anew(later: bool) -> None:
    tournament = two_stages(Elimination(), qualifiers=2, carry=Carry(what="score")) if later else under_way()
    tournament.act("penalty", entrant="e1", score=50, reason="conduct")
    (penalty,) = tournament.state.penalties.values()
    assert penalty.stage == int(later)
    if later:
        first = tournament.state.stages[1].entrants[0]
        tournament.now = tournament.now.replace(minute=59)
        tournament.act("penalty", entrant=first, score=2000, round=1, reason="conduct")
        assert tournament.state.stages[1].begun_at > tournament.happened[penalty.n - 1].at
    assert tournament.state.penalties[penalty.n].stage == int(later)
