"""The lines of a record that are no events: the header before them and the trailer after them (formats, part 7)."""

from typing import Final, Literal

from msgspec import Struct

from domain.rulesets import RuleSet

VERSION: Final = "meldhouse/1"
"""The version of the format, which a header names under `record`."""

SCHEMA_OF_LINES: Final[int] = 1
"""The schema of every event in a record of this version (`domain.upcasting`).

The version says which events the lines are; a reader takes it from the header before anything else, and has a verdict
of its own (`unknown_version`) for a version that it does not know. Versions that are known stay known: once events have
a second schema, the lines of `meldhouse/1` are still checked as they stand, byte for byte and hash for hash, and then
upcast like stored events. A game that has events of the second schema cannot be told in `meldhouse/1`, since its stored
bytes are what the chain covers and are never written anew: its record will be `meldhouse/2`, whose header says from
which event on its lines are of which schema. Games with events of the first schema alone stay `meldhouse/1`.
"""


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """Who held a seat last. The name is for display; the chain does not cover it."""

    seat: int
    name: str
    kind: Literal["human", "bot"]


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """How the game ended: the winning sides (several are a draw, none an abort) and the sheet totals by side."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of a record."""

    record: str
    game: str
    ruleset: RuleSet
    players: tuple[Player, ...]
    sides: tuple[tuple[int, ...], ...]
    result: Result


class Numbered(Struct, frozen=True):
    """Of an event only its place in the stream, whatever else stands in its line."""

    n: int


class Trailer(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line of a record: how many events there are, and the hash of the last one."""

    end: Literal[True]
    events: int
    head: str
