"""`node service/verifier/cli.mjs`: exit codes as `meldhouse verify` has them, and what is told."""

import re
from pathlib import Path
from typing import Final

import msgspec
import pytest

from tests.service.cli.running import RECORD, RECORDS, edited, meldhouse
from tests.service.verifier.javascript import CLI, VERIFIER, run

MODULES: Final = sorted(VERIFIER.glob("*.mjs"))


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A record whose line 30 is not what it was."""
    return edited(RECORD, 30, b'"seat":', b'"seat":1', tmp_path / "wrong.meld.jsonl")


def test_a_sound_record_is_told_in_one_line_as_python_tells_it() -> None:
    done = run(CLI, RECORD)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines()[0] == meldhouse("verify", RECORD).stdout.strip()


def test_what_is_not_checked_is_told_with_every_verdict() -> None:
    text = run(CLI, RECORD).stdout.decode()
    _, _, unchecked = text.partition("Not checked:\n")
    assert "the legality of every move" in unchecked
    assert "the signature of a beacon" in unchecked
    (verdict,) = msgspec.json.decode(run(CLI, RECORD, "--json").stdout)
    assert len(verdict["not_checked"]) == len(unchecked.splitlines())


def test_the_first_wrong_line_is_named_and_the_exit_code_is_1(wrong: Path) -> None:
    done = run(CLI, RECORD, wrong)
    assert done.returncode == 1
    assert done.stdout.decode().splitlines()[1].startswith(f"{wrong}:30: ")
    assert meldhouse("verify", RECORD, wrong).exit_code == 1


def test_verdicts_in_json_are_a_list_in_the_order_of_the_files(wrong: Path) -> None:
    done = run(CLI, "--json", wrong, RECORD)
    verdicts = msgspec.json.decode(done.stdout)
    assert done.returncode == 1
    assert [(verdict["file"], verdict["ok"]) for verdict in verdicts] == [(str(wrong), False), (str(RECORD), True)]
    assert verdicts[0]["fault"].keys() == {"line", "code", "message"}


def test_a_record_is_read_from_standard_input() -> None:
    done = run(CLI, "-", given=RECORD.read_bytes())
    assert done.returncode == 0
    assert done.stdout.startswith(b"-: ok, samba-official, 6 players")


@pytest.mark.parametrize("arguments", [[], ["--yaml", "x"], ["no such file"], [RECORDS]])
def test_a_wrong_call_or_a_file_that_cannot_be_read_is_2(arguments: list[str]) -> None:
    done = run(CLI, *arguments)
    assert done.returncode == 2
    assert done.stderr != b""
    assert meldhouse("verify", *arguments).exit_code == 2


def test_text_of_a_file_does_not_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "steering.meld.jsonl"
    path.write_text('{"record":"\\u001b[2J\\u0007"}\n')
    done = run(CLI, path)
    assert b"unknown_version" in done.stdout
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", done.stdout)


def test_the_modules_need_nothing_but_each_other() -> None:
    for module in MODULES:
        names = re.findall(r'^import .*?from "(.*?)";', module.read_text(), re.MULTILINE | re.DOTALL)
        foreign = [name for name in names if not name.startswith("./")]
        assert foreign == (["node:fs/promises", "node:process"] if module.name == "cli.mjs" else [])


def test_every_module_is_named_for_whoever_keeps_them() -> None:
    listed = re.findall(r'"([a-z0-9-]+\.mjs)"', (VERIFIER / "modules.mjs").read_text())
    assert listed == [module.name for module in MODULES]
