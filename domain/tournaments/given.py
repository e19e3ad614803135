"""What the service has looked up for a decision: the deciders themselves know only the tournament."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from domain.tournaments.event import Text
from domain.tournaments.seating import GameResult

Draw = Callable[[str], str]
"""A seed (hex) for a purpose, which follows from the tournament's master: asked twice it is the same."""


class Person(Struct, frozen=True, kw_only=True):
    """What entry conditions look at. `rating` (hundredths) and `rated_games` are those in the tournament's pool."""

    rating: int | None = None
    rated_games: int = 0
    account_days: int = 0


class Given(Struct, frozen=True, kw_only=True):
    """What an act needs besides itself.

    text     where the act's text is kept
    persons  by player, those who are entered or named by the act
    game     for an adjudication: the open game as it lies, its hands with the unfinished one last, reason `position`
    """

    text: Text | None = None
    persons: Mapping[str, Person] = {}
    game: GameResult | None = None


NOTHING: Final = Given()
"""An act that needs nothing besides itself."""
