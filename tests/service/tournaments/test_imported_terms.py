"""The terms of a tournament that is imported."""

import pytest

from domain.tournaments.announcing import faults
from domain.tournaments.formats import Elimination, Format, Swiss
from service.tournaments.importing import imported_terms
from tests.domain.tournaments.scenarios import NOON, terms_of


@pytest.mark.parametrize(
    ("form", "taken"),
    [
        (Swiss(rounds=3, method="fide_team", first_round="drawn"), Swiss(rounds=3, method="fide_team")),
        (Swiss(rounds=3, first_round="drawn"), Swiss(rounds=3, first_round="drawn")),
        (Elimination(double=True, third_place=True), Elimination(double=True)),
        (Elimination(third_place=True), Elimination(third_place=True)),
    ],
)
def test_what_did_nothing_when_a_file_was_made_is_left_out(form: Format, taken: Format) -> None:
    terms = imported_terms(terms_of(form))
    assert terms.stages[0].format == taken
    assert faults(terms, NOON, {"UTC"}) == ()
