"""A tournament brought to where it should be: what is to be done is found by comparing, done, and compared again.

    results of ended games -> games made, moved, ended -> the next step of the tournament -> and again, to nothing

Everything has an id or a key that follows from what it is, and every append a version: whoever does it, twice or half,
it is there once.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

import structlog

from domain.tournaments.clocks import moment
from domain.tournaments.entrants import OVER
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.games import WantedGame, wanted_games
from domain.tournaments.given import Draw
from domain.tournaments.process import next_moment, step
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.results import boards_done, record
from domain.tournaments.seating import GameResult
from domain.tournaments.state import Tournament
from service.boards import Boards
from service.seals import Seals
from service.store.append import EVENTS_MAX
from service.store.database import Pool, reached
from service.tournaments.beacons import BoardBeacons
from service.tournaments.beside import PROCESS, WORK
from service.tournaments.collecting import Collecting
from service.tournaments.commands import Decide, TournamentCommand
from service.tournaments.ids import derived_key
from service.tournaments.live import LiveTournament
from service.tournaments.match_games import ACTOR
from service.tournaments.rating import Rating
from service.tournaments.tables import OpenGame, Tables, told_late
from service.tournaments.tournaments import Tournaments, worked_out

log = structlog.get_logger(__name__)

RESULTS_TOGETHER: Final = 128
"""Games whose results go into one append: with the matches that they decide that is three events each at most."""

Place = tuple[str, int, int]
"""A game by its place: match, table, and which of the table's games."""

NOT_BEGUN: Final = "not_begun"

_NOW: Final = "select clock_timestamp()"
_SEALED: Final = """
select t.game from tournament_game t join game g on g.id = t.game
where t.tournament = $1 and t.on_boards and t.told = 'result' and g.sealed_until > now()
order by t.game
"""
# What somebody else set meanwhile, because a game has ended, stays; what comes later belongs to appends known here.
_REST: Final = f"""
delete from deadline
where game = $1 and kind = '{WORK}' and version <= $2 and (due_at < $3 or due_at > clock_timestamp())
"""
_SET_TIMER: Final = f"""
insert into deadline (game, kind, version, due_at) values ($1, '{PROCESS}', $2, $3)
on conflict (game, kind) do update
set version = excluded.version, due_at = excluded.due_at, leased_until = null
where deadline.version <= excluded.version and deadline.due_at <> excluded.due_at
"""
_DROP_TIMER: Final = f"delete from deadline where game = $1 and kind = '{PROCESS}' and version <= $2"


class Reconciling:
    """Brings tournaments to where they should be. Everything may raise `StoreError` and `Denied`."""

    def __init__(
        self,
        pool: Pool,
        tournaments: Tournaments,
        tables: Tables,
        collecting: Collecting,
        boards: Boards,
        seals: Seals,
        beacons: BoardBeacons,
        rating: Rating,
    ) -> None:
        self._pool = pool
        self._tournaments = tournaments
        self._tables = tables
        self._collecting = collecting
        self._boards = boards
        self._seals = seals
        self._beacons = beacons
        self._rating = rating

    async def reconcile(self, tournament_id: str) -> None:
        """Do everything that is to be done now. Raises `TournamentUnknown`."""
        live = await self._tournaments.fresh(tournament_id)
        while True:
            state = live.state
            with reached():
                looked_at: datetime = await self._pool.fetchval(_NOW)
            open_games = [*await self._tables.open_games(live.id), *await self._tables.played_on(live.state)]
            if await self._collect(live, open_games):
                continue
            touched = await self._tend(live, open_games)
            if not (await self._step(live, open_games) or touched or live.state is not state):
                break
        # What others append from here on has not been compared: its timer stands, should they not get on with it.
        await self._lift_seals(state)
        await self._rating.hand_over(live, state)
        await self._rest(state, looked_at)

    # --- results ---

    async def _collect(self, live: LiveTournament, open_games: Sequence[OpenGame]) -> bool:
        """Record what has ended: whether anything was appended."""
        state = live.state
        known = [game for game in open_games if game.ended and game.match in state.matches]
        if late := told_late(state, known):
            await self._tables.tell(late)
        fresh = [game for game in known if game.told == "nothing"]
        held = [game for game in known if game.told == "finish"]
        done: frozenset[str] = frozenset() if state.terms.boards is None else boards_done(state)
        held = [game for game in held if game.match in done]
        version = state.version
        # The results of boards are told together, since whoever knows some of them may know others by them.
        due = [*fresh, *held]
        for start in range(0, len(due), RESULTS_TOGETHER):
            played = [game.played for game in due[start : start + RESULTS_TOGETHER]]
            results = await self._collecting.results(live.state, played)
            await self._record(live, results)
        there = {(game.match, game.table, game.leg) for game in open_games}
        await self._not_begun(live, [each for each in _held_back(state, done) if each not in there])
        return live.state.version != version

    async def _record(self, live: LiveTournament, results: Sequence[GameResult]) -> None:
        try:
            await self._append(live, "results", _recording(results))
        except TournamentRefused as refused:
            if len(results) > 1:
                # One of them has no place: the others have.
                for result in results:
                    await self._record(live, [result])
            else:
                log.error("result_refused", tournament=live.id, game=results[0].game, why=str(refused.code))

    # --- tables ---

    async def _tend(self, live: LiveTournament, open_games: Sequence[OpenGame]) -> bool:
        """Make, move and end games, and seat who belongs there: whether any was made or ended."""
        # Taken together: a line-up that changes from here on is not yet among the games that are wanted.
        state, reseat = live.state, live.reseat
        live.reseat = False
        try:
            wanted = await worked_out(state, lambda: wanted_games(state))
            worked = await self._compare(live, state, open_games, wanted)
            if reseat:
                await self._tables.reseat(live, {game.game: game for game in wanted})
        except BaseException:
            live.reseat |= reseat
            raise
        return worked

    async def _compare(
        self, live: LiveTournament, state: Tournament, open_games: Sequence[OpenGame], wanted: Sequence[WantedGame]
    ) -> bool:
        """Make what is missing, move the clocks, and end what nobody needs: whether anything was made or ended."""
        by_game = {game.game: game for game in wanted}
        there = {game.game for game in open_games}
        now = datetime.now(UTC)
        missing = [game for game in wanted if game.game not in there]
        too_late = [game for game in missing if _is_too_late(game, now)]
        await self._not_begun(live, [(game.match, game.table, game.leg) for game in too_late])
        made = await self._tables.make(live, [game for game in missing if not _is_too_late(game, now)])
        await self._tables.move_clocks(open_games, by_game, now)
        ended = await self._tables.end(state, open_games, by_game)
        return made + ended > 0

    async def _not_begun(self, live: LiveTournament, places: Sequence[Place]) -> None:
        """Games for which there is no time any more come to nothing."""
        for start in range(0, len(places), RESULTS_TOGETHER):
            results = [_nothing(live.state, *place) for place in places[start : start + RESULTS_TOGETHER]]
            await self._record(live, results)

    # --- the tournament itself ---

    async def _step(self, live: LiveTournament, open_games: Sequence[OpenGame]) -> bool:
        """The next thing that happens of itself: whether there was one."""
        state = live.state
        if state.status in OVER:
            if state.revealed or any(not game.ended for game in open_games):
                return False
            if state.boards and not await self._boards.open(live.id):
                return False
        about_beacon = await self._beacons.next(state)
        if about_beacon is not None:
            return await self._append(live, "beacon", about_beacon)
        return await self._append(live, "step", _steps)

    async def _append(self, live: LiveTournament, purpose: str, decide: Decide) -> bool:
        """Have the tournament moved on by what follows on the state as it is: whether anything did.

        At one version one thing happens: whoever comes second finds it done, and compares anew.
        """
        version = live.state.version
        key = derived_key(live.id, f"{purpose}/{version}")

        def at_this_version(state: Tournament, now: datetime, draw: Draw) -> list[AnyTournamentEvent]:
            return decide(state, now, draw) if state.version == version else []

        command = TournamentCommand(actor=ACTOR, decide=at_this_version, key=key, digest=key * 2)
        await self._tournaments.perform(live, command)
        return live.state.version != version

    # --- in the end ---

    async def _lift_seals(self, state: Tournament) -> None:
        """Show the games whose results are told."""
        if not state.boards:
            return
        with reached():
            rows = await self._pool.fetch(_SEALED, state.id)
        for row in rows:
            await self._seals.lift(row["game"])

    async def _rest(self, state: Tournament, looked_at: datetime) -> None:
        """Nothing is left to do in this state before the next moment of the tournament."""
        moments = (next_moment(state, datetime.now(UTC)), self._beacons.look_at(state))
        due = min((each for each in moments if each is not None), default=None)
        with reached():
            await self._pool.execute(_REST, state.id, state.version, looked_at)
            if due is None:
                await self._pool.execute(_DROP_TIMER, state.id, state.version)
            else:
                await self._pool.execute(_SET_TIMER, state.id, state.version, due)


def _recording(results: Sequence[GameResult]) -> Decide:
    def decide(state: Tournament, _now: datetime, _draw: Draw) -> list[AnyTournamentEvent]:
        return record(state, results)

    return decide


def _steps(state: Tournament, now: datetime, draw: Draw) -> list[AnyTournamentEvent]:
    """As much of the next step as one append takes: a step goes on from wherever it was left."""
    return step(state, now, draw)[:EVENTS_MAX]


def _is_too_late(game: WantedGame, now: datetime) -> bool:
    """Whether no hand of the game may begin any more."""
    return game.time_called or (game.no_new_hand_at is not None and moment(game.no_new_hand_at) <= now)


def _held_back(state: Tournament, done: Iterable[str]) -> list[Place]:
    """The games of these matches that were noted as finished, and not told: those that never began have no row."""
    return [
        (key, table, leg)
        for key in sorted(done)
        for table, leg in sorted(state.matches[key].finished)
        if state.matches[key].result(table, leg) is None
    ]


def _nothing(state: Tournament, match: str, table: int, leg: int) -> GameResult:
    sides = len(state.matches[match].paired.sides)
    return GameResult(
        match=match,
        table=table,
        leg=leg,
        game=None,
        points=(0,) * sides,
        hands=(),
        reason=NOT_BEGUN,
    )
