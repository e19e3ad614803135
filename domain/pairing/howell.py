"""Barometer-Howell: everyone meets everyone once, all tables on the same boards, sides as even as can be.

The pairs are those of the circle. Which of two sits North-South follows a starter that turns with the rounds: the last
number always does, and for k = 1, 2 … a sign says whether the pair (1 + k, 1 - k) of round 1 sits as written. Two pairs
that sit the same way are compared directly, so couples should do so equally often. The signs of 4, 8 and 12 pairs are
the published ones, perfect like those of 20, 24 and 32; the others are the most even of all, found by trying every one.
"""

from typing import Final

from domain.pairing.berger import circle
from domain.pairing.movements import Movement, Round, Table, bounded

FEWEST: Final = 3
_STARTERS: Final = {
    4: "+",
    6: "++",
    8: "++-",
    10: "+++-",
    12: "+-+++",
    14: "+++-++",
    16: "++++-++",
    18: "+++-+-++",
    20: "+--++++-+",
    22: "++++-+--++",
    24: "++++-+-++--",
    26: "+++++-+-++--",
    28: "++++++--++-+-",
    30: "+++---+---+--+",
    32: "++-++-++++---+-",
    34: "+++-++++---+-+++",
    36: "+++-++-++---+++-+",
    38: "+++++-+-++-+--++--",
    40: "++++--+++-++-+---+-",
}
MOST: Final = max(_STARTERS)


def howell(pairs: int) -> Movement:
    """The movement of so many pairs; of an odd number one sits out each round, who would meet the missing last number.

    Raises NoPairing: too_few, too_many.
    """
    bounded("A Howell", pairs, FEWEST, MOST)
    even = pairs + pairs % 2
    signs = _STARTERS[even]
    rounds = []
    for turn in range(even - 1):
        (moving, fixed), *others = circle(even, turn)
        seated = [(ns, ew) if sign == "+" else (ew, ns) for (ns, ew), sign in zip(others, signs, strict=True)]
        out: tuple[int, ...] = ()
        if pairs == even:
            seated.insert(0, (fixed, moving))
        else:
            out = (moving,)
        tables = (Table(place, ((ns,), (ew,)), turn + 1) for place, (ns, ew) in enumerate(seated, 1))
        rounds.append(Round(turn + 1, tuple(tables), out))
    return Movement("howell", pairs, tuple(rounds), 1)
