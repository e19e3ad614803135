"""`meldhouse verify`."""

from pathlib import Path

import pytest

from tests.service.cli.running import RECORD, RECORDS, edited, meldhouse, told, told_in_json


def test_every_golden_record_is_ok() -> None:
    paths = sorted(RECORDS.glob("*.meld.jsonl"))
    lines = told("verify", *paths).splitlines()
    assert len(lines) == len(paths) > 10
    assert all(line.startswith(f"{path}: ok, ") for path, line in zip(paths, lines, strict=True))


def test_a_changed_record_is_told_with_its_first_wrong_line_and_exit_code_1(tmp_path: Path) -> None:
    bad = edited(RECORD, 40, b'"n":39', b'"n":38', tmp_path / "bad.meld.jsonl")
    result = meldhouse("verify", RECORD, bad)
    assert result.exit_code == 1
    good, wrong = result.stdout.splitlines()
    assert ": ok, " in good
    assert wrong.startswith(f"{bad}:40: ")


def test_a_truncated_record_is_told_with_the_line_that_is_missing(tmp_path: Path) -> None:
    lines = RECORD.read_bytes().splitlines(keepends=True)
    cut = tmp_path / "cut.meld.jsonl"
    cut.write_bytes(b"".join(lines[:100]))
    assert meldhouse("verify", cut).stdout.startswith(f"{cut}:101: truncated: ")


def test_json_is_a_list_of_verdicts(tmp_path: Path) -> None:
    bad = edited(RECORD, 40, b'"n":39', b'"n":38', tmp_path / "bad.meld.jsonl")
    good, wrong = told_in_json("verify", RECORD, bad, "--json", exit_code=1)
    assert (good["file"], good["ok"], good["fault"]) == (str(RECORD), True, None)
    assert (wrong["file"], wrong["ok"], wrong["fault"]["line"]) == (str(bad), False, 40)


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 1000, bytes(range(256)), b"{}\n", b'{"record":"meldhouse/2"}\n', b"[" * 10**5]
)
def test_whatever_is_no_record_is_wrong_in_line_1(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "junk"
    path.write_bytes(content)
    result = meldhouse("verify", path)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{path}:1: ")
    assert len(result.stdout.splitlines()) == 1
