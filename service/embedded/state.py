"""The directory where the embedded servers keep their data, logs and sockets, held by one service at a time.

lock               who holds the directory
pg18/              the data of Postgres 18
postgres.password  of the superuser
run/               sockets and process numbers
log/               what the servers write
binaries/          copies, where the servers' user may not execute the installed ones
"""

import fcntl
import os
import tempfile
from io import TextIOWrapper
from pathlib import Path

from service import temporary
from service.embedded.account import Account
from service.embedded.fault import EmbeddedFault

# The shortest of the limits on the path of a socket: 104 bytes with the closing zero, on macOS.
SOCKET_PATH_BYTES_MAX = 103
LONGEST_SOCKET_NAME = ".s.PGSQL.5432.lock"
SHARED_MEMORY = Path("/dev/shm")
MEMORY_BYTES_MIN = 2**30


class StateDirectory:
    """A state directory that this process holds until `close`."""

    def __init__(self, path: Path, account: Account, lock: TextIOWrapper) -> None:
        self.path = path
        self.account = account
        self.run = path / "run"
        self.logs = path / "log"
        self.binaries = path / "binaries"
        self.password = path / "postgres.password"
        self._lock = lock

    def data(self, major: int) -> Path:
        return self.path / f"pg{major}"

    def data_majors(self) -> tuple[int, ...]:
        """The versions of Postgres that have data here, newest first."""
        numbers = [entry.name.removeprefix("pg") for entry in self.path.glob("pg*")]
        return tuple(sorted((int(number) for number in numbers if number.isdecimal()), reverse=True))

    def close(self) -> None:
        self._lock.close()


def hold(path: Path, account: Account) -> StateDirectory:
    """Makes the directory if need be and takes hold of it.

    Raises `EmbeddedFault`: `state_dir_in_use` names the process that holds it, `state_dir_unusable` says what
    is wrong with it, `address_too_long` that sockets cannot have such long paths.
    """
    socket = os.fsencode(path / "run" / LONGEST_SOCKET_NAME)
    if len(socket) > SOCKET_PATH_BYTES_MAX:
        raise EmbeddedFault(
            "address_too_long",
            f"The state directory {path} is {len(socket) - SOCKET_PATH_BYTES_MAX} bytes too long for the "
            "sockets in it. Set MELDHOUSE_STATE_DIR to a shorter path.",
        )
    try:
        _make(path, account)
        directory = StateDirectory(path, account, _lock(path))
        try:
            _arrange(directory)
        except BaseException:
            directory.close()
            raise
    except OSError as problem:
        raise EmbeddedFault(
            "state_dir_unusable",
            f"The state directory {path} cannot be used: {problem.strerror} ({problem.filename}). Set "
            "MELDHOUSE_STATE_DIR to a directory that this user may write.",
        ) from problem
    return directory


def _make(path: Path, account: Account) -> None:
    """Makes the directory. One that is there already keeps its permissions: it may have other uses."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_dir():
        path.mkdir()
        # Others may pass through to what is theirs, but not look around.
        path.chmod(0o711 if account.switched else 0o700)


def _lock(path: Path) -> TextIOWrapper:
    file = (path / temporary.LOCK).open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = file.read().strip() or "unknown"
        file.close()
        raise EmbeddedFault(
            "state_dir_in_use",
            f"The state directory {path} is in use by another Meldhouse, process {holder}. Stop that one, or "
            "set MELDHOUSE_STATE_DIR (and MELDHOUSE_PORT) to run a second one beside it.",
        ) from None
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def _arrange(directory: StateDirectory) -> None:
    account = directory.account
    barrier = account.barrier(directory.path)
    if barrier is not None:
        raise EmbeddedFault(
            "state_dir_unusable",
            f"The embedded servers run as the user {account.name}, who may not enter {barrier}. Set "
            "MELDHOUSE_STATE_DIR to a directory that this user can reach, such as /var/lib/meldhouse.",
        )
    directory.logs.mkdir(mode=0o700, exist_ok=True)
    directory.run.mkdir(mode=0o700, exist_ok=True)
    account.give(directory.run)


def temporary_directory(account: Account, *, in_memory: bool) -> Path:
    """A new directory for a state directory that is given up at the end.

    With `in_memory` it is in the machine's shared memory, if that has room and programs can be run from there.
    Those beside it whose holders were killed are removed.
    """
    roomy = False
    if in_memory and SHARED_MEMORY.is_dir():
        found = os.statvfs(SHARED_MEMORY)
        roomy = found.f_bavail * found.f_frsize >= MEMORY_BYTES_MIN and not found.f_flag & os.ST_NOEXEC
    parent = SHARED_MEMORY if roomy else Path(tempfile.gettempdir())
    directory = temporary.make(parent)
    if account.switched:
        directory.chmod(0o711)
    return directory
