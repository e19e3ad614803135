"""Times of events as moments, and moments as times of events. No clock is read."""

from datetime import UTC, datetime


def moment(text: str) -> datetime:
    """The moment of an event's time (RFC 3339)."""
    return datetime.fromisoformat(text)


def text(at: datetime) -> str:
    """A moment as events have it, to the second."""
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
