"""Who did not come: entrants that have made no move some time after the start of a round, though it was their turn.

Moves of a stand-in are nobody's own. Whoever waits for others has done nothing wrong: missing is only who was to act.
"""

from typing import Any, Final

import structlog
from msgspec import Struct

from domain.tournaments.acts import Act, Forfeit, NoteNoShow
from domain.tournaments.directing import decide
from domain.tournaments.games import WantedGame, wanted_games
from domain.tournaments.numbering import SERVICE
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.state import Tournament
from service.store.database import Pool, reached
from service.tournaments.commands import TournamentCommand
from service.tournaments.ids import derived_key
from service.tournaments.live import LiveTournament
from service.tournaments.match_games import ACTOR
from service.tournaments.tournaments import Tournaments

log = structlog.get_logger(__name__)

# Nobody but a player acts under a player's own id.
_SILENT: Final = """
select w.game, w.player from unnest($1::text[], $2::text[]) as w (game, player)
where not exists (select from event e where e.stream = w.game and e.actor = w.player)
"""
_AWAITED: Final = """
select g.id as game, g.turn as seat from game g where g.id = any($1::text[]) and g.turn is not null
union
select e.stream, (convert_from(e.body, 'UTF8')::jsonb ->> 'seat')::smallint
from event e where e.stream = any($1::text[]) and e.type = 'stood_in'
"""


class Missing(Struct, frozen=True):
    """An entrant that did not come to a match."""

    match: str
    entrant: str


class NoShows:
    """Notes who is missing. Everything may raise `StoreUnavailable` and `StoreBusy`."""

    def __init__(self, pool: Pool, tournaments: Tournaments) -> None:
        self._pool = pool
        self._tournaments = tournaments

    async def look(self, live: LiveTournament, round_number: int) -> None:
        """Note who is missing in a round under way; the terms may have them lose."""
        state = live.state
        wanted = [game for game in wanted_games(state) if game.round == round_number]
        missing = await self._missing(wanted)
        for each in missing:
            if each.entrant not in live.state.matches[each.match].missing:
                act = NoteNoShow(match=each.match, entrant=each.entrant)
                await self._act(live, act, f"{each.match}/{each.entrant}")
        if state.terms.pace.no_show != "forfeit":
            return
        for match in dict.fromkeys(each.match for each in missing):
            entrants = tuple(each.entrant for each in missing if each.match == match)
            await self._act(live, Forfeit(match=match, entrants=entrants, reason="absence"), match)

    async def _missing(self, wanted: list[WantedGame]) -> list[Missing]:
        persons = [
            (game, seat, player)
            for game in wanted
            for seat, (player, bot) in enumerate(zip(game.players, game.bots, strict=True))
            if bot is None
        ]
        with reached():
            silent = await self._pool.fetch(
                _SILENT, [game.game for game, _, _ in persons], [player for _, _, player in persons]
            )
            gone = {(row["game"], row["player"]) for row in silent}
            awaited = await self._pool.fetch(_AWAITED, sorted({game for game, _ in gone}))
        to_act = {(row["game"], row["seat"]) for row in awaited}
        return missing_among(persons, gone, to_act)

    async def _act(self, live: LiveTournament, act: Act, what: str) -> None:
        def decided(state: Tournament, now: Any, draw: Any) -> Any:
            return decide(state, act, SERVICE, now, draw)

        key = derived_key(live.id, f"{type(act).__name__}/{what}")
        command = TournamentCommand(actor=ACTOR, decide=decided, key=key, digest=key * 2)
        try:
            await self._tournaments.perform(live, command)
        except TournamentRefused as refused:
            # A match that was decided meanwhile, or an entrant that is noted already.
            log.info("no_show_not_noted", tournament=live.id, what=what, why=str(refused.code))


def missing_among(
    persons: list[tuple[WantedGame, int, str]], gone: set[tuple[str, str]], to_act: set[tuple[str, int]]
) -> list[Missing]:
    """The entrants of whose seats none has moved, and one was to act."""
    of_entrant: dict[Missing, list[tuple[WantedGame, int, str]]] = {}
    for game, seat, player in persons:
        of_entrant.setdefault(Missing(game.match, game.entrants[seat]), []).append((game, seat, player))
    return [
        entrant
        for entrant, seats in of_entrant.items()
        if all((game.game, player) in gone for game, _, player in seats)
        and any((game.game, seat) in to_act for game, seat, _ in seats)
    ]
