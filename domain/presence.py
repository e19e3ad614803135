"""Which faces a holding has, as one bit for each where its lane begins, and the runs among them.

The four suits of a rank stand side by side, and a rank beside the next: a shift by `A_RANK` bits is a step along a run.
"""

from struct import Struct
from typing import Final

from domain.cards import FACES, FOUR_LANES, RUN_RANKS, SUITS, UNIT, Cards
from domain.melds import SET_SIZE, SMALLEST_MELD

A_RANK: Final = 16
"""How many bits the four lanes of a rank have."""

_LANES: Final = (1 << 13 * A_RANK) - 1
_EVERY: Final = _LANES // 0xF
_lanes: Final = Struct("<13H").unpack

BIT: Final[dict[str, int]] = {face: UNIT[face] & _LANES for face in FACES[1:]}
"""The bit of a suited face."""

FACE: Final[dict[int, str]] = {bit: face for face, bit in BIT.items()}
"""The face of a bit."""

RANK_BITS: Final[dict[str, int]] = {
    rank: sum(BIT[rank + suit] for suit in SUITS) for rank in dict.fromkeys(face[0] for face in BIT)
}
"""The bits of a rank's four faces."""

NATURAL_BITS: Final = sum(RANK_BITS[rank] for rank in RUN_RANKS)

LANE_RANKS: Final = "3456789TJQKA2"
"""Ranks in the order of `rank_counts`."""

Run = tuple[str, ...]


def presence(holding: Cards) -> int:
    """The bits of the suited faces held; jokers have none."""
    pairs = holding | holding >> 1
    return (pairs | pairs >> 2) & _EVERY


def rank_counts(holding: Cards) -> list[int]:
    """How many cards of each rank are held, all four suits, in the order of `LANE_RANKS`."""
    return [FOUR_LANES[lanes] for lanes in _lanes((holding & _LANES).to_bytes(26, "little"))]


def faces_of_bits(bits: int) -> list[str]:
    """The faces of some bits."""
    faces = []
    while bits:
        low = bits & -bits
        bits ^= low
        faces.append(FACE[low])
    return faces


def run_starts(naturals: int) -> list[int]:
    """Where runs of three, four … seven cards begin among the bits of naturals; fewer where none are so long."""
    starts = naturals & naturals >> A_RANK & naturals >> 2 * A_RANK
    found: list[int] = []
    while starts and len(found) <= SET_SIZE - SMALLEST_MELD:
        found.append(starts)
        starts &= naturals >> A_RANK * (SMALLEST_MELD + len(found) - 1)
    return found


def in_runs(naturals: int) -> int:
    """The bits of those naturals that could lie in a new run."""
    starts = naturals & naturals >> A_RANK & naturals >> 2 * A_RANK
    return starts | starts << A_RANK | starts << 2 * A_RANK


def lengthening(naturals: int, cards: Run) -> int:
    """The bits of those naturals that lengthen a run without a gap, however far."""
    found = 0
    above = BIT[cards[-1]] << A_RANK
    while naturals & above:
        found |= above
        above <<= A_RANK
    below = BIT[cards[0]] >> A_RANK
    while naturals & below:
        found |= below
        below >>= A_RANK
    return found


def _runs_of(length: int) -> dict[int, Run]:
    return {
        BIT[RUN_RANKS[place] + suit]: tuple([rank + suit for rank in RUN_RANKS[place : place + length]])
        for place in range(len(RUN_RANKS) - length + 1)
        for suit in SUITS
    }


RUN_AT: Final[dict[int, dict[int, Run]]] = {length: _runs_of(length) for length in range(SMALLEST_MELD, SET_SIZE + 1)}
"""By length the run that begins at each bit."""


def runs(holding: Cards) -> list[Run]:
    """Every run of three to seven cards that the holding has the cards for, the short ones first."""
    found: list[Run] = []
    for length, starts in enumerate(run_starts(presence(holding) & NATURAL_BITS), SMALLEST_MELD):
        of_length = RUN_AT[length]
        while starts:
            low = starts & -starts
            starts ^= low
            found.append(of_length[low])
    return found
