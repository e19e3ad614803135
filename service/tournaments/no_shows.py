"""Who did not come: entrants that have made no move, though the tables waited for one of theirs for the whole time.

Moves of a stand-in are nobody's own. Whoever waits for others has done nothing wrong: missing is only who was to act,
and had all the minutes of the terms for it.
"""

from datetime import UTC, datetime, timedelta
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
from service.tournaments.tournaments import Tournaments, worked_out

log = structlog.get_logger(__name__)

OUTAGE: Final = timedelta(minutes=1)
"""A look that comes so late means that nothing was served meanwhile: everybody has the whole time anew."""

LOOKS_APART: Final = timedelta(seconds=10)
"""The tables of a round are not looked at more often than that, however many moves its players make."""

# Nobody but a player acts under a player's own id; who has moved in an earlier game of the match is there.
_SILENT: Final = """
select w.game, w.player from unnest($1::text[], $2::text[], $3::text[]) as w (game, player, match)
where not exists (
    select from tournament_game t join event e on e.stream = t.game
    where t.tournament = $4 and t.round = $5 and t.match = w.match and e.actor = w.player
)
"""
# The seat to act has been awaited since the last event of its game. A stand-in's turn began with the event before it
# was announced, and it was the turn of who held the seat then.
_AWAITED: Final = """
with played as (
    select g.id, g.turn, g.status, t.match, t.table_number from tournament_game t join game g on g.id = t.game
    where t.tournament = $1 and t.round = $2 and t.match = any($3::text[])
), told as (
    select p.id, p.match, p.table_number, e.version, e.type,
        (convert_from(e.body, 'UTF8')::jsonb ->> 'seat')::smallint as seat
    from played p join event e on e.stream = p.id where e.type in ('stood_in', 'seated')
)
select p.match, p.table_number as "table", p.turn as seat, e.at as since, true as now
from played p cross join lateral (select at from event where stream = p.id order by version desc limit 1) e
where p.turn is not null and p.status = 'playing'
union all
select t.match, t.table_number, t.seat, e.at, false
from told t join event e on e.stream = t.id and e.version = t.version - 1
where t.type = 'stood_in' and not exists (
    select from told c where c.id = t.id and c.type = 'seated' and c.seat = t.seat and c.version > t.version
)
"""

Place = tuple[str, int]
"""A table of a match."""


class Missing(Struct, frozen=True):
    """An entrant that did not come to a match."""

    match: str
    entrant: str


Silent = dict[Missing, list[tuple[Place, int]]]
"""Entrants of whom nobody has moved, with their seats."""


class Awaited(Struct, frozen=True):
    """Since when seats have been waited for, and when the last event was at the tables where games are played."""

    seats: dict[tuple[Place, int], datetime]
    tables: dict[Place, datetime]


class NoShows:
    """Notes who is missing. Everything may raise `StoreUnavailable` and `StoreBusy`."""

    def __init__(self, pool: Pool, tournaments: Tournaments) -> None:
        self._pool = pool
        self._tournaments = tournaments

    async def look(self, live: LiveTournament, round_number: int, due_at: datetime) -> datetime | None:
        """Note who is missing in a round under way; the terms may have them lose. `due_at` is for when the look was.

        The time at which to look again, while somebody may still be missing: entrants of whom nobody has moved. None
        where there is nobody of that kind.
        """
        state = live.state
        minutes, now = state.terms.pace.no_show_minutes, datetime.now(UTC)
        if minutes is None:
            return None
        whole = timedelta(minutes=minutes)
        if now - due_at > OUTAGE:
            return now + whole
        all_games = await worked_out(state, lambda: wanted_games(state))
        silent = await self._silent(state.id, round_number, [game for game in all_games if game.round == round_number])
        awaited = await self._awaited(state.id, round_number, {entrant.match for entrant in silent})
        missing, again = missing_among(silent, awaited, whole, now)
        for each in missing:
            if each.entrant not in live.state.matches[each.match].missing:
                act = NoteNoShow(match=each.match, entrant=each.entrant)
                await self._act(live, act, f"{each.match}/{each.entrant}")
        if state.terms.pace.no_show == "forfeit":
            for match in dict.fromkeys(each.match for each in missing):
                entrants = tuple(each.entrant for each in missing if each.match == match)
                await self._act(live, Forfeit(match=match, entrants=entrants, reason="absence"), match)
        return again

    async def _silent(self, tournament_id: str, round_number: int, wanted: list[WantedGame]) -> Silent:
        """The entrants with persons of whom none has moved in the match."""
        persons = [
            (game, seat, player)
            for game in wanted
            for seat, (player, bot) in enumerate(zip(game.players, game.bots, strict=True))
            if bot is None
        ]
        with reached():
            rows = await self._pool.fetch(
                _SILENT,
                [game.game for game, _, _ in persons],
                [player for _, _, player in persons],
                [game.match for game, _, _ in persons],
                tournament_id,
                round_number,
            )
        gone = {(row["game"], row["player"]) for row in rows}
        there = {
            Missing(game.match, game.entrants[seat])
            for game, seat, player in persons
            if (game.game, player) not in gone
        }
        silent: Silent = {}
        for game, seat, _ in persons:
            entrant = Missing(game.match, game.entrants[seat])
            if entrant not in there:
                silent.setdefault(entrant, []).append(((game.match, game.table), seat))
        return silent

    async def _awaited(self, tournament_id: str, round_number: int, matches: set[str]) -> Awaited:
        with reached():
            rows = await self._pool.fetch(_AWAITED, tournament_id, round_number, sorted(matches))
        seats: dict[tuple[Place, int], datetime] = {}
        for row in rows:
            place = ((row["match"], row["table"]), row["seat"])
            seats[place] = min(row["since"], seats.get(place, row["since"]))
        return Awaited(seats, {(row["match"], row["table"]): row["since"] for row in rows if row["now"]})

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
    silent: Silent, awaited: Awaited, whole: timedelta, now: datetime
) -> tuple[list[Missing], datetime | None]:
    """The entrants of whom a move has been awaited for the whole time; when to look again for the others, if at all.

    A game that is not there yet, or has just ended, is taken for one that begins now.
    """
    missing: list[Missing] = []
    looks: list[datetime] = []
    for entrant, seats in silent.items():
        began = [awaited.seats[each] for each in seats if each in awaited.seats]
        if any(since + whole <= now for since in began):
            missing.append(entrant)
        else:
            looks += [*began, *(awaited.tables.get(place, now) for place, _ in seats)]
    again = min((since + whole if since + whole > now else now + whole for since in looks), default=None)
    return missing, None if again is None else max(again, now + LOOKS_APART)
