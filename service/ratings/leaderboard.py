"""Leaderboards: subjects of a pool by their value, page by page, and the page around one of them.

Every page of a walk shows the pool as it was after one and the same result, which the cursor names: whatever counts
meanwhile, nobody is shown twice and nobody left out, and ranks fit together. Equal values have the same rank.
Who was erased is in no page; where that comes about during a walk, ranks below move up with the next walk only.
"""

import base64
import binascii
from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Any, Final

import asyncpg
import msgspec
from msgspec import Meta, Struct

from domain.ratings.shapes import PROVISIONAL_RESULTS, Kind
from service.cursors import CursorUnreadable
from service.ratings.subjects import COLUMNS, VISIBLE, RatedSubject, subject_from
from service.store.database import Pool, reached

_AS_OF: Final = "select folded from rating_pool where id = $1"
_OWN: Final = f"select {COLUMNS} from rating r where r.pool = $1 and r.kind = $2 and r.subject = $3"
# How many are before a place, and how many of them have a higher value.
_BEFORE: Final = """
select count(*) as before, count(*) filter (where r.value > $3) as higher from rating r
where r.pool = $1 and r.kind = $2 and r.value >= $3 and (r.value > $3 or r.subject < $4) and {visible}
"""
_FOLLOWING: Final = "and r.value <= {value} and (r.value < {value} or r.subject > {subject})"
_PRECEDING: Final = "and r.value >= {value} and (r.value > {value} or r.subject < {subject})"
_DOWN: Final = "order by value desc, subject"
_UP: Final = "order by value, subject desc"


class Ladder(Struct, frozen=True):
    """Which subjects of a pool: all of a kind, or by `provisional` those of such ratings or the others."""

    pool: str
    kind: Kind
    provisional: bool | None = None

    @property
    def visible(self) -> str:
        """The condition for a row `r` to be in it, beside pool and kind."""
        if self.provisional is None:
            return VISIBLE
        return f"{VISIBLE} and r.results {'<' if self.provisional else '>='} {PROVISIONAL_RESULTS}"


class Ranked(Struct, frozen=True):
    """A subject at its place. The place counts everybody before; the rank is shared by equal values."""

    rank: int
    place: int
    subject: RatedSubject


class Page(Struct, frozen=True):
    """Part of a ladder as it was after the result `as_of`, and the cursor of what follows, None at the end."""

    as_of: int
    entries: tuple[Ranked, ...]
    next: str | None


Count = Annotated[int, Meta(ge=0, le=2**53)]
SubjectName = Annotated[str, Meta(pattern="^[!-~]{1,400}$(?!\\n)")]
VALUE_MAX: Final = 10**9
"""No value comes anywhere near it."""


class SubjectUnrated(LookupError):
    """The subject is not in this ladder."""


class _Cursor(Struct, frozen=True, array_like=True):
    ladder: Ladder
    as_of: Count
    value: Decimal
    subject: SubjectName
    place: Count
    rank: Count

    def text(self) -> str:
        return base64.urlsafe_b64encode(msgspec.json.encode(self)).decode().rstrip("=")


async def page(pool: Pool, ladder: Ladder, cursor: str | None, limit: int) -> Page:
    """The first subjects of a ladder, or those after a cursor. Raises `CursorUnreadable`, `StoreUnavailable`."""
    last = None if cursor is None else _read(cursor, ladder)
    with reached():
        async with pool.acquire() as connection:
            as_of = last.as_of if last is not None else await connection.fetchval(_AS_OF, ladder.pool) or 0
            keyset = (as_of,) if last is None else (as_of, last.value, last.subject)
            condition = "" if last is None else _FOLLOWING.format(value="$4", subject="$5")
            query = f"""
            (select {COLUMNS} from rating r
            where r.pool = $1 and r.kind = $2 and r.sequence <= $3 and {ladder.visible} {condition} {_DOWN}
            limit {limit + 1})
            union all
            (select {COLUMNS} from rating_change r
            where r.pool = $1 and r.kind = $2 and r.next > $3 and r.sequence <= $3 and {ladder.visible} {condition}
            {_DOWN} limit {limit + 1})
            {_DOWN} limit {limit + 1}
            """
            rows = await connection.fetch(query, ladder.pool, ladder.kind, *keyset)
    before = (0, 0, None) if last is None else (last.place, last.rank, last.value)
    return _page(ladder, as_of, rows, limit, *before)


async def page_around(pool: Pool, ladder: Ladder, subject: str, limit: int) -> Page:
    """As many subjects as a page has, with this one as near to the middle as the ends of the ladder allow.

    Raises `SubjectUnrated`, `StoreUnavailable`, `StoreBusy`.
    """
    with reached():
        async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read", readonly=True):
            return await _around(connection, ladder, subject, limit)


async def _around(connection: asyncpg.Connection, ladder: Ladder, subject: str, limit: int) -> Page:
    as_of = await connection.fetchval(_AS_OF, ladder.pool) or 0
    own = await connection.fetchrow(f"{_OWN} and {ladder.visible}", ladder.pool, ladder.kind, subject)
    if own is None:
        raise SubjectUnrated(subject)

    async def beside(condition: str, order: str) -> list[Any]:
        keyset = condition.format(value="$3", subject="$4")
        query = f"""
        select {COLUMNS} from rating r where r.pool = $1 and r.kind = $2 and {ladder.visible} {keyset}
        {order} limit {limit}
        """
        rows: list[Any] = await connection.fetch(query, ladder.pool, ladder.kind, own["value"], subject)
        return rows

    above, below = await beside(_PRECEDING, _UP), await beside(_FOLLOWING, _DOWN)
    shown = min(len(above), max((limit - 1) // 2, limit - 1 - len(below)))
    rows = [*reversed(above[:shown]), own, *below]
    first = rows[0]
    before = await connection.fetchrow(
        _BEFORE.format(visible=ladder.visible), ladder.pool, ladder.kind, first["value"], first["subject"]
    )
    return _page(ladder, as_of, rows, limit, before["before"], before["higher"] + 1, first["value"])


def _page(
    ladder: Ladder, as_of: int, rows: Sequence[Any], limit: int, place: int, rank: int, value: Decimal | None
) -> Page:
    """The page of these rows, of which one more than the limit is there if it is not the last; place, rank and value
    are those before it."""
    entries = []
    for row in rows[:limit]:
        place += 1
        rank = rank if row["value"] == value else place
        value = row["value"]
        entries.append(Ranked(rank, place, subject_from(row)))
    following = None
    if len(rows) > limit:
        last = entries[-1]
        following = _Cursor(ladder, as_of, last.subject.value, last.subject.subject, last.place, last.rank).text()
    return Page(as_of, tuple(entries), following)


def _read(cursor: str, ladder: Ladder) -> _Cursor:
    try:
        content = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        read = msgspec.json.decode(content, type=_Cursor)
    except (ValueError, binascii.Error) as error:
        raise CursorUnreadable(cursor) from error
    if read.ladder != ladder or not (read.value.is_finite() and abs(read.value) < VALUE_MAX):
        raise CursorUnreadable(cursor)
    return read
