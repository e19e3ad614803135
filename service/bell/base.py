"""The contract of the bell; `tests/contracts/bell.py` says it in tests."""

from types import TracebackType
from typing import Protocol, Self


class BellClosed(Exception):
    """The service is stopping: there is nothing more to wait for."""


class Listener(Protocol):
    """Listens to one stream, as a context manager. Only the newest version counts, so nothing can overflow."""

    async def wait(self, after: int, seconds: float) -> int:
        """Wait until the stream may have grown beyond `after`, at most that many seconds; then read it again.

        Gives the newest version heard of, or `after` if there is none beyond it: at the time-out, and whenever bells
        may have been lost. Each bell ends one wait only, so a wrong one costs one reading. Raises `BellClosed`.
        """
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Bell(Protocol):
    """Lost, late and doubled bells cost time, never truth: a reader subscribes first, reads second, drops what it
    has, and reads again on a slow poll."""

    def ring(self, stream: str, version: int) -> None:
        """Tell every listener of the stream, in all processes. Never waits and never fails."""
        ...

    def listen(self, stream: str) -> Listener:
        """Everything rung from now on is heard, also before the first `wait`. Raises `BellClosed`."""
        ...

    @property
    def listeners(self) -> int:
        """How many listen in this process, for the metrics."""
        ...

    async def close(self) -> None:
        """End every `wait` at once with `BellClosed`."""
        ...
