"""`meldhouse cases`."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.domain.builders import position
from tests.service.cli.running import meldhouse, refused, told, told_in_json


def case(name: str = "C1", **expect: Any) -> dict[str, Any]:
    """A draw from a stock of two cards, and what must come of it."""
    given = position(hand="4S 5H", stock="9C TD")
    return {"id": name, "position": given, "moves": [{"type": "draw"}], "expect": expect or {"legal": True}}


def write(path: Path, *lines: object) -> Path:
    """A case file; a line is a case, or text as it stands."""
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def test_a_case_that_comes_out_as_it_says_is_ok(tmp_path: Path) -> None:
    given = case(legal=True, after={"stock": {"count": 0}, "phase": "play"})
    assert told("cases", write(tmp_path / "cases", given)) == "ok    C1\n"


def test_a_case_that_does_not_is_told_with_the_reason_and_exit_code_1(tmp_path: Path) -> None:
    result = meldhouse("cases", write(tmp_path / "cases", case(), case("C2", legal=False, at=0, code="cannot_draw")))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0] == "ok    C1"
    assert result.stdout.splitlines()[1].startswith("FAIL  C2: every move was accepted")
    assert result.stderr == "2 cases, 1 failed\n"


def test_json_is_a_list_of_id_ok_and_why(tmp_path: Path) -> None:
    path = write(tmp_path / "cases", case(), case("C2", legal=True, after={"phase": "draw"}))
    first, second = told_in_json("cases", path, "--json", exit_code=1)
    assert first == {"id": "C1", "ok": True, "why": None}
    assert (second["id"], second["ok"]) == ("C2", False)
    assert "phase" in second["why"]


def test_several_files_are_one_list(tmp_path: Path) -> None:
    paths = [write(tmp_path / name, case(name)) for name in ("A", "B")]
    assert [verdict["id"] for verdict in told_in_json("cases", *paths, "--json")] == ["A", "B"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"id": "C1", "position"', "not JSON"),
        ("[1, 2]", "object"),
        ('{"id": "C1", "id": "C2"}', "stands twice"),
        ('{"id": "C1", "moves": NaN}', "NaN is not JSON"),
        ("[" * 100_000, "too deep"),
        ('{"id": "\\ud800"}', "surrogate"),
        ('{"id": "C1"}', "missing"),
        ('{"record": "meldhouse/1"}', "no case"),
        ("x" * (1 << 20), "longer than"),
    ],
    ids=lambda value: value[:20],
)
def test_a_line_that_is_no_case_fails_by_its_place_and_ends_the_file(tmp_path: Path, line: str, expected: str) -> None:
    path = write(tmp_path / "cases", case("C0"), "", line, case("C9"))
    good, bad = told_in_json("cases", path, "--json", exit_code=1)
    assert good == {"id": "C0", "ok": True, "why": None}
    assert (bad["id"], bad["ok"]) == (f"{path}:3", False)
    assert expected in bad["why"]


def test_an_id_may_stand_once_in_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "cases", case("C1"), case("C2"), case("C1"), case("C3"))
    verdicts = told_in_json("cases", path, "--json", exit_code=1)
    assert [verdict["id"] for verdict in verdicts] == ["C1", "C2", f"{path}:3", "C3"]
    assert [verdict["ok"] for verdict in verdicts] == [True, True, False, True]
    assert verdicts[2]["why"] == 'The id "C1" is that of line 1.'
    other = write(tmp_path / "other", case("C1"))
    assert [verdict["ok"] for verdict in told_in_json("cases", other, other, "--json")] == [True, True]


def test_a_file_begins_with_a_case(tmp_path: Path) -> None:
    path = write(tmp_path / "cases", "", case())
    assert told_in_json("cases", path, "--json", exit_code=1) == [
        {"id": f"{path}:1", "ok": False, "why": "The first line is blank."}
    ]


def test_ids_send_nothing_to_the_terminal(tmp_path: Path) -> None:
    assert told("cases", write(tmp_path / "cases", case("C\x1b[2J"))) == "ok    C\\x1b[2J\n"


def test_a_file_that_is_no_text_fails_once(tmp_path: Path) -> None:
    path = tmp_path / "cases"
    path.write_bytes(bytes(range(256)) * 100)
    (verdict,) = told_in_json("cases", path, "--json", exit_code=1)
    assert verdict["id"] == f"{path}:1"


def test_an_empty_file_is_a_failure(tmp_path: Path) -> None:
    path = write(tmp_path / "cases")
    assert told_in_json("cases", path, "--json", exit_code=1) == [
        {"id": str(path), "ok": False, "why": "The file holds no case."}
    ]


def test_one_missing_file_among_several_is_wrong_use(tmp_path: Path) -> None:
    assert "missing" in refused("cases", write(tmp_path / "cases", case()), tmp_path / "missing")
