"""The tables of a tournament as they stand: which games there are, and what becomes of those that are to end.

Games are compared with what the tournament's state wants: missing ones are made, clocks and seats brought in line, and
those that nobody needs any more are ended.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

import msgspec
import structlog
from msgspec import Struct

from domain.ending import abort, adjudication
from domain.events import AnyEvent, EndReason
from domain.evolve import fold
from domain.lobby import BotLevel, hand_over
from domain.lobby_refusals import LobbyRefused
from domain.playing import complete
from domain.state import State
from domain.tournaments.clocks import moment
from domain.tournaments.games import WantedGame, game_id
from domain.tournaments.state import Tournament
from service.automata import NothingToDo
from service.board_games import BoardsNotClosed
from service.commands import Command, Decided, GameContended, GameUnknown, KeyConflict
from service.games import Games
from service.store.database import Pool, reached
from service.tournaments.collecting import PlayedGame
from service.tournaments.ids import derived_key
from service.tournaments.live import LiveTournament
from service.tournaments.match_games import ACTOR, MatchGames

log = structlog.get_logger(__name__)

AT_ONCE: Final = 64
"""Games that are made or ended at a time: their appends go into one transaction together."""

_OPEN: Final = """
select t.game, t.match, t.table_number as "table", t.leg, t.on_boards, t.no_new_hand_at, t.told,
    g.status = 'ended' as ended
from tournament_game t join game g on g.id = t.game
where t.tournament = $1 and t.told <> 'result'
order by t.round, t.table_number, t.leg
"""
_PLAYED_ON: Final = _OPEN.replace("t.told <> 'result'", "t.game = any($2::text[]) and g.status <> 'ended'")
_MOVE_CLOCKS: Final = """
update tournament_game t set no_new_hand_at = m.at
from unnest($1::text[], $2::timestamptz[]) as m (game, at) where t.game = m.game
"""
_TELL: Final = """
update tournament_game t set told = m.told
from unnest($1::text[], $2::text[], $3::text[]) as m (game, before, told) where t.game = m.game and t.told = m.before
"""
_SEATS: Final = """
select s.game, s.seat, s.player from tournament_game t join seat s on s.game = t.game
where t.tournament = $1 and t.told = 'nothing'
"""

TOLD: Final = ("nothing", "finish", "result")
"""What the events of a tournament may have told of a game, in the order in which they do."""

T = TypeVar("T")


class OpenGame(Struct, frozen=True, kw_only=True):
    """A game of which the tournament's events do not tell the result yet, or that goes on after they did."""

    game: str
    match: str
    table: int
    leg: int
    on_boards: bool
    no_new_hand_at: datetime | None
    told: str
    ended: bool

    @property
    def played(self) -> PlayedGame:
        """Its place in the match."""
        return PlayedGame(self.game, self.match, self.table, self.leg)


class Tables:
    """The tables of all tournaments. Everything may raise `StoreUnavailable` and `StoreBusy`."""

    def __init__(self, pool: Pool, games: Games, match_games: MatchGames) -> None:
        self._pool = pool
        self._games = games
        self._match_games = match_games

    async def open_games(self, tournament_id: str) -> list[OpenGame]:
        """The games whose result is not told yet, whether they are over or not."""
        with reached():
            rows = await self._pool.fetch(_OPEN, tournament_id)
        return [OpenGame(**row) for row in rows]

    async def played_on(self, state: Tournament) -> list[OpenGame]:
        """The games that go on although a director has recorded their results."""
        games = [
            game_id(state.id, match.id, table, leg) for match in state.matches.values() for table, leg in match.by_hand
        ]
        if not games:
            return []
        with reached():
            rows = await self._pool.fetch(_PLAYED_ON, state.id, games)
        return [OpenGame(**row) for row in rows]

    async def tell(self, games: Sequence[tuple[OpenGame, str]]) -> None:
        """Note what the events have told of games, where nobody has noted more meanwhile."""
        with reached():
            await self._pool.execute(
                _TELL, [game.game for game, _ in games], [game.told for game, _ in games], [told for _, told in games]
            )

    async def make(self, live: LiveTournament, wanted: Iterable[WantedGame]) -> int:
        """Make games that are missing: how many. What another worker makes at the same moment is the same game."""
        state, master = live.state, live.master

        async def one(game: WantedGame) -> bool:
            try:
                return await self._match_games.create(state, master, game)
            except (KeyConflict, GameContended):
                # It is there, made by another worker; whether it is right shows the next comparison.
                log.info("match_game_made_elsewhere", game=game.game)
            except (LobbyRefused, BoardsNotClosed) as trouble:
                log.error("match_game_refused", game=game.game, why=str(trouble))
            return False

        return await _bounded(one, wanted)

    async def move_clocks(self, open_games: Iterable[OpenGame], wanted: dict[str, WantedGame], now: datetime) -> None:
        """Bring the moments from which no hand begins in line with the clocks; once time is called it is over."""
        moved: list[tuple[str, datetime | None]] = []
        for game in open_games:
            needed = wanted.get(game.game)
            if needed is None or game.ended:
                continue
            at = None if needed.no_new_hand_at is None else moment(needed.no_new_hand_at)
            if needed.time_called:
                past = [each for each in (at, game.no_new_hand_at) if each is not None and each <= now]
                at = min(past, default=now)
            if at != game.no_new_hand_at:
                moved.append((game.game, at))
        if moved:
            with reached():
                await self._pool.execute(_MOVE_CLOCKS, [game for game, _ in moved], [at for _, at in moved])

    async def end(self, state: Tournament, open_games: Iterable[OpenGame], wanted: dict[str, WantedGame]) -> int:
        """End the games that are to be over: how many."""
        ending = [
            (game.game, reason)
            for game in open_games
            if not game.ended and (reason := why_to_end(state, game, wanted.get(game.game))) is not None
        ]
        return await _bounded(lambda each: self._end_game(*each, aborted=state.status == "cancelled"), ending)

    async def _end_game(self, game_id: str, reason: EndReason, *, aborted: bool) -> bool:
        live = await self._games.fresh(game_id)

        def decide(state: State) -> Decided:
            if state.table.status == "ended":
                raise NothingToDo
            happened: list[AnyEvent] = abort(state, reason) if aborted else adjudication(state, None, reason)
            return complete(fold(state, happened), happened, live.chance)

        try:
            await self._games.perform(live, _derived(game_id, f"end/{reason}", decide))
        except NothingToDo:
            return False
        return True

    async def reseat(self, live: LiveTournament, wanted: dict[str, WantedGame]) -> None:
        """Hand over the seats of games under way whose holder is not the one of the line-up any more."""
        with reached():
            rows = await self._pool.fetch(_SEATS, live.id)
        wrong = [
            (wanted[row["game"]], row["seat"], row["player"])
            for row in rows
            if row["game"] in wanted and wanted[row["game"]].players[row["seat"]] != row["player"]
        ]
        await _bounded(lambda each: self._hand_over(*each), wrong)

    async def _hand_over(self, game: WantedGame, seat: int, holder: str) -> bool:
        live = await self._games.fresh(game.game)
        newcomer, level = game.players[seat], game.bots[seat]
        bot = None if level is None else msgspec.convert(level, BotLevel)

        def decide(state: State) -> Decided:
            held = state.table.seats[seat]
            if state.table.status == "ended" or held is None or held.player == newcomer:
                raise NothingToDo
            happened = hand_over(state, seat, held.player, newcomer, "human" if bot is None else "bot", bot)
            return happened, fold(state, happened)

        try:
            await self._games.perform(live, _derived(game.game, f"seat/{seat}/{holder}/{newcomer}", decide))
        except NothingToDo:
            return False
        except LobbyRefused as refused:
            # Who left a game does not return to it, and whoever sits in two seats of one is no substitute.
            log.warning("substitute_refused", game=game.game, seat=seat, why=str(refused.code))
            return False
        return True


def told_late(state: Tournament, games: Iterable[OpenGame]) -> list[tuple[OpenGame, str]]:
    """The games of which the events tell more than is noted with them, and what that is.

    A result may be recorded while its game is being made, by somebody who does not know of it: then there was no game
    yet to note it with.
    """
    late = []
    for game in games:
        match = state.matches[game.match]
        told = TOLD[0]
        if match.result(game.table, game.leg) is not None:
            told = TOLD[2]
        elif (game.table, game.leg) in match.finished:
            told = TOLD[1]
        if TOLD.index(told) > TOLD.index(game.told):
            late.append((game, told))
    return late


def why_to_end(state: Tournament, game: OpenGame, wanted: WantedGame | None) -> EndReason | None:
    """Why a game under way is to end now, if it is."""
    match = state.matches.get(game.match)
    if match is None:
        return None
    if state.status == "cancelled":
        return "ruling"
    if match.over or match.result(game.table, game.leg) is not None:
        ruling = match.ruling
        forfeited = ruling is not None and ruling.adjustment is not None and ruling.adjustment.kind == "forfeit"
        return "absence" if forfeited else "ruling"
    if wanted is not None and wanted.time_called and wanted.end_of_time != "finish_hand":
        return "time"
    return None


def _derived(game_id: str, purpose: str, decide: Callable[[State], Decided]) -> Command:
    key = derived_key(game_id, purpose)
    return Command(actor=ACTOR, decide=decide, key=key, digest=key * 2)


async def _bounded(work: Callable[[T], Coroutine[Any, Any, bool]], items: Iterable[T]) -> int:
    """Do the work for every item, so many at a time: for how many there was some.

    The first trouble is raised once all of it has been tried; a game that is not there is none.
    """
    places = asyncio.Semaphore(AT_ONCE)

    async def one(item: T) -> bool:
        async with places:
            return await work(item)

    outcomes = await asyncio.gather(*map(one, items), return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException) and not isinstance(outcome, GameUnknown):
            raise outcome
    return sum(outcome is True for outcome in outcomes)
