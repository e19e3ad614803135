"""When something that died is begun again: soon, after pauses that grow while it dies quickly, up to a bound."""

from typing import Final

PAUSE_SECONDS_MIN: Final = 0.1
PAUSE_SECONDS_MAX: Final = 2.0
CALM_SECONDS: Final = 30.0
"""Whoever served so long is begun again as if it had never died."""

UNSERVED_DEATHS_MAX: Final = 10


class BackOff:
    """The deaths of one process; times are in seconds of a clock that never goes back.

    A process that served was sound, and whatever killed it (the kernel short of memory, an operator) may do so any
    number of times. Only one that dies again and again before it serves is hopeless.
    """

    def __init__(self) -> None:
        self._served_since: float | None = None
        self._quick = 0
        self._unserved = 0

    @property
    def hopeless(self) -> bool:
        """Whether it has died so often in a row without serving that another attempt makes no sense."""
        return self._unserved >= UNSERVED_DEATHS_MAX

    def served(self, now: float) -> None:
        """It serves from now on."""
        self._served_since = now
        self._unserved = 0

    def died(self, now: float) -> float:
        """It is gone; how long to wait before it is begun again."""
        if self._served_since is None:
            self._unserved += 1
        elif now - self._served_since >= CALM_SECONDS:
            self._quick = 0
        self._served_since = None
        pause = PAUSE_SECONDS_MIN * 2.0**self._quick
        # No more doublings than the longest pause needs: the power of a large number would not fit.
        if pause < PAUSE_SECONDS_MAX:
            self._quick += 1
        return min(pause, PAUSE_SECONDS_MAX)
