"""Times that somebody asks for, who may have written anything."""

from datetime import UTC, datetime
from typing import Final

from domain.times import milliseconds
from domain.tournaments.clocks import moment

TIME_MAX: Final = datetime(9000, 1, 1, tzinfo=UTC)
"""No time of a tournament is later, so that some minutes more are a time still."""


def asked_time(time: str) -> datetime | None:
    """The moment of a time in RFC 3339, in UTC; None for what is no such time, of another zone, or too late."""
    if milliseconds(time) is None:
        return None
    try:
        asked = moment(time)
    except ValueError:
        return None
    return asked if asked <= TIME_MAX else None
