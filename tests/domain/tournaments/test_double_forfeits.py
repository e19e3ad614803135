"""Matches of a bracket to which neither side came: nobody goes on, and who did the same shares a rank."""

import pytest

from domain.tournaments.formats import Elimination
from domain.tournaments.standings import standings
from tests.domain.tournaments.directors import BY_HAND, Event, event, knockout
from tests.domain.tournaments.scenarios import terms_of


def ranks(tournament: Event) -> dict[str, int]:
    return {row.entrant: row.rank for row in standings(tournament.state).rows}


def forfeit_all(tournament: Event, match: str) -> None:
    sides = tournament.state.matches[match].paired.sides
    tournament.act("forfeit", match=match, entrants=[side[0] for side in sides], reason="absence")


def begun(tournament: Event) -> Event:
    tournament.begin()
    tournament.next_round()
    return tournament


def test_finalists_who_both_forfeit_share_the_first_rank() -> None:
    tournament = event(knockout(), 4)
    tournament.begin()
    tournament.whole_round()
    tournament.next_round()
    forfeit_all(tournament, "r2m1")
    tournament.act("close_round", round=2)
    assert ranks(tournament) == {"e1": 1, "e2": 1, "e3": 3, "e4": 3}


def test_who_forfeited_a_semifinal_shares_the_rank_of_who_lost_the_other_one() -> None:
    tournament = begun(event(knockout(), 4))
    forfeit_all(tournament, tournament.match_between("e1", "e4"))
    tournament.play_all()
    tournament.act("close_round", round=1)
    assert ranks(tournament) == {"e2": 1, "e1": 2, "e3": 2, "e4": 2}


@pytest.mark.parametrize("third_place", [False, True])
def test_where_nobody_comes_at_all_everybody_shares_the_first_rank(*, third_place: bool) -> None:
    tournament = begun(event(terms_of(Elimination(third_place=third_place), pace=BY_HAND), 4))
    forfeit_all(tournament, "r1m1")
    forfeit_all(tournament, "r1m2")
    tournament.act("close_round", round=1)
    assert set(ranks(tournament).values()) == {1}


def test_the_third_place_goes_to_who_lost_the_semifinal_that_was_played() -> None:
    tournament = begun(event(terms_of(Elimination(third_place=True), pace=BY_HAND), 4))
    forfeit_all(tournament, tournament.match_between("e1", "e4"))
    tournament.play_all()
    tournament.act("close_round", round=1)
    assert ranks(tournament) == {"e2": 1, "e3": 2, "e1": 3, "e4": 3}


def test_who_forfeited_is_out_of_a_double_elimination_at_once() -> None:
    tournament = begun(event(terms_of(Elimination(double=True), pace=BY_HAND), 4))
    forfeit_all(tournament, tournament.match_between("e1", "e4"))
    tournament.play_all()
    tournament.act("close_round", round=1)
    found = ranks(tournament)
    assert found["e1"] == found["e4"] > max(found["e2"], found["e3"])
    tournament.whole_round()
    assert tournament.sides(2) in ([["e2", "e3"]], [["e3", "e2"]])
    tournament.act("finish")
    found = ranks(tournament)
    assert found == {"e2": 1, "e3": 2, "e1": 3, "e4": 3}
