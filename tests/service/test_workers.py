"""Workers that die are begun again, however often, unless they never serve."""

import asyncio
import os
import shutil
import signal
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from service.cli.own_service import OwnService
from service.embedded.account import server_account
from service.embedded.state import temporary_directory
from tests.conftest import run_statement
from tests.service.campaign.processes import workers
from tests.service.cli.serving import serving

IMPATIENT = """
from service import back_off
from service.cli.main import main
vars(back_off)["UNSERVED_DEATHS_MAX"] = 2
if __name__ == "__main__":
    main(["serve"])
"""
SECONDS_MAX = 120.0


def killed_and_begun_again(service: OwnService) -> None:
    """Kill every worker and wait until others serve in their places."""
    before = workers(service.pid)
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + SECONDS_MAX
    while len(set(workers(service.pid)) - set(before)) < len(before):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    with service.client() as client:
        client.get("/v1/health/ready")


def test_workers_that_served_may_be_killed_any_number_of_times() -> None:
    with OwnService(workers=2) as service:
        for _ in range(4):
            killed_and_begun_again(service)
        assert len(workers(service.pid)) == 2


def test_a_killed_service_leaves_no_metrics_for_longer_than_to_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    place = temporary_directory(server_account(), in_memory=True)
    # One step below, because a directory among the temporary ones is taken for forsaken between the two services.
    kept = place / "state"
    kept.mkdir(mode=0o711)
    try:
        with OwnService(kept, workers=2) as service:
            left = {path.parent for path in tmp_path.glob("*/*.db")}
            assert len(left) == 1
            os.kill(service.pid, signal.SIGKILL)
        assert left == set(tmp_path.iterdir())
        with OwnService(kept, workers=2):
            found = {path.parent for path in tmp_path.glob("*/*.db")}
            assert len(found) == 1
            assert not found & left
        assert not any(tmp_path.iterdir())
    finally:
        shutil.rmtree(place)


async def test_workers_that_die_before_they_serve_end_the_service(
    database: str, postgres_url: str, redis_url: str, tmp_path: Path
) -> None:
    script = tmp_path / "impatient.py"
    script.write_text(IMPATIENT)
    with serving(str(script), DATABASE_URL=database, REDIS_URL=redis_url, MELDHOUSE_WORKERS="2") as service:
        await run_statement(postgres_url, f"alter database {urlsplit(database).path[1:]} allow_connections false")
        for pid in workers(service.process.pid):
            os.kill(pid, signal.SIGKILL)
        _, told = await asyncio.to_thread(service.process.communicate, timeout=SECONDS_MAX)
        assert service.process.returncode == 1
    assert b"The workers die before they serve" in told
