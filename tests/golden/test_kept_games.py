"""The golden games as they are kept, and what the engine of today makes of them."""

import sys
from pathlib import Path
from typing import Final

import msgspec
import pytest

from domain.chain import first_prev, link
from domain.records.shapes import Header, Player
from domain.records.writer import stored_record
from domain.rulesets import PRESETS, resolve
from domain.upcasting import SCHEMA
from tests.golden.copies import Copy
from tests.golden.replay import differences, replayed
from tests.golden.stored import RECORDS, file_of, golden_games, rows_of, rows_of_record, versions
from tests.golden.write import main, write

BYTES_MAX: Final = 3_000_000
GAMES: Final = list(golden_games())

TYPES: Final = {
    "created", "seated", "unseated", "closed", "nonce_revealed", "placed", "started", "dealt", "drew", "took_pile",
    "took_upcard", "melded", "laid_red_three", "asked", "answered", "discarded", "passed", "hand_ended", "stood_in",
    "resigned", "timed_out", "adjudicated", "aborted", "game_ended", "revealed",
}  # fmt: skip


@pytest.mark.parametrize("folder", versions(), ids=lambda folder: folder.name)
def test_golden_games_fold_and_are_judged_as_ever(folder: Path) -> None:
    assert differences(folder, replayed(folder)) == []


def test_every_schema_has_golden_games() -> None:
    assert [folder.name for folder in versions()] == [f"v{schema}" for schema in range(1, SCHEMA + 1)]
    for folder, name, kept in GAMES:
        assert {f"v{row.schema}" for row in rows_of(folder, name, kept)} == {folder.name}


def test_the_hashes_are_those_of_the_stored_bytes() -> None:
    for folder, name, kept in GAMES:
        head = first_prev(kept.game)
        for row in rows_of(folder, name, kept):
            head = link(head, row.body)
            assert row.hash == head, name


def test_every_type_of_event_is_kept_as_it_was_stored() -> None:
    rows = [row for folder, name, kept in GAMES if folder.name == "v1" for row in rows_of(folder, name, kept)]
    assert {msgspec.json.decode(row.body)["type"] for row in rows} == TYPES
    text = b"\n".join(row.body for row in rows)
    for rare in (b'"recycled":', b'"yes":false', b'"yes":true', b'"concealed":true', b'"joined":[{', b'"signature":'):
        assert rare in text, rare


def test_every_preset_is_kept_with_every_number_of_seats() -> None:
    played = set()
    for folder, name, kept in GAMES:
        created = msgspec.json.decode(rows_of(folder, name, kept)[0].body)
        if folder.name == "v1":
            played.add((created["ruleset"]["name"], created["players"]))
    assert {(preset, players) for preset in PRESETS for players in resolve(preset).players} <= played


def test_whole_games_are_told_at_every_end_of_a_hand() -> None:
    for folder, name, kept in GAMES:
        types = [msgspec.json.decode(row.body)["type"] for row in rows_of(folder, name, kept)]
        ends = {str(n) for n, kind in enumerate(types, start=1) if kind in ("hand_ended", "game_ended")}
        assert ends | {str(len(types))} <= {*kept.result["states"]}, name


def test_what_a_store_holds_of_a_recorded_game_gives_its_record_again() -> None:
    for path in sorted(RECORDS.glob("*.meld.jsonl")):
        content = path.read_bytes()
        header = msgspec.json.decode(content.split(b"\n", 1)[0], type=Header)
        assert isinstance(header.players[0], Player)
        stored = [(row.body, row.hash) for row in rows_of_record(content)]
        assert b"".join(stored_record(header, stored)) == content


def test_a_golden_game_that_was_changed_is_refused(tmp_path: Path) -> None:
    folder, name, kept = next(each for each in GAMES if each[2].record is None)
    content = file_of(folder, name, kept).read_bytes()
    (tmp_path / f"{name}.events").write_bytes(content.replace(b'"seat":1', b'"seat":0', 1))
    with pytest.raises(ValueError, match="has been changed"):
        rows_of(tmp_path, name, kept)


def test_golden_games_are_small() -> None:
    files = {file_of(folder, name, kept) for folder, name, kept in GAMES if kept.record is None}
    assert sum(path.stat().st_size for path in files) < BYTES_MAX


def test_golden_games_are_never_written_again(capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.stat().st_mtime_ns for path in versions()[-1].iterdir()}
    assert main([]) == 1
    assert "never written again" in capsys.readouterr().err
    with pytest.raises(FileExistsError):
        write(versions()[-1])
    assert {path: path.stat().st_mtime_ns for path in versions()[-1].iterdir()} == before


@pytest.mark.parametrize("seed", ["0", "1", "4294967295", "random"])
def test_no_hash_hangs_on_the_seed_of_pythons_own(copy: Copy, seed: str) -> None:
    for folder in versions():
        assert differences(folder, copy.replay(folder, PYTHONHASHSEED=seed)) == []


def test_no_hash_hangs_on_assertions_being_there(copy: Copy) -> None:
    for folder in versions():
        assert differences(folder, copy.replay(folder, PYTHONOPTIMIZE="2")) == [], sys.version
