"""Random events of 5 to 101 entrants keep every invariant in every round."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.pairing.danish import pair_danish
from domain.pairing.shapes import Field, NoPairing, Pairing
from domain.pairing.swiss import pair_swiss
from tests.domain.pairing.events import run

EVENTS = st.tuples(st.integers(0, 10**9), st.one_of(st.integers(5, 12), st.integers(5, 101)), st.integers(3, 11))


def strictly(field: Field) -> Pairing:
    """Pair, and where something gave way make sure that it had to."""
    pairing = pair_swiss(field)
    kinds = {relaxation.kind for relaxation in pairing.relaxations}
    if kinds - {"second_bye"}:
        last = max(field.relaxations.index(kind) for kind in kinds if kind != "second_bye")
        with pytest.raises(NoPairing):
            pair_swiss(msgspec.structs.replace(field, relaxations=field.relaxations[:last]))
    return pairing


@settings(max_examples=120, deadline=None)
@given(EVENTS)
def test_every_round_of_a_swiss_seats_everyone_once_and_records_what_gave_way(event: tuple[int, int, int]) -> None:
    run(*event, strictly)


@settings(max_examples=40, deadline=None)
@given(EVENTS)
def test_every_round_of_a_danish_without_rematches_seats_everyone_once(event: tuple[int, int, int]) -> None:
    run(*event, lambda field: pair_danish(field, "never"))


@pytest.mark.bench
@settings(max_examples=2000, deadline=None)
@given(EVENTS)
def test_two_thousand_events_keep_every_invariant(event: tuple[int, int, int]) -> None:
    run(*event, strictly)


def test_an_event_run_twice_is_paired_the_same() -> None:
    assert run(5, 33, 9, pair_swiss) == run(5, 33, 9, pair_swiss)
