"""A stream as one worker has it in memory: a disposable copy of what the event store holds."""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final, Generic, Protocol, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from domain.events import Event
from domain.tournaments.event import TournamentEvent
from service.store.base import StoredEvent

TAIL_EVENTS_MAX: Final = 64
"""How many of a stream's last events are kept decoded, for those who follow it live."""


class Versioned(Protocol):
    """What the events of a stream add up to."""

    version: int


E = TypeVar("E", bound=Event | TournamentEvent)
S = TypeVar("S", bound=Versioned)


class Link(Generic[E]):
    """An event in its place in the chain: told with the hashes around it, so that whoever reads can keep the head."""

    __slots__ = ("_event", "_hash", "_prev", "n")

    def __init__(self, event: E, prev: str, head: str) -> None:
        self.n = event.n
        self._event = event
        self._prev = prev
        self._hash = head

    @property
    def event(self) -> E:
        """The event with `prev` and `hash`; made when first asked for, since most events are never told from here."""
        if self._event.hash is UNSET:
            self._event = replace(self._event, prev=self._prev, hash=self._hash)
        return self._event

    @property
    def stored(self) -> E:
        """The event as it is stored, without hashes: what a state is folded from."""
        return self._event if self._event.hash is UNSET else replace(self._event, prev=UNSET, hash=UNSET)


def linked(stored: Sequence[StoredEvent], happened: Sequence[E]) -> list[Link[E]]:
    """The events with their places in the chain."""
    return [Link(event, each.prev_hash, each.hash) for event, each in zip(happened, stored, strict=True)]


class LiveStream(Generic[S, E]):
    """A stream at its last known version.

    id            of the stream
    state, hash   those after event `state.version`; both change together, and only forwards
    tail          the last events known
    read_at       the moment of the monotonic clock up to which nothing stored is unknown
    reading       held by who brings the copy up to date
    lock          held by those who decide again after somebody else was quicker
    """

    __slots__ = ("hash", "id", "lock", "read_at", "reading", "state", "tail")

    def __init__(self, stream: str, state: S, head: str) -> None:
        self.id = stream
        self.state = state
        self.hash = head
        self.tail: deque[Link[E]] = deque(maxlen=TAIL_EVENTS_MAX)
        self.lock = asyncio.Lock()
        self.reading = asyncio.Lock()
        self.read_at = 0.0

    def advance(self, links: Sequence[Link[E]], state: S, head: str) -> bool:
        """Take over what was appended to the version held; False if it is not what comes next."""
        version = self.state.version
        if state.version <= version:
            return False
        if links[0].n != version + 1:
            links = [link for link in links if link.n > version]
            if not links or links[0].n != version + 1:
                return False
        self.tail.extend(links)
        self.state = state
        self.hash = head
        return True

    def recent(self, after: int) -> Sequence[E] | None:
        """The events above a version, if all of them are still at hand."""
        if after >= self.state.version:
            return ()
        if not self.tail or self.tail[0].n > after + 1:
            return None
        return [link.event for link in self.tail if link.n > after]
