"""Times as people write them, at a place: turned into moments, over the days on which the clocks change too.

A time that does not exist, because the clocks were put forward over it, means the moment that it would have been by
the clock of before; one that comes twice means the first (RFC 5545, 3.3.5).
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones


@cache
def zones() -> frozenset[str]:
    """The names of the time zones that there are (IANA database)."""
    return frozenset(available_timezones())


def moment_at(local: datetime, zone: str) -> datetime:
    """The moment, in UTC, of a time of day at a place; one with an offset of its own is that moment."""
    if local.tzinfo is not None:
        return local.astimezone(UTC)
    return local.replace(tzinfo=ZoneInfo(zone), fold=0).astimezone(UTC)


def every(first: datetime, zone: str, days: int, times: int) -> Iterable[datetime]:
    """So many moments, each so many days after the one before by the calendar, at the same time of day."""
    for number in range(times):
        yield moment_at(first + timedelta(days=number * days), zone)
