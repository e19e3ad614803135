"""An embedded Postgres: its data, its one database and its life."""

import os
import secrets
import shutil
import signal
from pathlib import Path

from service.embedded.binaries import Program
from service.embedded.fault import EmbeddedFault
from service.embedded.process import Child, Ladder, end_leftover, run
from service.embedded.state import StateDirectory
from service.settings import EMBEDDED_CONNECTIONS_MAX

SUPERUSER = "postgres"
DATABASE = "meldhouse"
# Fast shutdown, then immediate, then none at all. What is committed is on the disk in any case. A fast shutdown writes
# the changed pages too, which takes some tenths of a second, and much longer on a slow disk; an immediate one leaves
# them to the next start, which then takes seconds instead of tenths.
END_LADDER: Ladder = ((signal.SIGINT, 0.8), (signal.SIGQUIT, 3.0), (signal.SIGKILL, 2.0))
# What the log says while processes of a killed server are still on their way out.
NOT_YET_FREE = ("pre-existing shared memory block", 'lock file "postmaster.pid" already exists')
SERVER_OPTIONS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": str(EMBEDDED_CONNECTIONS_MAX),
    "shared_buffers": "256MB",
    "jit": "off",
}
FORGETFUL_OPTIONS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "64MB",
}


class EmbeddedPostgres:
    """A Postgres on a socket of the state directory. `durable=False` never flushes to the disk, for tests."""

    name = "postgres"
    ladder = END_LADDER

    def __init__(self, program: Program, state: StateDirectory, *, durable: bool = True) -> None:
        self.program = program
        self.state = state
        self.durable = durable
        self.data = state.data(program.major)
        self.child: Child | None = None
        self._pid_path = self.data / "postmaster.pid"
        self._password = ""

    @property
    def url(self) -> str:
        """The address for the superuser. It holds the password."""
        return f"postgresql://{SUPERUSER}:{self._password}@/{DATABASE}?host={self.state.run}"

    def prepare(self) -> None:
        """Makes the data directory if there is none and ends what an earlier run left behind."""
        if self.data.exists():
            self._check_data()
            self._end_leftover()
        if self.data.exists() and self.state.password.exists():
            self._password = self.state.password.read_text(encoding="ascii").strip()
            return
        self._password = secrets.token_urlsafe(24)
        if self.data.exists():
            self._single_user(self.data, f"ALTER ROLE {SUPERUSER} PASSWORD '{self._password}'")
        else:
            self._initialise()
        self.state.password.touch(mode=0o600)
        self.state.password.write_text(f"{self._password}\n", encoding="ascii")

    def begin(self) -> None:
        """Starts the server without waiting; `ready` tells when it answers."""
        options = SERVER_OPTIONS | ({} if self.durable else FORGETFUL_OPTIONS)
        command = [str(self.program.path), "-D", str(self.data), "-k", str(self.state.run)]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        log = self.state.logs / "postgres.log"
        self.child = Child.start(command, self.state.account, self.state.path, log=log, end_signal=signal.SIGINT)

    def ready(self) -> bool:
        """Whether the server takes connections. Starts it again while a killed one is on its way out.

        Raises `EmbeddedFault` if it has ended for any other reason.
        """
        assert self.child is not None
        code = self.child.exit_code()
        if code is None:
            status = self._pid_file()
            return len(status) > 7 and status[0] == str(self.child.pid) and status[7].strip() == "ready"
        said = self.child.said()
        if not any(sign in said for sign in NOT_YET_FREE):
            raise EmbeddedFault(
                "start_failed",
                f"The embedded Postgres ended with code {code} instead of starting. The end of "
                f"{self.state.logs / 'postgres.log'}:\n{said}",
            )
        self.begin()
        return False

    def _check_data(self) -> None:
        marker = self.data / "PG_VERSION"
        version = marker.read_text(encoding="ascii").strip() if marker.exists() else "unknown"
        if version != str(self.program.major):
            raise EmbeddedFault(
                "data_of_another_version",
                f"{self.data} holds data of Postgres version {version}, which {self.program.path} (version "
                f"{self.program.version}) cannot read. Move the directory to where it belongs, or set "
                "MELDHOUSE_STATE_DIR to another one.",
            )
        if not self.state.account.owns(self.data):
            raise EmbeddedFault(
                "state_dir_unusable",
                f"{self.data} belongs to the user {self.data.owner()}, but the embedded Postgres runs as "
                f"{self.state.account.name}. Start Meldhouse as the user that started it before, or set "
                "MELDHOUSE_STATE_DIR to another directory.",
            )

    def _end_leftover(self) -> None:
        lines = self._pid_file()
        if not lines or not lines[0].isdecimal():
            return
        end_leftover(int(lines[0]), str(self.data), END_LADDER)
        left = self._pid_file()
        if left:
            # The number may by now be another program's, and Postgres would refuse to start beside it. Ours it takes
            # for a stale one, as it is its parent's. The rest of the file stays: it lets Postgres find out whether
            # processes of the old server still use the data.
            self._pid_path.write_text("\n".join([str(os.getpid()), *left[1:]]) + "\n", encoding="utf-8")

    def _pid_file(self) -> list[str]:
        try:
            return self._pid_path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []

    def _initialise(self) -> None:
        """A new data directory with the database in it, put into place when it is complete."""
        unfinished = self.state.path / f"{self.data.name}.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        self.state.account.give(unfinished)
        # In a file, because initdb cannot open a pipe once it has given up root's rights.
        password_file = self.state.run / "initdb.password"
        password_file.unlink(missing_ok=True)
        password_file.touch(mode=0o600)
        password_file.write_text(f"{self._password}\n", encoding="ascii")
        self.state.account.give(password_file)
        try:
            self._initdb(unfinished, password_file)
        finally:
            password_file.unlink()
        self._single_user(unfinished, f"CREATE DATABASE {DATABASE}")
        unfinished.rename(self.data)

    def _initdb(self, data: Path, password_file: Path) -> None:
        # Byte order everywhere and no locale data of the machine: the same order of text on every machine.
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        command = [str(self.program.path.with_name("initdb")), "-D", str(data), "-U", SUPERUSER, "-E", "UTF8"]
        command += ["--auth=scram-sha-256", f"--pwfile={password_file}", "--data-checksums"]
        command += locale if self.program.major >= 17 else ["--no-locale"]
        if not self.durable:
            command.append("--no-sync")
        done = run(command, self.state.account, self.state.path)
        if done.code != 0:
            raise EmbeddedFault("start_failed", f"{command[0]} failed with code {done.code}:\n{done.output}")

    def _single_user(self, data: Path, statement: str) -> None:
        """Runs one statement on data that no server has open."""
        command = [str(self.program.path), "--single", "-D", str(data), "-c", "exit_on_error=on", "postgres"]
        done = run(command, self.state.account, self.state.path, text=f"{statement}\n")
        if done.code != 0:
            raise EmbeddedFault("start_failed", f"Postgres could not prepare {data}:\n{done.output}")
