"""What a match is worth: victory points, wins, places, boards, lost games (background b.1, b.2, b.9)."""

import pytest

from domain.tournaments.formats import Elimination, RoundRobin, Swiss
from domain.tournaments.games import wanted_games
from domain.tournaments.matches import (
    BoardAMatch,
    FixedHands,
    ImpMatch,
    Matchpoints,
    MatchTerms,
    Placing,
    RawPoints,
    Score,
    Steps,
    VictoryPoints,
    WinDrawLoss,
)
from domain.tournaments.scores import forfeit_score, lost_score, match_score, shared_score, team_score
from domain.tournaments.terms import Stage
from tests.domain.tournaments.scenarios import Desk, result_of, terms_of

FOUR = MatchTerms(length=FixedHands(4), minutes=50)


def stage_with(score: Score) -> Stage:
    return Stage(format=Swiss(rounds=3), match=FOUR, score=score)


@pytest.mark.parametrize(
    ("margin", "score"),
    [(0, 1000), (100, 1031), (500, 1148), (1000, 1280), (2000, 1500), (3000, 1673), (6000, 2000), (9000, 2000)],
)
def test_four_hands_are_worth_what_the_published_scale_says(margin: int, score: int) -> None:
    assert match_score(stage_with(VictoryPoints()), (margin, 0), 4) == (score, 2000 - score)


def test_a_match_cut_short_is_measured_by_the_hands_that_were_played() -> None:
    assert match_score(stage_with(VictoryPoints()), (3000, 0), 1) == (2000, 0)


def test_a_table_of_steps_decides_where_one_is_given() -> None:
    steps = Steps((50, 150, 250, 350, 500, 650, 800, 1000, 1250, 1500))
    stage = stage_with(VictoryPoints(steps))
    assert [match_score(stage, (margin, 0), 3) for margin in (50, 51, 1500, 1501)] == [
        (1000, 1000),
        (1100, 900),
        (1900, 100),
        (2000, 0),
    ]


def test_points_win_draw_and_loss_and_raw_points() -> None:
    assert match_score(stage_with(WinDrawLoss(200, 100, 10)), (5, 5), 4) == (100, 100)
    assert match_score(stage_with(WinDrawLoss(200, 100, 10)), (5, 10), 4) == (10, 200)
    assert match_score(stage_with(RawPoints()), (-5, 10), 4) == (-500, 1000)


def test_several_sides_are_placed_evenly_and_share_places() -> None:
    assert match_score(stage_with(Placing()), (100, 300, 200), 4) == (0, 2000, 1000)
    assert match_score(stage_with(VictoryPoints()), (100, 300, 300, 0, 50), 4) == (1000, 1750, 1750, 0, 500)


def test_boards_that_are_compared_between_tables_give_a_match_no_score() -> None:
    assert match_score(stage_with(Matchpoints()), (100, 0), 4) is None


def test_teams_score_by_board() -> None:
    assert team_score(stage_with(BoardAMatch()), [10, -10, 0]) == (300, 300)
    own, other = team_score(stage_with(ImpMatch()), [400, 400]) or (0, 0)
    assert own + other == 2000
    assert own > 1000


def test_a_forfeit_is_worth_its_part_of_the_most() -> None:
    stage = stage_with(VictoryPoints())
    assert forfeit_score(stage, (False, True)) == (1200, 800)
    assert forfeit_score(stage, (True, True)) == (0, 0)
    assert forfeit_score(stage_with(RawPoints()), (False, True)) is None


def test_who_loses_a_game_by_resigning_has_no_more_than_a_forfeit_leaves() -> None:
    stage = stage_with(VictoryPoints())
    assert lost_score(stage, (1500, 500), 0) == (800, 1200)
    assert lost_score(stage, (100, 1900), 0) == (100, 1900)
    assert lost_score(stage_with(WinDrawLoss()), (100, 0), 0) == (0, 100)
    assert lost_score(stage_with(RawPoints()), (90000, 1000), 0) == (1000, 1000)


def test_a_match_that_nobody_won_is_shared() -> None:
    assert shared_score(stage_with(VictoryPoints()), 2) == (1000, 1000)
    assert shared_score(stage_with(Placing()), 3) == (1000, 1000, 1000)


def test_too_few_hands_at_the_end_of_time_are_no_result_of_their_own() -> None:
    terms = MatchTerms(length=FixedHands(4), minutes=50, hands_to_count=2)
    desk = Desk(terms_of(Stage(format=RoundRobin(), match=terms)), 2)
    desk.run_to_start()
    (game,) = wanted_games(desk.state)
    desk.tell([result_of(game, [(1000, 0)], "time")])
    decided = desk.state.matches["r1m1"].decided
    assert decided is not None
    assert (decided.points, decided.score, decided.how) == ((0, 0), (1000, 1000), "too_few_hands")


@pytest.mark.parametrize(
    ("hands", "points", "how"),
    [([(100, 0), (50, 0), (0, 30)], (150, 30), None), ([(100, 0), (0, 30)], (0, 0), "too_few_hands")],
)
def test_an_unfinished_hand_counts_its_points_but_not_as_a_finished_one(
    hands: list[tuple[int, int]], points: tuple[int, int], how: str | None
) -> None:
    terms = MatchTerms(length=FixedHands(4), minutes=50, hands_to_count=2)
    desk = Desk(terms_of(Stage(format=RoundRobin(), match=terms)), 2)
    desk.run_to_start()
    (game,) = wanted_games(desk.state)
    desk.tell([result_of(game, hands, "position")])
    decided = desk.state.matches["r1m1"].decided
    assert decided is not None
    assert (decided.points, decided.how) == (points, how)


@pytest.mark.parametrize(("hands_to_count", "points", "how"), [(0, (100, 30), None), (1, (0, 0), "too_few_hands")])
def test_where_no_hand_is_needed_the_first_one_counts_as_it_lies(
    hands_to_count: int, points: tuple[int, int], how: str | None
) -> None:
    terms = MatchTerms(length=FixedHands(1), minutes=40, hands_to_count=hands_to_count)
    desk = Desk(terms_of(Stage(format=RoundRobin(), match=terms)), 2)
    desk.run_to_start()
    (game,) = wanted_games(desk.state)
    desk.tell([result_of(game, [(100, 30)], "position")])
    decided = desk.state.matches["r1m1"].decided
    assert decided is not None
    assert (decided.points, decided.how) == (points, how)


def test_a_tied_match_of_a_bracket_has_one_hand_more() -> None:
    desk = Desk(terms_of(Elimination(tie="extra_hand")), 2)
    desk.run_to_start()
    (game,) = wanted_games(desk.state)
    desk.tell([result_of(game, [(300, 0), (0, 300)])])
    assert not desk.state.matches["r1m1"].over
    (extra,) = wanted_games(desk.state)
    assert (extra.leg, extra.ruleset.hand_cap, extra.due_at) == (2, 1, None)
    desk.tell([result_of(extra, [(0, 5)])])
    decided = desk.state.matches["r1m1"].decided
    assert decided is not None
    assert (decided.points, decided.winner, decided.how) == ((300, 300), 1, "extra_hand")


@pytest.mark.parametrize("form", [Elimination(tie="extra_hand"), Elimination(tie="higher_seed")])
def test_a_match_of_a_bracket_that_stays_tied_goes_to_the_higher_seed(form: Elimination) -> None:
    desk = Desk(terms_of(form), 2)
    desk.run_to_start()
    while wanted := wanted_games(desk.state):
        desk.tell([result_of(game, [(0, 0)] * (game.ruleset.hand_cap or 1)) for game in wanted])
    match = desk.state.matches["r1m1"]
    assert match.decided is not None
    assert match.paired.sides[match.decided.winner or 0] == ("e1",)
    assert match.decided.how == "higher_seed"


@pytest.mark.parametrize(("score", "scores"), [(VictoryPoints(), (800, 1200)), (RawPoints(), (0, 0))])
def test_who_resigns_loses_a_match_of_a_bracket_whatever_the_points(score: Score, scores: tuple[int, int]) -> None:
    desk = Desk(terms_of(Stage(format=Elimination(), match=FOUR, score=score)), 2)
    desk.run_to_start()
    (game,) = wanted_games(desk.state)
    desk.tell([result_of(game, [(3000, 0)], "resigned", loser=0)])
    decided = desk.state.matches["r1m1"].decided
    assert decided is not None
    assert (decided.winner, decided.how, decided.score) == (1, "loser", scores)
