"""Games as one worker has them in memory: disposable copies of what the event store holds."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.chance import Chance
from domain.events import AnyEvent
from domain.state import State
from service.seals import Withholding

TAIL_EVENTS_MAX: Final = 64
"""How many of a game's last events are kept decoded, for the live streams."""


class GameFacts(Struct, frozen=True):
    """What is settled about a game when it is made and stands in no event; only its seal may end earlier than that."""

    id: str
    share_code: str
    visibility: str
    created_by: str
    created_at: datetime
    practice: bool
    ruleset: str
    sealed_until: datetime | None = None
    beacon: str | None = None
    """The chain whose next round the table fixes when it is closed."""


class Link:
    """An event in its place in the chain: told with the hashes around it, so that players can keep the head."""

    __slots__ = ("_event", "_hash", "_prev", "n")

    def __init__(self, event: AnyEvent, prev: str, head: str) -> None:
        self.n = event.n
        self._event = event
        self._prev = prev
        self._hash = head

    @property
    def event(self) -> AnyEvent:
        """The event with `prev` and `hash`; made when first asked for, since most events are never told from here."""
        if self._event.hash is UNSET:
            self._event = replace(self._event, prev=self._prev, hash=self._hash)
        return self._event


class LiveGame:
    """A game at its last known version.

    state, hash   those after event `state.version`; both change together, and only forwards
    tail          the last events known
    whole_chance  where its decks come from, with what is revealed of them in the end, seal or no seal
    past          an earlier state that was asked for
    read_at       the moment of the monotonic clock up to which nothing stored is unknown
    reading       held by who brings the game up to date
    lock          held by those who decide again after somebody else was quicker
    """

    __slots__ = ("facts", "hash", "lock", "past", "read_at", "reading", "state", "tail", "whole_chance")

    def __init__(self, facts: GameFacts, chance: Chance, state: State, head: str) -> None:
        self.facts = facts
        self.whole_chance = chance
        self.state = state
        self.hash = head
        self.tail: deque[Link] = deque(maxlen=TAIL_EVENTS_MAX)
        self.lock = asyncio.Lock()
        self.past: State | None = None
        self.reading = asyncio.Lock()
        self.read_at = 0.0

    @property
    def sealed(self) -> bool:
        """Whether anything beyond the status is for the game's own seats only, as far as is known here."""
        until = self.facts.sealed_until
        return until is not None and not self.state.table.revealed and time.time() < until.timestamp()

    @property
    def chance(self) -> Chance:
        """Where the decks come from, and what is revealed with the end of the game: nothing while it is sealed."""
        return Withholding(self.whole_chance) if self.sealed else self.whole_chance

    def advance(self, links: Sequence[Link], state: State, head: str) -> bool:
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

    def recent(self, after: int) -> Sequence[AnyEvent] | None:
        """The events above a version, if all of them are still at hand."""
        if after >= self.state.version:
            return ()
        if not self.tail or self.tail[0].n > after + 1:
            return None
        return [link.event for link in self.tail if link.n > after]


class LiveGames:
    """A bounded number of games, the one longest unused leaves first."""

    def __init__(self, games_max: int) -> None:
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._games_max = games_max

    def __len__(self) -> int:
        return len(self._games)

    def get(self, game_id: str) -> LiveGame | None:
        live = self._games.get(game_id)
        if live is not None:
            self._games.move_to_end(game_id)
        return live

    def keep(self, live: LiveGame) -> LiveGame:
        """Keep a game that was loaded; if it came in meanwhile, the one that is there."""
        held = self._games.get(live.facts.id)
        if held is not None and held.state.version >= live.state.version:
            return held
        self._games[live.facts.id] = live
        if len(self._games) > self._games_max:
            self._games.popitem(last=False)
        return live

    def forget(self, game_id: str) -> None:
        self._games.pop(game_id, None)
