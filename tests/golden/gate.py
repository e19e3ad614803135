"""The gate that a release has to pass: nothing that was ever stored may fold or be judged otherwise.

    python -m tests.golden.gate                    replay the golden games of every schema
    DATABASE_URL=… python -m tests.golden.gate     and then check that archive, every move of it by the rules
        --archive                                  the same with the archive of the service that runs here
        --states FILE                              keep the state hashes of the archive
        --before FILE                              compare them with those that the release before kept

The exit code is 0 where all is as it was, 1 where something is not, 2 for wrong use.
"""

import asyncio
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from domain.upcasting import SCHEMA
from service.cli.settings import settings_from_environment
from service.embedded.running import url_of_running
from tests.golden.archive import changed_states, read_states, write_states
from tests.golden.replay import differences, replayed
from tests.golden.stored import versions


def golden_faults() -> list[str]:
    """What the engine makes otherwise of the golden games, and which schema has none."""
    folders = versions()
    lacking = {f"v{schema}" for schema in range(1, SCHEMA + 1)} - {folder.name for folder in folders}
    told = [f"There are no golden games of {name}." for name in sorted(lacking)]
    for folder in folders:
        told += differences(folder, replayed(folder))
    return told


def archive_faults(url: str, states: Path, before: Path | None) -> list[str]:
    """What is wrong with an archive: by its audit, and by the state hashes kept before."""
    audit = subprocess.run((sys.executable, "-m", "service.cli", "audit", "--rules"), check=False)
    told = [] if audit.returncode == 0 else [f"The audit of the archive ended with {audit.returncode}."]
    print(f"{asyncio.run(write_states(url, states))} state hashes of the archive")
    if before is not None:
        told += changed_states(read_states(before), read_states(states))
    return told


def main(arguments: Sequence[str]) -> int:
    """The command; see the module's text."""
    parser = ArgumentParser(prog="python -m tests.golden.gate")
    parser.add_argument("--archive", action="store_true")
    parser.add_argument("--states", type=Path)
    parser.add_argument("--before", type=Path)
    wanted = parser.parse_args(arguments)
    settings = settings_from_environment()
    url = settings.database_url or (url_of_running(settings) if wanted.archive else None)
    if url is None and (wanted.archive or wanted.states or wanted.before):
        parser.error("There is no archive: DATABASE_URL names its database, or a service that runs has one.")
    told = golden_faults()
    print(f"{', '.join(folder.name for folder in versions())}: golden games replayed")
    if url is not None:
        with TemporaryDirectory() as folder:
            told += archive_faults(url, wanted.states or Path(folder) / "states", wanted.before)
    print("\n".join(told) or "Every game is as it was.")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
