"""An audit that is broken off goes on where it was, and comes to the same."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import asyncpg
import msgspec
import pytest
from msgspec.structs import replace

from service.audit import lanes
from service.audit.report import Report
from service.audit.run import Audit, Options, Reached
from service.audit.source import AuditImpossible
from tests.service.audit import event_tamperings as events
from tests.service.audit import log_tamperings as log
from tests.service.audit.tampered import Archive, unguarded


async def _tamper(url: str) -> None:
    connection = await asyncpg.connect(url)
    await unguarded(connection)
    archive = await Archive.read(connection)
    for kind in (events.body_flipped, events.row_deleted, events.type_changed, log.node_changed):
        await kind(connection, archive, random.Random(5))
    await connection.close()


@pytest.fixture
def tampered(copy: str) -> str:
    """The address of an archive with a few things wrong."""
    asyncio.run(_tamper(copy))
    return copy


def what_it_came_to(report: Report) -> bytes:
    """Everything but the figures."""
    return msgspec.json.encode([
        report.counts, report.findings, report.counts_by_code, replace(report.cut, at=""), report.errors,
    ])  # fmt: skip


def test_broken_off_anywhere_it_comes_to_the_same(
    tampered: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes, "EVENTS_TOGETHER", 1000)
    monkeypatch.setattr("service.audit.run.LOOK_SECONDS", 0.01)
    once = Audit(Options(url=tampered, processes=1)).run()
    assert once.errors >= 4
    state = tmp_path / "state.json"
    options = Options(url=tampered, processes=1, resume=state)
    places = []
    report = None
    while report is None:
        begun: list[int] = []

        def progress(reached: Reached, begun: list[int] = begun) -> None:
            begun.append(reached.events)
            if reached.events > begun[0]:
                raise KeyboardInterrupt

        try:
            report = Audit(options, progress).run()
        except KeyboardInterrupt:
            places.append(begun[-1])
            assert state.exists()
    assert len(places) >= 3
    assert places == sorted(places)
    assert what_it_came_to(report) == what_it_came_to(once)
    assert report.figures.resumed == len(places)
    assert not state.exists()


def test_killed_it_leaves_a_state_that_can_be_gone_on_from(tampered: str, tmp_path: Path) -> None:
    state, report = tmp_path / "state.json", tmp_path / "report.json"
    command = [sys.executable, "-m", "service.cli", "audit", "--processes", "1", "--resume", str(state)]
    command += ["--json", str(report), "--quiet"]
    environment = os.environ | {"DATABASE_URL": tampered}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while not state.exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert not report.exists()
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    resumed = msgspec.json.decode(report.read_bytes(), type=Report)
    assert resumed.figures.resumed == 1
    assert what_it_came_to(resumed) == what_it_came_to(Audit(Options(url=tampered, processes=1)).run())


def test_a_state_is_of_one_archive_and_of_the_same_options(tampered: str, shared_url: str, tmp_path: Path) -> None:
    state = tmp_path / "state.json"

    def stop(_: Reached) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Audit(Options(url=tampered, processes=1, resume=state), stop).run()
    kept = state.read_bytes()
    with pytest.raises(AuditImpossible, match="other options"):
        Audit(Options(url=tampered, rules=True, processes=1, resume=state)).run()
    with pytest.raises(AuditImpossible, match="another archive"):
        Audit(Options(url=shared_url, processes=1, resume=state)).run()
    assert state.read_bytes() == kept
    state.write_bytes(kept[:100])
    with pytest.raises(AuditImpossible, match="no state of an audit"):
        Audit(Options(url=tampered, processes=1, resume=state)).run()
