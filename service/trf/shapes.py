"""What a tournament report file says, once it is known to make sense."""

import re
from typing import Final, Literal

from msgspec import Struct

from domain.pairing.shapes import Compass
from domain.standings.lines import CHESS_POINTS, MATCH_POINTS

Code = Literal["1", "0", "=", "W", "D", "L", "+", "-", "U", "F", "H", "Z"]
"""What came of a round, in the letters of the file."""

WON: Final = frozenset("1W+")
DRAWN: Final = frozenset("=D")
PLAYED: Final = frozenset("10=WDL")
FORFEITED: Final = frozenset("+-")
BYES: Final = frozenset("UFHZ")
_BY_GAMES: Final = re.compile("(?<!_MP)_GP(_|$)")
"""In the types of team tournaments (record 192), those whose first score are the game points."""


class Fault(Struct, frozen=True):
    """One thing that is wrong: the line from 1 (0: the file as a whole), a code, and what is needed there."""

    line: int
    code: str
    message: str


class TrfInvalid(Exception):
    """A file that cannot be used; `faults` has what is wrong with it, the first ones of many."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(f"line {each.line}: {each.message}" for each in faults))
        self.faults = faults


class Past(Struct, frozen=True):
    """A round of somebody: what came of it, against whom (None: nobody), on which side (White is North-South).

    games   what the boards of a team add up to, in hundredths; 0 for a player
    """

    code: Code
    opponent: int | None = None
    side: Compass | None = None
    games: int = 0


class Competitor(Struct, frozen=True, kw_only=True):
    """A player, or in a file of teams a team.

    points   what the file says in all, in hundredths (of a team its match points); None where it says nothing
    games    the game points that the file says of a team; None where it says nothing
    rounds   by round from 1; None where the file says nothing of it
    """

    line: int
    number: int
    name: str
    rating: int
    points: int | None
    rank: int | None
    rounds: tuple[Past | None, ...]
    games: int | None = None

    def past(self, number: int) -> Past | None:
        """A round, counted from 1."""
        return self.rounds[number - 1] if number <= len(self.rounds) else None


class Worth(Struct, frozen=True, kw_only=True):
    """What results are worth, in hundredths."""

    win: int = CHESS_POINTS.win
    draw: int = CHESS_POINTS.draw
    loss: int = CHESS_POINTS.loss
    bye: int | None = None
    """The bye that the pairing gives; a win where the file does not say it, for matches of teams a draw."""


MATCHES: Final = Worth(win=MATCH_POINTS.win, draw=MATCH_POINTS.draw, loss=MATCH_POINTS.loss)
"""What matches of teams are worth where the file does not say it."""


class Barred(Struct, frozen=True):
    """A couple that may not meet in the rounds `first` to `last`."""

    first: int
    last: int
    couple: tuple[int, int]


class Virtual(Struct, frozen=True):
    """Points in hundredths that count for some numbers while the rounds `first` to `last` are paired."""

    first: int
    last: int
    numbers: tuple[int, ...]
    points: int


class Trf(Struct, frozen=True, kw_only=True):
    """A file. Competitors are in the order of their numbers.

    rounds     how many are scheduled; None where it does not say so
    paired     the last round in which somebody had an opponent
    worth      what games are worth
    matches    what matches of teams are worth
    team_size  how many boards a match of teams has
    absent     who does not play in the next round
    forbidden  couples that may not meet
    barred     couples that may not meet in some rounds
    virtual    by whom the tournament is accelerated
    kind       what records 092 and 192 say in words, upper case; empty where they say nothing
    by_rank    whether the pairing goes by the ranks of the file, not by the numbers
    top        the side of the first number in round 1; None where nothing tells it
    code       the type of tournament by record 192, upper case
    """

    name: str
    competitors: tuple[Competitor, ...]
    rounds: int | None
    paired: int
    worth: Worth
    absent: frozenset[int]
    forbidden: tuple[tuple[int, int], ...]
    top: Compass | None
    round_robin: bool
    teams: bool
    code: str
    tie_breaks: tuple[str, ...]
    accelerated: bool
    barred: tuple[Barred, ...] = ()
    virtual: tuple[Virtual, ...] = ()
    by_rank: bool = False
    kind: str = ""
    matches: Worth = MATCHES
    team_size: int = 0

    @property
    def by_games(self) -> bool:
        """Whether teams are paired and ranked by game points first (C.04.6, 1.2)."""
        return self.teams and _BY_GAMES.search(self.code) is not None

    @property
    def ordered(self) -> list[Competitor]:
        """The competitors in the order in which they are paired."""
        if self.by_rank:
            return sorted(self.competitors, key=lambda each: each.rank or 0)
        return [*self.competitors]

    def forbidden_in(self, number: int) -> list[tuple[int, int]]:
        """The couples that may not meet in a round."""
        return [*self.forbidden, *(each.couple for each in self.barred if each.first <= number <= each.last)]
