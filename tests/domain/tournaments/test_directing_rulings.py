"""Director's acts on results: rulings, forfeits, results by hand, adjudications, penalties."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.tournaments.formats import Elimination, Mitchell
from domain.tournaments.matches import Matchpoints, RawPoints, WinDrawLoss
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.round_events import RulingIssued, StandingsPublished
from domain.tournaments.terms import Boards, Stage
from tests.domain.tournaments.directors import BY_HAND, Event, event, knockout, rule, scores, swiss, under_way
from tests.domain.tournaments.scenarios import QUICK, terms_of


def ruled_scores(tournament: Event) -> list[tuple[int, ...] | None]:
    """The scores of the first round by table; None for matches that are open."""
    outcomes = [match.outcome for match in tournament.state.matches_of(1)]
    return [None if outcome is None else outcome.score for outcome in outcomes]


@pytest.mark.parametrize(
    ("adjustment", "points", "score"),
    [
        ({"kind": "points", "points": [1000, 1000]}, (1000, 1000), (1000, 1000)),
        ({"kind": "points", "points": [-9000, 0]}, (-9000, 0), (0, 2000)),
        ({"kind": "score", "score": [1300, 500]}, (0, 0), (1300, 500)),
        ({"kind": "average", "average": ["plus", "minus"]}, (0, 0), (1200, 800)),
        ({"kind": "average", "average": ["even", "even"]}, (0, 0), (1000, 1000)),
        ({"kind": "forfeit", "forfeit": [True, False]}, (0, 0), (600, 1400)),
        ({"kind": "forfeit", "forfeit": [True, True]}, (0, 0), (0, 0)),
        ({"kind": "void"}, (0, 0), None),
    ],
)
def test_a_ruling_stands_in_the_place_of_a_result(
    adjustment: dict[str, Any], points: tuple[int, ...], score: tuple[int, ...] | None
) -> None:
    tournament = under_way()
    rule(tournament, "r1m1", adjustment)
    outcome = tournament.state.matches["r1m1"].outcome
    assert outcome is not None
    assert (outcome.points, outcome.score) == (points, score)
    assert all(game.match != "r1m1" for game in tournament.play_list()), "Nothing is played any more."


@pytest.mark.parametrize(
    "adjustment",
    [
        {"kind": "points", "points": [1, 2, 3]},
        {"kind": "points"},
        {"kind": "points", "points": [1, 2], "score": [1, 2]},
        {"kind": "score", "points": [1, 2]},
        {"kind": "average", "average": ["plus"]},
        {"kind": "average", "average": ["plus", "minus"], "boards": [1]},
        {"kind": "forfeit", "forfeit": [False, False]},
        {"kind": "forfeit", "forfeit": [True]},
        {"kind": "void", "points": [0, 0]},
        {"kind": "points", "points": [10**12, 0]},
        {"kind": "score", "score": [10**12, 0]},
    ],
)
def test_an_adjustment_has_an_entry_for_each_side_and_nothing_else(adjustment: dict[str, Any]) -> None:
    under_way().refused("rule", TournamentCode.ADJUSTMENT_INVALID, match="r1m1", adjustment=adjustment, reason="other")


def test_an_average_needs_a_most_that_a_match_can_give() -> None:
    terms = terms_of(Stage(format=swiss().stages[0].format, match=QUICK, score=RawPoints()), pace=BY_HAND)
    tournament = event(terms, 6)
    tournament.begin()
    tournament.next_round()
    even = {"kind": "average", "average": ["even", "even"]}
    told = tournament.refused("rule", TournamentCode.ADJUSTMENT_INVALID, match="r1m1", adjustment=even, reason="other")
    assert told["field"] == "average"


def test_averages_on_single_boards_are_for_boards_of_the_match() -> None:
    stage = Stage(format=Mitchell(), match=QUICK, score=Matchpoints())
    tournament = event(terms_of(stage, pace=BY_HAND, boards=Boards()), 6)
    tournament.begin()
    tournament.next_round()
    average = {"kind": "average", "average": ["plus", "minus"], "boards": [99]}
    tournament.refused("rule", TournamentCode.ADJUSTMENT_INVALID, match="r1m1", adjustment=average, reason="other")
    board = tournament.state.matches["r1m1"].paired.boards[0]
    rule(tournament, "r1m1", average | {"boards": [board]})
    outcome = tournament.state.matches["r1m1"].outcome
    assert outcome is not None
    assert outcome.score is None, "It follows from the other tables."


def test_a_ruling_supersedes_and_is_taken_back_and_all_stay_in_the_log() -> None:
    tournament = under_way()
    tournament.play_all()
    played = tournament.state.matches["r1m1"].outcome
    rule(tournament, "r1m1", {"kind": "points", "points": [0, 500]})
    first = tournament.state.version
    tournament.refused(
        "rule",
        TournamentCode.NOTHING_TO_CHANGE,
        match="r1m1",
        adjustment={"kind": "points", "points": [0, 500]},
        reason="other",
    )
    rule(tournament, "r1m1", {"kind": "points", "points": [0, 700]})
    rule(tournament, "r1m1", None)
    rulings = [each for each in tournament.happened if isinstance(each, RulingIssued)]
    assert [each.supersedes for each in rulings] == [None, first, first + 1]
    assert tournament.state.matches["r1m1"].outcome == played
    tournament.refused("rule", TournamentCode.RULING_UNKNOWN, match="r1m1", adjustment=None, reason="other")


def test_a_ruling_on_an_open_match_is_taken_back_while_its_round_goes_on() -> None:
    tournament = under_way()
    rule(tournament, "r1m1", {"kind": "void"})
    rule(tournament, "r1m1", None)
    assert not tournament.state.matches["r1m1"].over
    rule(tournament, "r1m1", {"kind": "void"})
    tournament.play_all()
    tournament.act("close_round", round=1)
    tournament.refused("rule", TournamentCode.MATCH_WRONG_STATUS, match="r1m1", adjustment=None, reason="other")


def test_a_ruling_on_an_earlier_round_changes_the_standings_and_publishes_them_anew() -> None:
    tournament = under_way()
    tournament.play_all()
    tournament.act("close_round", round=1)
    tournament.next_round()
    before = scores(tournament)
    shown = rule(tournament, "r1m1", {"kind": "points", "points": [0, 9000]})
    after = scores(tournament)
    assert (after["e4"], after["e1"]) == (2000, 0)
    changed = {each.entrant: (each.score_old, each.score_new) for each in shown.ranks}
    assert changed["e4"] == (before["e4"], 2000)
    assert isinstance(tournament.happened[-1], StandingsPublished)
    assert tournament.state.order[0] == "e4"
    assert [(each.match, each.old, each.new) for each in shown.rated] == [("r1m1", (1, 2), (2, 1))]
    assert shown.pairings == (), "The next round stays as it was paired."


def test_a_ruling_in_a_round_under_way_publishes_nothing() -> None:
    tournament = under_way()
    tournament.play_all()
    tournament.act("close_round", round=1)
    tournament.next_round()
    published = tournament.state.published
    rule(tournament, "r2m1", {"kind": "void"})
    assert tournament.state.published == published > 0


def test_a_ruling_after_the_end_reopens_publishes_and_finishes_with_the_new_order() -> None:
    tournament = under_way(rounds=1)
    tournament.play_all()
    tournament.act("close_round", round=1)
    tournament.act("finish")
    assert tournament.state.order[-1] != "e1"
    shown = rule(tournament, "r1m1", {"kind": "points", "points": [-9000, 0]})
    assert (shown.status_old, shown.status_new) == ("finished", "finished")
    assert [each.__struct_config__.tag for each in tournament.happened[-4:]] == [
        "tournament_reopened",
        "ruling_issued",
        "standings_published",
        "tournament_finished",
    ]
    assert (tournament.state.order[0], tournament.state.order[-1]) == ("e4", "e1")


def test_a_winner_is_named_only_in_a_bracket() -> None:
    tournament = under_way()
    told = tournament.refused(
        "rule",
        TournamentCode.ADJUSTMENT_INVALID,
        match="r1m1",
        adjustment={"kind": "points", "points": [1, 0]},
        winner=1,
        reason="other",
    )
    assert told["field"] == "winner"


def test_rulings_are_on_known_matches() -> None:
    tournament = under_way()
    void = {"kind": "void"}
    tournament.refused("rule", TournamentCode.MATCH_UNKNOWN, match="r1m9", adjustment=void, reason="other")
    event(swiss(), 6).refused("rule", TournamentCode.MATCH_UNKNOWN, match="r1m1", adjustment=void, reason="other")


def test_one_side_or_both_forfeit() -> None:
    tournament = under_way()
    tournament.act("forfeit", match="r1m1", entrants=["e4"], reason="absence")
    tournament.act("forfeit", match="r1m2", entrants=["e5", "e2"], reason="absence")
    assert ruled_scores(tournament) == [(1400, 600), (0, 0), None]
    told = tournament.refused("forfeit", TournamentCode.ENTRANT_UNKNOWN, match="r1m3", entrants=["e1"], reason="late")
    assert told["match"] == "r1m3"
    tournament.refused("forfeit", TournamentCode.NOTHING_TO_CHANGE, match="r1m1", entrants=["e4"], reason="absence")


def test_a_forfeit_before_its_round_begins_leaves_no_game() -> None:
    tournament = event(swiss(), 6)
    tournament.begin()
    tournament.act("pair")
    tournament.act("forfeit", match="r1m1", entrants=["e4"], reason="absence")
    tournament.act("start_round", round=1)
    assert {game.match for game in tournament.play_list()} == {"r1m2", "r1m3"}


def bracket(entrants: int = 4, **others: Any) -> Event:
    tournament = event(knockout(**others), entrants)
    tournament.begin()
    tournament.next_round()
    tournament.play_all()
    tournament.act("close_round", round=1)
    return tournament


def finalists(tournament: Event) -> set[str]:
    return {each for side in tournament.state.matches_of(2)[0].paired.sides for each in side}


def test_a_ruling_that_changes_who_advances_pairs_the_next_round_anew_in_the_same_append() -> None:
    tournament = bracket()
    tournament.act("pair")
    assert finalists(tournament) == {"e1", "e2"}
    semi = tournament.match_between("e1", "e4")
    side = [each[0] for each in tournament.state.matches[semi].paired.sides].index("e1")
    shown = tournament.act("forfeit", match=semi, entrants=["e1"], reason="eligibility")
    assert finalists(tournament) == {"e4", "e2"}
    assert shown.dependants == ()
    assert [(set(sum(each.old or (), ())), set(sum(each.new or (), ()))) for each in shown.pairings] == [
        ({"e1", "e2"}, {"e4", "e2"})
    ]
    assert [(each.winner_old, each.winner_new) for each in shown.results if each.match == semi] == [(side, 1 - side)]


def test_where_the_next_match_has_begun_the_preview_warns_and_the_act_has_to_accept_it() -> None:
    tournament = bracket()
    tournament.next_round()
    semi = tournament.match_between("e1", "e4")
    final = tournament.state.matches_of(2)[0].id
    told = tournament.refused("forfeit", TournamentCode.DEPENDANTS, match=semi, entrants=["e1"], reason="eligibility")
    assert (told["matches"], told["needed"]) == ([final], "accept_dependants")
    assert tournament.show("forfeit", match=semi, entrants=["e1"], reason="eligibility").dependants == (final,)
    side = [each[0] for each in tournament.state.matches[semi].paired.sides].index("e1")
    tournament.act("forfeit", match=semi, entrants=["e1"], reason="eligibility", accept_dependants=True)
    assert finalists(tournament) == {"e1", "e2"}, "The match under way stays."
    outcome = tournament.state.matches[semi].outcome
    assert outcome is not None
    assert outcome.score is not None
    assert outcome.score[side] < outcome.score[1 - side]
    assert outcome.winner == side, "Who went on went on."
    tournament.play_all()
    tournament.act("close_round", round=2)
    tournament.act("finish")
    assert tournament.state.order[:2] == ("e1", "e2")


def test_a_ruling_on_a_match_to_come_is_not_lost_by_pairing_anew() -> None:
    tournament = bracket(8)
    tournament.act("pair")
    first, second = (match.id for match in tournament.state.matches_of(2))
    loser = tournament.state.matches[second].paired.sides[0][0]
    tournament.act("forfeit", match=second, entrants=[loser], reason="absence")
    winner = tournament.state.matches[first].paired.sides[0][0]
    earlier = next(
        match.id for match in tournament.state.matches_of(1) if any(winner in side for side in match.paired.sides)
    )
    told = tournament.refused("forfeit", TournamentCode.DEPENDANTS, match=earlier, entrants=[winner], reason="conduct")
    assert told["matches"] == [second]


def test_a_void_match_of_a_bracket_needs_to_be_told_who_goes_on() -> None:
    tournament = bracket()
    semi = tournament.match_between("e1", "e4")
    told = tournament.refused(
        "rule", TournamentCode.ADJUSTMENT_INVALID, match=semi, adjustment={"kind": "void"}, reason="other"
    )
    assert told["field"] == "winner"
    side = [each[0] for each in tournament.state.matches[semi].paired.sides].index("e4")
    rule(tournament, semi, {"kind": "void"}, winner=side)
    tournament.act("pair")
    assert finalists(tournament) == {"e4", "e2"}


def test_a_bracket_is_not_paired_by_hand() -> None:
    tournament = bracket()
    tournament.refused("pair_by_hand", TournamentCode.STAGE_WRONG, matches=[{"sides": [["e1"], ["e3"]]}])
    tournament.refused("pair", TournamentCode.STAGE_WRONG, pinned=[["e1", "e3"]])


def test_a_ruling_that_changes_who_is_in_the_stage_under_way_has_to_be_accepted() -> None:
    second = Stage(format=Elimination(), match=QUICK, qualifiers=2)
    tournament = event(terms_of(swiss(rounds=1).stages[0], second, pace=BY_HAND), 6)
    tournament.begin()
    tournament.whole_round()
    tournament.act("end_stage")
    tournament.next_round()
    inside = set(tournament.state.stages[1].entrants)
    outside = next(each for each in ("e4", "e5", "e6") if each not in inside)
    match = next(each for each in tournament.state.matches_of(1) if any(outside in side for side in each.paired.sides))
    won = next([9000, 0] if side == (outside,) else [0, 9000] for side in match.paired.sides)
    ruling: dict[str, Any] = {
        "match": match.id,
        "adjustment": {"kind": "points", "points": won},
        "reason": "scoring_error",
    }
    told = tournament.refused("rule", TournamentCode.DEPENDANTS, **ruling)
    assert (told["stage"], told["matches"]) == (1, ["r2m1"])
    shown = tournament.act("rule", **ruling, accept_dependants=True)
    assert outside in {each.entrant for each in shown.qualifiers if each.new}
    assert set(tournament.state.stages[1].entrants) == inside


def test_match_points_are_ruled_by_win_and_loss() -> None:
    stage = replace(swiss().stages[0], score=WinDrawLoss())
    tournament = event(terms_of(stage, pace=BY_HAND), 6)
    tournament.begin()
    tournament.next_round()
    rule(tournament, "r1m1", {"kind": "points", "points": [1, 0]})
    rule(tournament, "r1m2", {"kind": "points", "points": [5, 5]})
    assert ruled_scores(tournament) == [(100, 0), (50, 50), None]
