"""Averages on single boards of matches whose boards are not compared with other tables: the act, and what it tells."""

from typing import Any, Final

import msgspec
import pytest

from domain.tournaments.act_log import tell
from domain.tournaments.board_results import boards_told
from domain.tournaments.events import TournamentCreated
from domain.tournaments.explaining import explained
from domain.tournaments.fold import begin, fold
from domain.tournaments.formats import Elimination, Individual, RoundRobin
from domain.tournaments.matches import (
    BoardAMatch,
    FixedHands,
    ImpMatch,
    MatchTerms,
    Placing,
    RawPoints,
    Score,
    VictoryPoints,
    WinDrawLoss,
)
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_events import MatchDecided
from domain.tournaments.standings import standings
from domain.tournaments.terms import Boards, Stage
from tests.domain.tournaments.directors import BY_HAND, Event, event, rule
from tests.domain.tournaments.scenarios import TOURNAMENT, terms_of
from tests.domain.tournaments.told import Told
from tests.domain.tournaments.two_boards import BY_STEPS, outcome, played, ruled


def test_the_board_has_what_its_sides_were_given_at_both_tables() -> None:
    for score, given in ((ImpMatch(), (300, 0)), (BoardAMatch(), (120, 100))):
        told = played(score)
        first = boards_told(told.state)[1]
        ruled(told, ("plus", "even"), 2)
        assert boards_told(told.state)[1] == first
        tables = boards_told(told.state)[2].tables
        assert [(each.points, each.adjusted, each.score) for each in tables] == [
            (None, ("plus", "even"), given),
            (None, ("even", "plus"), given[::-1]),
        ]
    told = played(VictoryPoints())
    ruled(told, ("plus", "even"), 2)
    table = boards_told(told.state)[2].tables[0]
    assert (table.points, table.adjusted, table.score) == (None, ("plus", "even"), None)


def test_an_average_for_the_whole_of_a_match_of_teams_is_none_of_its_boards() -> None:
    told = played(ImpMatch())
    ruled(told, ("plus", "minus"))
    assert outcome(told).score == (1200, 800)
    tables = [table for board in boards_told(told.state).values() for table in board.tables]
    assert {(table.adjusted, table.score) for table in tables} == {
        (("plus", "minus"), None),
        (("minus", "plus"), None),
    }


SCALE: Final = "10 + 10·(1 − R^(d/X))/(1 − R)"


@pytest.mark.parametrize(
    ("score", "sums", "worth"),
    [
        (
            ImpMatch(),
            ("IMPs by board +4 +3 (board 2, {}) = +7", "IMPs by board −4 +3 (board 2, {}) = −1"),
            (
                f"{SCALE} = 14.96 with d = 7, X = 15·√2, R = 0.2360680",
                f"20 − ({SCALE}) = 9.14 with d = 1, X = 15·√2, R = 0.2360680",
            ),
        ),
        (
            VictoryPoints(),
            (
                "500 to 200 points on the other boards, +420 (board 2, {}); margin +720",
                "200 to 500 points on the other boards, +420 (board 2, {}); margin +120",
            ),
            (
                f"{SCALE} = 12.84 with d = 720, X = 3,000·√2, R = 0.2360680",
                f"{SCALE} = 10.52 with d = 120, X = 3,000·√2, R = 0.2360680",
            ),
        ),
        (
            BY_STEPS,
            (
                "500 to 200 points on the other boards, +420 (board 2, {}); margin +720",
                "200 to 500 points on the other boards, +420 (board 2, {}); margin +120",
            ),
            ("17.00 by the table of margins", "11.00 by the table of margins"),
        ),
        (
            WinDrawLoss(),
            (
                "500 to 200 points on the other boards, 0 (board 2, {})",
                "200 to 500 points on the other boards, 0 (board 2, {})",
            ),
            ("won, 1.0", "lost, 0.0"),
        ),
    ],
    ids=["imps", "continuous", "steps", "wins"],
)
def test_what_either_side_has_is_told_in_words(score: Score, sums: tuple[str, str], worth: tuple[str, str]) -> None:
    told = played(score)
    ruled(told, ("plus", "plus"), 2)
    for side, entrant in enumerate(("e1", "e2")):
        has, _, rest = explained(told.state, entrant).rounds[0].text.partition(" by a ruling (conduct); ")
        assert rest == f"{sums[side].format('plus against plus')}; {worth[side]}"
        assert round(100 * float(has)) == told.row(entrant).score


def test_board_a_match_is_told_board_by_board() -> None:
    told = played(BoardAMatch())
    ruled(told, ("plus", "even"), 2)
    assert [explained(told.state, each).rounds[0].text for each in ("e1", "e2")] == [
        "3.20 by a ruling (conduct); 2 + 1.2 (board 2, plus against even) by board",
        "1.00 by a ruling (conduct); 0 + 1 (board 2, even against plus) by board",
    ]


def test_halves_of_imps_no_margin_and_matches_given_up_are_told_too() -> None:
    told = played(ImpMatch(), Elimination(tie="extra_hand"))
    ruled(told, ("plus", "even"), 2)
    assert "+4 +1.5 (board 2, plus against even) = +5.5; " in explained(told.state, "e1").rounds[0].text
    assert "= 14.09 with d = 5.5, " in explained(told.state, "e1").rounds[0].text
    told = played(ImpMatch())
    ruled(told, ("even", "plus"), 1, 2)
    assert explained(told.state, "e1").rounds[0].text.endswith("= 0; no margin, 10.00")
    told = played(VictoryPoints(), loser=0, reason="resigned")
    ruled(told, ("plus", "minus"), 2)
    assert (
        explained(told.state, "e1")
        .rounds[0]
        .text.endswith("+420 (board 2, plus against minus); a side gave up or lost on time")
    )


# --- the act ---


def teams(**others: Any) -> Event:
    """A round robin of four teams by IMPs, whose first round is being played."""
    match = MatchTerms(length=FixedHands(2), minutes=25)
    stage = Stage(format=others.pop("form", RoundRobin()), match=match, score=others.pop("score", ImpMatch()))
    terms = terms_of(stage, boards=Boards(), entrants="teams", pace=BY_HAND)
    tournament = event(terms, 4)
    tournament.begin()
    tournament.next_round()
    return tournament


def average(*boards: int) -> dict[str, Any]:
    return {"kind": "average", "average": ["plus", "even"], "boards": list(boards)}


def refused(tournament: Event, code: TournamentCode, *boards: int, match: str = "r1m1") -> dict[str, Any]:
    return tournament.refused("rule", code, match=match, adjustment=average(*boards), reason="other")


def test_the_act_is_shown_beforehand_told_in_the_log_taken_back_and_folds_to_the_same_again() -> None:
    tournament = teams()
    tournament.play_all()
    before = tournament.state.matches["r1m1"].outcome
    board = tournament.state.matches["r1m1"].paired.boards[1]
    shown = rule(tournament, "r1m1", average(board))
    after = tournament.state.matches["r1m1"].outcome
    assert before is not None
    assert after is not None
    assert [(each.score_old, each.score_new) for each in shown.results] == [(before.score, after.score)]
    assert before.score != after.score
    assert after.score is not None
    scored = " : ".join(f"{each / 100:.2f}" for each in after.score)
    assert tell(tournament.happened[-1]) == f"r1m1: averages plus, even on board {board}, scored {scored}"
    created, *later = (msgspec.json.decode(msgspec.json.encode(each), type=type(each)) for each in tournament.happened)
    assert isinstance(created, TournamentCreated)
    again = fold(begin(TOURNAMENT, created), later)
    assert standings(again) == standings(tournament.state)
    rule(tournament, "r1m1", average(*tournament.state.matches["r1m1"].paired.boards))
    assert f"on boards {board - 1}, {board}, " in tell(tournament.happened[-1])
    rule(tournament, "r1m1", None)
    assert tournament.state.matches["r1m1"].outcome == before


def test_boards_are_averaged_only_beside_what_is_known_of_the_others() -> None:
    tournament = teams()
    board = tournament.state.matches["r1m1"].paired.boards[0]
    assert refused(tournament, TournamentCode.MATCH_WRONG_STATUS, board)["boards"] == [board]
    games = [each for each in tournament.play_list() if each.match == "r1m1"]
    tournament.play(games)
    assert tournament.state.matches["r1m1"].finished, "Its boards are still played at the other match."
    refused(tournament, TournamentCode.MATCH_WRONG_STATUS, board)
    tournament.play_all()
    rule(tournament, "r1m1", average(board))


def test_a_match_that_nobody_came_to_has_no_single_boards() -> None:
    tournament = teams()
    sides = tournament.state.matches["r1m1"].paired.sides
    board = tournament.state.matches["r1m1"].paired.boards[0]
    tournament.act("forfeit", match="r1m1", entrants=[sides[0][0]], reason="absence")
    refused(tournament, TournamentCode.MATCH_WRONG_STATUS, board)
    tournament = teams(form=Elimination())
    walkover = MatchDecided(match="r1m1", points=(0, 0), score=(1400, 600), winner=0, how="walkover")
    tournament.add(walkover)
    refused(tournament, TournamentCode.MATCH_WRONG_STATUS, tournament.state.matches["r1m1"].paired.boards[0])


def test_a_match_whose_tie_is_played_off_is_not_over_yet() -> None:
    tournament = teams(form=Elimination(tie="extra_hand"))
    tournament.play(tournament.play_list(), lambda _game: [[100, 100]] * 2)
    match = tournament.state.matches["r1m1"]
    assert match.results
    assert match.decided is None
    refused(tournament, TournamentCode.MATCH_WRONG_STATUS, match.paired.boards[0])


def test_a_board_is_named_once_and_is_one_of_those_that_count() -> None:
    tournament = teams(form=Elimination(tie="extra_hand"))
    boards = list(tournament.state.matches["r1m1"].paired.boards)
    tournament.play_all()
    assert refused(tournament, TournamentCode.ADJUSTMENT_INVALID, boards[0], boards[0])["needed"] == "every board once"
    for other in (boards[-1], 99):
        told = refused(tournament, TournamentCode.ADJUSTMENT_INVALID, boards[0], other)
        assert (told["field"], told["boards"]) == ("boards", boards[:2])


def test_points_that_nothing_bounds_and_tables_of_three_have_no_averages_on_boards() -> None:
    with pytest.raises(TournamentRefused) as refusal:
        ruled(played(RawPoints()), ("plus", "even"), 1)
    assert (refusal.value.code, refusal.value.params["field"]) == (TournamentCode.ADJUSTMENT_INVALID, "average")
    stage = Stage(format=Individual(movement="swiss", rounds=1), score=Placing())
    alone = Told(terms_of(stage, boards=Boards(), players=3, entrants="individuals"), 3)
    alone.pair([(("e1",), ("e2",), ("e3",))], boards=[(1, 2)])
    alone.end("r1m1", [(100, 0, 50), (0, 0, 0)])
    with pytest.raises(TournamentRefused) as refusal:
        alone.rule("r1m1", kind="average", average=("plus", "even", "even"), boards=(1,))
    assert (refusal.value.code, refusal.value.params["field"]) == (TournamentCode.ADJUSTMENT_INVALID, "boards")
