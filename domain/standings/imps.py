"""International match points: the bridge table, entered with a difference divided by a setting of the event.

Samba's margins are about four times those of bridge, so the divisor is 4 unless the organiser says otherwise.
"""

from bisect import bisect_right
from typing import Final

DIVISOR: Final = 4

_FROM: Final = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000,
    3500, 4000,
)  # fmt: skip
"""The differences from which on 1, 2, … 24 IMPs are due."""


def imps(difference: int, divisor: int = DIVISOR) -> int:
    """The IMPs of a difference in points, negative for a negative one.

    Raises `ValueError` if the divisor is below 1.
    """
    if divisor < 1:
        raise ValueError(f"The divisor of IMPs is 1 or more, not {divisor}.")
    due = bisect_right(_FROM, abs(difference) // divisor)
    return due if difference >= 0 else -due


def points_of(number: int, divisor: int = DIVISOR) -> int:
    """The points that so many IMPs are due for: the mean of their line of the table, which goes by tens, × the divisor.

    3 IMPs are due for 90 to 120, that is 105, and by a divisor of 4 for 420 points. Negative for a negative number.
    Raises `ValueError` for a number that no line of the table with an end has, which are 1 to 23.
    """
    if number == 0:
        return 0
    if not 0 < abs(number) < len(_FROM):
        raise ValueError(f"The table has lines with an end for 1 to {len(_FROM) - 1} IMPs, not for {abs(number)}.")
    mean = (_FROM[abs(number) - 1] + _FROM[abs(number)] - 10) // 2
    return mean * divisor if number > 0 else -mean * divisor
