"""An embedded Valkey for the bell. It keeps nothing: what it carries may be lost."""

import signal
import socket

from service.embedded.binaries import Program
from service.embedded.fault import EmbeddedFault
from service.embedded.process import Child, Ladder, end_leftover
from service.embedded.state import StateDirectory

END_LADDER: Ladder = ((signal.SIGTERM, 2.0), (signal.SIGKILL, 2.0))
ANSWER_SECONDS = 1.0


class EmbeddedValkey:
    """A Valkey or Redis on a socket of the state directory."""

    name = "valkey"
    ladder = END_LADDER

    def __init__(self, program: Program, state: StateDirectory) -> None:
        self.program = program
        self.state = state
        self.child: Child | None = None
        self._socket = state.run / "valkey.sock"
        self._pid_path = state.run / "valkey.pid"

    @property
    def url(self) -> str:
        return f"unix://{self._socket}"

    def prepare(self) -> None:
        """Ends what an earlier run left behind: on its way out it would remove the new server's socket."""
        if self._pid_path.exists():
            number = self._pid_path.read_text(encoding="ascii").strip()
            if number.isdecimal():
                end_leftover(int(number), str(self._socket), END_LADDER)

    def begin(self) -> None:
        """Starts the server without waiting; `ready` tells when it answers."""
        self._socket.unlink(missing_ok=True)
        command = [str(self.program.path), "--port", "0", "--unixsocket", str(self._socket)]
        command += [
            "--unixsocketperm",
            "700",
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            str(self.state.run),
        ]
        log = self.state.logs / "valkey.log"
        self.child = Child.start(command, self.state.account, self.state.run, log=log, end_signal=signal.SIGTERM)
        self._pid_path.write_text(f"{self.child.pid}\n", encoding="ascii")

    def ready(self) -> bool:
        """Whether the server answers. Raises `EmbeddedFault` if it has ended."""
        assert self.child is not None
        code = self.child.exit_code()
        if code is not None:
            raise EmbeddedFault(
                "start_failed",
                f"The embedded Valkey ended with code {code} instead of starting. The end of "
                f"{self.state.logs / 'valkey.log'}:\n{self.child.said()}",
            )
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(ANSWER_SECONDS)
                connection.connect(str(self._socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(7) == b"+PONG\r\n"
        except OSError:
            return False
