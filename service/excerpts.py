"""Stored events as links of their chain, and the state that an excerpt of a game's events gives."""

from collections.abc import Sequence

from domain.events import AnyEvent
from domain.evolve import replay
from domain.state import State
from service.decoding import decoded, first_decoded
from service.live_stream import Link, linked
from service.store.base import StoredEvent


def folded(stored: Sequence[StoredEvent]) -> tuple[State, list[Link[AnyEvent]]]:
    """The state that an excerpt gives (`domain.excerpts`), and its events. Raises `GameNewer`, `StoreError`."""
    happened = [first_decoded(stored[0]), *decoded(stored[1:])]
    return replay(happened), linked(stored, happened)


def unbroken(links: Sequence[Link[AnyEvent]]) -> Sequence[Link[AnyEvent]]:
    """The links at the end that follow one another without a gap."""
    last = links[-1].n
    number = next((number for number, link in enumerate(reversed(links)) if link.n != last - number), len(links))
    return links[-number:]
