"""How rounds went, as it is told: byes, what late entrants have, void matches, averages that nobody wins."""

from typing import Any

import pytest

from domain.tournaments.crosstable import crosstable
from domain.tournaments.explaining import explained
from domain.tournaments.formats import Swiss
from domain.tournaments.matches import CrossImps, Matchpoints, RawPoints, Score, VictoryPoints, WinDrawLoss
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.seating import Bye
from domain.tournaments.terms import Boards, Registration, Stage
from tests.domain.tournaments.directors import BY_HAND, Event, rule
from tests.domain.tournaments.scenarios import QUICK, terms_of
from tests.domain.tournaments.told import Told, met


def of(score: Score | None = None, **changes: Any) -> Stage:
    return Stage(format=Swiss(rounds=5), match=QUICK, score=score or VictoryPoints(), tie_breaks=("wins",), **changes)


def played(stage: Stage, **terms: Any) -> Event:
    """A first round is being played."""
    tournament = Event(terms_of(stage, pace=BY_HAND, **terms), 8)
    tournament.begin()
    tournament.next_round()
    return tournament


def kinds(told: Told, entrant: str) -> list[str | None]:
    """How its rounds went: the same in the crosstable and where they are explained."""
    (row,) = (each for each in crosstable(told.state).rows if each.entrant == entrant)
    shown = [cell.kind for cell in row.cells if cell is not None]
    assert shown == [each.kind for each in explained(told.state, entrant).rounds]
    return [*shown]


def test_byes_are_called_as_they_were_given_and_void_matches_void() -> None:
    told = Told(terms_of(of()), 7)
    byes: dict[str, Bye] = {"e5": "bye", "e6": "half_bye", "e7": "zero_bye"}
    told.round([met("e1", "e2", 500, 0), met("e3", "e4", 500, 0)], byes)
    told.rule("r1m2", kind="void")
    assert [kinds(told, f"e{number}") for number in range(1, 8)] == [
        ["played"], ["played"], ["void"], ["void"], ["bye"], ["half_bye"], ["zero_bye"],
    ]  # fmt: skip


def test_what_a_late_entrant_has_of_rounds_before_it_came_is_no_half_bye() -> None:
    told = Told(terms_of(of(), registration=Registration(late_rounds=3, late_score=40)), 4)
    told.round([met("e1", "e2", 0, 0), met("e3", "e4", 0, 0)])
    told.enter(late_round=2)
    told.round([met("e1", "e2", 0, 0), met("e3", "e4", 0, 0)], {"e5": "half_bye"})
    assert kinds(told, "e5") == ["late", "half_bye"]
    assert [each.text for each in explained(told.state, "e5").rounds] == ["8.00, entered later", "10.00, a half bye"]


@pytest.mark.parametrize("score", [VictoryPoints(), WinDrawLoss()])
def test_an_average_is_nobodys_win_as_little_as_a_bye_of_the_same_score_is(score: Score) -> None:
    told = Told(terms_of(of(score)), 5)
    told.round([met("e1", "e2", 5000, 0), met("e3", "e4", 5000, 0)], {"e5": "bye"})
    assert [told.row(f"e{number}").values for number in (1, 3)] == [(1,), (1,)]
    told.rule("r1m1", kind="average", average=("plus", "minus"))
    wins = [told.row(f"e{number}").values for number in (1, 2, 3)]
    assert wins == [(0,), (0,), (1,)]
    row = told.row("e1")
    assert (row.played, row.wins, row.draws, row.losses) == (1, 0, 1, 0)
    if score == VictoryPoints():
        assert (row.score, told.row("e5").score, told.row("e5").values) == (1200, 1200, (0,))


def test_a_match_with_an_average_on_one_board_is_won_by_the_others() -> None:
    for boards, won in (((2,), [1, 0]), ((), [0, 0])):
        told = Told(terms_of(of(Matchpoints()), boards=Boards()), 4)
        hands = [(200, 0), (200, 0)]
        told.round([(("e1",), ("e2",), hands), (("e3",), ("e4",), [(0, 0)] * 2)], boards=[(1, 2)] * 2)
        told.rule("r1m1", kind="average", average=("even", "even"), boards=boards)
        assert [told.row(each).wins for each in ("e1", "e2")] == won


@pytest.mark.parametrize(
    ("ruling", "text"),
    [
        ({"kind": "average", "average": ("plus", "minus")}, "12.00, an average of 60 % by a ruling (conduct)"),
        ({"kind": "score", "score": (1500, 100)}, "15.00, set by a ruling (conduct)"),
        ({"kind": "points", "points": (900, 900)}, "10.00 by a ruling (conduct); 900 to 900 points"),
    ],
)
def test_a_ruling_is_told_with_points_only_where_it_is_about_points(ruling: dict[str, Any], text: str) -> None:
    told = Told(terms_of(of()), 2)
    told.round([met("e1", "e2", 5000, 0)])
    told.rule("r1m1", **ruling)
    assert explained(told.state, "e1").rounds[0].text == text


@pytest.mark.parametrize(("score", "most"), [(VictoryPoints(), 2000), (WinDrawLoss(win=300, draw=100), 300)])
def test_a_ruling_gives_no_more_than_a_match_can_give_and_nobody_less_than_nothing(score: Score, most: int) -> None:
    tournament = played(of(score))
    for wrong in ([most + 1, 0], [0, most + 100], [-1, 0]):
        told = tournament.refused(
            "rule",
            TournamentCode.ADJUSTMENT_INVALID,
            match="r1m1",
            adjustment={"kind": "score", "score": wrong},
            reason="other",
        )
        assert (told["field"], told["most"]) == ("score", most)
        assert told["needed"] == f"hundredths from 0 to {most}"
    rule(tournament, "r1m1", {"kind": "score", "score": [most, most]})


@pytest.mark.parametrize("score", [RawPoints(), CrossImps()])
def test_a_score_that_nothing_bounds_is_ruled_as_it_may_be(score: Score) -> None:
    tournament = played(of(score), boards=Boards() if score == CrossImps() else None)
    rule(tournament, "r1m1", {"kind": "score", "score": [300_000, -5000]})
    told = tournament.refused(
        "rule",
        TournamentCode.ADJUSTMENT_INVALID,
        match="r1m1",
        adjustment={"kind": "score", "score": [10_000_001, 0]},
        reason="other",
    )
    assert told["needed"] == "hundredths up to 10000000"
