"""Keys from a terminal, one by one, and news of its size; the terminal is left as it was found."""

import os
import re
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

ESCAPE_SECONDS: Final = 0.05
"""An escape character that nothing follows for so long is the key itself."""

READ_BYTES_MAX: Final = 1024

_NAMES: Final = {
    b"\x1b[A": "up", b"\x1bOA": "up", b"\x1b[B": "down", b"\x1bOB": "down",
    b"\x1b[C": "right", b"\x1bOC": "right", b"\x1b[D": "left", b"\x1bOD": "left",
    b"\x1b[H": "home", b"\x1bOH": "home", b"\x1b[1~": "home", b"\x1b[7~": "home",
    b"\x1b[F": "end", b"\x1bOF": "end", b"\x1b[4~": "end", b"\x1b[8~": "end",
    b"\x1b[5~": "page_up", b"\x1b[6~": "page_down",
    b"\r": "enter", b"\n": "enter", b"\x7f": "backspace", b"\x08": "backspace", b"\x04": "end_of_input",
}  # fmt: skip
_KEY: Final = re.compile(rb"\x1b[\[O][0-9;]*[A-Za-z~]|\x1b(?![\[O])|[\x00-\x1a\x1c-\x7f]|[\x80-\xff]+", re.DOTALL)


def keys_in(data: bytes) -> tuple[list[str], bytes]:
    """The keys in what a terminal sent, by name or as themselves, and the beginning of a key that is not complete.

    A key that has neither a name nor a character of its own is `unknown`.
    """
    keys = []
    end = 0
    while (found := _KEY.match(data, end)) is not None and not (found.group() == b"\x1b" and found.end() == len(data)):
        end = found.end()
        pressed = found.group()
        own = pressed.decode("ascii") if 0x20 <= pressed[0] < 0x7F else "unknown"
        keys.append(_NAMES.get(pressed, "escape" if pressed == b"\x1b" else own))
    return keys, data[end:]


class Keyboard:
    """The keys of a terminal; made by `keyboard`."""

    def __init__(self, descriptor: int, woken: int) -> None:
        self._descriptor = descriptor
        self._woken = woken
        self._rest = b""

    def wait(self) -> list[str]:
        """The keys pressed since, as soon as there is one; none when the terminal has changed its size.

        Raises `KeyboardInterrupt` for Ctrl-C.
        """
        while True:
            seconds = ESCAPE_SECONDS if self._rest else None
            ready, _, _ = select.select([self._descriptor, self._woken], [], [], seconds)
            if self._woken in ready:
                if signal.SIGINT in os.read(self._woken, READ_BYTES_MAX):
                    raise KeyboardInterrupt
                return []
            if not ready:
                self._rest = b""
                return ["escape"]
            try:
                data = os.read(self._descriptor, READ_BYTES_MAX)
            except OSError:
                # The terminal is gone.
                data = b""
            if not data:
                return ["end_of_input"]
            keys, self._rest = keys_in(self._rest + data)
            if keys:
                return keys


@contextmanager
def keyboard() -> Iterator[Keyboard]:
    """Keys of the terminal on standard input as they are pressed, not shown and not gathered to lines.

    Being told to end raises `SystemExit`, so that the terminal is put back first.
    """
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signals = {
        signal.SIGWINCH: _nothing,
        # Raised where it is waited for: anywhere else, such as while an object is let go, it could be lost.
        signal.SIGINT: _nothing,
        signal.SIGTERM: _end,
        signal.SIGHUP: _end,
    }
    handlers = {number: signal.signal(number, handler) for number, handler in signals.items()}
    woken_before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        tty.setcbreak(descriptor)
        _without_suspension(descriptor)
        yield Keyboard(descriptor, reading)
    finally:
        signal.set_wakeup_fd(woken_before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        os.close(reading)
        os.close(writing)
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)


def _without_suspension(descriptor: int) -> None:
    """Ctrl-Z would leave the shell with the screen and the keys of a game."""
    mode = termios.tcgetattr(descriptor)
    mode[6][termios.VSUSP] = b"\0"
    termios.tcsetattr(descriptor, termios.TCSANOW, mode)


def _nothing(_signal: int, _frame: FrameType | None) -> None:
    """The wake-up alone is what is wanted."""


def _end(number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
