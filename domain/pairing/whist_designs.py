"""Base rounds of whist designs; with 1, 2, 3 … added everyone partners everyone once and opposes everyone twice.

Partners are the first two and the last two of a table. Designs of 4n players leave one fixed (FIXED) and use the
numbers below 4n - 1; those of 4n + 1 leave 0 out. The one of 9 adds digit by digit in base 3, the others modulo.
"""

from typing import Final

from msgspec import Struct

FIXED: Final = -1

BaseTable = tuple[int, int, int, int]


class Design(Struct, frozen=True):
    """The moduli of the digits of its group, highest first, and the tables of its first round."""

    moduli: tuple[int, ...]
    tables: tuple[BaseTable, ...]


DESIGNS: Final[dict[int, Design]] = {
    4: Design((3,), ((FIXED, 0, 1, 2),)),
    5: Design((5,), ((1, 4, 2, 3),)),
    8: Design((7,), ((FIXED, 0, 1, 3), (2, 6, 4, 5))),
    9: Design((3, 3), ((1, 2, 3, 6), (4, 8, 5, 7))),
    12: Design((11,), ((FIXED, 0, 1, 3), (2, 9, 6, 7), (4, 10, 5, 8))),
    13: Design((13,), ((1, 4, 2, 7), (3, 12, 6, 8), (5, 11, 9, 10))),
    16: Design((15,), ((FIXED, 0, 1, 2), (3, 6, 9, 11), (4, 13, 8, 12), (5, 10, 7, 14))),
    17: Design((17,), ((1, 11, 14, 2), (3, 12, 6, 10), (4, 7, 16, 5), (8, 9, 15, 13))),
    20: Design((19,), ((FIXED, 0, 2, 5), (1, 16, 10, 9), (3, 15, 18, 8), (4, 17, 14, 6), (7, 12, 13, 11))),
    21: Design((21,), ((1, 3, 20, 8), (2, 13, 14, 17), (4, 10, 7, 12), (5, 9, 16, 15), (6, 19, 11, 18))),
    24: Design(
        (23,),
        ((FIXED, 0, 8, 19), (1, 22, 6, 21), (2, 18, 9, 12), (3, 13, 17, 11), (4, 5, 16, 7), (10, 14, 15, 20)),
    ),
    25: Design(
        (25,),
        ((1, 21, 13, 19), (2, 11, 18, 15), (3, 24, 5, 23), (4, 17, 12, 14), (6, 20, 9, 10), (7, 22, 8, 16)),
    ),
}
