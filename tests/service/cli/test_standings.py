"""`meldhouse standings`: official tie-breaks of a published event, and files whose points are wrong."""

from pathlib import Path

import pytest

from tests.domain.standings.crosstables import DATA as STANDINGS
from tests.service.cli.running import meldhouse, refused, told, told_in_json
from tests.service.trf.files import DATA, by_chance, player, written

CODES = "BH-C1,BH,ARO-C1,SB"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "event.trf"


def womens_rapid() -> tuple[bytes, list[list[str]]]:
    """The Women's World Rapid 2024 as a file, and its rows as published; colours are by number, none being known."""
    rows = [
        row.split() for row in (STANDINGS / "womens_rapid_2024.txt").read_text().splitlines() if not row.startswith("#")
    ]
    letters = {"w": "1", "d": "=", "l": "0"}
    lines = []
    for number, row in enumerate(rows, 1):
        rounds = [f"{past[:-1]}{'w' if number < int(past[:-1]) else 'b'}{letters[past[-1]]}" for past in row[7:]]
        lines.append(player(number, rounds, int(row[1])))
    return "\n".join([*lines, "XXR 11"]).encode(), rows


def test_the_official_tie_breaks_of_110_players_come_out_by_both_engines(file: Path) -> None:
    data, rows = womens_rapid()
    file.write_bytes(data)
    found = told_in_json("standings", file, "--tie-breaks", CODES, "--json")
    assert (found["differences"], found["mismatches"]) == ([], [])
    assert [row["entrant"] for row in found["placings"]] == [str(number) for number in range(1, len(rows) + 1)]
    for row, published in zip(found["placings"], rows, strict=True):
        assert [float(each) for each in row["shown"]] == [float(each) for each in published[2:7]]


def test_a_table_has_the_values_in_columns_and_an_explanation_has_their_arithmetic(file: Path) -> None:
    file.write_bytes(womens_rapid()[0])
    lines = told("standings", file, "--tie-breaks", "bh/c1,BH", "--explain", "2").splitlines()
    assert lines[0].split() == ["rank", "no", "name", "SCORE", "BH-C1", "BH"]
    assert lines[1].split() == ["1", "1", "Player", "1", "8.5", "63.0", "67.0"]
    explained = [line for line in lines if line.startswith("Buchholz 80.5 = ")]
    assert len(explained) == 1
    assert explained[0].count(" + ") == 10


def test_standings_after_an_earlier_round_know_nothing_of_later_ones() -> None:
    first = told_in_json("standings", DATA / "dutch_2025_C5.trf", "--after", "1", "--json")
    assert {row["entrant"]: row["score"] for row in first["placings"]} == {
        "1": 100, "2": 100, "3": 100, "4": 0, "5": 0, "6": 0,
    }  # fmt: skip
    assert first["differences"] == []


def test_the_tie_breaks_are_those_of_the_file_unless_others_are_asked_for(file: Path) -> None:
    file.write_bytes(written(by_chance(1, 8, 3), "202 BH:GP, BH/C1, SB"))
    assert told("standings", file).splitlines()[0].split()[3:] == ["SCORE", "BH-C1", "SB"]


def test_tie_breaks_of_the_file_that_are_not_known_are_told(file: Path) -> None:
    file.write_bytes(written(by_chance(1, 8, 3), "212 PTS,MPvGP,KS,EDET,koya"))
    lines = told("standings", file).splitlines()
    assert lines[0].split()[3:] == ["SCORE", "KOYA"]
    assert lines[-1] == "Tie-breaks of the file that are not known here: MPvGP, EDET."
    assert told_in_json("standings", file, "--json")["unknown"] == ["MPvGP", "EDET"]
    assert "not known" not in told("standings", file, "--tie-breaks", "SB")
    assert told_in_json("standings", file, "--tie-breaks", "SB", "--json")["unknown"] == []


def test_points_of_teams_are_held_to_their_matches(file: Path) -> None:
    text = (DATA / "team_forfeit_pab.trf").read_text()
    file.write_text(text)
    assert [line.split()[4] for line in told("standings", file).splitlines()[1:]] == ["2.0", "2.0", "1.0", "0.0", "0.0"]
    file.write_text(text.replace("2.0    2.0   3", "1.0    2.0   3"))
    answer = meldhouse("standings", file)
    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[-1] == "3: the file says 1.0 match points, the results add up to 2.0."
    assert told_in_json("standings", file, "--json", exit_code=1)["mismatches"] == [
        {"entrant": "3", "points": 100, "found": 200, "of": "match points"}
    ]


@pytest.mark.parametrize("seed", range(10))
def test_both_engines_agree_on_files_with_unplayed_rounds(file: Path, seed: int) -> None:
    file.write_bytes(written(by_chance(seed, 9, 6), "XXR 6"))
    found = told_in_json("standings", file, "--tie-breaks", "DE,BH-C1,BH-M1,SB,PS,KOYA", "--json")
    assert found["differences"] == []


def test_points_that_are_not_those_of_the_results_are_found_wrong(file: Path) -> None:
    lines = (player(1, ["2w1"], points="1.5"), player(2, ["1b0"]))
    file.write_text("\n".join(lines))
    answer = meldhouse("standings", file)
    assert answer.exit_code == 1
    assert "1: the file says 1.5 points, the results add up to 1.0." in answer.stdout
    assert told_in_json("standings", file, "--json", exit_code=1)["mismatches"] == [
        {"entrant": "1", "points": 150, "found": 100}
    ]


def test_where_the_engines_differ_the_exit_code_says_so(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_bytes(written(by_chance(2, 8, 3)))
    monkeypatch.setattr("domain.standings.second_opinion.LIBRARY_CODES", {"BH": "SB"})
    answer = meldhouse("standings", file, "--tie-breaks", "BH")
    assert answer.exit_code == 1
    assert "by gacrux" in answer.stdout


def test_what_is_asked_for_wrongly_is_told(file: Path) -> None:
    file.write_bytes(written(by_chance(3, 6, 2)))
    assert "There is no tie-break 'LUCK'" in refused("standings", file, "--tie-breaks", "LUCK")
    assert "99" in refused("standings", file, "--explain", "99")
    assert refused("standings", file, "--after", "-1")
    file.write_bytes(written({1: ["2w1"], 2: ["2b1"]}))
    assert "opponent_oneself" in refused("standings", file, exit_code=1)
