"""`meldhouse pair`: published rounds, and what cannot be paired."""

from pathlib import Path

import pytest

from tests.service.cli.running import meldhouse, refused, told, told_in_json
from tests.service.trf.files import DATA, written

EIGHT = {
    1: ["5w1", "2w1"], 2: ["6w1", "1b0"], 3: ["7w1", "4w="], 4: ["8w1", "3b="],
    5: ["1b0", "6w1"], 6: ["2b0", "5b0"], 7: ["3b0", "8w1"], 8: ["4b0", "7b0"],
}  # fmt: skip
"""Background b.10: 1>5 2>6 3>7 4>8, 1>2 3=4 5>6 7>8."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "event.trf"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("dutch_2025_C5", ["3", "1 5", "3 2", "6 0"]), ("dutch_2025_C9", ["3", "2 1", "3 5", "4 0"])],
)
def test_the_published_files_of_bbppairings_are_paired_as_published(name: str, expected: list[str]) -> None:
    assert told("pair", DATA / f"{name}.trf").splitlines() == expected


def test_an_earlier_round_is_paired_from_what_was_before_it() -> None:
    assert told("pair", DATA / "dutch_2025_C5.trf", "--round", "1").splitlines() == ["3", "1 4", "5 2", "3 6"]
    found = told_in_json("pair", DATA / "dutch_2025_C5.trf", "--round", "2", "--json")
    assert (found["round"], found["engine"]["name"], len(found["pairs"])) == (2, "gacrux-dutch", 3)


def test_who_sat_out_an_earlier_round_is_left_out_of_it(file: Path) -> None:
    file.write_bytes(written({1: ["4w1"], 2: ["H"], 3: [""], 4: ["1b0"], 5: ["6w="], 6: ["5b="], 7: ["U"]}))
    seated = {number for line in told("pair", file, "--round", "1").splitlines()[1:] for number in line.split()}
    assert seated == {"1", "4", "5", "6", "7", "0"}


def test_teams_are_paired_without_colours_by_their_matches(file: Path) -> None:
    teams = [f"310 {number:3} {f'Team {number}':64} {number:4}" for number in EIGHT]
    file.write_bytes(written(EIGHT, "192 FIDE_TEAM_MP_GP", "XXR 5", *teams))
    found = told_in_json("pair", file, "--json")
    assert found["engine"]["name"] == "gacrux-team"
    paired = {frozenset(pair) for pair in found["pairs"]}
    assert frozenset((1, 2)) not in paired
    assert sorted(number for pair in found["pairs"] for number in pair) == [*EIGHT]
    assert paired == {frozenset(pair) for pair in ((1, 3), (2, 4), (5, 7), (6, 8))}
    file.write_bytes(written(EIGHT, "192 FIDE_TEAM_TYPEA_MP_GP", "XXR 5", *teams))
    assert "FIDE_TEAM_TYPEA_MP_GP" in refused("pair", file, exit_code=1)


def test_a_round_beyond_those_of_the_file_is_refused(file: Path) -> None:
    for record in ("XXR 2", "142 2"):
        file.write_bytes(written(EIGHT, record))
        for asked in ([], ["--round", "3"], ["--round", "9"]):
            line = refused("pair", file, *asked, exit_code=1)
            assert "rounds_impossible: The file has 2 rounds" in line
            assert f"{asked[1] if asked else 3} is none of them" in line
        assert told("pair", file, "--round", "2").splitlines()[0] == "4"
    file.write_bytes(written({number: [] for number in range(1, 5)}, "XXR 1", "192 FIDE_ROUNDROBIN"))
    assert told("pair", file)
    file.write_bytes(written({1: ["4w1"], 2: ["3w1"], 3: ["2b0"], 4: ["1b0"]}, "XXR 1", "192 FIDE_ROUNDROBIN"))
    assert "rounds_impossible" in refused("pair", file, exit_code=1)


@pytest.mark.parametrize(
    ("records", "noted"),
    [
        (["XXR 5", "192 FIDE_DUTCH_2017"], "FIDE_DUTCH_2017"),
        (["XXR 5", "192 FIDE_DUTCH_2017_BAKU"], "FIDE_DUTCH_2017_BAKU"),
        (["192 FIDE_DUTCH_2026"], "round 3 is paired as the last"),
        (["XXR 5", "192 FIDE_DUTCH_2026"], ""),
        (["XXR 5", "092 FIDE_DUTCH_2025"], ""),
        (["XXR 5", "192 FIDE_DUTCH"], ""),
    ],
)
def test_notes_tell_what_the_file_asks_for_and_does_not_get(file: Path, records: list[str], noted: str) -> None:
    file.write_bytes(written(EIGHT, *records))
    answer = meldhouse("pair", file)
    assert (answer.exit_code, len(answer.stdout.splitlines())) == (0, 5)
    assert len(answer.stderr.splitlines()) == bool(noted)
    assert noted in answer.stderr
    notes = told_in_json("pair", file, "--json")["notes"]
    assert [f"Note: {note}" for note in notes] == answer.stderr.splitlines()


def test_a_round_robin_in_an_order_of_its_own_is_not_gone_on_with_in_that_of_berger(file: Path) -> None:
    file.write_bytes(written({number: [] for number in range(1, 7)}, "XXR 5", "192 CUSTOM_ROUNDROBIN"))
    assert "CUSTOM_ROUNDROBIN" in refused("pair", file, exit_code=1)


def test_a_round_robin_goes_by_the_tables_of_berger(file: Path) -> None:
    file.write_bytes(written({number: [] for number in range(1, 7)}, "192 FIDE_ROUNDROBIN"))
    assert told("pair", file).splitlines() == ["3", "1 6", "2 5", "3 4"]
    file.write_bytes(written({number: [] for number in (2, 4, 6, 8, 9)}, "092 Round Robin"))
    assert told("pair", file).splitlines() == ["3", "4 9", "6 8", "2 0"]


def test_a_file_that_contradicts_itself_is_told_line_by_line(file: Path) -> None:
    file.write_bytes(written({1: ["2w1"], 2: ["1b1"], 3: ["9w1"]}))
    line = refused("pair", file, exit_code=1)
    assert "line 2: results_disagree" in line
    assert "line 4: opponent_unknown" in line


def test_what_cannot_be_paired_is_told(file: Path) -> None:
    file.write_bytes(written({1: ["2w1"], 2: ["1b0"]}, "XXR 3"))
    assert "dead_end" in refused("pair", file, exit_code=1)
    file.write_bytes(written({1: [], 2: []}, "192 FIDE_DUBOV"))
    assert "FIDE_DUBOV" in refused("pair", file, exit_code=1)
    file.write_bytes(written({1: [], 2: []}))
    assert "round 1 is the next one" in refused("pair", file, "--round", "3")
    assert meldhouse("pair", file.parent / "missing.trf").exit_code == 2


@pytest.mark.parametrize("junk", [b"", b"\0" * 100, b"\xff\xfe001", b"001" * 1_000_000, b"001    1\n" * 3])
def test_a_file_that_is_none_is_refused_in_one_line(file: Path, junk: bytes) -> None:
    file.write_bytes(junk)
    for command in ("pair", "standings"):
        assert refused(command, file, exit_code=1)
