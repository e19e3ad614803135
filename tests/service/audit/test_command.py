"""`meldhouse audit`: what it says, its report, its exit codes."""

import asyncio
from io import StringIO
from pathlib import Path

import asyncpg
import msgspec
import pytest
from rich.console import Console

from service.audit.findings import FindingCode
from service.audit.report import Report
from service.audit.run import Reached
from service.cli import audit_progress
from service.cli.audit_progress import Progress
from tests.service.audit.conftest import Shared
from tests.service.audit.tampered import unguarded
from tests.service.cli.running import meldhouse, refused

OPTIONS = ("audit", "--processes", "1")


async def _change(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    await unguarded(connection)
    await connection.execute(statement)
    await connection.close()


def test_an_archive_in_which_nothing_is_wrong_is_told_in_a_line_with_exit_code_0(shared: Shared) -> None:
    result = meldhouse(*OPTIONS, DATABASE_URL=shared.url)
    assert result.exit_code == 0
    (line,) = result.stdout.splitlines()
    assert line.startswith("ok: ")
    assert meldhouse(*OPTIONS, "--quiet", DATABASE_URL=shared.url).output == ""


def test_what_is_wrong_is_told_with_its_place_and_exit_code_1(copy: str, tmp_path: Path) -> None:
    asyncio.run(_change(copy, "update game set status = 'open' where id = 'aborted'"))
    report = tmp_path / "report.json"
    result = meldhouse(*OPTIONS, "--json", str(report), DATABASE_URL=copy)
    assert result.exit_code == 1
    assert result.stdout.startswith("error: game_status_wrong: game aborted: ")
    told = msgspec.json.decode(report.read_bytes(), type=Report)
    assert [(finding.code, finding.game) for finding in told.findings] == [("game_status_wrong", "aborted")]
    assert told.counts_by_code == {FindingCode.GAME_STATUS_WRONG: 1}
    assert not told.ok


def test_one_game_is_checked_alone(copy: str) -> None:
    asyncio.run(_change(copy, "update game set status = 'open' where id = 'aborted'"))
    assert meldhouse(*OPTIONS, "--game", "aborted", DATABASE_URL=copy).exit_code == 1
    result = meldhouse(*OPTIONS, "--game", "practice-3", "--rules", DATABASE_URL=copy)
    assert result.exit_code == 0
    assert result.stdout.startswith("ok: 1 games, ")


def test_json_on_standard_output_is_nothing_but_json(shared: Shared) -> None:
    result = meldhouse(*OPTIONS, "--game", "aborted", "--json", "-", DATABASE_URL=shared.url)
    assert msgspec.json.decode(result.stdout, type=Report).counts.games == 1


def test_files_of_kept_heads_and_lines_are_compared(shared: Shared, tmp_path: Path) -> None:
    heads, witness = tmp_path / "heads.jsonl", tmp_path / "witness.jsonl"
    heads.write_text(f'{{"game":"aborted","n":2,"hash":"{"0" * 64}"}}\n\n{{"game":"none","n":1,"hash":"{"0" * 64}"}}\n')
    witness.write_bytes(b"".join(line + b"\n" for line in shared.witness))
    result = meldhouse(*OPTIONS, "--heads", str(heads), "--witness", str(witness), DATABASE_URL=shared.url)
    assert result.exit_code == 1
    first, second, *_ = result.stdout.splitlines()
    assert first.startswith("error: kept_head_differs: game aborted event 2 line 1: ")
    assert second.startswith("error: kept_head_missing: game none event 1 line 3: ")


def test_a_game_that_is_not_there_is_something_wrong(shared: Shared) -> None:
    result = meldhouse(*OPTIONS, "--game", "gnope", DATABASE_URL=shared.url)
    assert result.exit_code == 1
    assert "The archive has no game 'gnope'." in result.stderr


def test_files_of_many_heads_and_lines_are_compared_to_their_end(shared: Shared, tmp_path: Path) -> None:
    heads, witness = tmp_path / "heads.jsonl", tmp_path / "witness.jsonl"
    heads.write_text(f'{{"game":"none","n":1,"hash":"{"0" * 64}"}}\n' * 3000)
    witness.write_bytes(b"".join(line + b"\n" for line in shared.witness) * 200)
    result = meldhouse(
        *OPTIONS, "--heads", str(heads), "--witness", str(witness), "--json", "-", DATABASE_URL=shared.url
    )
    counts = msgspec.json.decode(result.stdout, type=Report).counts
    assert (counts.kept_heads, counts.witness_lines) == (3000, 200 * len(shared.witness))


@pytest.mark.parametrize("game", ["a\\u0000b", "\\ud800", "a\\nb"])
def test_a_kept_head_of_no_game_that_can_be_is_told_with_its_line(shared: Shared, tmp_path: Path, game: str) -> None:
    heads = tmp_path / "heads.jsonl"
    heads.write_text(f'{{"game":"aborted","n":1,"hash":"{"0" * 64}"}}\n{{"game":"{game}","n":1,"hash":"{"0" * 64}"}}\n')
    assert "Line 2 of the kept heads" in refused(*OPTIONS, "--heads", heads, DATABASE_URL=shared.url)


def test_what_cannot_be_carried_out_is_told_in_a_line_with_exit_code_2(shared: Shared, tmp_path: Path) -> None:
    heads = tmp_path / "heads.jsonl"
    heads.write_text('{"game":"aborted"}\n')
    assert "Line 1 of the kept heads" in refused(*OPTIONS, "--heads", heads, DATABASE_URL=shared.url)
    assert "cannot be read" in refused(*OPTIONS, DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")
    empty = shared.url.replace("/audit_archive?", "/postgres?")
    assert "holds no archive" in refused(*OPTIONS, DATABASE_URL=empty)


def test_elsewhere_than_on_a_terminal_progress_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(audit_progress, "monotonic", lambda: now)
    with Progress(Console(file=StringIO())) as progress:
        for seconds in range(21):
            now = 100.0 + seconds
            progress.show(Reached(1000 * seconds, 60_000, 2 if seconds > 15 else 0))
    assert capsys.readouterr().err.splitlines() == [
        "audit: 10,000 of 60,000 events, 1,000/s, 0:00:50 left",
        "audit: 20,000 of 60,000 events, 1,000/s, 0:00:40 left, 2 findings",
    ]


def test_on_a_terminal_progress_is_a_bar_that_goes_away() -> None:
    screen = StringIO()
    with Progress(Console(file=screen, force_terminal=True, width=100)) as progress:
        progress.show(Reached(30_000, 60_000, 0))
    assert "30,000 of 60,000 events" in screen.getvalue()
