"""What every act of a director may have, and the fields that many have: an id, a number of a round, a note."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.tournaments.event import Reason
from domain.tournaments.terms import ENTRANTS_MAX

TEXT_MAX = 2000
"""Most characters of a note or an announcement."""

NAME_MAX = 80
"""Most characters of the name of an entrant."""

ROUND_MAX = 86_400
"""Of an arena of a day that is paired every second, which has the most rounds."""


Id = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+$(?!\n)")]
Note = Annotated[str, Meta(min_length=1, max_length=TEXT_MAX, pattern=r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$(?!\n)")]
"""Of control characters only tabs and ends of lines."""
Name = Annotated[str, Meta(min_length=1, max_length=NAME_MAX, pattern=r"^[^\x00-\x1f\x7f]*$(?!\n)")]
Club = Annotated[str, Meta(min_length=1, max_length=64, pattern="^[0-9A-Za-z-]+$(?!\\n)")]
"""The code of a club or a household."""

RoundNumber = Annotated[int, Meta(ge=1, le=ROUND_MAX)]
Rating = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Ids = Annotated[tuple[Id, ...], Meta(max_length=ENTRANTS_MAX)]
BotLevel = Literal["random", "greedy", "careful", "search", "teaching"]


class DirectorsAct(Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True):
    """What every act may have."""

    reason: Reason | None = None
