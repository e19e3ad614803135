"""Durable timers: rows with absolute times, taken up by any worker, lost by no restart.

A row is claimed for a lease; who dies with it loses it to another worker when the lease is over. What a timer is about
is looked at again once it has been claimed, so a move made in time wins against it, and an append decides between the
two that come together.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Final

import structlog
from msgspec import Struct

from domain.evolve import fold
from domain.lobby_refusals import LobbyRefused
from domain.refusals import Refusal
from domain.state import State
from domain.waiting import awaited_beacon, seat_to_act
from service.automata import FALL_BACK_LEVEL, STAND_IN_LEVEL, NothingToDo, decide_for_absent
from service.beacons import Beacons
from service.before_start import BEACON, BEACON_LATE, UNSTARTED, free_unrevealed, give_up_beacon, give_up_table
from service.bots import Bots
from service.commands import Command, Decided, Denied, GameUnknown, MoveRefused
from service.games import Games
from service.live import LiveGame
from service.metrics import Metrics
from service.polling import Polling
from service.seals import SEAL, awaits_reveal
from service.store.database import Pool, reached
from service.store.errors import StoreError
from service.tournaments.ids import is_tournament
from service.turns import NONCE, TURN, bot_to_act

log = structlog.get_logger(__name__)

ACTOR: Final = "timer"
CLAIMED_MAX: Final = 32
LEASE_SECONDS: Final = 10.0

_CLAIM: Final = """
with due as (
    select game, kind from deadline
    where due_at <= now() and (leased_until is null or leased_until <= now())
    order by due_at limit $1 for update skip locked
)
update deadline d set leased_until = now() + make_interval(secs => $2)
from due where d.game = due.game and d.kind = due.kind
returning d.game, d.kind, d.version, d.due_at
"""
_STANDS: Final = """
select exists (select from deadline where game = $1 and kind = $2 and version = $3 and due_at = $4)
"""
_DROP: Final = "delete from deadline where game = $1 and kind = $2 and version = $3 and due_at = $4"


class Timer(Struct, frozen=True):
    """A row that is due: `version` and `due_at` tell it from a later one of the same kind."""

    game: str
    kind: str
    version: int
    due_at: datetime


class Deadlines(Polling):
    """Looks for timers that are due, and does what is to be done then."""

    def __init__(
        self, pool: Pool, games: Games, bots: Bots, beacons: Beacons, metrics: Metrics, poll_seconds: float
    ) -> None:
        super().__init__("deadlines", poll_seconds, "deadlines_not_read")
        self._pool = pool
        self._games = games
        self._bots = bots
        self._beacons = beacons
        self._metrics = metrics
        self.of_tournaments: Callable[[str, str], None] | None = None
        """Told the tournament and the kind of a timer of a tournament; takes the row away when it is done."""

    async def _look(self) -> bool:
        timers = await self._claim()
        await asyncio.gather(*map(self._serve, timers))
        return len(timers) == CLAIMED_MAX

    async def _claim(self) -> list[Timer]:
        with reached():
            rows = await self._pool.fetch(_CLAIM, CLAIMED_MAX, LEASE_SECONDS)
        return [Timer(row["game"], row["kind"], row["version"], row["due_at"]) for row in rows]

    async def _serve(self, timer: Timer) -> None:
        """Do what a timer is for; what fails now is tried again when the lease is over."""
        if is_tournament(timer.game):
            if self.of_tournaments is not None:
                self.of_tournaments(timer.game, timer.kind)
            return
        try:
            live = await self._games.fresh(timer.game)
            if not await self._stands(timer):
                return
            if timer.kind == TURN:
                await self._turn_over(timer, live)
            elif timer.kind == NONCE:
                await self._nonces_over(timer, live)
            elif timer.kind == BEACON:
                self._beacons.wake(live)
            elif timer.kind == BEACON_LATE:
                await self._beacon_late(timer, live)
            elif timer.kind == UNSTARTED:
                await self._never_started(timer, live)
            elif timer.kind == SEAL:
                await self._seal_over(live)
            else:
                log.error("timer_unknown", game=timer.game, kind=timer.kind)
        except NothingToDo:
            return
        except GameUnknown:
            await self._drop(timer)
        except (Denied, LobbyRefused, StoreError) as trouble:
            log.warning("timer_failed", game=timer.game, kind=timer.kind, why=type(trouble).__name__)
        except Exception:
            # One game that cannot be served must not stop the timers of all others.
            log.exception("timer_failed", game=timer.game, kind=timer.kind)

    async def _stands(self, timer: Timer) -> bool:
        """Whether the row is still the one that was claimed: a turn that has ended meanwhile has moved it."""
        with reached():
            return bool(await self._pool.fetchval(_STANDS, timer.game, timer.kind, timer.version, timer.due_at))

    async def _drop(self, timer: Timer) -> None:
        with reached():
            await self._pool.execute(_DROP, timer.game, timer.kind, timer.version, timer.due_at)

    async def _turn_over(self, timer: Timer, live: LiveGame) -> None:
        state = live.state
        seat = seat_to_act(state)
        if bot_to_act(state) is not None:
            self._bots.wake(live)
        elif seat is None or state.table.clock is None:
            await self._drop(timer)
        else:
            await self._stand_in(timer, live, state, seat)

    async def _stand_in(self, timer: Timer, live: LiveGame, state: State, seat: int) -> None:
        """Make the moves of the turn, up to its end; what its owner plays meanwhile stands as well."""
        hand = state.hand
        announced = False
        level = STAND_IN_LEVEL

        def decide(state: State) -> Decided | Refusal:
            if seat_to_act(state) != seat or state.hand != hand:
                raise NothingToDo
            return decide_for_absent(live, state, seat, level, announced=announced)

        while seat_to_act(state) == seat and state.hand == hand:
            try:
                state = (await self._games.perform(live, Command(actor=ACTOR, decide=decide))).state
            except MoveRefused as refused:
                log.error("stand_in_refused", game=timer.game, code=str(refused.refusal.code), level=level)
                if level == FALL_BACK_LEVEL:
                    raise
                level = FALL_BACK_LEVEL
                continue
            if not announced:
                announced = True
                self._metrics.stood_in()
                log.info("stood_in", game=timer.game, seat=seat)

    async def _nonces_over(self, timer: Timer, live: LiveGame) -> None:
        """Seats that did not reveal their nonce are free again, and the table is open (fairness, 4)."""
        failed: list[str] = []

        def decide(state: State) -> Decided:
            happened, state, failed[:] = free_unrevealed(state)
            return happened, state

        await self._games.perform(live, Command(actor=ACTOR, decide=decide))
        for player in failed:
            self._metrics.nonce_unrevealed()
            log.info("nonce_unrevealed", game=timer.game, player=player)

    async def _beacon_late(self, timer: Timer, live: LiveGame) -> None:
        """The game is aborted, unless its round has come at last: then it starts, as soon as its nonces are there."""
        beacon = awaited_beacon(live.state.table)
        if beacon is not None and await self._beacons.known(beacon) is not None:
            self._beacons.wake(live)
            return
        await self._games.perform(live, Command(actor=ACTOR, decide=lambda state: give_up_beacon(live, state)))
        log.warning("beacon_given_up", game=timer.game)

    async def _never_started(self, timer: Timer, live: LiveGame) -> None:
        await self._games.perform(live, Command(actor=ACTOR, decide=lambda state: give_up_table(live, state)))
        log.info("table_given_up", game=timer.game)

    async def _seal_over(self, live: LiveGame) -> None:
        """What the game was dealt from is revealed: with that its record is public."""

        def decide(state: State) -> Decided:
            if live.boards_closed:
                raise NothingToDo
            revealed = live.whole_chance.revealed(state) if awaits_reveal(state.table) else None
            if revealed is None:
                raise NothingToDo
            return [revealed], fold(state, [revealed])

        await self._games.perform(live, Command(actor=ACTOR, decide=decide))
