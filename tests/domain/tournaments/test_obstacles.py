"""What stands in the way of the next round, told rather than papered over."""

from domain.tournaments.byes import ask_bye
from domain.tournaments.formats import Swiss
from domain.tournaments.process import obstacle
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.terms import Registration
from tests.domain.tournaments.directors import BY_HAND, Event, event
from tests.domain.tournaments.scenarios import terms_of

CHECKED = Registration(check_in_minutes=30)


def until_it_stands_still(tournament: Event) -> None:
    for _ in range(30):
        tournament.go_on()


def test_a_round_waits_until_at_least_two_have_checked_in() -> None:
    tournament = event(terms_of(Swiss(rounds=3), registration=CHECKED), 6)
    until_it_stands_still(tournament)
    assert (tournament.state.status, tournament.state.rounds) == ("running", {})
    stands = obstacle(tournament.state, tournament.now)
    assert stands is not None
    assert (stands.code, stands.params) == (TournamentCode.ENTRANTS_TOO_FEW, {"needed": 2, "found": 0})
    tournament.act("check_in", entrants=["e1"])
    assert tournament.step() == []
    tournament.act("check_in", entrants=["e2"])
    until_it_stands_still(tournament)
    assert tournament.sides(1) == [["e1", "e2"]]


def test_a_director_pairs_nobody_while_nobody_is_there() -> None:
    tournament = event(terms_of(Swiss(rounds=3), registration=CHECKED, pace=BY_HAND), 6)
    tournament.begin()
    assert tournament.refused("pair", TournamentCode.ENTRANTS_TOO_FEW) == {"needed": 2, "found": 0}


def test_those_who_are_there_and_asked_for_byes_sit_the_round_out() -> None:
    tournament = event(terms_of(Swiss(rounds=2), pace=BY_HAND), 3)
    for entrant in ("e1", "e2"):
        player = tournament.state.entrants[entrant].players[0]
        tournament.take(ask_bye(tournament.state, entrant, (1,), player, tournament.now))
    tournament.begin()
    tournament.act("pair")
    assert tournament.state.rounds[1].byes == {"e1": "half_bye", "e2": "half_bye", "e3": "bye"}
