"""Tournaments from their files: exported, imported, and the standings are the same."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.tournaments.formats import Arena, Danish, Elimination, Howell, Individual, Mitchell, RoundRobin, Swiss
from domain.tournaments.games import WantedGame, wanted_games
from domain.tournaments.matches import (
    BoardAMatch,
    Butler,
    CrossImps,
    FixedHands,
    ImpMatch,
    Matchpoints,
    MatchTerms,
    PerHand,
    RawPoints,
    WinDrawLoss,
)
from domain.tournaments.process import next_moment
from domain.tournaments.terms import Boards, Carry
from service.store.append import EVENTS_MAX
from service.tournaments.importing import StepFailed
from tests.domain.tournaments.scenarios import Desk, result_of, terms_of
from tests.service.tournaments.import_files import check_same, file_of, imported, stage

BOARDS = Boards()
PLAYED: dict[str, tuple[Any, int]] = {
    "swiss": (terms_of(Swiss(rounds=4)), 9),
    "dutch": (terms_of(stage(Swiss(rounds=4, method="fide_dutch"), score=WinDrawLoss())), 9),
    "danish": (terms_of(Danish(rounds=4)), 7),
    "round robin": (terms_of(RoundRobin(cycles=2)), 5),
    "mitchell": (terms_of(Mitchell()), 8),
    "mitchell, boards go round": (
        terms_of(stage(Mitchell(), score=Matchpoints()), boards=Boards(movement="rotating")), 8,
    ),
    "howell, matchpoints": (terms_of(stage(Howell(), score=Matchpoints()), boards=BOARDS), 6),
    "cross-IMPs": (terms_of(stage(Swiss(rounds=3), score=CrossImps()), boards=BOARDS), 8),
    "butler": (terms_of(stage(Swiss(rounds=3), score=Butler()), boards=BOARDS), 8),
    "teams, board a match": (
        terms_of(stage(Swiss(rounds=3), score=BoardAMatch()), boards=BOARDS, entrants="teams"), 6,
    ),
    "teams, IMPs": (terms_of(stage(RoundRobin(), score=ImpMatch()), boards=BOARDS, entrants="teams"), 4),
    "points": (terms_of(stage(Swiss(rounds=3), score=RawPoints())), 7),
    "individual": (terms_of(Individual(), entrants="individuals"), 8),
    "individual swiss": (terms_of(Individual(movement="swiss", rounds=3), entrants="individuals"), 9),
    "elimination": (terms_of(Elimination(third_place=True)), 11),
    "double elimination, hands for ties": (terms_of(Elimination(double=True, tie="extra_hand")), 7),
    "first meld per hand": (
        terms_of(stage(Swiss(rounds=2), match=MatchTerms(length=FixedHands(3), first_meld=PerHand((50, 90))))), 6,
    ),
    "two stages": (
        terms_of(Swiss(rounds=3), stage(RoundRobin(), qualifiers=4, carry=Carry(what="score", percent=50))), 9,
    ),
    "three at a table": (terms_of(Individual(movement="swiss", rounds=3), players=3), 9),
    "arena": (terms_of(Arena(minutes=30)), 8),
}  # fmt: skip


@pytest.mark.parametrize("name", PLAYED)
def test_what_is_exported_and_imported_has_the_same_standings(name: str) -> None:
    terms, entrants = PLAYED[name]
    event = Desk(terms, entrants)
    event.twice = False
    state = event.finish()
    groups, found = imported(file_of(state))
    check_same(state, found)
    assert found.status == "finished"
    assert found.order == state.order
    assert (found.terms.rated, found.terms.shown, found.terms.pace.automatic) == (False, "unlisted", False)
    assert groups


def test_lots_of_the_file_are_those_of_the_import_and_have_a_reason() -> None:
    terms = terms_of(stage(Swiss(rounds=2), tie_breaks=("lot",), score=WinDrawLoss()))
    state = Desk(terms, 16).finish()
    groups, found = imported(file_of(state))
    assert found.lots["lots"] == state.lots["lots"]
    check_same(state, found)
    assert sum(len(group.steps) for group in groups) > 16


def test_lots_that_decided_who_goes_on_are_those_of_the_file() -> None:
    terms = terms_of(
        stage(Swiss(rounds=2), score=WinDrawLoss(), tie_breaks=("wins",)), stage(RoundRobin(), qualifiers=3)
    )
    state = Desk(terms, 8).finish(lambda game: [(100, 100)] * 2)
    assert "cut/1" in state.lots
    check_same(state, imported(file_of(state))[1])


def test_hands_that_decide_ties_are_games_of_their_own() -> None:
    def points(game: WantedGame) -> list[tuple[int, int]]:
        return [(100, 100)] * 2 if game.leg == 1 else [(50, 300)]

    state = Desk(terms_of(Elimination(tie="extra_hand")), 6).finish(points)
    assert any(result.leg > 1 for match in state.matches.values() for result in match.results)
    _, found = imported(file_of(state))
    check_same(state, found)
    assert found.matches["r1m1"].outcome == state.matches["r1m1"].outcome


def test_who_gave_a_game_up_has_lost_it_with_its_points() -> None:
    event = Desk(terms_of(Swiss(rounds=2)), 6)
    while not event.state.revealed:
        if not event.step():
            games = wanted_games(event.state)
            event.tell([replace(result_of(each, [(900, 100)] * 2), loser=0) for each in games])
            event.now = next_moment(event.state, event.now) or event.now
    _, found = imported(file_of(event.state))
    check_same(event.state, found)
    assert found.matches["r1m1"].ruling is None


def test_groups_are_appends_that_the_store_takes_and_end_where_nothing_is_played() -> None:
    state = Desk(terms_of(Swiss(rounds=5)), 200).finish()
    file = file_of(state)
    groups, _ = imported(file)
    assert [group.number for group in groups] == [*range(1, len(groups) + 1)]
    assert len(groups) >= 3
    assert all(len(group.steps) <= EVENTS_MAX for group in groups)
    with pytest.raises(StepFailed, match="512 events"):
        imported(file_of(Desk(terms_of(Swiss(rounds=1)), 520).finish()))
