"""The event store in memory: for tests, simulations and measuring. Side writes go nowhere."""

from zlib import crc32

from msgspec import Struct

from domain.chain import first_prev
from domain.excerpts import excerpt
from domain.upcasting import SCHEMA
from service.store.append import Append, check
from service.store.base import (
    Appended,
    FeedPage,
    Head,
    IdempotencyConflict,
    Outcome,
    Replayed,
    StoredEvent,
    VersionConflict,
)
from service.store.cursor import FeedCursor, read_cursor
from service.store.errors import CursorOutdated, HeadMismatch, KeyReused

EPOCH = "memory"


class _Command(Struct, frozen=True):
    digest: str | None
    first_version: int
    last_version: int
    answer: bytes | None


class MemoryStore:
    """Fulfils `EventStore` inside one process."""

    def __init__(self, shards: int = 16) -> None:
        self._streams: dict[str, list[StoredEvent]] = {}
        self._commands: dict[tuple[str, str, str], _Command] = {}
        self._claims: dict[tuple[str, str, str], tuple[str, bytes]] = {}
        self._feed: list[list[StoredEvent]] = [[] for _ in range(shards)]

    async def append(self, append: Append) -> Outcome:
        check(append)
        command = None
        if append.command_key is not None:
            key = (append.stream, append.actor, append.command_key)
            command = self._commands.get(key)
            if command is not None and command.digest != append.command_digest:
                return IdempotencyConflict(command.first_version, command.last_version)
            if command is not None:
                return Replayed(command.first_version, command.last_version, command.answer)
        events = self._streams.get(append.stream, [])
        if len(events) >= append.last_version and events[append.last_version - 1].hash == append.events[-1].hash:
            return Replayed(append.expected_version + 1, append.last_version, append.answer)
        if len(events) != append.expected_version:
            return VersionConflict(len(events))
        if append.prev_hash != (events[-1].hash if events else first_prev(append.stream)):
            raise HeadMismatch(append.stream, append.expected_version)
        self._store(append)
        return Appended(append.expected_version + 1, append.last_version)

    def _store(self, append: Append) -> None:
        stored = []
        prev = append.prev_hash
        for version, event in enumerate(append.events, append.expected_version + 1):
            stored.append(StoredEvent(append.stream, version, event.type, event.body, prev, event.hash, SCHEMA))
            prev = event.hash
        self._streams.setdefault(append.stream, []).extend(stored)
        self._feed[crc32(append.stream.encode()) % len(self._feed)].extend(stored)
        if append.command_key is not None:
            self._commands[append.stream, append.actor, append.command_key] = _Command(
                append.command_digest, append.expected_version + 1, append.last_version, append.answer
            )

    async def read(self, stream: str, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        return self._streams.get(stream, [])[after : after + limit]

    async def read_excerpt(self, stream: str, last: int | None = None) -> list[StoredEvent]:
        events = self._streams.get(stream, [])[:last]
        return [events[place] for place in excerpt([event.type for event in events])]

    async def head(self, stream: str) -> Head:
        events = self._streams.get(stream)
        return Head(len(events), events[-1].hash) if events else Head(0, first_prev(stream))

    async def read_feed(self, cursor: str | None = None, limit: int = 500) -> FeedPage:
        place = FeedCursor(EPOCH, [0] * len(self._feed)) if cursor is None else read_cursor(cursor)
        if place.epoch != EPOCH or len(place.positions) != len(self._feed):
            raise CursorOutdated("The cursor is from another life of this store.")
        positions = list(place.positions)
        if any(position > len(shard) for position, shard in zip(positions, self._feed, strict=True)):
            raise CursorOutdated("The cursor is from another life of this store.")
        ahead = [
            (nth, number, event)
            for number, shard in enumerate(self._feed)
            for nth, event in enumerate(shard[positions[number] : positions[number] + limit])
        ]
        page = sorted(ahead, key=lambda entry: entry[:2])[:limit]
        for _, number, _ in page:
            positions[number] += 1
        return FeedPage([event for _, _, event in page], FeedCursor(EPOCH, positions).text())

    async def claim(self, scope: str, actor: str, key: str, digest: str, value: bytes) -> bytes:
        first_digest, first = self._claims.setdefault((scope, actor, key), (digest, value))
        if first_digest != digest:
            raise KeyReused(f"The key {key!r} was used for another request.")
        return first

    async def close(self) -> None:
        """Nothing to let go of."""
