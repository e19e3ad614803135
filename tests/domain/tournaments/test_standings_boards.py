"""Standings of events on boards: matchpoints, IMPs, teams, what is told of a board and what counts in a match."""

from typing import Any

import pytest

from domain.tournaments.board_results import boards_told, boards_used
from domain.tournaments.entry_events import Withdrawn
from domain.tournaments.explaining import explained
from domain.tournaments.formats import Howell, Mitchell, RoundRobin, Swiss
from domain.tournaments.head_to_head import head_to_head
from domain.tournaments.matches import (
    BoardAMatch,
    Butler,
    CrossImps,
    FixedHands,
    ImpMatch,
    Matchpoints,
    MatchTerms,
    PerHand,
    Score,
    VictoryPoints,
)
from domain.tournaments.terms import Boards, Stage, TieBreak
from tests.domain.tournaments.scenarios import terms_of
from tests.domain.tournaments.told import Meeting, Told

MARGINS = (1450, 300, -200, 300)
"""The four results of the worked example of background b.9."""


def event(score: Score, number: int = 8, hands: int = 1, **others: Any) -> Told:
    form = others.pop("form", Swiss(rounds=9))
    ties: tuple[TieBreak, ...] = ("margin",)
    stage = Stage(format=form, match=MatchTerms(length=FixedHands(hands)), score=score, tie_breaks=ties)
    return Told(terms_of(stage, boards=Boards(), **others), number)


def meetings(*margins: int | tuple[int, ...]) -> list[Meeting]:
    """The first against the second, the third against the fourth, …: the margin of every board."""
    return [
        (
            (f"e{2 * place + 1}",),
            (f"e{2 * place + 2}",),
            [(each, 0) for each in ((margin,) if isinstance(margin, int) else margin)],
        )
        for place, margin in enumerate(margins)
    ]


def play(told: Told, *margins: int | tuple[int, ...], boards: tuple[int, ...] = (1,)) -> int:
    return told.round(meetings(*margins), boards=[boards] * len(margins))


def scores(told: Told, *entrants: int) -> list[int]:
    return [told.row(f"e{each}").score for each in entrants]


def test_matchpoints_are_a_percentage_of_the_top() -> None:
    told = event(Matchpoints())
    play(told, *MARGINS)
    # 6, 3, 0, 3 of 6, and what is left of it for the other side.
    assert scores(told, 1, 3, 5, 7) == [10_000, 5000, 0, 5000]
    assert scores(told, 2, 4, 6, 8) == [0, 5000, 10_000, 5000]
    assert [table.score for table in boards_told(told.state)[1].tables] == [(600, 0), (300, 300), (0, 600), (300, 300)]


def test_two_sides_of_a_match_have_a_hundred_percent_between_them_in_matchpoints() -> None:
    told = event(Matchpoints(), 34)
    # 17 tables, the last two level: each has 1 of 32.
    play(told, *range(150, 0, -10), 0, 0)
    assert scores(told, 31, 32, 33, 34) == [312, 9688, 312, 9688]
    assert [explained(told.state, each).rounds[0].score for each in ("e31", "e32")] == [312, 9688]


def test_cross_imps_are_summed_over_the_other_tables() -> None:
    told = event(CrossImps())
    play(told, *MARGINS)
    assert scores(told, 1, 3, 5, 7) == [2300, -400, -1500, -400]
    assert scores(told, 2, 4, 6, 8) == [-2300, 400, 1500, 400]


def test_a_butler_compares_with_the_mean() -> None:
    told = event(Butler())
    play(told, *MARGINS)
    # The mean is 462.5, the datum 460; a quarter of the differences by the table of IMPs.
    assert scores(told, 1, 3, 5, 7) == [600, -100, -400, -100]


def test_trimming_a_butler_leaves_a_result_whatever_the_terms_say() -> None:
    told = event(Butler(trimmed=3), 4)
    play(told, 400, 0)
    assert scores(told, 1, 3) == [200, -200]


def test_a_percentage_is_the_mean_over_all_boards_and_exact() -> None:
    told = event(Matchpoints(), 8)
    play(told, 30, 30, 20, 10)
    play(told, 30, 30, 10, 20, boards=(2,))
    # 5 and 5 of 6, and 6 and 4; the mean of 83.33 and 83.33 is not that of 100.00 and 66.67.
    assert scores(told, 1, 8) == [8333, 8333]


def test_a_bye_counts_as_many_boards_as_a_match_has() -> None:
    told = event(Matchpoints(), 5, hands=2)
    told.round(meetings((10, 10), (0, 0)), {"e5": "bye"}, [(1, 2)] * 2)
    assert scores(told, 1, 5) == [10_000, 6000]
    told.round(meetings((10, 10), (0, 0)), {"e5": "zero_bye"}, [(3, 4)] * 2)
    assert scores(told, 1, 5) == [10_000, 3000]


def test_a_round_in_which_one_had_no_part_is_nothing_of_its_boards() -> None:
    told = event(Matchpoints(), 4)
    play(told, 10, 0)
    told.round([(("e3",), ("e4",), [(10, 0)])], boards=[(2,)])
    assert scores(told, 1, 2) == [5000, 0]


def test_in_imps_a_bye_is_three_a_board_for_ten_percent_and_against_every_other_table() -> None:
    for score, worth in ((Butler(), 600), (CrossImps(), 600)):
        told = event(score, 5, hands=2)
        told.round(meetings((10, 10), (0, 0)), {"e5": "bye"}, [(1, 2)] * 2)
        assert scores(told, 5) == [worth]
    told = event(CrossImps(), 7, hands=2)
    told.round(meetings((10, 10), (0, 0), (0, 0)), {"e7": "bye"}, [(1, 2)] * 3)
    assert scores(told, 7) == [1200]


def test_nothing_counts_and_nothing_is_told_while_a_table_still_plays_the_board() -> None:
    told = event(Matchpoints(), 4)
    told.pair([(("e1",), ("e2",)), (("e3",), ("e4",))], boards=[(1,), (1,)])
    told.rule("r1m1", kind="average", average=("plus", "minus"))
    assert boards_told(told.state) == {}
    assert scores(told, 1, 2) == [0, 0]
    assert told.row("e1").played == 0
    assert told.standings().complete is False
    told.end("r1m2", [(100, 0)])
    assert scores(told, 1, 2, 3, 4) == [6000, 4000, 5000, 5000]
    assert told.standings().complete


def test_boards_that_nobody_has_played_are_counted_among_those_there_are() -> None:
    told = event(Matchpoints(), 4)
    play(told, 10, 20, boards=(7,))
    assert boards_used(told.state) == 7
    assert [*boards_told(told.state)] == [7]


def test_an_average_on_one_board_leaves_the_others_as_played() -> None:
    told = event(Matchpoints(), 8, hands=2)
    play(told, (10, 40), (20, 30), (30, 20), (40, 10), boards=(1, 2))
    told.rule("r1m1", kind="average", average=("plus", "even"), boards=(2,))
    second = boards_told(told.state)[2]
    assert second.tables[0].adjusted == ("plus", "even")
    assert second.tables[0].score == (360, 300)
    assert second.tables[0].points is None
    # 0 of 6 on the first board, 60 and 50 % on the second.
    assert scores(told, 1, 2) == [3000, 7500]
    # The others are compared among three, brought to the top of four: 4 → 4·4/3 + 1/3 = 5.67.
    assert second.tables[1].score == (567, 33)


def test_ruled_points_are_shared_among_the_boards() -> None:
    told = event(Matchpoints(), 4, hands=2)
    play(told, (0, 0), (100, 100), boards=(1, 2))
    told.rule("r1m1", kind="points", points=(403, 0))
    assert [board.tables[0].points for board in boards_told(told.state).values()] == [(202, 0), (201, 0)]
    assert scores(told, 1) == [10_000]


def test_a_ruled_score_leaves_what_others_have_of_the_board() -> None:
    told = event(Matchpoints(), 4)
    play(told, 0, 100)
    told.rule("r1m1", kind="score", score=(5000, 5000))
    assert scores(told, 1, 2, 3, 4) == [5000, 5000, 10_000, 0]


@pytest.mark.parametrize(("loser", "given", "expected"), [(1, ("plus", "minus"), 8000), (0, ("minus", "plus"), 7000)])
def test_who_resigned_was_at_fault_for_the_boards_that_were_not_played(
    loser: int, given: tuple[str, str], expected: int
) -> None:
    told = event(Matchpoints(), 4, hands=2)
    told.pair([(("e1",), ("e2",)), (("e3",), ("e4",))], boards=[(1, 2)] * 2)
    told.end("r1m1", [(100, 0)], loser=loser, reason="resigned")
    told.end("r1m2", [(0, 0), (0, 0)])
    assert boards_told(told.state)[2].tables[0].adjusted == given
    # All of the first board, 60 or 40 % of the second.
    assert scores(told, 1, 2) == [expected, 10_000 - expected]


def test_a_result_by_hand_goes_on_over_the_boards_of_further_games() -> None:
    match = MatchTerms(length=FixedHands(3), first_meld=PerHand((50, 90, 120)))
    told = Told(terms_of(Stage(format=Swiss(rounds=1), match=match, score=Matchpoints()), boards=Boards()), 4)
    told.pair([(("e1",), ("e2",)), (("e3",), ("e4",))], boards=[(1, 2, 3)] * 2)
    told.end("r1m1", [(100, 0), (200, 0), (300, 0)], reason="ruling")
    told.end("r1m2", [(0, 0), (0, 0), (0, 0)], reason="ruling")
    tables = [board.tables[0] for board in boards_told(told.state).values()]
    assert [(table.points, table.leg) for table in tables] == [((100, 0), 1), ((200, 0), 1), ((300, 0), 1)]


def test_boards_for_which_there_was_no_time_do_not_count() -> None:
    told = event(Matchpoints(), 4, hands=2)
    told.pair([(("e1",), ("e2",)), (("e3",), ("e4",))], boards=[(1, 2)] * 2)
    told.end("r1m1", [(100, 0)], reason="time")
    told.end("r1m2", [(0, 0), (50, 0)])
    assert scores(told, 1, 2) == [10_000, 0]
    # The only result of the second board, where two were expected, is half of the top.
    assert boards_told(told.state)[2].tables[1].score == (100, 100)
    assert scores(told, 3) == [2500]


def test_a_match_without_any_board_is_shared() -> None:
    told = event(Matchpoints(), 4)
    told.pair([(("e1",), ("e2",)), (("e3",), ("e4",))], boards=[(1,)] * 2)
    told.end("r1m1", [], reason="not_begun")
    told.end("r1m2", [(50, 0)])
    assert scores(told, 1, 2) == [5000, 5000]
    assert told.lines("e1")[0][1] == "adjusted"


def test_a_void_match_is_left_out_of_the_boards() -> None:
    told = event(Matchpoints(), 6)
    play(told, 0, 100, 50)
    told.rule("r1m1", kind="void")
    assert len(boards_told(told.state)[1].tables) == 2
    assert boards_told(told.state)[1].top == 200
    assert scores(told, 3, 5) == [10_000, 0]


def test_a_forfeited_table_is_still_expected() -> None:
    told = event(Matchpoints(), 6)
    play(told, 0, 100, 50)
    told.rule("r1m1", kind="forfeit", forfeit=(False, True))
    board = boards_told(told.state)[1]
    assert board.top == 400
    # Two results of three: 2 becomes 2·3/2 + 1/2 = 3.5 of 4.
    assert [table.score for table in board.tables] == [None, (350, 50), (50, 350)]
    assert scores(told, 1, 2, 3) == [7000, 3000, 8750]


@pytest.mark.parametrize(
    ("score", "expected"),
    # Margins of 600 and −80 points are 150 and −20, which are +4 and −1 IMP: +3 of a blitz margin of 15·√2.
    [(BoardAMatch(), (200, 200)), (VictoryPoints(), None), (ImpMatch(), None)],
)
def test_teams_compare_the_two_tables_of_their_match(score: Score, expected: tuple[int, int] | None) -> None:
    told = event(score, 2, hands=2, entrants="teams", form=RoundRobin())
    told.pair([(("e1",), ("e2",))], boards=[(1, 2)])
    told.end("r1m1", [(700, 0), (0, 300)], table=1)
    told.end("r1m1", [(0, 100), (220, 0)], table=2)
    boards = boards_told(told.state)
    assert [table.north_south for table in boards[1].tables] == [("e1",), ("e2",)]
    assert [table.points for table in boards[1].tables] == [(700, 0), (100, 0)]
    decided = told.state.matches["r1m1"].decided
    assert decided is not None
    assert tuple(scores(told, 1, 2)) == decided.score
    if expected is not None:
        assert decided.score == expected
        assert [board.tables[0].score for board in boards.values()] == [(200, 0), (0, 200)]
    if isinstance(score, ImpMatch):
        assert [board.tables[0].score for board in boards.values()] == [(400, -400), (-100, 100)]
        assert [board.tables[1].score for board in boards.values()] == [(-400, 400), (100, -100)]
    if isinstance(score, VictoryPoints):
        assert {board.unit for board in boards.values()} == {"points"}


def test_a_mitchell_has_two_winners_and_ranks_within_its_lines() -> None:
    told = event(Matchpoints(), 6, form=Mitchell())
    sides: list[Meeting] = [
        (("e1",), ("e4",), [(300, 0)]),
        (("e2",), ("e5",), [(200, 0)]),
        (("e3",), ("e6",), [(100, 0)]),
    ]
    told.round(sides, boards=[(1,)] * 3)
    rows = told.standings().rows
    assert [(row.group, row.rank, row.entrant) for row in rows] == [
        ("NS", 1, "e1"),
        ("EW", 1, "e6"),
        ("NS", 2, "e2"),
        ("EW", 2, "e5"),
        ("NS", 3, "e3"),
        ("EW", 3, "e4"),
    ]
    assert all(row.values is not None for row in rows)


def test_an_arrow_switch_and_a_howell_have_one_winner() -> None:
    for form in (Mitchell(arrow_switched_rounds=1), Howell()):
        told = event(Matchpoints(), 6, form=form)
        play(told, 300, 200, 100)
        assert {row.group for row in told.standings().rows} == {None}


def test_who_is_disqualified_is_last_in_its_line() -> None:
    told = event(Matchpoints(), 6, form=Mitchell())
    told.round(
        [(("e1",), ("e4",), [(300, 0)]), (("e2",), ("e5",), [(200, 0)]), (("e3",), ("e6",), [(100, 0)])],
        boards=[(1,)] * 3,
    )
    told.add(Withdrawn(entrant="e1", disqualified=True))
    rows = told.standings().rows
    assert [(row.rank, row.entrant) for row in rows if row.group == "NS"] == [(1, "e2"), (2, "e3"), (3, "e1")]
    assert [(row.rank, row.entrant) for row in rows if row.group == "EW"] == [(1, "e6"), (2, "e5"), (3, "e4")]


@pytest.mark.parametrize("score", [Matchpoints(), CrossImps()])
def test_what_all_tables_have_of_a_round_is_fixed(score: Score) -> None:
    told = event(score, 16, hands=3)
    play(told, *((37 * n % 11 * 100, -n * n * 10, 500 - 90 * n) for n in range(8)), boards=(1, 2, 3))
    total = sum(scores(told, *range(1, 17)))
    if isinstance(score, Matchpoints):
        assert abs(total - 16 * 5000) <= 16
        for board in boards_told(told.state).values():
            assert board.top is not None
            assert sum(table.score[0] for table in board.tables if table.score) == board.top * 8 // 2
    else:
        assert total == 0


def test_matches_on_boards_are_carried_head_to_head_too() -> None:
    told = event(Matchpoints(), 4)
    told.round([(("e1",), ("e2",), [(300, 0)]), (("e3",), ("e4",), [(100, 0)])], boards=[(1,)] * 2)
    told.round([(("e1",), ("e3",), [(0, 0)]), (("e2",), ("e4",), [(50, 0)])], boards=[(2,)] * 2)
    # The first won its board against the second, and has nothing of the one against the third.
    assert head_to_head(told.state, 0, ["e1", "e2"]) == {"e1": 10_000, "e2": 0}
    assert head_to_head(told.state, 0, ["e1", "e2", "e3"]) == {"e1": 5000, "e2": 0, "e3": 10_000}


def test_without_a_match_among_them_nothing_is_carried_head_to_head() -> None:
    for score in (Matchpoints(), CrossImps()):
        told = event(score, 4)
        play(told, 100, 0)
        assert head_to_head(told.state, 0, ["e1", "e3"]) == {"e1": 0, "e3": 0}
