"""Tournaments: found, brought up to date, and moved on by commands, on any worker alike.

    command -> decide on the state in memory -> append with the version it was decided on -> only then tell anybody

As with games (`service.games`) no decision is final on a state that may be old.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from typing import Final

import structlog
from msgspec.structs import replace

from domain.chain import first_prev
from domain.tournaments.draws import MASTER, draw_seed
from domain.tournaments.events import AnyTournamentEvent, TournamentCreated
from domain.tournaments.fold import begin, fold, replayed
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.state import Tournament
from service.commands import Denied, GameContended, KeyConflict, StaleVersion
from service.stamping import stamp
from service.store.append import APPEND_BYTES_MAX, EVENTS_MAX, Append, PutSecret
from service.store.base import Appended, EventStore, IdempotencyConflict, Replayed, VersionConflict
from service.store.database import Pool, reached
from service.store.errors import HeadMismatch, StoreError
from service.tournaments.beside import side_writes
from service.tournaments.commands import (
    Decide,
    Draw,
    TournamentCommand,
    TournamentDone,
    TournamentTooLarge,
    TournamentUnknown,
)
from service.tournaments.decoding import decoded, linked
from service.tournaments.ids import is_tournament
from service.tournaments.live import LiveTournament, LiveTournaments

log = structlog.get_logger(__name__)

TRIES_MAX: Final = 6
"""How often a command is decided before it is given up: tables of one round report at the same moment."""

PAGE_EVENTS: Final = 1000
THREAD_ENTRANTS: Final = 64
"""From so many entrants on decisions are taken beside the event loop: a pairing may cost a second."""

_MASTER: Final = "select master from secret where game = $1"
_COMMAND: Final = """
select version, encode(command_digest, 'hex') as digest, command_last from event
where stream = $1 and command_key = $2 and actor = $3
"""
_VERSION_BEFORE: Final = """
select version from event where stream = $1 and at <= $2 order by version desc limit 1
"""

Listener = Callable[[LiveTournament, Sequence[AnyTournamentEvent]], None]


class Tournaments:
    """The tournaments of this worker. Everything may raise `StoreUnavailable`, `StoreBusy` and `GameNewer`.

    `patience` is after how many seconds another worker takes up what follows from an append.
    """

    def __init__(
        self, store: EventStore, pool: Pool, ring: Callable[[str, int], None], *, patience: float, cached_max: int
    ) -> None:
        self._store = store
        self._pool = pool
        self._ring = ring
        self._patience = patience
        self._live = LiveTournaments(cached_max)
        self._loading: dict[str, asyncio.Task[LiveTournament]] = {}
        self.appended: list[Listener] = []
        """Told when this worker has moved a tournament on, and by which events."""

    def __len__(self) -> int:
        return len(self._live)

    # --- finding ---

    async def find(self, tournament_id: str) -> LiveTournament:
        """The tournament, as it was a moment ago at least. Raises `TournamentUnknown`."""
        live = self._live.get(tournament_id)
        if live is not None:
            return live
        if not is_tournament(tournament_id):
            raise TournamentUnknown
        task = self._loading.get(tournament_id)
        if task is None:
            task = asyncio.create_task(self._load(tournament_id))
            self._loading[tournament_id] = task
            task.add_done_callback(lambda _: self._loading.pop(tournament_id, None))
        return await asyncio.shield(task)

    async def fresh(self, tournament_id: str) -> LiveTournament:
        """The tournament as it is now, with everything that any worker has acknowledged. Raises `TournamentUnknown`."""
        live = self._live.get(tournament_id)
        if live is None:
            return await self.find(tournament_id)
        await self.read_since(live, time.monotonic())
        return live

    async def read_since(self, live: LiveTournament, moment: float) -> None:
        """See that it was read at this moment of the monotonic clock or later; several who ask read once."""
        if live.read_at >= moment:
            return
        async with live.reading:
            if live.read_at < moment:
                await self.refresh(live)

    async def read_up_to(self, live: LiveTournament, version: int) -> None:
        """See that it is known up to a version that was heard of."""
        if live.state.version >= version:
            return
        async with live.reading:
            if live.state.version < version:
                await self.refresh(live)

    async def refresh(self, live: LiveTournament) -> bool:
        """Read what others appended; whether there was anything."""
        moved = False
        while True:
            begun = time.monotonic()
            held = live.state
            stored = await self._store.read(live.id, held.version, PAGE_EVENTS)
            if stored:
                happened = decoded(stored)
                moved |= live.advance(linked(stored, happened), fold(held, happened), stored[-1].hash)
            if len(stored) < PAGE_EVENTS:
                live.read_at = max(live.read_at, begun)
                return moved

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
        """The tournament as it was after an event; `version` is one that it has reached."""
        near = live.nearest(version)
        if near is None:
            first = decoded(await self._store.read(live.id, 0, min(PAGE_EVENTS, version)))
            near = replayed(live.id, first)
        while near.version < version:
            limit = min(PAGE_EVENTS, version - near.version)
            near = fold(near, decoded(await self._store.read(live.id, near.version, limit)))
        if near is not live.state:
            live.keep(near)
        return near

    async def events(self, live: LiveTournament, after: int, last: int) -> AsyncIterator[AnyTournamentEvent]:
        """The events above `after` up to `last`, in order, with their hashes."""
        while after < last:
            stored = await self._store.read(live.id, after, min(PAGE_EVENTS, last - after))
            if not stored:
                return
            for link in linked(stored, decoded(stored)):
                yield link.event
            after = stored[-1].version

    async def version_before(self, live: LiveTournament, at: datetime, least: int) -> int:
        """The last version that had been stored at a time, `least` where it was none."""
        with reached():
            version: int | None = await self._pool.fetchval(_VERSION_BEFORE, live.id, at)
        return max(least, version or 0)

    # --- moving on ---

    async def create(
        self, tournament_id: str, created: TournamentCreated, command: TournamentCommand, master: bytes
    ) -> TournamentDone:
        """Begin a tournament's stream. Raises `KeyConflict`, `GameContended`."""
        nothing = replace(begin(tournament_id, created), version=0)
        live = LiveTournament(tournament_id, nothing, first_prev(tournament_id), master)
        command = replace(command, writes=(*command.writes, PutSecret(master.hex())))
        done = await self._append(live, None, command, [created], time.time())
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

        Raises as `perform` does.
        """
        state = live.state
        happened = await self._decided(live, state, decide, time.time())
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
            happened = await self._decided(live, state, command.decide, now)
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

    async def _decided(
        self, live: LiveTournament, state: Tournament, decide: Decide, now: float
    ) -> list[AnyTournamentEvent]:
        at = datetime.fromtimestamp(now, UTC)
        draw = draw_of(live)
        if len(state.entrants) < THREAD_ENTRANTS:
            return decide(state, at, draw)
        return await asyncio.to_thread(decide, state, at, draw)

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
        with reached():
            row = await self._pool.fetchrow(_COMMAND, live.id, key, command.actor)
        if row is None:
            return None
        if row["digest"] != command.digest:
            raise KeyConflict
        await self.read_up_to(live, row["command_last"])
        return TournamentDone(row["version"], await self.at(live, row["command_last"]), replayed=True)

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

    def _tell(self, live: LiveTournament, happened: Sequence[AnyTournamentEvent]) -> None:
        """Ring for the tournament as it is now, and tell this worker's listeners what has happened in it."""
        self._ring(live.id, live.state.version)
        for listener in self.appended:
            listener(live, happened)


def draw_of(live: LiveTournament) -> Draw:
    """The draws of a tournament, from its master."""

    def draw(purpose: str) -> str:
        return live.master.hex() if purpose == MASTER else draw_seed(live.master, live.id, purpose)

    return draw
