"""Averages on single boards are in a tournament's file, and come to the same again."""

import pytest
from msgspec.structs import replace

from domain.tournaments.formats import Elimination, Format, RoundRobin
from domain.tournaments.matches import (
    BoardAMatch,
    FirstMeld,
    FixedHands,
    ImpMatch,
    MatchTerms,
    PerHand,
    RunningScore,
    Score,
    VictoryPoints,
)
from domain.tournaments.terms import Boards
from tests.domain.tournaments.directors import BY_HAND, Event
from tests.domain.tournaments.scenarios import result_of, terms_of
from tests.service.tournaments.import_files import check_same, file_of, imported, stage

TWO_HANDS = MatchTerms(length=FixedHands(2), minutes=25)


def begun(score: Score, form: Format | None = None, match: MatchTerms = TWO_HANDS) -> Event:
    """The first round of four teams or pairs is being played."""
    teams = not isinstance(score, VictoryPoints)
    terms = terms_of(
        stage(form or RoundRobin(), match=match, score=score),
        boards=Boards(),
        entrants="teams" if teams else "fixed",
        pace=BY_HAND,
    )
    event = Event(terms, 4)
    event.begin()
    event.next_round()
    return event


def average_on(event: Event, place: int) -> None:
    """Both sides of the first match are given different averages on one of its boards."""
    board = event.state.matches["r1m1"].paired.boards[place]
    adjustment = {"kind": "average", "average": ["plus", "even"], "boards": [board]}
    event.act("rule", match="r1m1", adjustment=adjustment, reason="technical")


@pytest.mark.parametrize("score", [ImpMatch(), BoardAMatch(), VictoryPoints()], ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("form", [RoundRobin(), Elimination(tie="extra_hand")], ids=["league", "bracket"])
@pytest.mark.parametrize("first_meld", [RunningScore(), PerHand((50,))], ids=["running", "per hand"])
@pytest.mark.parametrize("place", [0, 1])
def test_averages_on_single_boards_are_in_it(score: Score, form: Format, first_meld: FirstMeld, place: int) -> None:
    event = begun(score, form, replace(TWO_HANDS, first_meld=first_meld))
    while event.play_list():
        event.play(event.play_list())
    average_on(event, place)
    match = event.state.matches["r1m1"]
    after = match.outcome
    assert after is not None
    hands: dict[int, list[tuple[int, ...]]] = {}
    for each in sorted(match.results, key=lambda result: result.leg):
        hands.setdefault(each.table, []).extend(each.hands)
    others = [played[1 - place] for played in hands.values()]
    assert after.points == tuple(map(sum, zip(*others, strict=True))), "Those of the other board."
    event.act("close_round", round=1)
    found = imported(file_of(event.state))[1]
    check_same(event.state, found)
    assert found.matches["r1m1"].outcome == after


def test_a_match_that_a_side_gave_up_is_in_it_too() -> None:
    event = begun(ImpMatch())
    games = event.play_list()
    given_up = next(each for each in games if each.match == "r1m1")
    event.tell([result_of(given_up, [[500, 0]], reason="resigned", loser=1)])
    while event.play_list():
        event.play_all()
    average_on(event, 0)
    event.act("close_round", round=1)
    check_same(event.state, imported(file_of(event.state))[1])
