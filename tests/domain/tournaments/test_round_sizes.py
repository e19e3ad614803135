"""A round is one event, and one append takes it: what would be larger is told before the start, and at each pairing."""

from typing import Any

import pytest

from domain.events import encode
from domain.tournaments import pairing_rounds
from domain.tournaments.entry_events import ChallengeAnswered, Challenged, Withdrawn
from domain.tournaments.formats import Danish, Ladder
from domain.tournaments.games import wanted_games
from domain.tournaments.matches import FixedHands, MatchTerms
from domain.tournaments.plans import check_plan
from domain.tournaments.process import obstacle
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.round_events import RoundClosed, RoundPaired, RungsMoved, StageBegun, StandingsPublished
from domain.tournaments.round_sizes import ROUND_BYTES_MAX, most_in_a_round
from domain.tournaments.terms import ENTRANTS_MAX, Boards, Stage, Terms
from service.store.append import APPEND_BYTES_MAX
from tests.domain.tournaments.scenarios import Desk, Entrants, result_of, terms_of


def danish(entrants: Entrants = "fixed", hands: int = 4, boards: bool = False, players: int = 4) -> Terms:
    stage = Stage(format=Danish(rounds=3), match=MatchTerms(length=FixedHands(hands)))
    return terms_of(
        stage,
        players=players,
        entrants=entrants,
        boards=Boards() if boards else None,
    )


def faults(terms: Terms, entrants: int) -> list[tuple[str, dict[str, Any]]]:
    return [(fault.code, fault.params) for fault in check_plan(terms, entrants)]


def test_so_many_pairs_as_there_may_be_fit_into_a_round() -> None:
    for players in (2, 4, 6):
        assert most_in_a_round(danish(players=players), danish().stages[0]) >= ENTRANTS_MAX
    assert faults(danish(), ENTRANTS_MAX) == []


@pytest.mark.parametrize(
    ("entrants", "hands", "boards"), [("teams", 4, False), ("teams", 24, True), ("fixed", 60, True)]
)
def test_a_plan_whose_rounds_no_append_takes_is_faulty(entrants: Entrants, hands: int, boards: bool) -> None:
    terms = danish(entrants, hands, boards)
    most = most_in_a_round(terms, terms.stages[0])
    assert 1000 < most < ENTRANTS_MAX
    assert faults(terms, most) == []
    assert faults(terms, most + 1) == [("entrants_too_many", {"most": most, "found": most + 1})]


def test_the_largest_round_of_teams_is_just_below_the_limit() -> None:
    desk = Desk(danish("teams", 24, True), 40)
    desk.run_to(RoundPaired)
    (paired,) = [each for each in desk.happened if isinstance(each, RoundPaired)]
    size = len(encode(paired)) / len(paired.matches)
    most = most_in_a_round(desk.state.terms, desk.state.terms.stages[0])
    # The players of real matches have longer ids than those of this hall, and those of the estimate the longest.
    assert 0.6 * ROUND_BYTES_MAX < size * most / 2 <= ROUND_BYTES_MAX
    assert ROUND_BYTES_MAX + 10_000 < APPEND_BYTES_MAX


def test_a_round_that_late_entrants_make_too_large_is_not_paired(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(danish(), 40)
    desk.run_to(StageBegun)
    monkeypatch.setattr(pairing_rounds, "ROUND_BYTES_MAX", 3000)
    assert desk.step() == []
    refusal = obstacle(desk.state, desk.now)
    assert refusal is not None
    assert (refusal.code, refusal.params["why"]) == (TournamentCode.NO_PAIRING, "round_too_large")
    assert refusal.params["found"] > refusal.params["most"] == 3000
    assert not desk.state.rounds
    desk.add(*(Withdrawn(entrant=each) for each in [*desk.state.entrants][:24]))
    assert [type(each) for each in desk.step()] == [RoundPaired]


def test_a_wave_of_a_ladder_tells_its_rungs_once() -> None:
    """The whole ladder for each of its matches would soon be more than an append takes."""
    desk = Desk(terms_of(Ladder(days=2)), 300)
    desk.run_to(StageBegun)
    for number in range(1, 300, 2):
        desk.add(Challenged(challenger=f"e{number + 1}", challenged=f"e{number}"))
        desk.add(ChallengeAnswered(challenger=f"e{number + 1}", challenged=f"e{number}", accepted=True))
    desk.run_to_start()
    games = wanted_games(desk.state)
    assert len(games) == 150
    for game in games:
        challenger = next(seat for seat, entrant in enumerate(game.entrants) if int(entrant[1:]) % 2 == 0)
        desk.tell([result_of(game, [(500, 0) if game.side_of[challenger] == 0 else (0, 500)] * 2)])
    closed, rungs, published = desk.step()
    assert (type(closed), type(published)) == (RoundClosed, StandingsPublished)
    assert isinstance(rungs, RungsMoved)
    assert len(rungs.matches) == 150
    assert len(encode(rungs)) < 10_000
    assert desk.state.ladder[:4] == ("e2", "e1", "e4", "e3")
