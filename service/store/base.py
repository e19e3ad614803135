"""The contract of the event store; `tests/contracts/event_store.py` says it in tests."""

from typing import Final, Protocol

from msgspec import Struct

from service.store.append import Append

VERSION_MAX: Final = 2**31 - 1
"""The highest version that a stream may come to, as the database holds it."""


class StoredEvent(Struct, frozen=True, gc=False):
    """One event as stored: `body` is byte for byte what was appended; hashes are lower-case hex.

    `schema` is that of the body (`domain.upcasting.decode_stored`).
    """

    stream: str
    version: int
    type: str
    body: bytes
    prev_hash: str
    hash: str
    schema: int


class Head(Struct, frozen=True, gc=False):
    """Where a stream ends: 0 and `domain.chain.first_prev` of its id while it is empty."""

    version: int
    hash: str


class Appended(Struct, frozen=True, gc=False):
    """Stored durably by this call, from the first to the last version."""

    first_version: int
    last_version: int


class Replayed(Struct, frozen=True, gc=False):
    """Stored already, by an earlier call with the same key and digest, or by this one before its answer was lost."""

    first_version: int
    last_version: int
    answer: bytes | None


class VersionConflict(Struct, frozen=True, gc=False):
    """Nothing stored: the stream is at `current`, not at the expected version."""

    current: int


class IdempotencyConflict(Struct, frozen=True, gc=False):
    """Nothing stored: the key was used for another request, which stored these versions."""

    first_version: int
    last_version: int


Outcome = Appended | Replayed | VersionConflict | IdempotencyConflict


class FeedPage(Struct, frozen=True):
    """Events of all streams. `cursor` goes into the next call, also when the page is empty (the end, for now)."""

    events: list[StoredEvent]
    cursor: str


class EventStore(Protocol):
    """Append-only streams of events. All calls raise `StoreUnavailable` when the database is gone."""

    async def append(self, append: Append) -> Outcome:
        """Store the events if the stream is at the expected version and the key is new. Durable once it returns.

        The key is looked up first, so a repeated command gets its first answer whatever the version is by now.
        A caller that is cancelled takes nothing back. Raises `AppendInvalid`, `HeadMismatch`, `StoreBusy`.
        """
        ...

    async def read(self, stream: str, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        """The events with versions above `after`, in order; empty for a stream that does not exist."""
        ...

    async def read_excerpt(self, stream: str, last: int | None = None) -> list[StoredEvent]:
        """Of the events up to the version `last` (None: all) those that `domain.excerpts` picks, in order."""
        ...

    async def head(self, stream: str) -> Head: ...

    async def read_feed(self, cursor: str | None = None, limit: int = 500) -> FeedPage:
        """The next events of all streams after the cursor (None: from the start).

        Every event comes exactly once, those of one stream in order; across streams the order is that of commits
        inside a shard and open between shards. Raises `CursorInvalid`, `CursorOutdated`.
        """
        ...

    async def claim(self, scope: str, actor: str, key: str, digest: str, value: bytes) -> bytes:
        """Bind a value (such as a new id) to a command key for good: the value of the first call with this key.

        For commands that have no stream yet: claim the id, then append under it with the same key. Raises
        `KeyReused` if the key was claimed with another digest, `ActorErased` if the actor is a person who was erased.
        """
        ...

    async def close(self) -> None:
        """Finish the appends that are waiting, then let go of the database."""
        ...
