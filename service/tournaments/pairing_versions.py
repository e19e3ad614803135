"""When a round was paired, as a version of its tournament."""

from typing import Final

from service.store.database import Pool, reached

_PAIRED: Final = """
select max(version) from event
where stream = $1 and type = 'round_paired' and version <= $2
    and (convert_from(body, 'UTF8')::jsonb ->> 'round')::integer = $3
"""


async def paired_at(pool: Pool, tournament: str, round_number: int, version: int) -> int:
    """The version at which a round was paired that there is at `version`; what was undone before does not count.

    Raises `StoreUnavailable`, `StoreBusy`.
    """
    with reached():
        found: int = await pool.fetchval(_PAIRED, tournament, version, round_number)
    return found
