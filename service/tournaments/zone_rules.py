"""How the clocks of a place go, as a calendar tells it (RFC 5545, 3.6.5): no program need know the place by name."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import icalendar

STEP = timedelta(days=7)
"""No place changes its clock twice in a week."""

SECOND = timedelta(seconds=1)


def zone_of(zone: str, times: Iterable[datetime]) -> icalendar.Timezone:
    """The clock of a place around these times: every change of the years before, of and after each of them."""
    years = sorted({each.year + apart for each in times for apart in (-1, 0, 1)})
    described = icalendar.Timezone()
    described.add("tzid", zone)
    for year in years:
        if year - 1 not in years:
            # Nothing is told of what was before, so it is as if the clock had been set then.
            at = datetime(year, 1, 1, tzinfo=UTC)
            described.add_component(_observance(ZoneInfo(zone), at, at))
        for change in _changes(zone, year):
            described.add_component(_observance(ZoneInfo(zone), change - SECOND, change))
    return described


@lru_cache(maxsize=4096)
def _changes(zone: str, year: int) -> Sequence[datetime]:
    """The first moments, in UTC, at which the clock of a place goes otherwise than before, in a year."""
    place = ZoneInfo(zone)
    found = []
    day = datetime(year, 1, 1, tzinfo=UTC) - SECOND
    while day.year <= year:
        after = day + STEP
        if _clock(place, day) != _clock(place, after):
            low, high = day, after
            while high - low > SECOND:
                middle = low + (high - low) // 2 // SECOND * SECOND
                low, high = (low, middle) if _clock(place, middle) != _clock(place, day) else (middle, high)
            if high.year == year:
                found.append(high)
        day = after
    return found


def _clock(place: ZoneInfo, at: datetime) -> tuple[timedelta | None, str | None]:
    local = at.astimezone(place)
    return local.utcoffset(), local.tzname()


def _observance(
    place: ZoneInfo, before: datetime, at: datetime
) -> icalendar.TimezoneStandard | icalendar.TimezoneDaylight:
    """What the clock shows from a moment on; it begins at the time that the clock before would have shown."""
    old, new = before.astimezone(place), at.astimezone(place)
    offset = old.utcoffset() or timedelta()
    observance = icalendar.TimezoneDaylight() if new.dst() else icalendar.TimezoneStandard()
    observance.add("dtstart", (at + offset).replace(tzinfo=None))
    observance.add("tzoffsetfrom", offset)
    observance.add("tzoffsetto", new.utcoffset() or timedelta())
    observance.add("tzname", new.tzname() or "")
    return observance
