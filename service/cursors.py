"""Lists that show the newest first, page by page behind a cursor that never loses or repeats one.

A cursor is the time and the id of the last item of a page.
"""

import base64
import binascii
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from service.store.database import Pool, reached


class CursorUnreadable(ValueError):
    """Not a cursor of this list."""


class NewestFirst:
    """What is asked of a list: rows of `source` in which `name` stands for a table with `id` and `created_at`.

    The statement has no more conditions than are asked for: a general one, with conditions that may be void, would walk
    through all rows.
    """

    def __init__(self, name: str, columns: str, source: str) -> None:
        self._name = name
        self._columns = columns
        self._source = source
        self._conditions: list[str] = []
        self._arguments: list[Any] = []

    def bound(self, value: Any) -> str:
        """The place of a value in the statement."""
        self._arguments.append(value)
        return f"${len(self._arguments)}"

    def join(self, clause: str) -> None:
        """Ask for the rows that another table has too."""
        self._source += f" join {clause}"

    def need(self, condition: str) -> None:
        """Ask for the rows of which this is true."""
        self._conditions.append(condition)

    def need_equal(self, wanted: Struct, *fields: str) -> None:
        """Ask for the rows whose columns are as these fields say; None means any."""
        for field in fields:
            value = getattr(wanted, field)
            if value is not None:
                self.need(f"{self._name}.{field} = {self.bound(value)}")

    def statement(self, after: tuple[datetime, str] | None, rows: int) -> tuple[Any, ...]:
        """The query for so many rows that follow the one of this time and id, and its arguments."""
        place = f"{self._name}.created_at, {self._name}.id"
        if after is not None:
            self.need(f"({place}) < ({', '.join(map(self.bound, after))})")
        where = f"where {' and '.join(self._conditions)} " if self._conditions else ""
        order = f"order by {place.replace(',', ' desc,')} desc limit {self.bound(rows)}"
        return f"select {self._columns} from {self._source} {where}{order}", *self._arguments

    async def page(self, pool: Pool, cursor: str | None, limit: int) -> tuple[list[Any], str | None]:
        """The rows of a page and the cursor of the next one, None at the end.

        Raises `CursorUnreadable`, `StoreUnavailable`, `StoreBusy`.
        """
        query, *arguments = self.statement(None if cursor is None else read_cursor(cursor), limit + 1)
        with reached():
            rows = await pool.fetch(query, *arguments)
        if len(rows) <= limit:
            return rows, None
        return rows[:limit], write_cursor(rows[limit - 1]["created_at"], rows[limit - 1]["id"])


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
