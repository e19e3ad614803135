"""Pools: whose results are compared with each other. A pool is a family of rule sets and a number of seats.

    samba      rule sets with sequences: Samba in all its forms, Bolivia, and whatever else knows sambas
    canasta    rule sets without: Canasta and its relatives

The family is read from the rule set itself, so one of somebody's own belongs where its play belongs, whatever its name.
Bots never play in a pool: a game with a bot at its start is not rated at all.
"""

from typing import Final, Literal, get_args

from msgspec import Struct

from domain.rulesets import RuleSet

Family = Literal["samba", "canasta"]
FAMILIES: Final[tuple[Family, ...]] = get_args(Family)
SEATS: Final = range(2, 7)
HEADS_UP: Final = 2


class Pool(Struct, frozen=True):
    """A pool; its id is family and seats, such as `samba-4`."""

    family: Family
    seats: int

    @property
    def id(self) -> str:
        return f"{self.family}-{self.seats}"


POOLS: Final = {pool.id: pool for family in FAMILIES for seats in SEATS for pool in (Pool(family, seats),)}
"""All pools there can be, by id."""


def family_of(ruleset: RuleSet) -> Family:
    """The family that a rule set's play belongs to."""
    return "samba" if ruleset.sequences else "canasta"


def pool_of(ruleset: RuleSet, seats: int) -> str:
    """The id of the pool of games by this rule set with so many seats."""
    return Pool(family_of(ruleset), seats).id
