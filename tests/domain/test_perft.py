"""The numbers of listed moves from seeded positions, by kind and along sequences, as they stand in `perft/*.perft`.

`python -m tests.domain.perft.make` writes the files anew.
"""

import pytest

from domain.rulesets import PRESETS
from tests.domain.perft.counting import KINDS, Place, line_of_counts, line_of_sequences, read, total

COUNTS = read("counts.perft")
SEQUENCES = read("sequences.perft")


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_listed_moves_are_as_many_as_before(preset: str) -> None:
    told = {place: line for place, (line,) in COUNTS if place.preset == preset}
    assert told
    for place, line in told.items():
        assert line_of_counts(place) == f"{place} | {line}"


@pytest.mark.parametrize(("place", "told"), SEQUENCES, ids=[str(place) for place, _ in SEQUENCES])
def test_the_sequences_of_blocks_are_as_many_as_before(place: Place, told: list[str]) -> None:
    assert line_of_sequences(place, len(told)) == " | ".join([str(place), *told])


def test_the_places_have_every_kind_of_move() -> None:
    assert {kind for kind, number in total(COUNTS).items() if number} >= {*KINDS} - {"answers"}
