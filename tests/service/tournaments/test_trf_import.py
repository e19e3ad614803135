"""Report files of FIDE as tournaments."""

import pytest

from domain.rulesets import resolve
from domain.tournaments.standings import standings
from service.tournaments.importing import StepFailed
from service.tournaments.trf_import import tournament_of
from service.trf.reading import read_trf
from tests.service.tournaments.import_files import imported
from tests.service.trf.files import DATA, by_chance, written


@pytest.mark.parametrize("seed", range(12))
def test_report_files_become_tournaments_with_the_same_points(seed: int) -> None:
    rounds = by_chance(seed, players=8 + seed % 3, rounds=5)
    trf = read_trf(written(rounds, f"XXR {5 + seed % 2}"))
    _, found = imported(tournament_of(trf, resolve("canasta-classic")))
    assert {int(row.entrant[1:]): row.score for row in standings(found).rows} == {
        each.number: each.points for each in trf.competitors
    }
    assert found.status == ("finished" if seed % 2 == 0 else "running")


def test_the_published_files_can_be_imported() -> None:
    for name in ("dutch_2025_C5", "dutch_2025_C9"):
        trf = read_trf((DATA / f"{name}.trf").read_bytes())
        _, found = imported(tournament_of(trf, resolve("canasta-classic")))
        assert len(found.rounds) == trf.paired


def test_report_files_that_cannot_be_one_are_refused() -> None:
    ruleset = resolve("canasta-classic")
    for data, code in (
        (written({1: ["2w1"], 2: ["1b0"]}).replace(b" 1.0", b" 2.5"), "points_differ"),
        (written({1: ["2w1"], 2: ["1b0"]}, "013 A".ljust(36) + "   1", "013 B".ljust(36) + "   2"), "teams_not_taken"),
        (written({1: ["2w1"], 2: ["1b0"]}, "XXR 3", "XXA    1  1.0"), "acceleration_not_taken"),
        (written({1: ["2w1"], 2: ["1b0"]}, "XXR 3", "260 002 002    1    2"), "rounds_not_taken"),
        (written({1: ["2w1"], 2: ["1b0"]}, "162  W 1.0    D 0.5    L 0.0    P 1.5"), "worth_invalid"),
    ):
        with pytest.raises(StepFailed) as failed:
            imported(tournament_of(read_trf(data), ruleset))
        assert failed.value.code == code
