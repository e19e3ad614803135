"""Individuals on boards whose number leaves tables of another size: what these have of a round."""

import pytest

from domain.tournaments.formats import Individual
from domain.tournaments.matches import Butler, CrossImps, Matchpoints, Score
from domain.tournaments.standings import standings
from domain.tournaments.terms import Boards, Stage
from tests.domain.tournaments.directors import BY_HAND, Event, event, rule
from tests.domain.tournaments.scenarios import QUICK, terms_of


def ten_individuals(score: Score) -> Event:
    """One table of four and two of three have played a round on the same boards."""
    stage = Stage(format=Individual(rounds=2, movement="swiss"), match=QUICK, score=score, tie_breaks=())
    tournament = event(terms_of(stage, entrants="individuals", boards=Boards(), pace=BY_HAND), 10)
    tournament.begin()
    tournament.next_round()
    tournament.play_all()
    return tournament


def scored(tournament: Event) -> dict[str, int]:
    """What the entrants of the last table have, in the order of their places there."""
    found = standings(tournament.state)
    assert found.complete
    assert all(row.played == 1 for row in found.rows)
    return {row.entrant: row.score for row in found.rows if row.entrant in ("e8", "e9", "e10")}


@pytest.mark.parametrize(
    ("score", "first"),
    # Two boards; IMPs as an average plus, against each of the two other tables where they are summed.
    [(Matchpoints(), (10_000, 5000, 0)), (Butler(), (600, 0, -600)), (CrossImps(), (1200, 0, -1200))],
)
def test_a_table_of_three_is_scored_by_place(score: Score, first: tuple[int, int, int]) -> None:
    assert scored(ten_individuals(score)) == dict(zip(("e8", "e9", "e10"), first, strict=True))


def test_an_average_at_a_table_of_three_is_one() -> None:
    tournament = ten_individuals(Matchpoints())
    rule(tournament, "r1m3", {"kind": "average", "average": ["plus", "even", "minus"]})
    assert scored(tournament) == {"e8": 6000, "e9": 5000, "e10": 4000}
