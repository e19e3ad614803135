"""Games as one worker has them in memory: disposable copies of what the event store holds."""

import time
from datetime import datetime

from msgspec import Struct

from domain.chance import Chance
from domain.events import AnyEvent
from domain.state import State
from service.last_hands import TimedChance
from service.live_stream import LiveStream
from service.seals import Withholding


class GameFacts(Struct, frozen=True):
    """What is settled about a game when it is made and stands in no event; only what keeps it back may end earlier."""

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
    tournament: str | None = None
    """The tournament that the game is one of."""
    boards_closed: bool = False
    """Whether its deals are boards that are not to be revealed yet; like a seal this may end."""
    no_new_hand_at: datetime | None = None
    """From when on no further hand is dealt; a director may move it (`Games` looks it up again where it matters)."""


class LiveGame(LiveStream[State, AnyEvent]):
    """A game at its last known version.

    whole_chance  where its decks come from, with what is revealed of them in the end, kept back or not
    past          an earlier state that was asked for
    """

    __slots__ = ("facts", "past", "whole_chance")

    def __init__(self, facts: GameFacts, chance: Chance, state: State, head: str) -> None:
        super().__init__(facts.id, state, head)
        self.facts = facts
        self.whole_chance = chance
        self.past: State | None = None

    @property
    def sealed(self) -> bool:
        """Whether anything beyond the status is for the game's own seats only, as far as is known here."""
        until = self.facts.sealed_until
        return until is not None and not self.state.table.revealed and time.time() < until.timestamp()

    @property
    def boards_closed(self) -> bool:
        """Whether its deals are boards that are not to be revealed yet, as far as is known here."""
        return self.facts.boards_closed and not self.state.table.revealed

    @property
    def withheld(self) -> bool:
        """Whether something keeps its deals from being revealed, as far as is known here."""
        return self.sealed or self.boards_closed

    @property
    def chance(self) -> Chance:
        """Where the decks come from, and what is revealed with the end of the game: nothing while it is kept back."""
        last_hand_at = self.facts.no_new_hand_at
        chance = self.whole_chance if last_hand_at is None else TimedChance(self.whole_chance, last_hand_at)
        return Withholding(chance) if self.withheld else chance
