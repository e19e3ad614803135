"""What stands in the way of the next round, told rather than papered over."""

from datetime import timedelta

from msgspec.structs import replace

from domain.tournaments.byes import ask_bye
from domain.tournaments.formats import Arena, Format, RoundRobin, Swiss
from domain.tournaments.process import obstacle
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.terms import Registration, Stage, Terms
from tests.domain.tournaments.directors import BY_HAND, Event, event
from tests.domain.tournaments.scenarios import QUICK, by_seed, result_of, terms_of

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
    told = {"needed": 2, "found": 0, "not_checked_in": 6}
    assert (stands.code, stands.params) == (TournamentCode.ENTRANTS_TOO_FEW, told)
    tournament.act("check_in", entrants=["e1"])
    assert tournament.step() == []
    tournament.act("check_in", entrants=["e2"])
    until_it_stands_still(tournament)
    assert tournament.sides(1) == [["e1", "e2"]]


def test_a_director_pairs_nobody_while_nobody_is_there() -> None:
    tournament = event(terms_of(Swiss(rounds=3), registration=CHECKED, pace=BY_HAND), 6)
    tournament.begin()
    told = {"needed": 2, "found": 0, "not_checked_in": 6}
    assert tournament.refused("pair", TournamentCode.ENTRANTS_TOO_FEW) == told


def test_a_start_with_too_few_tells_how_many_have_not_come_or_not_agreed() -> None:
    tournament = event(terms_of(RoundRobin(), registration=CHECKED, pace=BY_HAND), 5)
    tournament.act("enter", players=["p1", "p2"])
    tournament.act("check_in", entrants=["e1"])
    told = {"needed": 2, "found": 1, "not_checked_in": 4, "not_agreed": 1}
    assert tournament.refused("start", TournamentCode.ENTRANTS_TOO_FEW) == told


def test_those_who_are_there_and_asked_for_byes_sit_the_round_out() -> None:
    tournament = event(terms_of(Swiss(rounds=2), pace=BY_HAND), 3)
    for entrant in ("e1", "e2"):
        player = tournament.state.entrants[entrant].players[0]
        tournament.take(ask_bye(tournament.state, entrant, (1,), player, tournament.now))
    tournament.begin()
    tournament.act("pair")
    assert tournament.state.rounds[1].byes == {"e1": "half_bye", "e2": "half_bye", "e3": "bye"}


def one_match_open(terms: Terms) -> Event:
    """A first round that goes on of itself, in which all matches but the first one are played."""
    tournament = event(terms, 4)
    tournament.run_to_start()
    tournament.play([game for game in tournament.play_list() if game.match != "r1m1"], by_seed)
    while tournament.step():
        pass
    assert [match.over for match in tournament.state.matches_of(1)] == [False, True]
    return tournament


def untimed(form: Format) -> Stage:
    return Stage(format=form, match=replace(QUICK, minutes=None))


def test_a_round_that_waits_only_for_who_did_not_come_says_so() -> None:
    tournament = one_match_open(terms_of(untimed(Swiss(rounds=2))))
    assert obstacle(tournament.state, tournament.now) is None
    _, (other,) = tournament.state.matches["r1m1"].paired.sides
    tournament.act("note_no_show", match="r1m1", entrant=other)
    stands = obstacle(tournament.state, tournament.now)
    assert stands is not None
    assert stands.code is TournamentCode.ENTRANTS_MISSING
    assert (stands.params["matches"], stands.params["entrants"]) == (["r1m1"], [other])
    assert "forfeit" in stands.params["needed"]
    tournament.act("forfeit", match="r1m1", entrants=[other], reason="absence")
    assert obstacle(tournament.state, tournament.now) is None
    assert tournament.step() != []


def test_who_did_not_come_holds_up_nothing_while_others_still_play() -> None:
    tournament = event(terms_of(untimed(Swiss(rounds=2))), 4)
    tournament.run_to_start()
    tournament.act("note_no_show", match="r1m1", entrant="e1")
    assert obstacle(tournament.state, tournament.now) is None
    tournament.play([game for game in tournament.play_list() if game.match != "r1m1"], by_seed)
    while tournament.step():
        pass
    assert obstacle(tournament.state, tournament.now) is not None


def test_nobody_is_missing_any_more_once_a_bot_plays_in_their_stead() -> None:
    tournament = one_match_open(terms_of(untimed(Swiss(rounds=2)), players=2, stand_in_level="greedy"))
    tournament.act("note_no_show", match="r1m1", entrant="e1")
    assert obstacle(tournament.state, tournament.now) is not None
    (player,) = tournament.state.entrants["e1"].players
    tournament.act("substitute", entrant="e1", outgoing=player, incoming="b1", bot="greedy")
    assert obstacle(tournament.state, tournament.now) is None


def test_nobody_is_missing_any_more_once_a_game_of_the_match_was_played() -> None:
    tournament = one_match_open(terms_of(untimed(Swiss(rounds=2)), entrants="teams"))
    tournament.act("note_no_show", match="r1m1", entrant="e1")
    assert obstacle(tournament.state, tournament.now) is not None
    first = next(game for game in tournament.play_list() if game.match == "r1m1")
    tournament.tell([result_of(first, by_seed(first))])
    assert not tournament.state.matches["r1m1"].over
    assert obstacle(tournament.state, tournament.now) is None


def test_a_director_who_goes_on_by_hand_is_told_of_no_obstacle() -> None:
    tournament = event(terms_of(untimed(Swiss(rounds=1)), pace=BY_HAND), 2)
    tournament.begin()
    tournament.next_round()
    tournament.act("note_no_show", match="r1m1", entrant="e1")
    assert obstacle(tournament.state, tournament.now) is None


def test_who_did_not_come_holds_up_an_arena_only_when_its_time_is_over() -> None:
    tournament = one_match_open(terms_of(untimed(Arena(minutes=20))))
    tournament.act("note_no_show", match="r1m1", entrant="e1")
    tournament.act("withdraw", entrant=tournament.state.matches["r1m2"].paired.sides[0][0])
    assert tournament.step() == []
    assert obstacle(tournament.state, tournament.now) is None
    tournament.now += timedelta(minutes=30)
    stands = obstacle(tournament.state, tournament.now)
    assert stands is not None
    assert stands.code is TournamentCode.ENTRANTS_MISSING
