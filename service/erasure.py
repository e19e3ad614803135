"""What follows when somebody is erased or renamed: every worker forgets them, and the erased leave what they are in.

Each worker looks now and then for whoever has changed, and drops what it has of them in memory. The seats of the erased
are left, and their entrants withdrawn, by whichever worker comes first; until that is done their row says so, so that
no restart loses it.
"""

import time
from typing import Final

import structlog

from domain.evolve import fold
from domain.lobby import hand_over, leave
from domain.lobby_refusals import LobbyRefused
from domain.state import State, seat_of
from domain.tournaments.refusals import TournamentRefused
from service.automata import STAND_IN_LEVEL, NothingToDo, bot_player
from service.commands import Command, Decided, Denied
from service.games import Games
from service.players import Players
from service.polling import Polling
from service.principals import TOKENS_CACHED_SECONDS
from service.store.database import Pool, reached
from service.store.errors import StoreError
from service.tournaments.leaving import withdraw_erased
from service.tournaments.tournaments import Tournaments

log = structlog.get_logger(__name__)

ACTOR: Final = "erasure"
LOOK_BACK_SECONDS: Final = 15.0
"""How long before the last look a change may be that is still looked at: longer than any statement or commit may take,
so that what was read before a change and kept after it is dropped as well."""

LEAVING_SECONDS: Final = TOKENS_CACHED_SECONDS + LOOK_BACK_SECONDS
"""How long seats of the erased are looked for: a worker that cannot look for changes knows their token as long, and
lets them sit down with it."""

_CHANGED: Final = "select id from player where changed_at > now() - make_interval(secs => $1)"
_SEATS: Final = """
select s.game, s.player from player p join seat s on s.player = p.id join game g on g.id = s.game
where p.leaving and s.kind = 'human' and g.status <> 'ended'
"""
_UNINVITE: Final = """
update seat s set kind = 'open', player = null from player p where p.leaving and s.player = p.id and s.kind = 'invited'
"""
_ENTERED: Final = """
select e.tournament, e.player
from player p join tournament_player e on e.player = p.id join tournament t on t.id = e.tournament
where p.leaving and t.status not in ('finished', 'cancelled')
"""
_UNNAME: Final = """
update tournament_text x set body = null, key = null
from player p where p.leaving and x.author = p.id and x.kind = 'name' and x.body is not null
"""
_GONE: Final = """
with gone as (
    update player p set leaving = false
    where p.leaving and p.erased_at < now() - make_interval(secs => $1) and p.id <> all($2::text[]) and not exists (
        select from seat s join game g on g.id = s.game
        where s.player = p.id and s.kind = 'human' and g.status <> 'ended'
    )
    returning p.id
)
delete from claim c using gone where c.actor = gone.id
"""
"""The claims were deleted with the erasure, the names of entrants emptied; requests that were under way then may have
made some since. Whose entrant could not be withdrawn is looked at again."""


class Erasures(Polling):
    """Forgets, in this worker, and leaves seats and tournaments, all that there are."""

    def __init__(
        self, pool: Pool, games: Games, tournaments: Tournaments, players: Players, poll_seconds: float
    ) -> None:
        super().__init__("erasures", poll_seconds, "erasures_not_read")
        self._pool = pool
        self._games = games
        self._tournaments = tournaments
        self._players = players
        self._looked_at = time.monotonic()
        """When the last look was begun that came to its end."""

    async def _look(self) -> bool:
        begun = time.monotonic()
        with reached():
            since = begun - self._looked_at + LOOK_BACK_SECONDS
            changed = {row["id"] for row in await self._pool.fetch(_CHANGED, since)}
            seats = await self._pool.fetch(_SEATS)
            entered = await self._pool.fetch(_ENTERED)
        if changed:
            self._players.forget(changed)
        self._looked_at = begun
        for row in seats:
            await self._leave(row["game"], row["player"])
        staying = {row["player"] for row in entered if not await self._withdraw(row["tournament"], row["player"])}
        with reached():
            await self._pool.execute(_UNINVITE)
            await self._pool.execute(_UNNAME)
            await self._pool.execute(_GONE, LEAVING_SECONDS, [*staying])
        return False

    async def _withdraw(self, tournament_id: str, player: str) -> bool:
        """Withdraw the player's entrant from a tournament; whether that is done."""
        try:
            await withdraw_erased(self._tournaments, tournament_id, player, ACTOR)
        except (Denied, TournamentRefused, StoreError) as trouble:
            log.warning("entrant_not_withdrawn", tournament=tournament_id, player=player, why=type(trouble).__name__)
            return False
        except Exception:
            # One tournament that cannot be left must not keep the erased in all others.
            log.exception("entrant_not_withdrawn", tournament=tournament_id, player=player)
            return False
        return True

    async def _leave(self, game_id: str, player: str) -> None:
        """Leave the player's seat in a game; what fails now is tried again at the next look."""

        def decide(state: State) -> Decided:
            seat = seat_of(state.table, player)
            # Nobody leaves between closing and the start (fairness, 3); nonces and beacons are not waited for for ever.
            if seat is None or state.table.status not in ("open", "playing"):
                raise NothingToDo
            if state.table.status == "playing":
                stand_in = bot_player(STAND_IN_LEVEL)
                happened = hand_over(state, seat, player, stand_in, "bot", STAND_IN_LEVEL)
            else:
                happened = leave(state, seat, player)
            return happened, fold(state, happened)

        try:
            await self._games.perform(await self._games.fresh(game_id), Command(actor=ACTOR, decide=decide))
        except NothingToDo:
            return
        except (Denied, LobbyRefused, StoreError) as trouble:
            log.warning("seat_not_left", game=game_id, player=player, why=type(trouble).__name__)
        except Exception:
            # One game that cannot be left must not keep the erased in all others.
            log.exception("seat_not_left", game=game_id, player=player)
