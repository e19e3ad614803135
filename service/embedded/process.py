"""Processes of other programs: run to their end, kept as children, or left behind by a killed run."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Self, TypeAlias

import msgspec

from service.embedded import launch
from service.embedded.account import Account
from service.embedded.fault import EmbeddedFault

POLL_SECONDS = 0.01
PROCESSES = Path("/proc/self").parent
COMMAND_SECONDS_MAX = 120.0
LOG_BYTES_MAX = 8 * 2**20
LOG_TAIL_BYTES = 2000

# Signals to try one after the other, each with the seconds to wait for the end.
Ladder: TypeAlias = tuple[tuple[signal.Signals, float], ...]


class Finished(msgspec.Struct, frozen=True):
    """A program that ran to its end: exit code, and what it wrote to both outputs."""

    code: int
    output: str


def run(command: list[str], account: Account, directory: Path, *, text: str = "") -> Finished:
    """Runs a program as the account, with `text` as its input. Raises `EmbeddedFault` if it does not end."""
    process = subprocess.Popen(
        launcher(command, account, directory, signal.SIGKILL),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    with process:
        try:
            output, _ = process.communicate(text.encode(), timeout=COMMAND_SECONDS_MAX)
        except subprocess.TimeoutExpired as problem:
            process.kill()
            raise EmbeddedFault(
                "start_too_slow", f"{command[0]} did not end within {COMMAND_SECONDS_MAX:.0f} seconds."
            ) from problem
    return Finished(process.returncode, output.decode(errors="replace").strip())


class Child:
    """A server that we started and that ends with us. Its output goes to the end of a log file."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path, log_start: int) -> None:
        self._process = process
        self._log = log
        self._log_start = log_start
        self._asked = False

    @classmethod
    def start(
        cls, command: list[str], account: Account, directory: Path, *, log: Path, end_signal: signal.Signals
    ) -> Self:
        """Starts the program. `end_signal` is what it gets when this process dies.

        Raises `EmbeddedFault` outside the main thread: the kernel ties the child to the thread that made it.
        """
        if threading.current_thread() is not threading.main_thread():
            raise EmbeddedFault("not_main_thread", "Embedded servers can be started from the main thread only.")
        if log.exists() and log.stat().st_size > LOG_BYTES_MAX:
            log.replace(log.with_suffix(".log.old"))
        with log.open("ab") as output:
            log_start = output.tell()
            process = subprocess.Popen(
                launcher(command, account, directory, end_signal),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        return cls(process, log, log_start)

    @property
    def pid(self) -> int:
        return self._process.pid

    def exit_code(self) -> int | None:
        """None while it runs; minus the number of the signal that killed it."""
        return self._process.poll()

    def ask_to_end(self, ladder: Ladder) -> None:
        """Sends the first signal of the ladder without waiting; `end` then goes on from there."""
        self._process.send_signal(ladder[0][0])
        self._asked = True

    def end(self, ladder: Ladder) -> None:
        """Ends it, however many signals that takes. Raises `EmbeddedFault` if it stays."""
        if not self._asked:
            self.ask_to_end(ladder)
        for index, (number, seconds) in enumerate(ladder):
            if index > 0:
                self._process.send_signal(number)
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
            return
        raise EmbeddedFault("end_failed", f"Process {self.pid} does not end; end it by hand.")

    def said(self) -> str:
        """The end of what it wrote since it was started."""
        with self._log.open("rb") as file:
            file.seek(max(self._log_start, self._log.stat().st_size - LOG_TAIL_BYTES))
            return file.read().decode(errors="replace").strip()


def launcher(command: list[str], account: Account, directory: Path, end_signal: signal.Signals) -> list[str]:
    """The command that becomes `command`, as the account, in the directory, tied to this process."""
    plan: launch.Launch = {
        "command": command,
        "environment": {"LC_ALL": "C", "TZ": "UTC", "PATH": os.environ.get("PATH", os.defpath)},
        "directory": str(directory),
        "account": (account.uid, account.gid) if account.switched else None,
        "parent": os.getpid(),
        "end_signal": end_signal,
    }
    return [sys.executable, "-I", "-S", launch.__file__, msgspec.json.encode(plan).decode()]


def command_line(pid: int) -> str:
    """What a process was started with; empty if there is no such process or it has ended."""
    if PROCESSES.is_dir():
        try:
            return (PROCESSES / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            return ""
    listed = subprocess.run(["ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return listed.stdout


def end_leftover(pid: int, mark: str, ladder: Ladder) -> None:
    """Ends a server that outlived the run that had started it.

    `mark` is a path that must stand in its command line, so that a process that merely got the same number is
    left alone. Only the holder of the lock on the state directory may call it. Raises `EmbeddedFault` if the
    process stays.
    """
    for number, seconds in ladder:
        if mark not in command_line(pid):
            return
        os.kill(pid, number)
        deadline = time.monotonic() + seconds
        while mark in command_line(pid) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
    if mark in command_line(pid):
        raise EmbeddedFault("end_failed", f"Process {pid} of an earlier run does not end; end it by hand.")
