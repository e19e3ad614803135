"""The games of matches: who sits where, under what rules, on which boards, until when."""

import pytest

from domain.rules import compile_rules
from domain.tournaments.formats import Individual, RoundRobin
from domain.tournaments.games import OUT_OF_REACH, game_id, match_ruleset, wanted_games
from domain.tournaments.matches import FixedHands, ImpMatch, MatchTerms, PerHand, Placing, ToTarget
from domain.tournaments.terms import Boards, Stage, Terms
from tests.domain.tournaments.directors import BY_HAND, event
from tests.domain.tournaments.scenarios import RULESET, Desk, by_chance, result_of, terms_of


def terms_with(match: MatchTerms) -> Terms:
    return terms_of(Stage(format=RoundRobin(), match=match))


def test_a_match_of_so_many_hands_ends_after_them_and_at_no_target() -> None:
    rules = compile_rules(match_ruleset(terms_with(MatchTerms(length=FixedHands(3))), 0, 1), 4)
    assert (rules.hand_cap, rules.target) == (3, OUT_OF_REACH)


def test_a_full_game_is_played_by_the_rule_set_as_it_is() -> None:
    assert match_ruleset(terms_with(MatchTerms(length=ToTarget())), 0, 1) == RULESET


def test_a_target_of_the_match_takes_the_place_of_the_rule_sets() -> None:
    rules = compile_rules(match_ruleset(terms_with(MatchTerms(length=ToTarget(3000))), 0, 1), 4)
    assert (rules.target, rules.hand_cap) == (3000, RULESET.hand_cap)


def test_minimums_a_hand_make_every_hand_a_game_of_its_own() -> None:
    terms = terms_with(MatchTerms(length=FixedHands(3), first_meld=PerHand((125, 155, 180))))
    rules = [compile_rules(match_ruleset(terms, 0, leg), 4) for leg in (1, 2, 3)]
    assert [(each.hand_cap, each.requirement(0), each.requirement(9000)) for each in rules] == [
        (1, 125, 125),
        (1, 155, 155),
        (1, 180, 180),
    ]


def test_a_pair_sits_opposite_each_other() -> None:
    desk = Desk(terms_with(MatchTerms()), 2)
    desk.run_to_start()
    (game,) = wanted_games(desk.state)
    assert game.entrants[0] == game.entrants[2]
    assert game.entrants[1] == game.entrants[3]
    assert game.side_of == (0, 1, 0, 1)
    assert len(set(game.players)) == 4


def test_teams_have_each_others_seats_at_the_second_table() -> None:
    desk = Desk(terms_of(RoundRobin(), entrants="teams"), 2)
    desk.run_to_start()
    one, other = wanted_games(desk.state)
    assert one.entrants == other.entrants[1:] + other.entrants[:1]
    assert (one.side_of, other.side_of) == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert len({*one.players, *other.players}) == 8
    assert (one.table, other.table) == (1, 2)


def test_teams_play_the_same_boards_and_score_them_against_each_other() -> None:
    stage = Stage(format=RoundRobin(), match=MatchTerms(length=FixedHands(2)), score=ImpMatch())
    desk = Desk(terms_of(stage, entrants="teams", boards=Boards()), 2)
    desk.run_to_start()
    one, other = wanted_games(desk.state)
    assert one.boards == other.boards == (1, 2)
    desk.tell([result_of(one, [(700, 100), (50, 650)]), result_of(other, [(100, 700), (650, 50)])])
    decided = desk.state.matches["r1m1"].decided
    assert decided is not None
    assert decided.score == (1000, 1000)
    assert decided.points == (1500, 1500)


def test_all_tables_of_a_round_play_the_same_boards_and_every_round_fresh_ones() -> None:
    desk = Desk(terms_of(RoundRobin(), boards=Boards()), 4)
    seen = []
    for _ in range(3):
        desk.run_to_start()
        games = wanted_games(desk.state)
        assert len({each.boards for each in games}) == 1
        assert all(each.sealed and each.stock == "striped" for each in games)
        seen.append(games[0].boards)
        desk.play(games)
    assert seen == [(1, 2), (3, 4), (5, 6)]
    assert desk.state.boards == 6


def test_no_hand_begins_in_the_last_minutes_of_the_clock() -> None:
    desk = Desk(terms_with(MatchTerms(minutes=50, last_hand_minutes=10)), 2)
    desk.run_to_start()
    (game,) = wanted_games(desk.state)
    assert (game.no_new_hand_at, game.due_at) == ("2026-05-01T13:40:00Z", "2026-05-01T13:50:00Z")


def test_without_a_clock_a_match_may_last() -> None:
    desk = Desk(terms_with(MatchTerms()), 2)
    desk.run_to_start()
    (game,) = wanted_games(desk.state)
    assert (game.no_new_hand_at, game.due_at, game.time_called) == (None, None, False)


def test_the_game_of_a_match_has_one_id_whoever_makes_it() -> None:
    assert game_id("t1", "r1m1", 1, 1) == game_id("t1", "r1m1", 1, 1)
    ids = {game_id(*each) for each in (("t1", "r1m1", 1, 1), ("t2", "r1m1", 1, 1), ("t1", "r1m1", 2, 1))}
    assert len(ids | {game_id("t1", "r1m1", 1, 2)}) == 4


@pytest.mark.parametrize(("players", "sides"), [(2, 2), (3, 3), (5, 5), (6, 3)])
def test_other_tables_have_their_own_sides(players: int, sides: int) -> None:
    form = RoundRobin() if sides == 2 else Individual(movement="swiss", rounds=1)
    stage = Stage(format=form, match=MatchTerms(length=FixedHands(1)), score=Placing())
    desk = Desk(terms_of(stage, players=players), sides)
    desk.run_to_start()
    (game,) = wanted_games(desk.state)
    assert len(game.players) == players
    assert len(set(game.side_of)) == sides
    desk.tell([result_of(game, by_chance(game))])
    decided = desk.state.matches["r1m1"].decided
    assert decided is not None
    assert sum(decided.score or ()) == 1000 * sides


@pytest.mark.parametrize(("players", "tables"), [(9, [4, 5]), (10, [3, 3, 4]), (11, [3, 4, 4]), (13, [4, 4, 5])])
def test_individuals_of_any_number_are_seated_at_tables_of_three_four_and_five(players: int, tables: list[int]) -> None:
    stage = Stage(format=Individual(movement="swiss", rounds=2), match=MatchTerms(length=FixedHands(1)))
    desk = Desk(terms_of(stage, entrants="individuals"), players)
    for _ in range(2):
        desk.run_to_start()
        games = wanted_games(desk.state)
        assert sorted(len(each.players) for each in games) == tables
        assert not any(each.byes for each in desk.state.rounds.values())
        desk.play(games)


def test_a_bot_keeps_its_level_as_long_as_it_sits_in_a_match() -> None:
    tournament = event(terms_of(RoundRobin(), stand_in_level="greedy", pace=BY_HAND), 2)
    tournament.act("substitute", entrant="e1", outgoing="p1x0", incoming="bot1", bot="greedy")
    tournament.begin()
    tournament.next_round()
    (before,) = wanted_games(tournament.state)
    tournament.act("substitute", entrant="e1", outgoing="bot1", incoming="p9")
    (game,) = wanted_games(tournament.state)
    assert "bot1" in game.players, "Who comes in has not agreed yet."
    assert game.bots == before.bots
    assert dict(zip(game.players, game.bots, strict=True))["bot1"] == "greedy"
