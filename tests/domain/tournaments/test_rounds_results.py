"""Results of games: each counts once, belongs where it says, and on boards is told only when it may be."""

import pytest
from msgspec.structs import replace

from domain.tournaments.fold import fold
from domain.tournaments.formats import Mitchell, RoundRobin
from domain.tournaments.games import wanted_games
from domain.tournaments.matches import FixedHands, Matchpoints, MatchTerms, PerHand
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.results import boards_done, boards_open, record
from domain.tournaments.round_events import GameFinished, MatchDecided, ResultRecorded
from domain.tournaments.seating import GameResult
from domain.tournaments.terms import Boards, Stage
from tests.domain.tournaments.scenarios import QUICK, Desk, by_chance, result_of, terms_of


def started(*, boards: Boards | None = None, entrants: int = 4, match: MatchTerms = QUICK) -> Desk:
    stage = Stage(format=RoundRobin(), match=match)
    desk = Desk(terms_of(stage, boards=boards), entrants)
    desk.run_to_start()
    return desk


def first_result(desk: Desk) -> GameResult:
    game = wanted_games(desk.state)[0]
    return result_of(game, by_chance(game))


def test_a_result_decides_its_match() -> None:
    desk = started()
    happened = record(desk.state, [first_result(desk)])
    assert [type(each) for each in happened] == [ResultRecorded, MatchDecided]
    assert [each.n for each in happened] == [desk.state.version + 1, desk.state.version + 2]


def test_a_result_that_is_in_gives_nothing() -> None:
    desk = started()
    result = first_result(desk)
    desk.tell([result])
    assert record(desk.state, [result]) == []
    assert record(desk.state, [result, result]) == []


def test_the_same_result_twice_in_one_call_counts_once() -> None:
    desk = started()
    result = first_result(desk)
    assert [type(each) for each in record(desk.state, [result, result])] == [ResultRecorded, MatchDecided]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"match": "r9m9"}, "match_not_found"),
        ({"table": 2}, "result_wrong_table"),
        ({"leg": 2}, "result_wrong_leg"),
        ({"leg": 0}, "result_wrong_leg"),
        ({"game": "g" + "0" * 32}, "result_wrong_game"),
        ({"game": None}, "result_wrong_game"),
        ({"points": (1, 2, 3)}, "result_invalid"),
        ({"points": (1, 2)}, "result_invalid"),
        ({"hands": ((1,), (2,))}, "result_invalid"),
        ({"loser": 2}, "result_invalid"),
        ({"points": (10**8, 0), "hands": ((10**8, 0),)}, "result_invalid"),
        ({"reason": "position", "hands": (), "points": (0, 0)}, "result_invalid"),
    ],
)
def test_a_result_that_belongs_nowhere_is_refused(changes: dict[str, object], code: str) -> None:
    desk = started()
    with pytest.raises(TournamentRefused) as refused:
        record(desk.state, [replace(first_result(desk), **changes)])
    assert refused.value.code == code


def test_a_match_that_has_not_begun_has_no_results() -> None:
    desk = started()
    result = first_result(desk)
    state = fold(desk.state, [])
    state.matches["r1m1"] = replace(state.matches["r1m1"], started=False)
    with pytest.raises(TournamentRefused) as refused:
        record(state, [result])
    assert refused.value.code == "round_not_started"


def test_one_wrong_result_among_many_lets_none_through() -> None:
    desk = started()
    with pytest.raises(TournamentRefused):
        record(desk.state, [first_result(desk), replace(first_result(desk), table=7)])


def test_results_on_boards_wait_for_all_tables_that_play_them() -> None:
    desk = started(boards=Boards())
    one, other = (result_of(game, by_chance(game)) for game in wanted_games(desk.state))
    first = record(desk.state, [one])
    assert [type(each) for each in first] == [GameFinished]
    state = fold(desk.state, first)
    assert (boards_done(state), boards_open(state, one.match)) == (frozenset(), False)
    assert record(state, [one]) == []
    last = record(state, [other])
    assert [type(each) for each in last] == [GameFinished, ResultRecorded, MatchDecided]
    state = fold(state, last)
    assert boards_done(state) == {one.match}
    assert [type(each) for each in record(state, [one])] == [ResultRecorded, MatchDecided]


def test_a_game_on_boards_that_has_finished_is_not_wanted_again() -> None:
    desk = started(boards=Boards())
    game = wanted_games(desk.state)[0]
    state = fold(desk.state, record(desk.state, [result_of(game, by_chance(game))]))
    assert game.game not in [each.game for each in wanted_games(state)]


def test_boards_that_go_round_are_told_at_the_end_of_the_stage_and_rounds_go_on_without_them() -> None:
    boards = Boards(movement="rotating")
    desk = Desk(terms_of(Stage(format=Mitchell(), match=QUICK, score=Matchpoints()), boards=boards), 6)
    desk.run_to_start()
    rounds = desk.state.stages[0].rounds_planned or 0
    assert rounds > 1
    for number in range(1, rounds + 1):
        assert not any(match.results for match in desk.state.matches.values())
        desk.play(wanted_games(desk.state))
        if number < rounds:
            desk.run_to_start()
    assert all(match.over for match in desk.state.matches.values())
    assert desk.finish().status == "finished"


def test_the_next_hand_is_wanted_when_the_one_before_is_over() -> None:
    per_hand = MatchTerms(length=FixedHands(3), minutes=40, first_meld=PerHand((125, 155)))
    desk = started(entrants=2, match=per_hand)
    minimums = []
    for leg in (1, 2, 3):
        (game,) = wanted_games(desk.state)
        assert (game.leg, game.ruleset.hand_cap) == (leg, 1)
        minimums.append(game.ruleset.first_meld[0].points)
        desk.tell([result_of(game, [(100, 0)])])
    assert minimums == [125, 155, 155]
    assert wanted_games(desk.state) == []
    assert desk.state.matches["r1m1"].decided is not None


def test_no_hand_follows_one_that_time_cut_off() -> None:
    per_hand = MatchTerms(length=FixedHands(3), minutes=40, first_meld=PerHand((125,)))
    desk = started(entrants=2, match=per_hand)
    (game,) = wanted_games(desk.state)
    desk.tell([result_of(game, [(100, 0)])])
    (game,) = wanted_games(desk.state)
    desk.tell([replace(result_of(game, [], "not_begun"), game=None)])
    decided = desk.state.matches["r1m1"].decided
    assert decided is not None
    assert decided.points == (100, 0)


def test_boards_may_not_have_more_hands_than_there_are_boards() -> None:
    desk = started(boards=Boards())
    game = wanted_games(desk.state)[0]
    with pytest.raises(TournamentRefused) as refused:
        record(desk.state, [result_of(game, [(1, 0)] * 3)])
    assert refused.value.code == "result_invalid"
