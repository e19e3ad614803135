"""Times as events have them (RFC 3339 in UTC), as numbers that can be subtracted. No clock is read."""

import re
from functools import lru_cache
from typing import Final

_TIME: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|\+00:00)", re.ASCII)

_DAYS_BEFORE: Final = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
"""Days of an ordinary year before each month."""

_DAY_MILLISECONDS: Final = 86_400_000


def milliseconds(at: str) -> int | None:
    """Milliseconds of a time since the beginning of the year 0, what is smaller cut off; None for any other text.

    A leap second counts as the first second of the next minute.
    """
    found = _TIME.fullmatch(at)
    if found is None:
        return None
    year, month, day, hour, minute, second = map(int, found.groups()[:6])
    if not (1 <= month <= len(_DAYS_BEFORE) and day):
        return None
    thousandths = int(f"{found[7] or '':0<3}"[:3])
    within = ((hour * 60 + minute) * 60 + second) * 1000 + thousandths
    return (_days_before(year, month) + day - 1) * _DAY_MILLISECONDS + within


@lru_cache(maxsize=64)
def _days_before(year: int, month: int) -> int:
    """Days from the beginning of the year 0 to that of a month, by the Gregorian calendar."""
    # Leap days up to the end of the year before, of which the year 0 has one; then that of the year itself.
    leap_days = (year + 3) // 4 - (year + 99) // 100 + (year + 399) // 400
    leaps = month > 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return year * 365 + leap_days + _DAYS_BEFORE[month - 1] + leaps
