"""What a pairing is made from and what it says: contenders, a field with its bars, pairs, relaxations, dead ends."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Literal

from msgspec import Struct

Compass = Literal["NS", "EW"]
SIDES: Final[tuple[Compass, Compass]] = ("NS", "EW")
RelaxationKind = Literal["avoided", "forbidden", "old_rematch", "rematch", "second_bye"]
Couple = tuple[str, str]
Sides = tuple[tuple[str, ...], ...]
"""The entrants of each side of a table, the first side North-South."""

RELAXATIONS: Final[tuple[RelaxationKind, ...]] = ("avoided", "forbidden", "old_rematch", "rematch")
"""The order in which bars give way: pairs of one club or household, forbidden pairs, old rematches, any rematch."""

NOT_MET: Final[Mapping[Couple, int]] = MappingProxyType({})


class Engine(Struct, frozen=True):
    """What has paired, so that a stored pairing can be understood later."""

    name: str
    version: str


class Contender(Struct, frozen=True):
    """An active entrant: score in hundredths, rounds sat N-S, side in the last round, byes and forfeit wins had.

    A lower seed is better; seeds and entrants are unique within a field.
    """

    entrant: str
    seed: int
    score: int = 0
    ns: int = 0
    last: Compass | None = None
    byes: int = 0


class Field(Struct, frozen=True):
    """All that are to be paired in a round, and what bars them from each other.

    `met` gives for a couple, in either order, the last round in which they met; `round` is the one to be paired.
    `relaxations` is the declared order in which bars give way; a kind that is not in it never does.
    A rematch is old where more than `recent` rounds have been since.
    """

    contenders: tuple[Contender, ...]
    round: int
    met: Mapping[Couple, int] = NOT_MET
    forbidden: tuple[Couple, ...] = ()
    avoided: tuple[Couple, ...] = ()
    relaxations: tuple[RelaxationKind, ...] = RELAXATIONS
    recent: int = 1


class Pair(Struct, frozen=True):
    """Two entrants at a table: who sits North-South and who East-West."""

    ns: str
    ew: str


class Relaxation(Struct, frozen=True):
    """A bar that gave way: for which two entrants, or for which one that has a further bye."""

    kind: RelaxationKind
    entrants: tuple[str, ...]


class Pairing(Struct, frozen=True):
    """The pairs of a round in the order of their tables, the byes, and how they came about.

    `cost` is that of the pairs that the engine chose, relaxed ones not counted more; its unit is the engine's.
    """

    engine: Engine
    pairs: tuple[Pair, ...]
    byes: tuple[str, ...]
    relaxations: tuple[Relaxation, ...]
    cost: int
    explanation: tuple[str, ...]


class NoPairingCode(StrEnum):
    """Why there is no pairing; the params of each stand behind it."""

    TOO_FEW = "too_few"  # entrants, needed: fewer contenders than a round or a movement needs
    TOO_MANY = "too_many"  # entrants, most
    FIELD_INVALID = "field_invalid"  # needed: contenders, couples or terms contradict each other
    DEAD_END = "dead_end"  # outer, inner: `outer` may only be paired among themselves and with `inner`, and one is left
    NO_BYE = "no_bye"  # no params: whoever may have the bye, the others cannot all be paired
    ROUNDS_IMPOSSIBLE = "rounds_impossible"  # rounds, most
    ENGINE_FAILED = "engine_failed"  # engine, problem: the library gave up
    ENGINE_UNSOUND = "engine_unsound"  # engine, problem: what the library answered breaks the rules


class NoPairing(Exception):
    """There is no pairing, and why: a code, the entrants concerned, params and a sentence."""

    def __init__(self, code: NoPairingCode, message: str, entrants: tuple[str, ...] = (), **params: Any) -> None:
        super().__init__(message)
        self.code = code
        self.entrants = entrants
        self.params = params


def couple(one: str, other: str) -> Couple:
    """Two entrants as one key, whoever is named first."""
    return (one, other) if one <= other else (other, one)
