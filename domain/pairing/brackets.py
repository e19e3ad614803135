"""Brackets of single and double elimination as plain data: every match with where its two sides come from."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct

from domain.pairing.movements import bounded

FEWEST: Final = 2
MOST: Final = 1024

Section = Literal["winners", "losers", "final", "third"]


class Seed(Struct, frozen=True, tag="seed"):
    """An entrant, by seed from 1."""

    number: int


class WinnerOf(Struct, frozen=True, tag="winner_of"):
    """Whoever wins a match."""

    match: str


class LoserOf(Struct, frozen=True, tag="loser_of"):
    """Whoever loses a match."""

    match: str


Source = Seed | WinnerOf | LoserOf


class BracketMatch(Struct, frozen=True):
    """A match: its id, its section and its round within it, from 1, and where its sides come from.

    `reset` marks the second final of a double elimination, played only if the first is won by its second side.
    """

    id: str
    section: Section
    round: int
    sources: tuple[Source, Source]
    reset: bool = False


class Bracket(Struct, frozen=True):
    """All matches, each after those that it depends on."""

    entrants: int
    matches: tuple[BracketMatch, ...]


def seeding(size: int) -> tuple[int, ...]:
    """The seeds of a bracket of 1, 2, 4, 8 … places from top to bottom, so that the best meet as late as can be."""
    order = [1]
    while len(order) < size:
        order = [place for seed in order for place in (seed, 2 * len(order) + 1 - seed)]
    return tuple(order)


def single_elimination(entrants: int, third_place: bool = False) -> Bracket:
    """A knock-out; the best seeds have a bye where places are left. A match for third place needs four entrants.

    Raises NoPairing: too_few, too_many.
    """
    bounded("A knock-out", entrants, 4 if third_place else FEWEST, MOST)
    building = _Building()
    rounds = building.winners(entrants)
    if third_place:
        building.play("third", 1, building.losers_of(rounds[-2]), "T")
    return Bracket(entrants, tuple(building.matches))


def double_elimination(entrants: int) -> Bracket:
    """A knock-out in which only the second loss ends it, with 2n - 2 matches and the reset of the final.

    Losers of winners' round r >= 2 enter losers' round 2r - 2 in reversed order, so that rematches come late.
    Raises NoPairing: too_few, too_many.
    """
    bounded("A double elimination", entrants, FEWEST, MOST)
    building = _Building()
    rounds = building.winners(entrants)
    alive = building.losers_of(rounds[0])
    number = 0
    for winners_round in rounds[1:]:
        number += 1
        alive = building.pair_off("losers", number, alive, "L")
        number += 1
        entering = building.losers_of(winners_round)[::-1]
        mixed = [source for couple in zip(entering, alive, strict=True) for source in couple]
        alive = building.pair_off("losers", number, mixed, "L")
    champion = building.last_of(rounds[-1])
    building.play("final", 1, [champion, alive[0]], "F")
    building.play("final", 2, [WinnerOf("F1"), LoserOf("F1")], "F", reset=True)
    return Bracket(entrants, tuple(building.matches))


class _Building:
    """A bracket under way: places may be empty, and who would meet nobody goes on without a match."""

    def __init__(self) -> None:
        self.matches: list[BracketMatch] = []

    def winners(self, entrants: int) -> list[list[str | Source | None]]:
        """The rounds of a knock-out: of each place the id of its match, or who passes through it without one."""
        size = 1 << (entrants - 1).bit_length()
        alive: list[Source | None] = [Seed(seed) if seed <= entrants else None for seed in seeding(size)]
        rounds: list[list[str | Source | None]] = []
        while len(alive) > 1:
            before = len(self.matches)
            alive = self.pair_off("winners", len(rounds) + 1, alive, "W")
            played = {match.id for match in self.matches[before:]}
            rounds.append([s.match if isinstance(s, WinnerOf) and s.match in played else s for s in alive])
        return rounds

    def pair_off(
        self, section: Section, number: int, places: Sequence[Source | None], letter: str
    ) -> list[Source | None]:
        """Let neighbours meet; who goes on from each pair of places."""
        going: list[Source | None] = []
        for one, other in _twos(places):
            if one is None or other is None:
                going.append(one if other is None else other)
            else:
                going.append(self.play(section, number, [one, other], letter))
        return going

    def play(
        self, section: Section, number: int, sides: Sequence[Source | None], letter: str, *, reset: bool = False
    ) -> WinnerOf:
        """Add a match between two sides."""
        one, other = sides
        assert one is not None
        assert other is not None
        if section == "final":
            name = f"{letter}{number}"
        elif section == "third":
            name = letter
        else:
            place = 1 + sum(match.section == section and match.round == number for match in self.matches)
            name = f"{letter}{number}-{place}"
        self.matches.append(BracketMatch(name, section, number, (one, other), reset))
        return WinnerOf(name)

    @staticmethod
    def losers_of(places: Sequence[str | Source | None]) -> list[Source | None]:
        """Who loses at each place of a round; nobody where no match is played."""
        return [LoserOf(place) if isinstance(place, str) else None for place in places]

    @staticmethod
    def last_of(places: Sequence[str | Source | None]) -> Source | None:
        """Who wins the only match of the last round."""
        (place,) = places
        return WinnerOf(place) if isinstance(place, str) else place


def _twos(places: Sequence[Source | None]) -> Iterator[tuple[Source | None, Source | None]]:
    return zip(places[::2], places[1::2], strict=True)
