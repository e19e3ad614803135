"""Stages that end before their time, and those that hardly anybody reaches."""

from datetime import timedelta
from typing import Any

from domain.tournaments.formats import Howell, Mitchell, RoundRobin, Swiss
from domain.tournaments.games import wanted_games
from domain.tournaments.plans import boards_needed
from domain.tournaments.process import next_moment, obstacle
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.round_events import PairingUndone, RoundPaired, RoundStarted
from domain.tournaments.rounds_running import start_of_round
from domain.tournaments.terms import Boards, Pace, Registration, Stage
from tests.domain.tournaments.directors import BY_HAND, Event, event
from tests.domain.tournaments.scenarios import NOON, QUICK, terms_of

ROTATING = Boards(movement="rotating")


def first_of_three(**others: Any) -> Event:
    """A Mitchell whose first round has been played, its results held back."""
    tournament = event(terms_of(Mitchell(), boards=ROTATING, **others), 6)
    if tournament.state.terms.pace.automatic:
        tournament.run_to_start()
    else:
        tournament.begin()
        tournament.next_round()
    tournament.play(tournament.play_list())
    return tournament


def results(tournament: Event) -> int:
    return sum(len(match.results) for match in tournament.state.matches.values())


def test_a_stage_of_boards_that_go_round_is_ended_early_and_tells_its_results() -> None:
    tournament = first_of_three(pace=BY_HAND)
    assert results(tournament) == 0
    shown = tournament.act("finish")
    assert [(each.rounds_old, each.rounds_new, each.ends) for each in shown.stages] == [(3, 1, "finished")]
    tournament.tell_what_is_open()
    assert results(tournament) == 3
    tournament.refused("pair", TournamentCode.STAGE_OVER)
    for _ in range(4):
        tournament.step()
    assert (tournament.state.status, tournament.state.revealed) == ("finished", True)


def test_a_stage_that_is_ended_early_leads_to_the_next_one() -> None:
    tournament = event(terms_of(Mitchell(), Mitchell(), pace=BY_HAND, boards=ROTATING), 6)
    tournament.begin()
    tournament.next_round()
    tournament.play(tournament.play_list())
    tournament.act("end_stage")
    tournament.tell_what_is_open()
    for _ in range(4):
        tournament.step()
    assert [each.number for each in tournament.state.stages] == [0, 1]
    assert (tournament.state.status, [*tournament.state.rounds]) == ("running", [1])


def test_a_stage_is_not_ended_early_while_games_are_played() -> None:
    tournament = event(terms_of(Mitchell(), pace=BY_HAND, boards=ROTATING), 6)
    tournament.begin()
    tournament.next_round()
    tournament.play(tournament.play_list()[:1])
    told = tournament.refused("finish", TournamentCode.ROUND_WRONG_STATUS)
    assert len(told["open"]) == 2


def test_averages_do_not_keep_a_stage_from_being_ended_early() -> None:
    tournament = first_of_three(pace=BY_HAND)
    for match in [*tournament.state.matches]:
        adjustment = {"kind": "average", "average": ["even", "even"]}
        tournament.act("rule", match=match, adjustment=adjustment, reason="other")
    tournament.act("finish")
    tournament.tell_what_is_open()
    for _ in range(4):
        tournament.step()
    assert tournament.state.status == "finished"


def test_an_automatic_tournament_tells_that_too_few_are_left_to_go_round() -> None:
    tournament = first_of_three()
    for number in range(1, 6):
        tournament.act("withdraw", entrant=f"e{number}")
    assert tournament.step() == []
    told = obstacle(tournament.state, tournament.now)
    assert told is not None
    assert (told.code, told.params["offered"]) == (TournamentCode.ENTRANTS_TOO_FEW, "end_stage")
    tournament.act("end_stage")
    tournament.tell_what_is_open()
    tournament.finish()
    assert results(tournament) == 3


def test_a_howell_that_fewer_than_three_reach_has_no_round() -> None:
    second = Stage(format=Howell(), match=QUICK)
    tournament = event(terms_of(Swiss(rounds=2), second), 5)
    tournament.run_to(RoundStarted)
    for number in range(1, 4):
        tournament.act("withdraw", entrant=f"e{number}")
    tournament.finish()
    assert tournament.state.stages[1].rounds_planned == 0


def test_rounds_of_boards_that_go_round_have_a_pause_between_them() -> None:
    pace = Pace(starts_at="2026-05-01T13:00:00Z", pause_seconds=300)
    tournament = first_of_three(pace=pace)
    tournament.run_to(RoundPaired)
    begins = start_of_round(tournament.state, 2)
    assert begins == tournament.now + timedelta(minutes=5)
    assert tournament.step() == []
    assert next_moment(tournament.state, tournament.now) == begins
    tournament.now = begins
    assert [type(each) for each in tournament.step()] == [RoundStarted]


def test_boards_are_counted_for_everybody_who_may_still_come() -> None:
    late = Registration(late_rounds=2, capacity=8)
    terms = terms_of(Swiss(rounds=2), RoundRobin(), boards=Boards(), registration=late)
    assert boards_needed(terms, 4) == 2 * (2 + 7)
    tournament = event(terms, 4)
    tournament.run_to(RoundStarted)
    for number in range(2):
        tournament.act("enter", players=[f"q{number}", f"r{number}"], bots=[None, None])
    tournament.finish()
    assert [len(each.rounds) for each in tournament.state.stages] == [2, 5]


def test_who_left_before_a_round_with_a_ruling_is_an_obstacle_and_the_ruling_stays() -> None:
    tournament = event(terms_of(Swiss(rounds=3)), 6)
    tournament.run_to(RoundPaired)
    ruled, other, _ = tournament.state.matches_of(1)
    tournament.act("forfeit", match=ruled.id, entrants=[ruled.paired.sides[0][0]], reason="absence")
    gone = other.paired.sides[0][0]
    tournament.act("withdraw", entrant=gone)
    assert tournament.step() == []
    told = obstacle(tournament.state, tournament.now)
    assert told is not None
    assert (told.code, told.params["ruled"], told.params["left"]) == (
        TournamentCode.ROUND_WRONG_STATUS,
        [ruled.id],
        [other.id],
    )
    tournament.act("forfeit", match=other.id, entrants=[gone], reason="absence")
    tournament.now = NOON + timedelta(hours=1)
    assert [type(each) for each in tournament.step()] == [RoundStarted]
    assert tournament.state.matches[ruled.id].ruling is not None
    assert not any(isinstance(each, PairingUndone) for each in tournament.happened)
    assert len(wanted_games(tournament.state)) == 1


def test_who_is_disqualified_before_an_automatic_round_is_left_out_of_a_new_pairing() -> None:
    tournament = event(terms_of(Swiss(rounds=3)), 6)
    tournament.run_to(RoundPaired)
    tournament.act("disqualify", entrant="e1", reason="conduct")
    tournament.act("withdraw", entrant="e2")
    tournament.run_to(RoundStarted)
    assert {each for match in tournament.sides(1) for each in match} == {"e3", "e4", "e5", "e6"}
    assert all(match.ruling is None for match in tournament.state.matches.values())
