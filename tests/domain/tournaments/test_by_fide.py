"""What the systems of FIDE are told: the scores that the standings show, however they came about."""

from typing import Any, Literal

import pytest

from domain.tournaments.by_fide import propose_by_fide
from domain.tournaments.formats import Swiss
from domain.tournaments.matches import FixedHands, MatchTerms, WinDrawLoss
from domain.tournaments.playing import present
from domain.tournaments.standings import totals
from domain.tournaments.terms import Registration, Stage
from tests.domain.tournaments.directors import BY_HAND, Event, event
from tests.domain.tournaments.scenarios import terms_of

Method = Literal["fide_dutch", "fide_team"]
METHODS: tuple[Method, ...] = ("fide_dutch", "fide_team")


def after_a_round(method: Method, score: WinDrawLoss | None = None, late_score: int = 60, entrants: int = 12) -> Event:
    """An event whose first round is closed: whoever entered earlier has won."""
    form = Swiss(rounds=4, method=method)
    stage = Stage(format=form, match=MatchTerms(length=FixedHands(1)), score=score or WinDrawLoss())
    registration = Registration(late_rounds=3, late_score=late_score)
    tournament = event(terms_of(stage, pace=BY_HAND, registration=registration), entrants)
    tournament.begin()
    tournament.whole_round()
    return tournament


def told(tournament: Event) -> dict[str, Any]:
    form = tournament.state.terms.stages[0].format
    assert isinstance(form, Swiss)
    given: dict[str, Any] = propose_by_fide(tournament.state, form, present(tournament.state, 2)).given
    return given


def met(tournament: Event, entrant: str) -> str:
    (sides,) = [each for each in tournament.sides(2) if entrant in each]
    return next(each for each in sides if each != entrant)


@pytest.mark.parametrize("score", [WinDrawLoss(), WinDrawLoss(300, 100, 0)])
@pytest.mark.parametrize("method", METHODS)
def test_who_has_lost_a_win_by_a_penalty_is_paired_without_it(method: Method, score: WinDrawLoss) -> None:
    tournament = after_a_round(method, score)
    tournament.act("penalty", entrant="e1", score=score.win, reason="conduct")
    tournament.next_round()
    level = {"e2", "e3", "e4", "e5", "e6"}
    assert sum(met(tournament, each) not in level for each in level) == 1


@pytest.mark.parametrize("method", METHODS)
def test_nothing_stands_beside_results_that_were_played(method: Method) -> None:
    assert told(after_a_round(method))["event"]["virtual"] == ()
    assert told(after_a_round(method, entrants=11))["event"]["virtual"] == ()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("late_score", "kind", "beside"),
    [(0, "zero_bye", 0), (50, "half_bye", 0), (100, "full_bye", 0), (60, "zero_bye", 60), (30, "zero_bye", 30)],
)
def test_who_came_late_has_in_the_engine_what_the_standings_say(
    method: Method, late_score: int, kind: str, beside: int
) -> None:
    tournament = after_a_round(method, late_score=late_score)
    late = tournament.enter(late_round=2)
    assert totals(tournament.state).get(late, 0) == late_score
    given = told(tournament)
    (contender,) = [each for each in given["contenders"] if each["entrant"] == late]
    assert [each["kind"] for each in contender["rounds"]] == [kind]
    assert [each["points"] for each in given["event"]["virtual"] if each["entrant"] == late] == [beside] * (beside > 0)


def test_a_ruled_score_is_the_one_that_is_paired_by() -> None:
    tournament = after_a_round("fide_dutch")
    match = tournament.state.matches_of(1)[0]
    (one,), (other,) = match.paired.sides
    tournament.act("rule", match=match.id, adjustment={"kind": "score", "score": [30, 70]}, reason="agreement")
    given = told(tournament)
    beside = {each["entrant"]: each["points"] for each in given["event"]["virtual"]}
    assert beside == {one: 30, other: -30}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("entrants", [11, 12])
def test_who_has_less_than_nothing_is_in_the_lowest_group(method: Method, entrants: int) -> None:
    tournament = after_a_round(method, entrants=entrants)
    for each in ("e2", "e3"):
        tournament.act("penalty", entrant=each, score=250, reason="conduct")
    tournament.next_round()
    assert min(totals(tournament.state).values()) == -150
    sat_out = tournament.state.rounds[2].byes
    assert met(tournament, "e2") == "e3" if entrants == 12 else len({"e2", "e3"} & {*sat_out}) == 1
