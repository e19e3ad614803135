"""The log of what persons did."""

from typing import get_args

from domain.tournaments.act_log import act_log, hundredths, tell
from domain.tournaments.events import AnyTournamentEvent
from tests.domain.tournaments.directors import DIRECTOR, event, swiss


def test_what_happened_of_itself_is_not_in_the_log() -> None:
    tournament = event(swiss(), 6)
    tournament.begin()
    tournament.next_round()
    tournament.play_all()
    logged = act_log(tournament.happened)
    assert {each.by for each in logged} == {DIRECTOR, "p1", ""}
    assert not any(each.event == "match_decided" for each in logged)


def test_an_act_is_told_with_its_reason_and_where_its_note_is() -> None:
    tournament = event(swiss(), 6)
    tournament.begin()
    tournament.next_round()
    tournament.act("forfeit", match="r1m1", entrants=["e4"], reason="absence", note="Waited for ten minutes.")
    tournament.act("penalty", entrant="e2", score=-50, round=1, reason="technical")
    tournament.act("rule", match="r1m1", adjustment={"kind": "points", "points": [0, 5]}, reason="agreement")
    tournament.act("rule", match="r1m1", adjustment=None, reason="agreement")
    ruling = tournament.state.version - 1
    told = [(each.told, each.reason, each.text and each.text.id) for each in act_log(tournament.happened[-4:])]
    assert told == [
        ("r1m1: side 2 forfeits, scored 14.00 : 6.00", "absence", "n1"),
        ("e2 gets 0.50 in round 1", "technical", "n1"),
        (f"r1m1 is ruled: 0 : 5, scored 9.98 : 10.02, in the place of ruling {ruling - 2}", "agreement", "n1"),
        ("r1m1: the ruling is taken back", "agreement", "n1"),
    ]


def test_the_reason_of_an_act_stands_in_each_of_its_events() -> None:
    tournament = event(swiss(), 6)
    tournament.begin()
    tournament.act("pair")
    before = tournament.state.version
    tournament.act("swap", round=1, entrants=["e1", "e5"], reason="request")
    assert [each.reason for each in tournament.happened[before:]] == ["request", "request"]
    tournament.act("give_bye", entrant="e1", rounds=[2], bye="zero_bye", reason="late")
    assert act_log(tournament.happened)[-1].reason == "late"


def test_pairings_by_hand_are_told_by_match_and_bye() -> None:
    tournament = event(swiss(), 6)
    tournament.begin()
    tournament.act("pair_by_hand", matches=[{"sides": [["e6"], ["e1"]]}], byes={"e2": "half_bye"}, reason="technical")
    assert tell(tournament.happened[-1]).startswith("Round 1 is paired (director): e6 v e1; e2 half bye; e3 zero bye")


def test_scores_are_told_as_people_read_them() -> None:
    assert [hundredths(each) for each in (1450, 5, 0, -50, -1234)] == ["14.50", "0.05", "0.00", "-0.50", "-12.34"]


def test_every_kind_of_event_can_be_told() -> None:
    from domain.tournaments.act_log import _TELLERS

    assert set(get_args(AnyTournamentEvent)) == set(_TELLERS)
