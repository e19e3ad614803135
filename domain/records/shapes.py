"""The lines of a record that are no events: the header before them and the trailer after them (formats, part 7)."""

from typing import Final, Literal

from msgspec import Struct

from domain.rulesets import RuleSet

VERSION: Final = "meldhouse/1"
"""The version of the format, which a header names under `record`."""


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
