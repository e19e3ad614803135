"""Games: found, brought up to date, and moved on by commands, on any worker alike.

    command -> decide on the state in memory -> append with the version it was decided on -> only then tell anybody

A decision is never final on a state that may be old: before a refusal or a stale version is told, the stream's tail
is read. If another worker was quicker the command is decided again, unless the caller named the version.
"""

import time
from collections.abc import Sequence
from typing import Final

import msgspec
import structlog

from domain.chain import first_prev
from domain.chance import Chance
from domain.events import AnyEvent
from domain.evolve import fold
from domain.lobby_refusals import LobbyRefused
from domain.refusals import Refusal
from domain.state import State
from service.commands import Command, Denied, Done, GameContended, GameUnknown, KeyConflict, MoveRefused
from service.decoding import decoded
from service.excerpts import folded, unbroken
from service.facts import chance_of, read_facts, read_no_new_hand_at
from service.held_streams import PAGE_EVENTS, HeldStreams, Ring
from service.last_hands import depends_on_the_clock
from service.live import GameFacts, LiveGame
from service.live_stream import linked
from service.seals import Seals
from service.stamping import stamp
from service.store.append import Append
from service.store.base import Appended, EventStore, IdempotencyConflict, Replayed, StoredEvent, VersionConflict
from service.store.database import Pool
from service.store.errors import HeadMismatch
from service.turns import Patience, side_writes

log = structlog.get_logger(__name__)

TRIES_MAX: Final = 4
"""How often a command is decided before it is given up: once, and three times anew."""

STEPS_MAX: Final = 64
"""So many events further on, a past state is folded on rather than made anew."""

GAME_ID_LENGTH_MAX: Final = 64


class Games(HeldStreams[LiveGame, State, AnyEvent]):
    """The games of this worker. Everything may raise `StoreUnavailable`, `StoreBusy` and `GameNewer`."""

    def __init__(self, store: EventStore, pool: Pool, ring: Ring, patience: Patience, games_max: int) -> None:
        super().__init__(store, pool, ring, games_max)
        self._patience = patience
        self._seals = Seals(pool)

    # --- finding ---

    def held(self, game_id: str) -> LiveGame | None:
        """The game as this worker has it in memory, be it old."""
        return self._live.get(game_id)

    def _check_id(self, game_id: str) -> None:
        if not (0 < len(game_id) <= GAME_ID_LENGTH_MAX and game_id.isascii() and game_id.isalnum()):
            raise GameUnknown

    async def _look_beside(self, live: LiveGame) -> None:
        if live.withheld:
            # Only the lifting of a seal and the opening of boards stand in no event.
            standing = await self._seals.standing(live.id)
            live.facts = msgspec.structs.replace(
                live.facts, sealed_until=standing.sealed_until, boards_closed=standing.boards_closed
            )

    def _decoded(self, stored: Sequence[StoredEvent]) -> list[AnyEvent]:
        return decoded(stored)

    def _folded(self, state: State, happened: Sequence[AnyEvent]) -> State:
        return fold(state, happened)

    async def _load(self, game_id: str) -> LiveGame:
        found = await read_facts(self._pool, game_id)
        if found is None:
            raise GameUnknown
        facts, master = found
        begun = time.monotonic()
        stored = await self._store.read_excerpt(game_id)
        if not stored:
            raise GameUnknown
        state, links = folded(stored)
        live = LiveGame(facts, chance_of(facts, state.table, master), state, stored[-1].hash)
        live.tail.extend(unbroken(links))
        live.read_at = begun
        return self._live.keep(live)

    async def state_at(self, live: LiveGame, version: int) -> State:
        """The game as it was after an event."""
        for state in (live.state, live.past):
            if state is not None and state.version == version:
                return state
        return (await self.moment(live, version))[1]

    async def moment(self, live: LiveGame, version: int) -> tuple[AnyEvent, State]:
        """An event with its hashes, and the game as it was after it; `version` is one that the game has reached.

        It costs a hand at most, and less where it comes soon after the moment that was asked for before.
        """
        if live.state.version == version and live.tail:
            return live.tail[-1].event, live.state
        past = live.past
        if past is not None and 0 < version - past.version <= STEPS_MAX:
            stored = await self._store.read(live.id, past.version, version - past.version)
            happened = decoded(stored)
            state, links = fold(past, happened), linked(stored, happened)
        else:
            state, links = folded(await self._store.read_excerpt(live.id, version))
        live.past = state
        return links[-1].event, state

    async def stored(self, live: LiveGame, last: int | None = None) -> list[StoredEvent]:
        """Every event of the game as it is stored, or those up to `last`."""
        found: list[StoredEvent] = []
        last = live.state.version if last is None else last
        while len(found) < last:
            page = await self._store.read(live.id, len(found), min(PAGE_EVENTS, last - len(found)))
            if not page:
                break
            found += page
        return found

    # --- moving on ---

    async def create(
        self, facts: GameFacts, chance: Chance, command: Command, happened: list[AnyEvent], after: State
    ) -> Done:
        """Begin a game's stream with these events, `created` first. Raises `KeyConflict`."""
        live = LiveGame(facts, chance, msgspec.structs.replace(after, version=0), first_prev(facts.id))
        done = await self._append(live, None, command, happened, after, time.time())
        if done is None:
            raise GameContended
        return done

    async def perform(self, live: LiveGame, command: Command, *, behind: bool = False) -> Done:
        """Do a command; `behind` those that have to be decided anew already, so that a bot never outruns a person.

        Raises `StaleVersion`, `MoveRefused`, `KeyConflict`, `GameContended`, and what the command denies.
        """
        if not behind:
            done = await self._attempt(live, command)
            if done is not None:
                return done
        async with live.lock:
            for number in range(TRIES_MAX):
                if number or not behind:
                    await self.refresh(live)
                done = await self._attempt(live, command)
                if done is not None:
                    return done
        raise GameContended

    async def _attempt(self, live: LiveGame, command: Command) -> Done | None:
        """One decision; None where the game has moved on meanwhile and it must be taken anew."""
        state, facts = live.state, live.facts
        if command.prepare is not None:
            await command.prepare(state)
            if live.state is not state:
                return None
        if command.expected is not None and command.expected != state.version:
            return await self._settle(live, state, command, command.outdated(state))
        # The events get the time at which their decision is begun: what it fixes for later lies behind it.
        now = time.time()
        try:
            decided = command.decide(state)
        except (Denied, LobbyRefused) as trouble:
            return await self._settle(live, state, command, trouble)
        if isinstance(decided, Refusal):
            return await self._settle(live, state, command, MoveRefused(decided))
        happened, after = decided
        if live.facts.tournament is not None and depends_on_the_clock(state, after):
            await self._look_at_the_clock(live)
            if live.facts is not facts or live.state is not state:
                return None
        return await self._append(live, state, command, happened, after, now)

    async def _look_at_the_clock(self, live: LiveGame) -> None:
        """See until when hands may begin in a game of a tournament: a director may have moved it."""
        moment = await read_no_new_hand_at(self._pool, live.id)
        if moment != live.facts.no_new_hand_at:
            live.facts = msgspec.structs.replace(live.facts, no_new_hand_at=moment)

    async def _settle(self, live: LiveGame, state: State, command: Command, trouble: Exception) -> Done | None:
        """A command cannot be done on this state: it may have been done before, or the state may be old."""
        if command.key is not None:
            done = await self._done_before(live, command, command.key)
            if done is not None:
                return done
        if await self.refresh(live) or live.state is not state:
            return None
        raise trouble

    async def _done_before(self, live: LiveGame, command: Command, key: str) -> Done | None:
        versions = await self._versions_of(live, key, command.digest, command.actor)
        if versions is None:
            return None
        first, last = versions
        return Done(first, await self.state_at(live, last), replayed=True)

    async def _append(
        self, live: LiveGame, before: State | None, command: Command, happened: list[AnyEvent], after: State, now: float
    ) -> Done | None:
        prev = live.hash
        links, new = stamp(prev, happened, now)
        touch, writes = side_writes(before, after, happened, now, self._patience)
        version = 0 if before is None else before.version
        append = Append(
            stream=live.id,
            expected_version=version,
            prev_hash=prev,
            events=new,
            actor=command.actor,
            command_key=command.key,
            command_digest=command.digest,
            touch=touch,
            writes=(*command.writes, *writes) if command.writes else writes,
        )
        try:
            outcome = await self._store.append(append)
        except HeadMismatch:
            # What is in memory is not what is stored: it is thrown away, and the next request reads it anew.
            log.error("game_memory_wrong", game=live.id, version=version)
            self._live.forget(live.id)
            raise GameContended from None
        if isinstance(outcome, Appended):
            live.advance(links, after, new[-1].hash)
            if before is None:
                self._live.keep(live)
            self._tell(live, happened)
            return Done(outcome.first_version, after)
        match outcome:
            case Replayed(first_version=first, last_version=last):
                if before is not None:
                    # This very command may have been stored with its answer lost: then nobody was told of it.
                    await self.refresh(live)
                    self._tell(live, live.recent(before.version) or ())
                return Done(first, await self.state_at(live, last), replayed=True)
            case IdempotencyConflict():
                raise KeyConflict
            case VersionConflict():
                return None
