"""The field of an event after a round: every entrant's lines in order, with totals, ready for tie-breaks."""

from collections.abc import Sequence
from itertools import chain
from typing import Final

from domain.standings.lines import FORFEITS, PLAYED, Entry, Line, Pairing, Scale
from domain.standings.rounding import half_up
from domain.standings.unplayed import VOLUNTARY, Contribution, adjusted_total, stand_in

MOST_ROUNDS: Final = 1000


class Field:
    """Entrants by their place in `entries`.

    `lines` are those up to `after`, by round. `regular` are the entrants who played every round against one opponent;
    `opponents` are theirs, by round, and empty for others. `totals` are what entrants are ranked by, `adjusted` what
    each is worth to its opponents (FIDE C.07, 16.3), both in hundredths.
    """

    __slots__ = (
        "_parts", "adjusted", "after", "entries", "index", "lines", "meeting", "opponents", "regular", "round_robin",
        "scale", "totals",
    )  # fmt: skip

    def __init__(self, entries: Sequence[Entry], *, after: int, scale: Scale, pairing: Pairing) -> None:
        """Raises `ValueError` if an entrant or a round stands twice, or an opponent is none of the entrants."""
        if not 0 <= after <= MOST_ROUNDS:
            raise ValueError(f"Standings are made after 0 to {MOST_ROUNDS} rounds, not {after}.")
        self.entries = entries
        self.after = after
        self.scale = scale
        self.round_robin = pairing == "round_robin"
        self.meeting = PLAYED | FORFEITS if self.round_robin else PLAYED
        self.index = {entry.entrant: place for place, entry in enumerate(entries)}
        if len(self.index) != len(entries):
            raise ValueError("An entrant stands twice in a ranking.")
        self.lines: list[Sequence[Line]] = []
        self.regular: list[bool] = []
        self.opponents: list[list[int]] = []
        self.totals: list[int] = []
        self.adjusted: list[int] = []
        self._parts: dict[int, list[Contribution]] = {}
        every_round = list(range(1, after + 1))
        for entry in entries:
            self._add(entry, every_round)

    def _add(self, entry: Entry, every_round: list[int]) -> None:
        lines: Sequence[Line] = entry.lines
        if [line.round for line in lines] != every_round:
            lines = self._in_order(entry)
        total = sum([line.score for line in lines])
        self.lines.append(lines)
        self.totals.append(total - entry.penalty)
        opponents = self._opponents(entry, lines)
        if opponents is None:
            self.regular.append(False)
            self.opponents.append([])
            self.adjusted.append(
                adjusted_total(lines, after=self.after, draw=0 if self.round_robin else self.scale.draw)
            )
        else:
            self.regular.append(True)
            self.opponents.append(opponents)
            self.adjusted.append(total)

    def _in_order(self, entry: Entry) -> list[Line]:
        lines = sorted((line for line in entry.lines if line.round <= self.after), key=lambda line: line.round)
        rounds = [line.round for line in lines]
        if len(set(rounds)) != len(rounds) or (rounds and rounds[0] < 1):
            raise ValueError(f"The rounds of {entry.entrant} stand twice or are below 1: {rounds}.")
        return lines

    def _opponents(self, entry: Entry, lines: Sequence[Line]) -> list[int] | None:
        """The one opponent of each round, or None where a round was not played or had several opponents."""
        opponents = [line.opponents for line in lines]
        try:
            met = [self.index[one] for (one,) in opponents]
        except (KeyError, ValueError):
            met = []
            self._check(entry, opponents)
        return met if len(met) == self.after and {line.kind for line in lines} <= PLAYED else None

    def _check(self, entry: Entry, opponents: Sequence[tuple[str, ...]]) -> None:
        for one in chain.from_iterable(opponents):
            if one not in self.index:
                raise ValueError(f"{one}, an opponent of {entry.entrant}, is not in the ranking.")

    def contributions(self, place: int) -> list[Contribution]:
        """What each round of an entrant gives to sums over opponents, by round.

        In a round robin, rounds without an opponent give nothing and forfeits count as played.
        """
        if place not in self._parts:
            self._parts[place] = self._contributions(place)
        return self._parts[place]

    def _contributions(self, place: int) -> list[Contribution]:
        found = []
        number = 0
        for line in self.lines[place]:
            while (number := number + 1) < line.round:
                found.append(self._missed(place, number))
            found.append(self._contribution(place, line))
        found += [self._missed(place, missed) for missed in range(number + 1, self.after + 1)]
        return [part for part in found if part.opponents] if self.round_robin else found

    def _contribution(self, place: int, line: Line) -> Contribution:
        worth = None
        opponents = line.opponents
        if opponents:
            worth = half_up(sum([self.adjusted[self.index[one]] for one in opponents]), len(opponents))
            if line.kind in self.meeting:
                return Contribution(line.round, opponents, worth, line.score)
        score = stand_in(self.totals[place], opponent=worth, after=self.after, draw=self.scale.draw)
        return Contribution(line.round, opponents, score, line.score, True, line.kind in VOLUNTARY)

    def _missed(self, place: int, number: int) -> Contribution:
        score = stand_in(self.totals[place], opponent=None, after=self.after, draw=self.scale.draw)
        return Contribution(number, (), score, 0, True, True)
