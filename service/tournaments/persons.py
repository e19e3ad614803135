"""What entry conditions and seeds look at of persons: their rating, and since when they play."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from domain.ratings.pools import pool_of
from domain.tournaments.given import Person
from domain.tournaments.terms import Terms
from service.ratings.subjects import ratings_of
from service.store.database import Pool, reached

_KNOWN: Final = "select id, created_at from player where id = any($1::text[]) and erased_at is null"


async def persons_of(pool: Pool, terms: Terms, players: Iterable[str], now: datetime) -> dict[str, Person]:
    """Those of the players that there are. Raises `StoreUnavailable`, `StoreBusy`."""
    wanted = [*dict.fromkeys(players)]
    with reached():
        rows = await pool.fetch(_KNOWN, wanted)
    known = {row["id"]: row["created_at"] for row in rows}
    rated = await ratings_of(pool, pool_of(terms.ruleset, terms.players), list(known))
    return {
        player: Person(
            rating=round(rated[player].value * 100) if player in rated else None,
            rated_games=rated[player].results if player in rated else 0,
            account_days=(now - created_at).days,
        )
        for player, created_at in known.items()
    }


def mean_rating(players: Sequence[str], persons: Mapping[str, Person]) -> int | None:
    """The mean of the ratings of an entrant's persons, in hundredths, for the seeds; None where nobody has one."""
    found = [rating for player in players if player in persons and (rating := persons[player].rating) is not None]
    return None if not found else sum(found) // len(found)
