"""Lists of entrants: what a line may say."""

import pytest

from service.tournaments.entrant_lists import CLUBS_MAX, ListInvalid, from_csv


def test_an_entrant_has_as_many_clubs_in_a_table_as_anywhere() -> None:
    clubs = [f"club-{number}" for number in range(CLUBS_MAX)]
    (entrant,) = from_csv(f"name,avoid\nAda,{' '.join(clubs)}\n".encode())
    assert entrant.avoid == tuple(clubs)
    with pytest.raises(ListInvalid) as invalid:
        from_csv(f"name,avoid\nAda,{' '.join([*clubs, 'one-more'])}\n".encode())
    assert [(fault.line, fault.code) for fault in invalid.value.faults] == [(2, "avoid_invalid")]
