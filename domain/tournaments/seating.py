"""Who sits where: matches, their tables, and the results of the games played there."""

from typing import Literal

from msgspec import Struct

Bye = Literal["bye", "half_bye", "zero_bye"]
"""Nobody was left to play against; the entrant asked not to play; the entrant was not there."""


class TableSeats(Struct, frozen=True, forbid_unknown_fields=True):
    """One table of a match. `entrants` and `players` are by seat."""

    table: int
    entrants: tuple[str, ...]
    players: tuple[str, ...]


class MatchPaired(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A match as it was paired. Ids are unique in the tournament: `r3m12` is the 12th of round 3.

    `sides` are the entrants that play together, the first side North-South. A match of teams has two tables, at the
    second of which the sides have each other's seats. `boards` are the numbers of its boards, in order of play;
    `bracket` names its place in an elimination bracket.
    """

    id: str
    sides: tuple[tuple[str, ...], ...]
    tables: tuple[TableSeats, ...]
    boards: tuple[int, ...] = ()
    bracket: str | None = None


class GameResult(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a game of a match came to.

    table, leg   which of the match: its table, and the number of the game at it, from 1
    points       by side of the MATCH: the points of all hands that count
    hands        by hand, the points by side of the match; for boards in the order of the match's boards
    reason       how the game ended; `position` for an unfinished hand that was scored as it lay, whose points are the
                 last of `hands` then; `ruling` without a game
    head         hash of the game's last event, which pins what was counted
    """

    match: str
    table: int
    leg: int
    game: str | None
    points: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    reason: str
    loser: int | None = None
    """The side that resigned or lost on time, or was ruled against."""
    head: str | None = None


class Adjustment(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a ruling puts in the place of a result, by side of the match.

    points    these points, scored like any result
    score     this score in hundredths, whatever the points
    average   `plus`, `even` or `minus` for each side: 60, 50, 40 % of the match; of single boards that are named the
              same of each, or 3 IMPs more, none or 3 less
    forfeit   sides that did not come: True for each of them
    void      the match counts for nobody
    """

    kind: Literal["points", "score", "average", "forfeit", "void"]
    points: tuple[int, ...] = ()
    score: tuple[int, ...] = ()
    average: tuple[Literal["plus", "even", "minus"], ...] = ()
    boards: tuple[int, ...] = ()
    forfeit: tuple[bool, ...] = ()
