"""The values that ratings are made of. Numbers are decimals, rounded to so many places after every change.

The next change begins with what was rounded, so the numbers made anew from the results are the same to the last place.
"""

from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Final, Literal

from msgspec import Struct

DECIMALS: Final = 9
"""Places that are kept of what is reckoned in binary floating point: far coarser than what processors differ by."""

EXACT_DECIMALS: Final = 12
"""Places that are kept of what is reckoned in decimals."""

PROVISIONAL_RESULTS: Final = 20
"""A rating of fewer results than this is provisional."""

NO_COMPANY: Final = ""
MANY: Final = "*"
"""The company of a person who had different partners."""

SUBJECT_JOINT: Final = "."
"""Between the players of a partnership, in the name of its subject."""

Kind = Literal["person", "partnership"]
Partnership = tuple[str, ...]
Side = tuple[Partnership, ...]
"""The partnerships of a side: one at a single table, one for each table that a team sits at."""


class Rating(Struct, frozen=True):
    """`estimate` and `deviation` are mu and sigma of Plackett-Luce, rating and deviation of Glicko-2, which has a
    `volatility` too."""

    estimate: Decimal
    deviation: Decimal
    volatility: Decimal | None = None


class Result(Struct, frozen=True, kw_only=True):
    """What counts of a game or match: sides and their ranks, 1 the best, equal ones a tie. `model` says by what.

    `partnerships` says whether partners chose each other: then they are rated together too.
    """

    sides: tuple[Side, ...]
    ranks: tuple[int, ...]
    model: str
    partnerships: bool = True


class Standing(Struct, frozen=True):
    """A subject after its last result: the rating, how many results it has, and the partners of all of them."""

    rating: Rating
    results: int
    company: str


class Change(Struct, frozen=True, kw_only=True):
    """What one result does to one subject."""

    subject: str
    kind: Kind
    players: Partnership
    rank: int
    before: Rating
    after: Standing


class ResultInvalid(ValueError):
    """Not a result that can be rated; the message says what it lacks."""


def rounded(value: Decimal | float, places: int = DECIMALS) -> Decimal:
    """A number as it is kept."""
    return Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)


def subject_of(players: Iterable[str]) -> str:
    """The subject's name: the player's id, or those of the partners in their order."""
    return SUBJECT_JOINT.join(sorted(players))


def company_of(partners: Partnership, player: str) -> str:
    """Who a player sat together with."""
    return subject_of(other for other in partners if other != player)
