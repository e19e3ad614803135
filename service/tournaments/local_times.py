"""Times as people write them, at a place: turned into moments, over the days on which the clocks change too.

A time that does not exist, because the clocks were put forward over it, means the moment that it would have been by
the clock of before; one that comes twice means the first (RFC 5545, 3.3.5).
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

import msgspec

YEAR_MIN: Final = 1970
YEAR_MAX: Final = 9000


@cache
def zones() -> frozenset[str]:
    """The names of the time zones that there are (IANA database), but those that name no place: what `localtime` is
    depends on the machine, and `Factory` is for machines that have not been told."""
    return frozenset(available_timezones()) - {"localtime", "Factory"}


def read_time(written: str) -> datetime:
    """A time as in RFC 3339, with its offset where it has one. Raises `ValueError`, which says what is needed."""
    try:
        read = msgspec.convert(written, datetime)
    except msgspec.ValidationError as error:
        raise ValueError("a time as in RFC 3339, such as 2031-07-01T19:30:00") from error
    if not YEAR_MIN < read.year < YEAR_MAX:
        raise ValueError(f"a time in the years {YEAR_MIN + 1} to {YEAR_MAX - 1}")
    return read


def moment_at(local: datetime, zone: str) -> datetime:
    """The moment, in UTC, of a time of day at a place; one with an offset of its own is that moment."""
    if local.tzinfo is not None:
        return local.astimezone(UTC)
    return local.replace(tzinfo=ZoneInfo(zone), fold=0).astimezone(UTC)


def every(first: datetime, zone: str, days: int, times: int) -> Iterable[datetime]:
    """So many moments, each so many days after the one before by the calendar, at the same time of day."""
    for number in range(times):
        yield moment_at(first + timedelta(days=number * days), zone)
