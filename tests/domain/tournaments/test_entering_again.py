"""Who comes back: former members, entrants that withdrew, the waiting list."""

import pytest

from domain.tournaments import entering, substituting
from domain.tournaments.formats import Swiss
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.terms import Registration
from tests.domain.tournaments.directors import BY_HAND, Event, event, swiss
from tests.domain.tournaments.scenarios import terms_of


def refusal_of(entrant: str, outgoing: str, incoming: str, by: str, tournament: Event) -> TournamentRefused:
    with pytest.raises(TournamentRefused) as refused:
        substituting.change_lineup(tournament.state, entrant, outgoing, incoming, by, tournament.now, {})
    return refused.value


def substitute(tournament: Event, entrant: str, outgoing: str, incoming: str, by: str) -> None:
    tournament.take(substituting.change_lineup(tournament.state, entrant, outgoing, incoming, by, tournament.now, {}))


def test_a_former_member_who_plays_elsewhere_by_now_does_not_come_back() -> None:
    tournament = event(swiss())
    tournament.act("open_registration")
    tournament.sign_up("a", "b")
    substitute(tournament, "e1", "a", "c", "b")
    tournament.take(entering.withdraw(tournament.state, "e1", "b", tournament.now))
    tournament.sign_up("a", "d")
    tournament.take(entering.come_back(tournament.state, "e1", "b", tournament.now))
    refused = refusal_of("e1", "c", "a", "b", tournament)
    assert (refused.code, refused.params["entrant"]) == (TournamentCode.PLAYER_ENTERED, "e2")


def test_a_former_member_who_plays_nowhere_else_comes_back() -> None:
    tournament = event(swiss())
    tournament.act("open_registration")
    tournament.sign_up("a", "b")
    substitute(tournament, "e1", "a", "c", "b")
    substitute(tournament, "e1", "c", "a", "b")
    assert tournament.state.entrants["e1"].players == ("a", "b")


def small(entrants: int) -> Event:
    """A tournament with places for four."""
    late = Registration(capacity=4, late_rounds=2)
    tournament = event(terms_of(Swiss(rounds=2), pace=BY_HAND, registration=late), entrants)
    tournament.act("open_registration")
    return tournament


def test_who_waited_and_left_waits_again_on_returning() -> None:
    tournament = small(4)
    tournament.sign_up("a", "b")
    tournament.begin()
    tournament.whole_round()
    tournament.take(entering.withdraw(tournament.state, "e5", "a", tournament.now))
    tournament.take(entering.come_back(tournament.state, "e5", "a", tournament.now))
    assert tournament.state.entrants["e5"].status == "waiting"
    tournament.act("withdraw", entrant="e1")
    tournament.act("admit", entrant="e5")
    assert (tournament.state.entrants["e5"].status, tournament.state.entrants["e5"].late_round) == ("entered", 2)


def test_who_waited_and_returns_before_the_start_has_a_place_that_is_free() -> None:
    tournament = small(4)
    tournament.sign_up("a", "b")
    tournament.take(entering.withdraw(tournament.state, "e5", "a", tournament.now))
    tournament.act("withdraw", entrant="e1")
    tournament.take(entering.come_back(tournament.state, "e5", "a", tournament.now))
    assert tournament.state.entrants["e5"].status == "entered"


def test_after_the_start_the_capacity_holds_for_who_comes_back_but_not_for_whom_a_director_brings_back() -> None:
    tournament = small(4)
    tournament.sign_up("a", "b")
    tournament.begin()
    tournament.whole_round()
    tournament.act("withdraw", entrant="e1")
    tournament.act("admit", entrant="e5")
    with pytest.raises(TournamentRefused) as refusal:
        entering.come_back(tournament.state, "e1", tournament.state.entrants["e1"].players[0], tournament.now)
    assert (refusal.value.code, refusal.value.params) == (TournamentCode.TOURNAMENT_FULL, {"capacity": 4})
    tournament.act("return", entrant="e1")
    assert tournament.state.entrants["e1"].status == "entered"
