"""`meldhouse serve` as a process of its own, on given servers."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).resolve().parents[3]
SECONDS_MAX = 90.0


class Serving(Struct):
    """The process; what it said on its standard output up to the line with its address, which is `url`."""

    process: subprocess.Popen[bytes]
    url: str
    said: bytes


@contextmanager
def serving(*command: str, **environment: str) -> Iterator[Serving]:
    """The service from when it is ready; killed at the end if it has not ended by then."""
    with subprocess.Popen(
        [sys.executable, "-u", *(command or ("-m", "service.cli", "serve"))],
        env=os.environ | {"PYTHONPATH": str(ROOT), "MELDHOUSE_PORT": "0"} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None
            said = b""
            while b" is ready at " not in said:
                line = process.stdout.readline()
                assert line, process.communicate(timeout=SECONDS_MAX)
                said += line
            yield Serving(process, said.split()[-1].decode(), said)
        finally:
            process.kill()


def stopped(service: Serving) -> int:
    """Ask it to stop; its exit code."""
    service.process.send_signal(signal.SIGTERM)
    service.process.communicate(timeout=SECONDS_MAX)
    return service.process.returncode
