"""Director's acts on registration, the clock of a round, stages and the end."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from domain.tournaments.clocks import text
from domain.tournaments.formats import Danish, Swiss
from domain.tournaments.games import wanted_games
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.terms import Stage
from tests.domain.tournaments.directors import BY_HAND, Event, event, swiss, under_way
from tests.domain.tournaments.scenarios import NOON, QUICK, terms_of


def test_registration_opens_and_closes_once() -> None:
    tournament = event(swiss())
    tournament.refused("close_registration", TournamentCode.WRONG_STATUS)
    tournament.act("open_registration")
    tournament.refused("open_registration", TournamentCode.NOTHING_TO_CHANGE)
    tournament.act("close_registration")
    tournament.refused("close_registration", TournamentCode.NOTHING_TO_CHANGE)
    assert tournament.act("open_registration").status_new == "registration"


def test_a_tournament_of_one_does_not_start() -> None:
    told = event(swiss(), 1).refused("start", TournamentCode.ENTRANTS_TOO_FEW)
    assert told == {"needed": 2, "found": 1}


def test_a_tournament_starts_once() -> None:
    tournament = under_way()
    tournament.refused("start", TournamentCode.WRONG_STATUS)
    tournament.refused("open_registration", TournamentCode.WRONG_STATUS)


def test_a_round_begins_once_and_only_when_it_is_paired() -> None:
    tournament = event(swiss(), 6)
    tournament.refused("start_round", TournamentCode.WRONG_STATUS, round=1)
    tournament.begin()
    tournament.refused("start_round", TournamentCode.ROUND_UNKNOWN, round=1)
    tournament.next_round()
    tournament.refused("start_round", TournamentCode.ROUND_WRONG_STATUS, round=1)


def test_a_round_is_closed_when_every_match_is_over() -> None:
    tournament = under_way()
    tournament.refused("close_round", TournamentCode.ROUND_WRONG_STATUS, round=1)
    tournament.play_all()
    shown = tournament.act("close_round", round=1)
    assert [(each.old, each.new) for each in shown.rounds] == [("started", "closed")]
    tournament.refused("close_round", TournamentCode.ROUND_WRONG_STATUS, round=1)


def test_the_clock_of_a_round_is_moved_by_minutes_or_to_a_time() -> None:
    tournament = under_way()
    assert tournament.state.rounds[1].due_at == text(NOON + timedelta(minutes=25))
    tournament.act("change_clock", round=1, minutes=10)
    assert tournament.state.rounds[1].due_at == text(NOON + timedelta(minutes=35))
    tournament.act("change_clock", round=1, minutes=-20)
    assert tournament.state.rounds[1].due_at == text(NOON + timedelta(minutes=15))
    at = text(NOON + timedelta(hours=1))
    shown = tournament.act("change_clock", round=1, due_at=at)
    assert [(each.old, each.new) for each in shown.clocks] == [(text(NOON + timedelta(minutes=15)), at)]
    tournament.refused("change_clock", TournamentCode.NOTHING_TO_CHANGE, round=1, due_at=at)


def test_matches_are_each_given_as_much_more_time() -> None:
    tournament = under_way()
    tournament.act("change_clock", round=1, minutes=5, matches=["r1m1"])
    tournament.act("change_clock", round=1, minutes=5, matches=["r1m1", "r1m2"])
    ends = [match.due_at for match in tournament.state.matches_of(1)]
    assert ends == [text(NOON + timedelta(minutes=35)), text(NOON + timedelta(minutes=30)), None]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"minutes": 5, "due_at": "2026-05-01T14:00:00Z"},
        {"minutes": -25},
        {"due_at": "2026-05-01T11:59:59Z"},
        {"due_at": "tomorrow"},
        {"due_at": "2026-W20-1"},
        {"due_at": "2026-05-01T14:00:00+01:00"},
        {"due_at": "2026-02-30T14:00:00Z"},
    ],
)
def test_the_end_of_a_clock_is_a_time_to_come(fields: dict[str, Any]) -> None:
    under_way().refused("change_clock", TournamentCode.TIME_INVALID, round=1, **fields)


def test_clocks_are_those_of_open_matches_of_a_round_under_way() -> None:
    tournament = under_way()
    tournament.refused("change_clock", TournamentCode.MATCH_UNKNOWN, round=1, minutes=5, matches=["r9m1"])
    tournament.act("forfeit", match="r1m1", entrants=["e4"], reason="absence")
    tournament.refused("change_clock", TournamentCode.MATCH_WRONG_STATUS, round=1, minutes=5, matches=["r1m1"])
    tournament.refused("call_time", TournamentCode.ROUND_UNKNOWN, round=7)


def test_time_is_called_early_once_and_given_anew_from_then_on() -> None:
    tournament = under_way()
    tournament.now += timedelta(minutes=3)
    tournament.act("call_time", round=1, reason="technical")
    assert all(game.time_called for game in wanted_games(tournament.state))
    tournament.refused("call_time", TournamentCode.NOTHING_TO_CHANGE, round=1)
    tournament.act("change_clock", round=1, minutes=10)
    assert tournament.state.rounds[1].due_at == text(NOON + timedelta(minutes=13))
    assert not any(game.time_called for game in wanted_games(tournament.state))


def test_time_is_called_also_in_a_round_without_a_clock() -> None:
    stage = Stage(format=Swiss(rounds=1), match=replace(QUICK, minutes=None))
    tournament = event(terms_of(stage, pace=BY_HAND), 4)
    tournament.begin()
    tournament.next_round()
    assert tournament.state.rounds[1].due_at is None
    tournament.act("call_time", round=1)
    assert all(game.time_called for game in wanted_games(tournament.state))


def test_time_is_called_for_single_matches() -> None:
    tournament = under_way()
    tournament.act("call_time", round=1, matches=["r1m2"])
    assert [game.time_called for game in wanted_games(tournament.state)] == [False, True, False]
    tournament.refused("call_time", TournamentCode.NOTHING_TO_CHANGE, round=1, matches=["r1m2"])


def test_a_no_show_is_noted_once_for_an_entrant_of_the_match() -> None:
    tournament = under_way()
    tournament.act("note_no_show", match="r1m1", entrant="e4")
    assert tournament.state.matches["r1m1"].missing == ("e4",)
    tournament.refused("note_no_show", TournamentCode.NOTHING_TO_CHANGE, match="r1m1", entrant="e4")
    tournament.refused("note_no_show", TournamentCode.ENTRANT_UNKNOWN, match="r1m1", entrant="e2")
    tournament.refused("note_no_show", TournamentCode.MATCH_UNKNOWN, match="r4m1", entrant="e2")


def test_standings_are_published_while_a_tournament_runs() -> None:
    tournament = event(swiss(rounds=2), 4)
    tournament.refused("publish_standings", TournamentCode.WRONG_STATUS)
    tournament.begin()
    tournament.act("publish_standings")
    assert tournament.state.published == tournament.state.version


def two_stages() -> Event:
    second = Stage(format=Danish(rounds=1), match=QUICK, qualifiers=4)
    tournament = event(terms_of(Swiss(rounds=3), second, pace=BY_HAND), 8)
    tournament.begin()
    return tournament


def test_a_stage_ends_early_and_the_next_begins_with_its_best() -> None:
    tournament = two_stages()
    tournament.next_round()
    tournament.refused("end_stage", TournamentCode.ROUND_WRONG_STATUS)
    tournament.play_all()
    tournament.act("end_stage")
    assert tournament.state.rounds[1].status == "closed", "A round that is over is closed in the same append."
    assert set(tournament.state.stages[1].entrants) == {"e1", "e2", "e3", "e4"}
    tournament.act("end_stage")
    assert tournament.state.status == "finished"


def test_a_director_cuts_to_another_number_than_that_of_the_terms() -> None:
    tournament = two_stages()
    tournament.whole_round()
    assert tournament.act("advance", qualifiers=2).terms_changed
    assert len(tournament.state.stages[1].entrants) == 2
    tournament.refused("advance", TournamentCode.STAGE_OVER)


def test_a_round_that_has_not_begun_goes_with_its_stage() -> None:
    tournament = two_stages()
    tournament.whole_round()
    tournament.act("pair")
    tournament.act("advance")
    assert [*tournament.state.rounds] == [1]


def test_a_tournament_is_finished_and_reopened() -> None:
    tournament = under_way()
    tournament.refused("finish", TournamentCode.ROUND_WRONG_STATUS)
    tournament.play_all()
    tournament.act("finish")
    assert tournament.state.order[0] in ("e1", "e2", "e3")
    tournament.refused("finish", TournamentCode.WRONG_STATUS)
    tournament.refused("pair", TournamentCode.WRONG_STATUS)
    tournament.act("reopen", reason="scoring_error")
    tournament.refused("reopen", TournamentCode.WRONG_STATUS, reason="other")
    tournament.act("pair")


def test_a_cancelled_tournament_takes_no_act() -> None:
    tournament = under_way()
    tournament.act("cancel", reason="technical", note="No power.")
    assert tournament.state.cancelled == "technical"
    tournament.refused("cancel", TournamentCode.WRONG_STATUS, reason="technical")
    tournament.refused("reopen", TournamentCode.WRONG_STATUS, reason="other")
    tournament.refused("rule", TournamentCode.WRONG_STATUS, match="r1m1", adjustment={"kind": "void"}, reason="other")


def test_an_announcement_is_kept_with_where_its_text_is() -> None:
    tournament = under_way()
    assert tournament.act("announce", text="Tea at four.").announcements == 1
    assert tournament.state.announcements[-1].text.id == "n1"
