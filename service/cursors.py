"""Cursors of lists that show the newest first: the time and the id of the last item of a page."""

import base64
import binascii
from datetime import UTC, datetime


class CursorUnreadable(ValueError):
    """Not a cursor of this list."""


def write_cursor(at: datetime, name: str) -> str:
    """The cursor of what follows the item of this time and id."""
    text = f"{at.astimezone(UTC).isoformat()} {name}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> tuple[datetime, str]:
    """The time and the id of the item that a page goes on from. Raises `CursorUnreadable`."""
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode("ascii")
        time, _, name = text.partition(" ")
        at = datetime.fromisoformat(time)
        if at.tzinfo is None or not name.isalnum():
            raise CursorUnreadable(cursor)
        # A time at the edge of the calendar may have no place in it in UTC.
        return at.astimezone(UTC), name
    except (ValueError, OverflowError, binascii.Error) as error:
        raise CursorUnreadable(cursor) from error
