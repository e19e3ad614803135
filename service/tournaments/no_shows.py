"""Who did not come: entrants that have made no move some time after the start of a round, though it was their turn.

Moves of a stand-in are nobody's own. Whoever waits for others has done nothing wrong: missing is only who was to act.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import structlog
from msgspec import Struct

from domain.tournaments.acts import Act, Forfeit, NoteNoShow
from domain.tournaments.clocks import moment
from domain.tournaments.directing import decide
from domain.tournaments.games import WantedGame, wanted_games
from domain.tournaments.numbering import SERVICE
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.state import Round, Tournament
from service.store.database import Pool, reached
from service.tournaments.commands import TournamentCommand
from service.tournaments.ids import derived_key
from service.tournaments.live import LiveTournament
from service.tournaments.match_games import ACTOR
from service.tournaments.tournaments import Tournaments, worked_out

log = structlog.get_logger(__name__)

DEALT_LATE: Final = timedelta(minutes=1)
"""Games that were dealt this long after the start of their round give their players the whole time anew."""

# Nobody but a player acts under a player's own id; who has moved in an earlier game of the match is there.
_SILENT: Final = """
select w.game, w.player from unnest($1::text[], $2::text[], $3::text[]) as w (game, player, match)
where not exists (
    select from tournament_game t join event e on e.stream = t.game
    where t.tournament = $4 and t.round = $5 and t.match = w.match and e.actor = w.player
)
"""
_DEALT: Final = """
select count(*) as games, max(g.created_at) filter (where t.leg = 1) as last
from tournament_game t join game g on g.id = t.game where t.game = any($1::text[])
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

    async def look(self, live: LiveTournament, round_number: int) -> datetime | None:
        """Note who is missing in a round under way; the terms may have them lose.

        Where its games are not there yet, or came late, nothing is noted: the time at which to look again.
        """
        state = live.state
        all_games = await worked_out(state, lambda: wanted_games(state))
        wanted = [game for game in all_games if game.round == round_number]
        again = await self._too_early(state, state.rounds[round_number], wanted)
        if again is not None:
            return again
        missing = await self._missing(state.id, round_number, wanted)
        for each in missing:
            if each.entrant not in live.state.matches[each.match].missing:
                act = NoteNoShow(match=each.match, entrant=each.entrant)
                await self._act(live, act, f"{each.match}/{each.entrant}")
        if state.terms.pace.no_show != "forfeit":
            return None
        for match in dict.fromkeys(each.match for each in missing):
            entrants = tuple(each.entrant for each in missing if each.match == match)
            await self._act(live, Forfeit(match=match, entrants=entrants, reason="absence"), match)
        return None

    async def _too_early(self, state: Tournament, there: Round, wanted: list[WantedGame]) -> datetime | None:
        """When those who are to play will have had their time, if that is still to come."""
        minutes = state.terms.pace.no_show_minutes
        if minutes is None or there.started_at is None:
            return None
        with reached():
            dealt = await self._pool.fetchrow(_DEALT, [game.game for game in wanted])
        now, whole = datetime.now(UTC), timedelta(minutes=minutes)
        if dealt["games"] < len(wanted):
            return now + whole
        last: datetime | None = dealt["last"]
        if last is None or last - moment(there.started_at) < DEALT_LATE or last + whole <= now:
            return None
        return last + whole

    async def _missing(self, tournament_id: str, round_number: int, wanted: list[WantedGame]) -> list[Missing]:
        persons = [
            (game, seat, player)
            for game in wanted
            for seat, (player, bot) in enumerate(zip(game.players, game.bots, strict=True))
            if bot is None
        ]
        with reached():
            silent = await self._pool.fetch(
                _SILENT,
                [game.game for game, _, _ in persons],
                [player for _, _, player in persons],
                [game.match for game, _, _ in persons],
                tournament_id,
                round_number,
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
