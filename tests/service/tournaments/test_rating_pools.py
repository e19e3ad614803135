"""In which pool a match of a tournament counts."""

from domain.tournaments.formats import Individual
from service.tournaments.rating import Settled, match_result
from tests.domain.tournaments.directors import BY_HAND, event
from tests.domain.tournaments.scenarios import terms_of


def test_a_table_of_another_size_counts_in_the_pool_of_its_own_seats() -> None:
    form = Individual(movement="swiss", rounds=2)
    tournament = event(terms_of(form, pace=BY_HAND, entrants="individuals"), 10)
    tournament.begin()
    tournament.next_round()
    tournament.play_all()
    results = [match_result(tournament.state, Settled(match, 1, "2026-05-01T12:00:00Z")) for match in ("r1m1", "r1m2")]
    assert [(len(each.sides), each.pool) for each in results] == [(2, "samba-4"), (3, "samba-3")]
