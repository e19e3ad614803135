"""When the row of a game was written last: with the last append that changed whose turn it is, or the status.

The events of a command are appended together, and its first event names the version of the last. An append between
changes nothing that the row tells, so the row keeps the version of an earlier one.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.events import AnyEvent
from service.audit.play import Play, Standing


class Touches:
    """Checks the version in the row of a game while the events are folded."""

    def __init__(self, version: int | None) -> None:
        self._version: Final = version
        self._before: Standing | None = None
        self._then: Standing | None = None
        self._begins: int | None = None
        """The first event of the append that ends with the version of the row."""
        self._later: int | None = None
        """A later append that should have written the row."""

    def fold(self, play: Play, happened: Sequence[AnyEvent], lasts: Sequence[int]) -> None:
        """Fold events, piece by piece where that matters. Raises as `Play.go_on`.

        `lasts` has by event the version of the last event of the command that it begins, else 0.
        """
        if not happened:
            return
        first = happened[0].n
        done = 0
        for n in self._stops(first, lasts):
            if n >= first:
                play.go_on(happened[done : n - first + 1])
                done = n - first + 1
            self._look(play.standing(), n)
        play.go_on(happened[done:])

    def _stops(self, first: int, lasts: Sequence[int]) -> Iterator[int]:
        """The events after which the state is looked at: before and after the append, and after every later one."""
        version = self._version
        if version is None:
            return
        end = first + len(lasts) - 1
        if version in lasts:
            self._begins = first + lasts.index(version)
            if self._begins > 1:
                yield self._begins - 1
        stops = {last for last in lasts if version <= last <= end}
        if first <= version <= end:
            stops.add(version)
        yield from sorted(stops)

    def _look(self, now: Standing, n: int) -> None:
        version = self._version
        assert version is not None
        if n < version:
            self._before = now
        elif n == version:
            self._then = now
        elif self._then is not None and now != self._then and self._later is None:
            self._later = n

    def fault(self, events: int) -> str | None:
        """What is wrong with the version, in a game of so many events; None where it is right."""
        version = self._version
        if version is None:
            return None
        if not 0 < version <= events:
            return f"The row is at version {version}, and there are {events} events."
        if self._begins is None:
            return f"The row is at version {version}, with which no append ends."
        if self._begins > 1 and self._before == self._then:
            return f"The row is at version {version}, which changed neither turn nor status."
        if self._later is not None:
            return f"The row is at version {version}, and event {self._later} changed turn or status after it."
        return None
