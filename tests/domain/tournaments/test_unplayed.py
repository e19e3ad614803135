"""What a round is worth that was not played, where the terms leave it to the score and the length of the match."""

from typing import Literal

import pytest

from domain.tournaments.by_fide import propose_by_fide
from domain.tournaments.formats import Swiss
from domain.tournaments.matches import (
    FixedHands,
    Length,
    MatchTerms,
    Score,
    ToTarget,
    Unplayed,
    VictoryPoints,
    WinDrawLoss,
)
from domain.tournaments.playing import present
from domain.tournaments.scores import forfeit_score
from domain.tournaments.terms import Stage
from domain.tournaments.unplayed import percents_of
from domain.tournaments.worth import RoundFacts, bye_worth
from tests.domain.tournaments.directors import BY_HAND, event
from tests.domain.tournaments.scenarios import terms_of

NO_FACTS = RoundFacts(0, 1)


Method = Literal["victory_points", "fide_dutch", "fide_team"]


def stage(length: Length, score: Score, method: Method = "victory_points", unplayed: Unplayed | None = None) -> Stage:
    form = Swiss(rounds=2, method=method)
    return Stage(format=form, match=MatchTerms(length=length), score=score, unplayed=unplayed or Unplayed())


@pytest.mark.parametrize(
    ("length", "scores"),
    [
        (FixedHands(2), (1400, 600)),
        (FixedHands(3), (1400, 600)),
        (FixedHands(4), (1200, 800)),
        (FixedHands(8), (1200, 800)),
        (ToTarget(), (1200, 800)),
    ],
)
def test_a_forfeit_of_two_or_three_hands_is_14_to_6_and_of_more_12_to_8(
    length: Length, scores: tuple[int, int]
) -> None:
    assert forfeit_score(stage(length, VictoryPoints()), (False, True)) == scores


def test_terms_that_say_what_a_forfeit_is_worth_are_kept_to() -> None:
    said = Unplayed(forfeit_win=90, forfeit_loss=5)
    assert forfeit_score(stage(FixedHands(4), VictoryPoints(), unplayed=said), (True, False)) == (100, 1800)


@pytest.mark.parametrize("score", [WinDrawLoss(), WinDrawLoss(300, 100, 50)])
def test_by_win_draw_and_loss_a_forfeit_is_a_win_and_nothing_and_the_bye_a_win(score: WinDrawLoss) -> None:
    by_fide = stage(FixedHands(2), score, "fide_dutch")
    assert forfeit_score(by_fide, (False, True)) == (score.win, 0)
    assert bye_worth(by_fide, "bye", NO_FACTS) == score.win


def test_the_bye_of_the_team_system_is_a_draw_as_the_system_has_it() -> None:
    assert bye_worth(stage(FixedHands(2), WinDrawLoss(), "fide_team"), "bye", NO_FACTS) == 50


def test_a_bye_in_victory_points_is_60_percent() -> None:
    assert percents_of(stage(FixedHands(4), VictoryPoints())).bye == 60


@pytest.mark.parametrize(("method", "told"), [("fide_dutch", "win"), ("fide_team", "draw")])
def test_the_engine_is_told_the_worth_of_the_bye_that_the_standings_have(method: Method, told: str) -> None:
    terms = stage(FixedHands(2), WinDrawLoss(), method)
    tournament = event(terms_of(terms, pace=BY_HAND), 5)
    tournament.begin()
    assert isinstance(terms.format, Swiss)
    there = present(tournament.state, 1)
    assert propose_by_fide(tournament.state, terms.format, there).given["event"]["bye"] == told
