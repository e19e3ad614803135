"""The processes of a running service, by what they are."""

from pathlib import Path

from service.cli.own_service import OwnService


def workers(service: int) -> list[int]:
    """The processes that answer requests for a service with this process number, where there are several."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            command = (entry / "cmdline").read_bytes()
        except (OSError, ValueError):
            continue
        # The standard library runs a tracker beside them, which is none.
        if parent == service and b"spawn_main" in command:
            found.append(int(entry.name))
    return sorted(found)


def postgres(service: OwnService) -> int | None:
    """The embedded Postgres; None while it is starting."""
    assert service.directory is not None
    for path in service.directory.glob("pg*/postmaster.pid"):
        lines = path.read_text().splitlines()
        if len(lines) > 7 and lines[7].strip() == "ready":
            return int(lines[0])
    return None


def valkey(service: OwnService) -> int:
    """The embedded Valkey."""
    assert service.directory is not None
    return int((service.directory / "run" / "valkey.pid").read_text())
