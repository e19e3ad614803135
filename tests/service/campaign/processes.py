"""The processes of a running service, by what they are."""

from collections.abc import Callable
from pathlib import Path


def workers(service: int) -> list[int]:
    """The processes that answer requests for a service with this process number, where there are several."""
    # The standard library runs a tracker beside them, which is none.
    return _children(service, lambda command: b"spawn_main" in command)


def postgres(directory: Path) -> int | None:
    """The embedded Postgres of a state directory; None while it is starting."""
    for path in directory.glob("pg*/postmaster.pid"):
        try:
            lines = path.read_text().splitlines()
        except FileNotFoundError:
            # It has just ended.
            continue
        if len(lines) > 7 and lines[7].strip() == "ready":
            return int(lines[0])
    return None


def backends(directory: Path) -> list[int]:
    """The processes of the embedded Postgres that serve a connection."""
    server = postgres(directory)
    return [] if server is None else _children(server, lambda command: b"meldhouse [local]" in command)


def valkey(directory: Path) -> int | None:
    """The embedded Valkey of a state directory; None while it is starting."""
    try:
        return int((directory / "run" / "valkey.pid").read_text())
    except (FileNotFoundError, ValueError):
        return None


def _children(pid: int, wanted: Callable[[bytes], bool]) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            command = (entry / "cmdline").read_bytes()
        except (OSError, ValueError):
            continue
        if parent == pid and wanted(command):
            found.append(int(entry.name))
    return sorted(found)
