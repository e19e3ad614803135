"""A tournament that had ended, and is taken up again by its director."""

from domain.tournaments.events import TournamentFinished
from domain.tournaments.formats import Swiss
from domain.tournaments.games import wanted_games
from domain.tournaments.process import obstacle
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.round_events import StandingsPublished
from domain.tournaments.standings import standings
from domain.tournaments.terms import Boards
from tests.domain.tournaments.directors import BY_HAND, Event, event, swiss
from tests.domain.tournaments.scenarios import terms_of


def ended_on_boards() -> Event:
    tournament = event(terms_of(Swiss(rounds=2), pace=BY_HAND, boards=Boards()), 4)
    tournament.begin()
    tournament.whole_round()
    tournament.act("finish")
    tournament.step()
    assert tournament.state.revealed
    return tournament


def test_no_boards_are_paired_once_their_master_is_shown() -> None:
    tournament = ended_on_boards()
    tournament.act("reopen", reason="other")
    told = tournament.refused("pair", TournamentCode.BOARDS_SPENT)
    assert told["revealed"]
    tournament.refused("pair_by_hand", TournamentCode.BOARDS_SPENT, matches=[{"sides": [["e1"], ["e2"]]}])
    assert wanted_games(tournament.state) == []


def test_results_are_still_ruled_once_the_master_is_shown() -> None:
    tournament = ended_on_boards()
    tournament.act("reopen", reason="other")
    tournament.act("rule", match="r1m1", adjustment={"kind": "points", "points": [0, 9000]}, reason="conduct")
    tournament.act("finish")
    assert tournament.state.order == tuple(row.entrant for row in standings(tournament.state).rows)


def test_an_automatic_tournament_that_was_reopened_stays_open_until_its_director_finishes_it() -> None:
    tournament = event(terms_of(Swiss(rounds=1)), 4)
    tournament.finish()
    tournament.act("reopen", reason="other")
    assert tournament.step() == []
    told = obstacle(tournament.state, tournament.now)
    assert told is not None
    assert told.params["needed"] == ["finished"]
    shown = tournament.act("finish")
    assert (shown.status_old, shown.status_new) == ("running", "finished")


def test_a_ruling_after_the_end_leaves_nothing_open() -> None:
    tournament = event(terms_of(Swiss(rounds=1)), 4)
    tournament.finish()
    tournament.act("rule", match="r1m1", adjustment={"kind": "points", "points": [0, 9000]}, reason="conduct")
    assert (tournament.state.status, tournament.state.reopened) == ("finished", False)


def test_who_is_disqualified_after_the_end_stands_last_in_a_new_final_order() -> None:
    tournament = event(swiss(1), 4)
    tournament.begin()
    tournament.whole_round()
    tournament.act("finish")
    winner = tournament.state.order[0]
    before = len(tournament.happened)
    shown = tournament.act("disqualify", entrant=winner, reason="conduct")
    assert [each.new for each in shown.entrants] == ["disqualified"]
    assert tournament.state.status == "finished"
    assert tournament.state.order[-1] == winner
    kinds = [type(each) for each in tournament.happened[before:]]
    assert kinds[-2:] == [StandingsPublished, TournamentFinished]
