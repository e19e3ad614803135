"""Times that somebody asks for, who may have written anything."""

from datetime import datetime

from domain.times import milliseconds
from domain.tournaments.clocks import moment


def asked_time(time: str) -> datetime | None:
    """The moment of a time in RFC 3339, in UTC; None for what is no such time, or of another zone."""
    if milliseconds(time) is None:
        return None
    try:
        return moment(time)
    except ValueError:
        return None
