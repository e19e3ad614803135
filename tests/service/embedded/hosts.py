"""Services in processes of their own, to be killed, and questions about the processes of the machine."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import asyncpg
import msgspec

from service.embedded.process import command_line
from service.settings import Settings

REPOSITORY = Path(__file__).resolve().parents[3]
SECONDS_MAX = 90.0

HOST_PROGRAM = """
import sys
from pathlib import Path
import msgspec
from service.embedded import start
from service.settings import Settings

servers = start(Settings.from_env({"MELDHOUSE_STATE_DIR": sys.argv[1]}))
pids = [server.child.pid for server in servers._running()]
print(msgspec.json.encode({"database_url": servers.database_url, "pids": pids}).decode(), flush=True)
sys.stdin.read()
servers.stop()
"""


class Started(msgspec.Struct, frozen=True):
    """What a host tells about its servers."""

    database_url: str
    pids: list[int]


class Installation(msgspec.Struct, frozen=True):
    """What to run a service with: interpreter, where its modules are, and the user."""

    python: str = sys.executable
    modules: Path = REPOSITORY
    user: int | None = None


class Host:
    """A process that holds embedded servers, as a service does."""

    def __init__(self, process: subprocess.Popen[bytes], started: Started) -> None:
        self.process = process
        self.started = started

    @classmethod
    def run(cls, state_dir: Path, installation: Installation | None = None) -> Self:
        chosen = installation or Installation()
        process = subprocess.Popen(
            [chosen.python, "-c", HOST_PROGRAM, str(state_dir)],
            cwd="/",
            env={"PYTHONPATH": str(chosen.modules)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            user=chosen.user,
            group=chosen.user,
            extra_groups=None if chosen.user is None else [],
        )
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, "the host ended before its servers answered"
        return cls(process, msgspec.json.decode(line, type=Started))

    def kill(self) -> None:
        """kill -9, as a crash would."""
        self.process.kill()
        self._close()

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(SECONDS_MAX) == 0
        self._close()

    def _close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self.process.wait(SECONDS_MAX)


def processes_about(directory: Path) -> list[int]:
    """Every process whose command line names the directory."""
    numbers = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal())
    return [pid for pid in numbers if pid != os.getpid() and str(directory) in command_line(pid)]


def eventually(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + SECONDS_MAX
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


def execute(url: str, *statements: str) -> list[asyncpg.Record]:
    """Runs the statements in transactions of their own and gives the rows of the last."""

    async def go() -> list[asyncpg.Record]:
        connection = await asyncpg.connect(url)
        try:
            rows: list[asyncpg.Record] = []
            for statement in statements:
                rows = await connection.fetch(statement)
            return rows
        finally:
            await connection.close()

    return asyncio.run(go())


def settings(state_dir: Path, **more: str) -> Settings:
    return Settings.from_env({"MELDHOUSE_STATE_DIR": str(state_dir)} | more)
