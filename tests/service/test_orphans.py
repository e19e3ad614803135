"""Workers whose parent is gone go too, whoever reads what they log."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

WORKER = """
import os, sys
from multiprocessing.connection import Connection
from service.server import listen
from service.settings import Settings
from service.workers import work
settings = Settings.from_env(os.environ)
work(settings, listen(settings), Connection(int(sys.argv[1])), Connection(1))
"""
SECONDS_MAX = 90.0


@contextmanager
def worker(database: str, redis_url: str) -> "Iterator[tuple[subprocess.Popen[bytes], int]]":
    """A worker, and the end of the pipe that ends with its parent."""
    lifeline, ours = os.pipe()
    environment = os.environ | {"DATABASE_URL": database, "REDIS_URL": redis_url, "MELDHOUSE_PORT": "0"}
    with subprocess.Popen(
        [sys.executable, "-c", WORKER, str(lifeline)],
        env=environment,
        pass_fds=(lifeline,),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        os.close(lifeline)
        try:
            yield process, ours
        finally:
            process.kill()


@pytest.mark.parametrize("serves", [True, False])
def test_a_worker_goes_when_its_parent_does(database: str, redis_url: str, serves: bool) -> None:
    with worker(database, redis_url) as (process, ours):
        if serves:
            assert process.stdout is not None
            assert process.stdout.read(5)[-1:] == b"1"
        os.close(ours)
        _, told = process.communicate(timeout=SECONDS_MAX)
    assert b"parent_gone" in told
    assert process.returncode == 0


def test_a_worker_goes_although_its_log_has_gone_with_the_parent(database: str, redis_url: str) -> None:
    with worker(database, redis_url) as (process, ours):
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(5)[-1:] == b"1"
        process.stderr.close()
        os.close(ours)
        assert process.wait(SECONDS_MAX) == 0
