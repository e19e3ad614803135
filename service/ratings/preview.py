"""What a match's result, new or changed, would do to ratings: folded in memory, and nothing of it stored."""

import asyncio
from collections.abc import Sequence
from typing import Final

import asyncpg
from msgspec import Struct

from domain.ratings.folding import subjects_of
from domain.ratings.shapes import Partnership, Standing
from service.commands import Denied
from service.ratings.projection import changes_of, standing_of
from service.ratings.results import Counted, MatchResult, counts, effective
from service.store.database import Pool, reached

_STATE: Final = "select head, least(folded, stale_from - 1) as sound from rating_pool where id = $1"
_PLACE: Final = "select max(sequence) from rated_result where pool = $1 and key = $2"
_STANDINGS: Final = """
select c.* from unnest($2::text[]) s (name) cross join lateral (
    select subject, estimate, deviation, volatility, results, company from rating_change
    where pool = $1 and subject = s.name and sequence <= $3 order by sequence desc limit 1
) c
"""


class PreviewTooLong(Denied):
    """Too many results have counted since the one that would be changed."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class Before(Struct, frozen=True):
    """What a preview is reckoned from: the standings before the first of some results, and those as they count now."""

    standings: dict[str, Standing]
    now: Sequence[Counted]
    changed: Counted


class RatingPreview(Struct, frozen=True):
    """A subject whose rating would be another; None is for not being rated at all."""

    subject: str
    players: Partnership
    before: Standing | None
    after: Standing | None


async def preview_match(pool: Pool, match: MatchResult, results_max: int) -> tuple[RatingPreview, ...]:
    """Whose ratings of now would be others if the match had this result, in the order of the subjects.

    Results that counted since are folded again over it. Raises `ResultInvalid`, `PreviewTooLong`, `StoreUnavailable`,
    `StoreBusy`.
    """
    match.result()
    with reached():
        async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read", readonly=True):
            found = await _read(connection, match, results_max)
    # Beside the loop, so that requests are served meanwhile.
    return await asyncio.to_thread(_compared, found)


async def _read(connection: asyncpg.Connection, match: MatchResult, results_max: int) -> Before:
    state = await connection.fetchrow(_STATE, match.pool)
    head, sound = (0, 0) if state is None else (state["head"], state["sound"])
    known = await connection.fetchval(_PLACE, match.pool, match.key)
    place = head + 1 if known is None else known
    begun = min(sound, place - 1)
    if head - begun > results_max:
        raise PreviewTooLong(results_max)
    now = await effective(connection, match.pool, begun, head)
    changed = Counted(
        sequence=place,
        key=match.key,
        at=match.at,
        rated=await counts(connection, match),
        public=match.public,
        result=match.result(),
    )
    rows = await connection.fetch(_STANDINGS, match.pool, sorted(_players((*now, changed))), begun)
    return Before({row["subject"]: standing_of(row) for row in rows}, now, changed)


def _players(counted: Sequence[Counted]) -> dict[str, Partnership]:
    """By subject of these results its players."""
    return {subject: pair for each in counted for subject, pair in subjects_of(each.result).items()}


def _compared(found: Before) -> tuple[RatingPreview, ...]:
    changed = found.changed
    others = (each for each in found.now if each.sequence != changed.sequence)
    then = sorted([*others, changed], key=lambda each: each.sequence)
    before, after = _folded(found.now, found.standings), _folded(then, found.standings)
    players = _players((*found.now, changed))
    return tuple(
        RatingPreview(subject, players[subject], before.get(subject), after.get(subject))
        for subject in sorted(players)
        if before.get(subject) != after.get(subject)
    )


def _folded(counted: Sequence[Counted], base: dict[str, Standing]) -> dict[str, Standing]:
    standings = dict(base)
    changes_of([each for each in counted if each.rated], standings)
    return standings
