"""Tournaments: found, brought up to date, and moved on by commands, on any worker alike.

    command -> decide on the state in memory -> append with the version it was decided on -> only then tell anybody

As with games (`service.games`) no decision is final on a state that may be old.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Final, TypeVar

import structlog
from msgspec.structs import replace

from domain.chain import first_prev
from domain.tournaments.draws import MASTER, draw_seed
from domain.tournaments.events import AnyTournamentEvent, TournamentCreated
from domain.tournaments.fold import begin, fold, replayed
from domain.tournaments.given import Draw
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.state import Tournament
from service.commands import Denied, GameContended, KeyConflict, StaleVersion
from service.held_streams import PAGE_EVENTS, HeldStreams, Ring
from service.live_stream import linked
from service.stamping import stamp
from service.store.append import APPEND_BYTES_MAX, EVENTS_MAX, Append, PutSecret
from service.store.base import Appended, EventStore, IdempotencyConflict, Replayed, StoredEvent, VersionConflict
from service.store.database import Pool, reached
from service.store.errors import HeadMismatch, StoreError
from service.tournaments.beside import side_writes
from service.tournaments.commands import (
    Decide,
    TournamentCommand,
    TournamentDone,
    TournamentTooLarge,
    TournamentUnknown,
    VersionNotReached,
)
from service.tournaments.decoding import decoded
from service.tournaments.ids import is_tournament
from service.tournaments.live import LiveTournament

log = structlog.get_logger(__name__)

TRIES_MAX: Final = 6
"""How often a command is decided before it is given up: tables of one round report at the same moment."""

THREAD_ENTRANTS: Final = 64
"""From so many entrants on decisions are taken beside the event loop: a pairing may cost a second."""

T = TypeVar("T")

_MASTER: Final = "select master from secret where game = $1"


class Tournaments(HeldStreams[LiveTournament, Tournament, AnyTournamentEvent]):
    """The tournaments of this worker. Everything may raise `StoreUnavailable`, `StoreBusy` and `GameNewer`.

    `patience` is after how many seconds another worker takes up what follows from an append.
    """

    def __init__(self, store: EventStore, pool: Pool, ring: Ring, *, patience: float, cached_max: int) -> None:
        super().__init__(store, pool, ring, cached_max)
        self._patience = patience

    # --- finding ---

    def _check_id(self, tournament_id: str) -> None:
        if not is_tournament(tournament_id):
            raise TournamentUnknown

    def _decoded(self, stored: Sequence[StoredEvent]) -> list[AnyTournamentEvent]:
        return decoded(stored)

    def _folded(self, state: Tournament, happened: Sequence[AnyTournamentEvent]) -> Tournament:
        return fold(state, happened)

    async def _load(self, tournament_id: str) -> LiveTournament:
        with reached():
            master: bytes | None = await self._pool.fetchval(_MASTER, tournament_id)
        begun = time.monotonic()
        stored = await self._store.read(tournament_id, 0, PAGE_EVENTS)
        if not stored or master is None:
            raise TournamentUnknown
        happened = decoded(stored)
        live = LiveTournament(tournament_id, replayed(tournament_id, happened), stored[-1].hash, master)
        live.tail.extend(linked(stored, happened))
        live.read_at = begun
        if len(stored) == PAGE_EVENTS:
            await self.refresh(live)
        return self._live.keep(live)

    async def at(self, live: LiveTournament, version: int) -> Tournament:
        """The tournament as it was after an event. Raises `VersionNotReached` where there is none of this version."""
        near = live.nearest(version)
        while near is None or near.version < version:
            after = 0 if near is None else near.version
            happened = decoded(await self._store.read(live.id, after, min(PAGE_EVENTS, max(version - after, 0))))
            if not happened:
                raise VersionNotReached(live.id, version)
            near = replayed(live.id, happened) if near is None else fold(near, happened)
        if near is not live.state:
            live.keep(near)
        return near

    # --- moving on ---

    async def create(
        self,
        tournament_id: str,
        created: TournamentCreated,
        opened: Sequence[AnyTournamentEvent],
        command: TournamentCommand,
        master: bytes,
    ) -> TournamentDone:
        """Begin a tournament's stream, with what happens at once. Raises `KeyConflict`, `GameContended`."""
        nothing = replace(begin(tournament_id, created), version=0)
        live = LiveTournament(tournament_id, nothing, first_prev(tournament_id), master)
        command = replace(command, writes=(*command.writes, PutSecret(master.hex())))
        done = await self._append(live, None, command, [created, *opened], time.time())
        if done is None:
            raise GameContended
        return done

    async def perform(self, live: LiveTournament, command: TournamentCommand) -> TournamentDone:
        """Do a command.

        Raises `TournamentRefused`, `StaleVersion`, `KeyConflict`, `GameContended`, `TournamentTooLarge`, and what the
        command denies.
        """
        done = await self._attempt(live, command)
        if done is not None:
            return done
        async with live.lock:
            for _ in range(TRIES_MAX):
                await self.refresh(live)
                done = await self._attempt(live, command)
                if done is not None:
                    return done
        raise GameContended

    async def preview(
        self, live: LiveTournament, decide: Decide
    ) -> tuple[Tournament, list[AnyTournamentEvent], Tournament]:
        """What would follow on the state as it is: that state, the events and the state after them; nothing is stored.

        Lots that have not been drawn are others than those to come. Raises as `perform` does.
        """
        state = live.state
        happened = await self._decided(state, decide, time.time(), draw_for_looks(live))
        if len(happened) > EVENTS_MAX:
            raise TournamentTooLarge("events", EVENTS_MAX)
        return state, happened, fold(state, happened)

    async def _attempt(self, live: LiveTournament, command: TournamentCommand) -> TournamentDone | None:
        """One decision; None where the tournament has moved on meanwhile and it must be taken anew."""
        state = live.state
        if command.expected is not None and command.expected != state.version:
            return await self._settle(live, state, command, StaleVersion(state.version))
        now = time.time()
        try:
            happened = await self._decided(state, command.decide, now, draw_of(live))
        except (Denied, TournamentRefused) as trouble:
            return await self._settle(live, state, command, trouble)
        if live.state is not state:
            return None
        if not happened:
            # Nothing to do may be so only because it was done before.
            if await self.refresh(live) or live.state is not state:
                return None
            done = None if command.key is None else await self._done_before(live, command, command.key)
            return done or TournamentDone(0, state)
        return await self._append(live, state, command, happened, now)

    async def _decided(self, state: Tournament, decide: Decide, now: float, draw: Draw) -> list[AnyTournamentEvent]:
        at = datetime.fromtimestamp(now, UTC)
        return await worked_out(state, lambda: decide(state, at, draw))

    async def _settle(
        self, live: LiveTournament, state: Tournament, command: TournamentCommand, trouble: Exception
    ) -> TournamentDone | None:
        """A command cannot be done on this state: it may have been done before, or the state may be old."""
        if command.key is not None:
            done = await self._done_before(live, command, command.key)
            if done is not None:
                return done
        if await self.refresh(live) or live.state is not state:
            return None
        raise trouble

    async def _done_before(self, live: LiveTournament, command: TournamentCommand, key: str) -> TournamentDone | None:
        versions = await self._versions_of(live, key, command.digest, command.actor)
        if versions is None:
            return None
        first, last = versions
        await self.read_up_to(live, last)
        return TournamentDone(first, await self.at(live, last), replayed=True)

    async def _append(
        self,
        live: LiveTournament,
        before: Tournament | None,
        command: TournamentCommand,
        happened: Sequence[AnyTournamentEvent],
        now: float,
    ) -> TournamentDone | None:
        prev = live.hash
        if command.token is not None:
            happened = [replace(event, token=command.token) for event in happened]
        links, new = stamp(prev, happened, now)
        if len(new) > EVENTS_MAX:
            raise TournamentTooLarge("events", EVENTS_MAX)
        if sum(len(event.body) for event in new) > APPEND_BYTES_MAX:
            raise TournamentTooLarge("bytes", APPEND_BYTES_MAX)
        stamped = [link.stored for link in links]
        after = replayed(live.id, stamped) if before is None else fold(before, stamped)
        version = 0 if before is None else before.version
        append = Append(
            stream=live.id,
            expected_version=version,
            prev_hash=prev,
            events=new,
            actor=command.actor,
            command_key=command.key,
            command_digest=command.digest,
            writes=(
                *command.writes,
                *side_writes(before, after, happened, datetime.fromtimestamp(now, UTC), self._patience),
            ),
        )
        try:
            outcome = await self._store.append(append)
        except HeadMismatch:
            log.error("tournament_memory_wrong", tournament=live.id, version=version)
            self._live.forget(live.id)
            raise GameContended from None
        match outcome:
            case Appended(first_version=first):
                live.advance(links, after, new[-1].hash)
                if before is None:
                    self._live.keep(live)
                self._tell(live, happened)
                return TournamentDone(first, after)
            case Replayed(first_version=first, last_version=last):
                if before is not None:
                    # This very command may have been stored with its answer lost: then nobody was told of it.
                    await self.refresh(live)
                    self._tell(live, live.recent(before.version) or ())
                    return TournamentDone(first, await self.at(live, last), replayed=True)
                stored = await self.fresh(live.id)
                return TournamentDone(first, await self.at(stored, last), replayed=True)
            case IdempotencyConflict():
                raise KeyConflict
            case VersionConflict():
                return None
        raise StoreError("The store gave no outcome.")


async def worked_out(state: Tournament, work: Callable[[], T]) -> T:
    """What follows from a state, beside the event loop where the tournament is large."""
    if len(state.entrants) < THREAD_ENTRANTS:
        return work()
    return await asyncio.to_thread(work)


def draw_for_looks(live: LiveTournament) -> Draw:
    """The draws of a tournament as far as everybody knows them, and others in the place of those that are to come.

    Who knew lots beforehand could choose the moment at which they are drawn, or who enters before.
    """
    drawn, other = live.state.lots, token_bytes(32)
    return lambda purpose: drawn.get(purpose) or draw_seed(other, live.id, purpose)


def draw_of(live: LiveTournament) -> Draw:
    """The draws of a tournament, from its master."""

    def draw(purpose: str) -> str:
        return live.master.hex() if purpose == MASTER else draw_seed(live.master, live.id, purpose)

    return draw
