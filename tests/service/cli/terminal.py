"""A command on a pseudo-terminal: keys in, the screen out."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SECONDS_MAX = 90.0
HOME = b"\x1b[H"
"""Where a frame begins."""

_BEGIN = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from service.cli.main import main
main()
"""
# The terminal becomes that of the process, so that Ctrl-C and a new size reach it as they would from a shell.

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """The command, everything it has written so far, and how its terminal was set `before`."""

    def __init__(self, process: subprocess.Popen[bytes], ours: int) -> None:
        self.process = process
        self.written = b""
        self._ours = ours
        self.before = self.mode()

    def press(self, keys: str) -> None:
        """Type keys."""
        os.write(self._ours, keys.encode())

    def resize(self, rows: int, columns: int) -> None:
        """Give the window another size; the command gets the signal from the terminal."""
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def mode(self) -> list[Any]:
        """How the terminal is set."""
        return termios.tcgetattr(self._ours)

    def screen(self) -> list[str]:
        """The lines of the last frame."""
        return [
            line.rstrip()
            for line in _CONTROL.sub("", self.written.split(HOME)[-1].decode(errors="ignore")).split("\r\n")
        ]

    def until(self, seen: Callable[[list[str]], bool]) -> list[str]:
        """The screen as soon as it is as wanted."""
        end = time.monotonic() + SECONDS_MAX
        while not seen(self.screen()):
            assert time.monotonic() < end, self.written[-4000:].decode(errors="replace")
            self._read(0.05)
        return self.screen()

    def until_line(self, part: str) -> list[str]:
        """The screen as soon as one of its lines holds a text."""
        return self.until(lambda lines: any(part in line for line in lines))

    def until_lines(self, number: int) -> list[str]:
        """The screen as soon as it has so many lines."""
        return self.until(lambda lines: len(lines) == number)

    def ended(self) -> int:
        """The exit code, everything written being read."""
        end = time.monotonic() + SECONDS_MAX
        while self.process.poll() is None:
            assert time.monotonic() < end
            self._read(0.05)
        self._read(0.1)
        return self.process.returncode

    def _read(self, seconds: float) -> None:
        while select.select([self._ours], [], [], seconds)[0]:
            try:
                self.written += os.read(self._ours, 1 << 16)
            except OSError:
                return
            seconds = 0.0


@contextmanager
def on_terminal(*arguments: str | Path, rows: int = 24, columns: int = 80, **environment: str) -> Iterator[Terminal]:
    """`meldhouse` with these arguments on a terminal of a size; killed at the end if it still runs."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    inherited = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-c", _BEGIN, *map(str, arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**inherited, "TERM": "xterm-256color", **environment},
        start_new_session=True,
    )
    try:
        yield Terminal(process, ours)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait(SECONDS_MAX)
        os.close(theirs)
        os.close(ours)
