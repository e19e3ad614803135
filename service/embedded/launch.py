"""Becomes another program: the last steps between forking and running an embedded server.

Run as a script with the JSON of a `Launch` as its only argument. It gives up root's rights if asked to,
enters its directory, ties its life to the process that started it (Linux only) and then becomes the program.
It is a script of its own because code between a fork and its exec is not safe in a process that has threads.
It imports the standard library only and no file beside it.
"""

import ctypes
import json
import os
import signal
import sys
from typing import TypedDict

CANNOT_START = 125
PR_SET_PDEATHSIG = 1


class Launch(TypedDict):
    """What to become. `account` is the user and group number to run as, or None to stay what we are."""

    command: list[str]
    environment: dict[str, str]
    directory: str
    account: tuple[int, int] | None
    parent: int
    end_signal: int


def end_with_parent(parent: int, end_signal: int) -> None:
    """Has the kernel send `end_signal` to this process when the thread that forked it ends.

    `parent` is the process that forked: if it is already gone, the signal comes at once.
    Elsewhere than on Linux there is no such thing; leftovers are ended by the next start there.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, end_signal)
        if os.getppid() != parent:
            os.kill(os.getpid(), end_signal)


def become(launch: Launch) -> None:
    """Never returns; raises `OSError` for whatever the account may not do."""
    if launch["account"] is not None:
        user, group = launch["account"]
        os.setgroups([])
        os.setgid(group)
        os.setuid(user)
    os.umask(0o077)
    os.chdir(launch["directory"])
    # After the change of the user, which would clear it.
    end_with_parent(launch["parent"], launch["end_signal"])
    os.execve(launch["command"][0], launch["command"], launch["environment"])


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        become(json.loads(sys.argv[1]))
    except OSError as problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(CANNOT_START)


if __name__ == "__main__":
    main()
