"""Directories for as long as a process runs; what a killed one left behind is removed by the next.

Who uses such a directory holds a lock on the file `lock` in it, which the kernel lets go with the process, and has
written the number of the process into it while holding it: an empty file is about to be locked.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "meldhouse-"
LOCK = "lock"


def make(parent: Path) -> Path:
    """A new directory in `parent`, not yet held by anybody; those beside it whose holders are gone are removed."""
    _remove_forsaken(parent)
    return Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))


@contextmanager
def held() -> Iterator[Path]:
    """A new directory among the temporary files of the machine, held by this process and removed at the end."""
    directory = make(Path(tempfile.gettempdir()))
    try:
        with (directory / LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.write(f"{os.getpid()}\n")
            lock.flush()
            yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _remove_forsaken(parent: Path) -> None:
    """Removes our directories that nobody holds any more; one that nobody has held yet is being made."""
    for lock in parent.glob(f"{PREFIX}*/{LOCK}"):
        try:
            if not lock.stat().st_size:
                continue
            with lock.open("r+") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if lock.stat().st_uid == os.geteuid():
                    shutil.rmtree(lock.parent)
        except OSError:
            # Held by its service, or removed by it meanwhile.
            continue
