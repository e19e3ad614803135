"""The formats as published: who meets whom (background b.3 to b.7)."""

from collections import Counter
from itertools import combinations
from typing import Literal

import pytest

from domain.events import encode
from domain.tournaments.by_partners import propose_by_partners
from domain.tournaments.entry_events import PairingForbidden, Withdrawn
from domain.tournaments.formats import Arena, Danish, Elimination, Howell, Individual, Mitchell, RoundRobin, Swiss
from domain.tournaments.games import wanted_games
from domain.tournaments.matches import FixedHands, MatchTerms, Unplayed, WinDrawLoss
from domain.tournaments.round_events import RoundPaired
from domain.tournaments.terms import Boards, Stage
from tests.domain.tournaments.directors import BY_HAND, event
from tests.domain.tournaments.scenarios import QUICK, Desk, by_seed, terms_of


def pairs(desk: Desk, round_number: int) -> list[set[str]]:
    return [set(each) for each in desk.sides(round_number)]


def played(desk: Desk) -> Desk:
    desk.finish(by_seed)
    return desk


def test_the_first_round_of_a_swiss_is_upper_against_lower_half() -> None:
    desk = played(Desk(terms_of(Swiss(rounds=1)), 8))
    assert pairs(desk, 1) == [{"e1", "e5"}, {"e2", "e6"}, {"e3", "e7"}, {"e4", "e8"}]


def test_a_round_keeps_what_its_engine_says_of_it() -> None:
    desk = Desk(terms_of(Swiss(rounds=2)), 8)
    paired = desk.run_to(RoundPaired)
    assert isinstance(paired, RoundPaired)
    assert paired.explanation == desk.state.rounds[1].explanation
    basis, cost = desk.state.rounds[1].explanation
    assert basis == "Number i meets number i + n/2, by seed."
    assert "0 in all" in cost


def test_a_round_of_which_nothing_is_to_be_said_has_no_explanation() -> None:
    desk = Desk(terms_of(Elimination()), 4)
    paired = desk.run_to(RoundPaired)
    assert b"explanation" not in encode(paired)
    assert desk.state.rounds[1].explanation == ()


def test_a_swiss_round_names_its_engine_and_what_it_was_given() -> None:
    desk = Desk(terms_of(Swiss(rounds=2)), 8)
    paired = desk.run_to(RoundPaired)
    assert isinstance(paired, RoundPaired)
    assert paired.engine == "meldhouse-swiss 1"
    assert len(paired.digest) == 64
    desk.play(wanted_games(desk.state), by_seed)
    again = desk.run_to(RoundPaired)
    assert isinstance(again, RoundPaired)
    assert again.digest != paired.digest


def test_a_drawn_first_round_follows_the_lots() -> None:
    seeded = played(Desk(terms_of(Swiss(rounds=1)), 8))
    drawn = played(Desk(terms_of(Swiss(rounds=1, first_round="drawn")), 8))
    assert pairs(drawn, 1) != pairs(seeded, 1)


def test_a_rematch_is_told_where_there_is_no_other_way() -> None:
    desk = Desk(terms_of(Swiss(rounds=2, relaxations=("any_rematch",))), 4)
    desk.run_to_start()
    for entrant in ("e2", "e4"):
        desk.add(Withdrawn(entrant=entrant))
    for match in desk.state.matches.values():
        assert {side[0] for side in match.paired.sides} in ({"e1", "e3"}, {"e2", "e4"})
    desk.play(wanted_games(desk.state), by_seed)
    paired = desk.run_to(RoundPaired)
    assert isinstance(paired, RoundPaired)
    assert paired.relaxations == ("rematch:e1+e3",)


def test_a_forbidden_pair_does_not_meet() -> None:
    desk = Desk(terms_of(Swiss(rounds=1)), 4)
    desk.add(PairingForbidden(pair=("e1", "e3")))
    played(desk)
    assert {"e1", "e3"} not in pairs(desk, 1)


def test_those_of_one_club_do_not_meet_while_that_can_be_avoided() -> None:
    desk = Desk(terms_of(Swiss(rounds=1)))
    for club in ("a", "b", "a", "b"):
        desk.enter(avoid=(club,))
    played(desk)
    assert {"e1", "e3"} not in pairs(desk, 1)
    assert {"e2", "e4"} not in pairs(desk, 1)


@pytest.mark.parametrize("method", ["fide_dutch", "fide_team"])
def test_the_systems_of_fide_run_through_their_library(method: Literal["fide_dutch", "fide_team"]) -> None:
    stage = Stage(format=Swiss(rounds=3, method=method), match=MatchTerms(length=FixedHands(1)), score=WinDrawLoss())
    desk = played(Desk(terms_of(stage), 9))
    assert "gacrux" in desk.state.rounds[1].engine
    met = [frozenset(each) for number in (1, 2, 3) for each in pairs(desk, number)]
    assert len(met) == len(set(met)) == 12
    byes = [entrant for each in desk.state.rounds.values() for entrant in each.byes]
    assert len(set(byes)) == 3


@pytest.mark.parametrize("form", [Swiss(rounds=4), Danish(rounds=4)])
def test_nobody_has_a_second_bye_before_everybody_had_one(form: Swiss | Danish) -> None:
    worthless = Stage(format=form, match=QUICK, unplayed=Unplayed(bye=0))
    desk = played(Desk(terms_of(worthless), 5))
    byes = [entrant for each in desk.state.rounds.values() for entrant in each.byes]
    assert len(byes) == len(set(byes)) == 4


def test_a_danish_round_pairs_first_and_second_again_where_it_may() -> None:
    desk = played(Desk(terms_of(Danish(rounds=2, rematches="all")), 4))
    assert {"e1", "e2"} in pairs(desk, 1)
    assert {"e1", "e3"} in pairs(desk, 2)


@pytest.mark.parametrize("entrants", [5, 6])
@pytest.mark.parametrize("form", [RoundRobin(cycles=1), RoundRobin(cycles=2)])
def test_all_play_all(entrants: int, form: RoundRobin) -> None:
    desk = played(Desk(terms_of(form), entrants))
    met = [frozenset(each) for number in desk.state.rounds for each in pairs(desk, number)]
    for pair in combinations(desk.state.entrants, 2):
        assert met.count(frozenset(pair)) == form.cycles


def test_who_would_meet_somebody_who_left_a_schedule_has_a_bye() -> None:
    desk = Desk(terms_of(RoundRobin()), 4)
    desk.run_to_start()
    desk.add(Withdrawn(entrant="e4"))
    desk.play(wanted_games(desk.state), by_seed)
    desk.run_to_start()
    assert [*desk.state.rounds[2].byes.values()] == ["bye"]


def test_in_a_mitchell_one_line_sits_and_the_other_moves_up() -> None:
    desk = played(Desk(terms_of(Mitchell()), 10))
    north_south = {number: [each[0] for each in desk.sides(number)] for number in desk.state.rounds}
    assert len({tuple(each) for each in north_south.values()}) == 1
    met = [frozenset(each) for number in desk.state.rounds for each in pairs(desk, number)]
    assert len(met) == len(set(met)) == 25


def test_the_last_rounds_of_a_mitchell_turn_the_sides() -> None:
    desk = played(Desk(terms_of(Mitchell(arrow_switched_rounds=1)), 10))
    last = max(desk.state.rounds)
    assert {each[0] for each in desk.sides(1)} == {each[1] for each in desk.sides(last)}


def test_a_howell_sits_any_two_of_eight_the_same_way_three_times() -> None:
    desk = played(Desk(terms_of(Howell()), 8))
    same = dict.fromkeys(combinations(sorted(desk.state.entrants), 2), 0)
    for number in desk.state.rounds:
        for line in (0, 1):
            for pair in combinations(sorted(each[line] for each in desk.sides(number)), 2):
                same[pair] += 1
    assert set(same.values()) == {3}


@pytest.mark.parametrize("players", [8, 9])
def test_in_a_whist_movement_everybody_is_everybodys_partner_once(players: int) -> None:
    desk = played(Desk(terms_of(Individual(), entrants="individuals"), players))
    partners = [frozenset(side) for match in desk.state.matches.values() for side in match.paired.sides]
    assert sorted(map(sorted, partners)) == sorted(map(sorted, combinations(desk.state.entrants, 2)))


def test_partners_by_standing_change_while_they_can() -> None:
    desk = played(Desk(terms_of(Individual(movement="swiss", rounds=3), entrants="individuals"), 4))
    partners = {frozenset(side) for match in desk.state.matches.values() for side in match.paired.sides}
    assert len(partners) == 6


def test_what_a_round_is_made_from_tells_who_were_partners_and_opponents() -> None:
    desk = Desk(terms_of(Individual(movement="swiss", rounds=2), entrants="individuals"), 4)
    desk.run_to_start()
    one, other = (sorted(side) for side in desk.state.matches["r1m1"].paired.sides)
    given = propose_by_partners(desk.state, [*desk.state.entrants]).given
    assert sorted(given["partnered"]) == sorted([[*one, 1], [*other, 1]])
    assert len(given["opposed"]) == 4


def test_sets_of_boards_go_round_so_that_nobody_plays_one_twice() -> None:
    desk = played(Desk(terms_of(Mitchell(), boards=Boards(movement="rotating")), 10))
    seen: dict[str, list[int]] = {}
    for match in desk.state.matches.values():
        for side in match.paired.sides:
            seen.setdefault(side[0], []).extend(match.paired.boards)
    assert all(sorted(boards) == list(range(1, 11)) for boards in seen.values())
    assert len({match.paired.boards for match in desk.state.matches_of(1)}) == 5


def test_the_best_seeds_of_a_bracket_meet_last_and_have_the_byes() -> None:
    desk = played(Desk(terms_of(Elimination()), 6))
    assert pairs(desk, 1) == [{"e4", "e5"}, {"e3", "e6"}]
    assert pairs(desk, 2) == [{"e1", "e4"}, {"e2", "e3"}]
    assert pairs(desk, 3) == [{"e1", "e2"}]


def test_the_losers_before_the_final_play_for_the_third_place() -> None:
    desk = played(Desk(terms_of(Elimination(third_place=True)), 4))
    assert sorted(map(sorted, pairs(desk, 2))) == [["e1", "e2"], ["e3", "e4"]]


def test_in_an_arena_of_an_odd_number_everybody_waits_as_often() -> None:
    tournament = event(terms_of(Arena(minutes=600), pace=BY_HAND), 5)
    tournament.begin()
    for _ in range(10):
        tournament.whole_round()
    played = Counter(
        each for match in tournament.state.matches.values() for side in match.paired.sides for each in side
    )
    assert set(played.values()) == {8}
