"""The streams that one worker has in memory: found, brought up to date, and told of; games and tournaments alike."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from domain.events import Event
from domain.tournaments.event import TournamentEvent
from service.commands import KeyConflict
from service.live_stream import LiveStream, Versioned, linked
from service.store.base import EventStore, StoredEvent
from service.store.database import Pool, reached
from service.store.errors import StoreBusy

PAGE_EVENTS: Final = 1000

LOADS_AT_ONCE: Final = 4
"""Streams of one kind that are loaded at a time: whoever finds hundreds of them cold leaves connections to others."""

LOADS_MAX: Final = 1024
"""Streams of one kind that are being loaded or wait for it, at most."""

_COMMAND: Final = """
select version, encode(command_digest, 'hex') as digest, command_last from event
where stream = $1 and command_key = $2 and actor = $3
"""

_VERSION_BEFORE: Final = """
select version from event where stream = $1 and at <= $2 order by version desc limit 1
"""

E = TypeVar("E", bound=Event | TournamentEvent)
S = TypeVar("S", bound=Versioned)
L = TypeVar("L", bound=LiveStream[Any, Any])

Ring = Callable[[str, int], None]
"""Tells the other workers that a stream is at a version; never waits."""


class Bounded(Generic[L]):
    """A bounded number of streams, the one longest unused leaves first."""

    def __init__(self, most: int) -> None:
        self._streams: OrderedDict[str, L] = OrderedDict()
        self._most = most

    def __len__(self) -> int:
        return len(self._streams)

    def get(self, stream: str) -> L | None:
        live = self._streams.get(stream)
        if live is not None:
            self._streams.move_to_end(stream)
        return live

    def keep(self, live: L) -> L:
        """Keep one that was loaded; if it came in meanwhile, the one that is there."""
        held = self._streams.get(live.id)
        if held is not None and held.state.version >= live.state.version:
            return held
        self._streams[live.id] = live
        if len(self._streams) > self._most:
            self._streams.popitem(last=False)
        return live

    def forget(self, stream: str) -> None:
        self._streams.pop(stream, None)


class HeldStreams(ABC, Generic[L, S, E]):
    """Streams of one kind. Everything may raise `StoreUnavailable`, `StoreBusy` and `GameNewer`."""

    def __init__(self, store: EventStore, pool: Pool, ring: Ring, most: int) -> None:
        self._store = store
        self._pool = pool
        self.ring = ring
        self._live: Bounded[L] = Bounded(most)
        self._loading: dict[str, asyncio.Task[L]] = {}
        self._places = asyncio.Semaphore(LOADS_AT_ONCE)
        self.appended: list[Callable[[L, Sequence[E]], None]] = []
        """Told when this worker has moved a stream on, and by which events."""

    def __len__(self) -> int:
        return len(self._live)

    @abstractmethod
    def _check_id(self, stream: str) -> None:
        """Raises where no stream of this kind could have this id."""

    @abstractmethod
    async def _load(self, stream: str) -> L:
        """The stream from the store, kept. Raises where there is none."""

    @abstractmethod
    def _decoded(self, stored: Sequence[StoredEvent]) -> list[E]:
        """The events behind stored ones."""

    @abstractmethod
    def _folded(self, state: S, happened: Sequence[E]) -> S:
        """The state after some events more."""

    async def find(self, stream: str) -> L:
        """The stream, as it was a moment ago at least. Raises what is raised for one that is unknown."""
        live = self._live.get(stream)
        if live is not None:
            return live
        self._check_id(stream)
        task = self._loading.get(stream)
        if task is None:
            if len(self._loading) >= LOADS_MAX:
                raise StoreBusy(LOADS_MAX)
            task = asyncio.create_task(self._load_in_turn(stream))
            self._loading[stream] = task
            task.add_done_callback(lambda _: self._loading.pop(stream, None))
        return await asyncio.shield(task)

    async def _load_in_turn(self, stream: str) -> L:
        async with self._places:
            return await self._load(stream)

    async def fresh(self, stream: str) -> L:
        """The stream as it is now, with everything that any worker has acknowledged. Raises as `find` does."""
        live = self._live.get(stream)
        if live is None:
            return await self.find(stream)
        await self.read_since(live, time.monotonic())
        await self._look_beside(live)
        return live

    async def _look_beside(self, live: L) -> None:
        """Read anew what stands in no event of a stream that was in memory: nothing, unless its kind has such."""

    async def read_since(self, live: L, moment: float) -> None:
        """See that it was read at this moment of the monotonic clock or later; several who ask read once."""
        if live.read_at >= moment:
            return
        async with live.reading:
            if live.read_at < moment:
                await self.refresh(live)

    async def read_up_to(self, live: L, version: int) -> None:
        """See that it is known up to a version that was heard of."""
        if live.state.version >= version:
            return
        async with live.reading:
            if live.state.version < version:
                await self.refresh(live)

    async def refresh(self, live: L) -> bool:
        """Read what others appended; whether there was anything."""
        moved = False
        while True:
            begun = time.monotonic()
            held = live.state
            stored = await self._store.read(live.id, held.version, PAGE_EVENTS)
            if stored:
                happened = self._decoded(stored)
                links = linked(stored, happened)
                moved |= live.advance(links, self._folded(held, happened), stored[-1].hash)
            if len(stored) < PAGE_EVENTS:
                live.read_at = max(live.read_at, begun)
                return moved

    async def events(self, live: L, after: int, last: int) -> AsyncIterator[E]:
        """The events above `after` up to `last`, in order, with their hashes."""
        while after < last:
            stored = await self._store.read(live.id, after, min(PAGE_EVENTS, last - after))
            if not stored:
                return
            for link in linked(stored, self._decoded(stored)):
                yield link.event
            after = stored[-1].version

    async def version_before(self, live: L, at: datetime, least: int) -> int:
        """The last version that had been stored at a time, `least` where it was none."""
        with reached():
            version: int | None = await self._pool.fetchval(_VERSION_BEFORE, live.id, at)
        return max(least, version or 0)

    async def _versions_of(self, live: L, key: str, digest: str | None, actor: str) -> tuple[int, int] | None:
        """The first and the last version of a command that was done before. Raises `KeyConflict`."""
        with reached():
            row = await self._pool.fetchrow(_COMMAND, live.id, key, actor)
        if row is None:
            return None
        if row["digest"] != digest:
            raise KeyConflict
        return row["version"], row["command_last"]

    def _tell(self, live: L, happened: Sequence[E]) -> None:
        """Ring for the stream as it is now, and tell this worker's listeners what has happened in it."""
        self.ring(live.id, live.state.version)
        for listener in self.appended:
            listener(live, happened)
