"""A service of one's own: `meldhouse serve` in a process beside this one, its data thrown away unless it is kept."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from service.cli.client import Client, NotReached, Problem
from service.embedded import EmbeddedFault
from service.embedded.account import server_account
from service.embedded.state import temporary_directory

START_SECONDS_MAX: Final = 120.0
STOP_SECONDS_MAX: Final = 15.0
LOOK_SECONDS: Final = 0.05
LOG_SHOWN: Final = 600
"""The most characters of the service's log that a message shows."""

HOST: Final = "127.0.0.1"
_port_in: Final = re.compile(rf"http://{re.escape(HOST)}:(\d+)").search


class ServiceFault(Exception):
    """The service did not come up, or ended too early."""


class OwnService:
    """A context in which the service runs; once it has been entered `port` and `directory` are set.

    With a `directory` the data is kept there, so that another service can go on with it; without, it is thrown away
    at the end. Port 0 takes a free one.
    """

    def __init__(self, directory: Path | None = None, *, port: int = 0, workers: int = 1) -> None:
        self.directory = directory
        self.port = port
        self._workers = workers
        self._thrown_away = directory is None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://{HOST}:{self.port}"

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    def client(self, token: str | None = None) -> Client:
        """A new connection to it."""
        return Client(HOST, self.port, token)

    def __enter__(self) -> Self:
        try:
            self._start()
        except EmbeddedFault as fault:
            raise ServiceFault(str(fault)) from fault
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _start(self) -> None:
        if self.directory is None:
            self.directory = temporary_directory(server_account(), in_memory=False)
        environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        environment |= {
            "MELDHOUSE_HOST": HOST,
            "MELDHOUSE_PORT": str(self.port),
            "MELDHOUSE_WORKERS": str(self._workers),
            "MELDHOUSE_STATE_DIR": str(self.directory),
            "MELDHOUSE_LOG_FORMAT": "console",
            "PYTHONUNBUFFERED": "1",
        }
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "service.cli", "serve"],
                cwd=Path(__file__).resolve().parents[2],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._await_port()

    @property
    def _log(self) -> Path:
        assert self.directory is not None
        return self.directory / "service.log"

    def _await_port(self) -> None:
        assert self._process is not None
        deadline = time.monotonic() + START_SECONDS_MAX
        while time.monotonic() < deadline:
            told = _port_in(self._log.read_text(errors="replace"))
            if told is not None:
                self.port = int(told[1])
                if self._ready():
                    return
            if self._process.poll() is not None:
                break
            time.sleep(LOOK_SECONDS)
        raise ServiceFault(f"The service did not start: {self._log.read_text(errors='replace')[-LOG_SHOWN:].strip()}")

    def _ready(self) -> bool:
        try:
            with self.client() as client:
                client.get("/v1/health/ready")
        except (NotReached, Problem):
            return False
        return True

    def _stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self.directory is not None and self._thrown_away:
            shutil.rmtree(self.directory, ignore_errors=True)
