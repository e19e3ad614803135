"""Rated subjects, and what became of their ratings. Who was erased, and any partnership with them, is not there."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from msgspec import Struct

from domain.ratings.shapes import MANY, NO_COMPANY, PROVISIONAL_RESULTS, Kind, Partnership, Rating
from service.store.database import Pool, reached

VISIBLE: Final = "not exists (select from player p where p.id = any(r.players) and p.erased_at is not null)"
"""The condition for a row `r` to be shown."""

COLUMNS: Final = (
    "r.pool, r.subject, r.kind, r.players, r.estimate, r.deviation, r.volatility, r.value, r.results, r.company, r.at"
)
_AMONG: Final = f"select {COLUMNS} from rating r where r.subject = any($1) and r.pool = $2 and {VISIBLE}"
_OF_PLAYER: Final = (
    f"select {COLUMNS} from rating r where r.pool = any($1) and r.subject = $2 and {VISIBLE} order by r.pool"
)
_PARTNERSHIPS: Final = f"""
select {COLUMNS} from rating r
where r.players @> array[$1] and r.kind = 'partnership' and (r.pool, r.subject) > ($2, $3) and {VISIBLE}
order by r.pool, r.subject limit $4
"""
_CHANGES: Final = f"""
select {COLUMNS}, r.sequence, r.key, r.public, r.rank, r.of_sides, r.estimate_before, r.deviation_before,
    r.volatility_before
from rating_change r where r.pool = $1 and r.subject = $2 and r.sequence < $3 and {VISIBLE}
order by r.sequence desc limit $4
"""
_THERE: Final = "select exists (select from player where id = $1 and erased_at is null)"


class RatedSubject(Struct, frozen=True, kw_only=True):
    """A subject as it is rated, or was after some result."""

    pool: str
    subject: str
    kind: Kind
    players: Partnership
    rating: Rating
    value: Decimal
    results: int
    company: str
    at: datetime

    @property
    def provisional(self) -> bool:
        """Whether there are too few results to go by."""
        return self.results < PROVISIONAL_RESULTS

    @property
    def with_fixed_partner_only(self) -> bool:
        """Whether a person always had the same partner: then the rating does not tell the two apart."""
        return self.company not in (NO_COMPANY, MANY)


class RatingChange(Struct, frozen=True, kw_only=True):
    """What one result did to a subject. `key` names it, `game/…` or `match/…`; `public` says whether to everybody."""

    sequence: int
    key: str
    public: bool
    rank: int
    of_sides: int
    before: Rating
    after: RatedSubject


async def ratings_of(pool: Pool, pool_id: str, subjects: Sequence[str]) -> dict[str, RatedSubject]:
    """Those of these subjects that are rated in a pool. Raises `StoreUnavailable`, `StoreBusy`."""
    with reached():
        rows = await pool.fetch(_AMONG, list(subjects), pool_id)
    return {row["subject"]: subject_from(row) for row in rows}


async def ratings_of_player(pool: Pool, pools: Sequence[str], player: str) -> list[RatedSubject]:
    """The ratings of a person alone, in these pools."""
    with reached():
        return [subject_from(row) for row in await pool.fetch(_OF_PLAYER, list(pools), player)]


async def partnerships_of(pool: Pool, player: str, after: tuple[str, str], limit: int) -> list[RatedSubject]:
    """The next partnerships of a person, in the order of pool and subject, after this one."""
    with reached():
        return [subject_from(row) for row in await pool.fetch(_PARTNERSHIPS, player, *after, limit)]


async def changes_of_subject(pool: Pool, pool_id: str, subject: str, before: int, limit: int) -> list[RatingChange]:
    """The changes of a subject by results before this number, the last one first."""
    with reached():
        return [_change(row) for row in await pool.fetch(_CHANGES, pool_id, subject, before, limit)]


async def is_there(pool: Pool, player: str) -> bool:
    """Whether there is a player of this id who was not erased."""
    with reached():
        return bool(await pool.fetchval(_THERE, player))


def subject_from(row: Any) -> RatedSubject:
    """A row with `COLUMNS`."""
    return RatedSubject(
        pool=row["pool"],
        subject=row["subject"],
        kind=row["kind"],
        players=tuple(row["players"]),
        rating=Rating(row["estimate"], row["deviation"], row["volatility"]),
        value=row["value"],
        results=row["results"],
        company=row["company"],
        at=row["at"],
    )


def _change(row: Any) -> RatingChange:
    return RatingChange(
        sequence=row["sequence"],
        key=row["key"],
        public=row["public"],
        rank=row["rank"],
        of_sides=row["of_sides"],
        before=Rating(row["estimate_before"], row["deviation_before"], row["volatility_before"]),
        after=subject_from(row),
    )
