"""Editions of the engine; a tightened rule is tried in `tests/golden`."""

import pytest
from msgspec.structs import replace

from domain.editions import EDITION, edition_of, engine_name, is_known
from domain.events import Created
from domain.evolve import initial_state
from domain.records.faults import RecordFaultCode as Code
from domain.records.verification import verify
from domain.simulation import ENGINE as SIMULATION
from service.version import ENGINE
from tests.domain.golden_games import events_of
from tests.domain.records.record_files import SHORT, Values, forged


@pytest.mark.parametrize(
    ("engine", "edition"),
    [
        ("meldhouse/0.1.0", 1),
        ("referee/1", 1),
        ("", 1),
        ("meldhouse/0.3.0 rules/2", 2),
        ("another house/7 rules/31", 31),
        ("meldhouse/0.3.0 rules/2 and more", 1),
        ("meldhouse/0.3.0 rules/2\n", 1),
        ("meldhouse/0.3.0 rules/0", 1),
        ("meldhouse/0.3.0 rules/02", 1),
        ("meldhouse/0.3.0 rules/٣", 1),
        ("rules/2", 1),
        ("a rules/2 rules/3", 1),
    ],
)
def test_an_engine_names_its_edition_at_its_end_or_it_is_the_first(engine: str, edition: int) -> None:
    assert edition_of(engine) == edition


def test_new_games_name_the_newest_edition() -> None:
    assert {edition_of(engine) for engine in (ENGINE, SIMULATION, engine_name("x/1"))} == {EDITION}
    assert is_known(EDITION)
    assert not is_known(EDITION + 1)


def test_a_game_of_an_edition_that_is_not_known_has_a_verdict_of_its_own() -> None:
    def claim(_: Values, events: list[Values]) -> None:
        events[0]["engine"] = f"meldhouse/9.0.0 rules/{EDITION + 1}"

    for redecide in (True, False):
        verdict = verify(forged(claim), redecide=redecide)
        assert verdict.fault is not None
        assert (verdict.fault.line, verdict.fault.code) == (2, Code.UNKNOWN_ENGINE)
        assert verdict.checks["rules"] == "failed"


def test_the_rules_of_a_game_are_of_the_edition_that_its_first_event_names() -> None:
    created = events_of(SHORT)[0]
    assert isinstance(created, Created)
    assert initial_state(created).table.rules.edition == 1
    assert initial_state(replace(created, engine="x rules/7")).table.rules.edition == 7
