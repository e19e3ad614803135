"""What is settled about a game and stands in no event, looked up with the master of its deals."""

from datetime import datetime
from typing import Final

import msgspec

from domain.boards import BoardChance, is_on_boards
from domain.chance import Chance, FairChance, PracticeChance
from domain.state import Table
from service.live import GameFacts
from service.store.database import Pool, reached

_FACTS: Final = """
select g.id, g.share_code, g.visibility, g.created_by, g.created_at, g.practice, g.ruleset, g.sealed_until,
    g.beacon, t.tournament, t.no_new_hand_at, has_closed_boards(g.id) as boards_closed,
    coalesce(s.master, b.master) as master
from game g
left join tournament_game t on t.game = g.id
left join secret s on s.game = g.id
left join secret b on b.game = t.tournament and t.on_boards
where g.id = $1
"""

_NO_NEW_HAND_AT: Final = "select no_new_hand_at from tournament_game where game = $1"


async def read_facts(pool: Pool, game_id: str) -> tuple[GameFacts, bytes | None] | None:
    """The facts of a game and the master of its deals, if it is kept still; None for a game that there is not.

    Raises `StoreUnavailable`, `StoreBusy`.
    """
    with reached():
        row = await pool.fetchrow(_FACTS, game_id)
    if row is None:
        return None
    return msgspec.convert({key: row[key] for key in GameFacts.__struct_fields__}, GameFacts), row["master"]


async def read_no_new_hand_at(pool: Pool, game_id: str) -> datetime | None:
    """From when on no further hand of a game of a tournament is dealt. Raises `StoreUnavailable`, `StoreBusy`."""
    with reached():
        moment: datetime | None = await pool.fetchval(_NO_NEW_HAND_AT, game_id)
    return moment


def chance_of(facts: GameFacts, table: Table, master: bytes | None) -> Chance:
    """Where a game's decks come from; on boards the master is that of its tournament.

    A fair game whose master has been revealed needs no more of them.
    """
    if facts.practice:
        return PracticeChance()
    if is_on_boards(table):
        return BoardChance(facts.tournament or "", master or b"")
    return FairChance(facts.id, master or b"")
