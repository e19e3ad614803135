"""Unplayed rounds in tie-breaks, by article 16 of FIDE's regulations C.07 as in force from March 2026.

A round is voluntarily unplayed if it was a half-point or zero-point bye or a forfeit loss. What an entrant is worth to
its opponents counts voluntarily unplayed rounds at the end, without an opponent, as draws; all others as they were
scored. In its own tie-breaks an unplayed round counts an opponent of the entrant's own score, but never more than the
real opponent is worth or, without one, than draws in all rounds would give.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain.standings.lines import Kind, Line

VOLUNTARY: Final[frozenset[Kind]] = frozenset({"half_bye", "zero_bye", "forfeit_loss"})


class Contribution(Struct, frozen=True, gc=False):
    """A round's part in the Buchholz and Sonneborn-Berger families: the opponent's score and the own result, both in
    hundredths.

    `stand_in` tells that the score is not a real opponent's, `voluntary` that the round is cut before all others.
    """

    round: int
    opponents: tuple[str, ...]
    score: int
    result: int
    stand_in: bool = False
    voluntary: bool = False


def adjusted_total(lines: Sequence[Line], *, after: int, draw: int) -> int:
    """What an entrant with these lines, by round, is worth to its opponents after a round, in hundredths."""
    last = max((line.round for line in lines if line.kind not in VOLUNTARY), default=0)
    total = 0
    absent = after - last
    for line in lines:
        if line.round <= last or line.opponents:
            total += line.score
            absent -= line.round > last
    return total + absent * draw


def stand_in(total: int, *, opponent: int | None, after: int, draw: int) -> int:
    """The score that an unplayed round counts, from the entrant's own total; all in hundredths.

    `opponent` is what the missed opponent is worth, or None in a bye.
    """
    return min(total, draw * after if opponent is None else opponent)
