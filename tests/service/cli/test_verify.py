"""`meldhouse verify`."""

from pathlib import Path

import msgspec
import pytest

from tests.domain.records.record_files import Values, forged
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


# --- what was kept outside ---


def kept_heads(record: Path, path: Path, *numbers: int, **other: str) -> Path:
    """A file of heads as a player keeps them: those of these events, and further ones by hand."""
    header, *events = map(msgspec.json.decode, record.read_bytes().splitlines())
    heads = [{"game": header["game"], "n": n, "hash": events[n - 1]["hash"]} for n in numbers]
    path.write_bytes(b"".join(msgspec.json.encode(head | other) + b"\n" for head in heads))
    return path


def test_a_head_that_was_kept_holds_a_record_to_it(tmp_path: Path) -> None:
    heads = kept_heads(RECORD, tmp_path / "heads", 1, 39, 100)
    verdict, *compared = told("verify", RECORD, "--heads", heads).splitlines()
    assert ": ok, " in verdict
    assert [line.split(": ")[1] for line in compared] == ["held"]
    assert "3 kept heads are there" in compared[0]


def test_a_whole_rewrite_is_found_by_the_head_that_was_kept(tmp_path: Path) -> None:
    def later(_header: Values, events: list[Values]) -> None:
        events[38]["at"] = "2026-12-01T00:00:00Z"

    rewritten = tmp_path / "rewritten.meld.jsonl"
    rewritten.write_bytes(b"".join(forged(later, RECORD.name.removesuffix(".meld.jsonl"))))
    heads = kept_heads(RECORD, tmp_path / "heads", 38, 39)
    # By itself it is right throughout.
    assert meldhouse("verify", rewritten).exit_code == 0
    result = meldhouse("verify", rewritten, "--heads", heads)
    assert result.exit_code == 1
    (compared,) = result.stdout.splitlines()[1:]
    assert compared.startswith(f"{rewritten}: head_differs: Event 39 had the hash ")
    assert compared.endswith("(1 of 2 kept heads are wrong.)")
    (verdict,) = told_in_json("verify", rewritten, "--heads", heads, "--json", exit_code=1)
    assert verdict["ok"]
    assert [each["code"] for each in verdict["kept"]] == ["head_differs"]


def test_a_head_of_an_event_that_the_record_lacks_shows_a_cut_tail(tmp_path: Path) -> None:
    heads = kept_heads(RECORD, tmp_path / "heads", 5)
    heads.write_bytes(heads.read_bytes().replace(b'"n":5', b'"n":5000'))
    result = meldhouse("verify", RECORD, "--heads", heads)
    assert (result.exit_code, result.stdout.splitlines()[1].split(": ")[1]) == (1, "head_missing")


def test_heads_of_other_games_say_nothing_of_a_record_which_is_no_agreement(tmp_path: Path) -> None:
    heads = kept_heads(RECORD, tmp_path / "heads", 5, game="another")
    result = meldhouse("verify", RECORD, "--heads", heads)
    assert (result.exit_code, result.stdout.splitlines()[1].split(": ")[1]) == (1, "none_kept")


def test_heads_of_longer_games_leave_a_record_as_it_is(tmp_path: Path) -> None:
    events = len(RECORD.read_bytes().splitlines()) - 2
    others = b"".join(b'{"game":"another","n":%d,"hash":"%064d"}\n' % (events + more, 0) for more in range(5))
    heads = kept_heads(RECORD, tmp_path / "heads", 1, events)
    heads.write_bytes(heads.read_bytes() + others)
    verdict, compared = told("verify", RECORD, "--heads", heads).splitlines()
    assert ": ok, " in verdict
    assert ": held: 2 kept heads" in compared


def test_heads_below_the_first_wrong_line_are_not_said_to_be_missing(tmp_path: Path) -> None:
    bad = edited(RECORD, 40, b'"n":39', b'"n":38', tmp_path / "bad.meld.jsonl")
    heads = kept_heads(RECORD, tmp_path / "heads", 160)
    result = meldhouse("verify", bad, "--heads", heads)
    assert result.exit_code == 1
    assert "head_missing" not in result.stdout


@pytest.mark.parametrize("options", [("--url", "http://x"), ("--proof", RECORD), ("--witness", RECORD)])
def test_options_that_go_together_are_asked_for(options: tuple[str | Path, ...]) -> None:
    assert meldhouse("verify", RECORD, *options).exit_code == 2


@pytest.mark.parametrize("content", [b"x\n", b"{}\n", b'{"game":"g","n":0,"hash":"00"}\n', b"\xff\n", b"[" * 10**6])
def test_a_file_that_holds_no_heads_is_wrong_use(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "heads"
    path.write_bytes(content)
    assert meldhouse("verify", RECORD, "--heads", path).exit_code == 2
