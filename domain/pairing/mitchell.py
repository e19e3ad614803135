"""Mitchell: North-South pairs stay, East-West pairs go down a table each round, the boards go up one.

    tables t and rounds r from 0, T tables: East-West pair (t - r - s) mod T, set of boards (t + r) mod T
    s = 0; where T is even, 1 from round T/2 on (the skip), which leaves T - 1 rounds

North-South pairs have the numbers from 1 on, East-West pairs those after them. No two pairs meet twice, and nobody
plays a set twice.
"""

from typing import Final

from domain.pairing.movements import Movement, Round, Table, bounded, bounded_rounds
from domain.pairing.shapes import NoPairing, NoPairingCode

FEWEST: Final = 2
MOST: Final = 1000


def most_rounds(pairs: int) -> int:
    """How many rounds a Mitchell of so many pairs has at most."""
    tables = (pairs + 1) // 2
    return tables if tables % 2 else max(1, tables - 1)


def mitchell(pairs: int, rounds: int | None = None, *, arrow_switched: int = 0) -> Movement:
    """The movement of so many pairs and rounds (all there are unless told), the last ones with sides reversed.

    Of an odd number one table is half empty: East-West lacks a pair, and who would meet it sits out.
    Raises NoPairing: too_few, too_many, rounds_impossible.
    """
    bounded("A Mitchell", pairs, FEWEST, MOST)
    played = most_rounds(pairs) if rounds is None else rounds
    bounded_rounds(f"A Mitchell of {pairs} pairs", played, most_rounds(pairs))
    if not 0 <= arrow_switched <= played:
        told = f"An arrow switch turns 0 to {played} of the rounds, {arrow_switched} are asked for."
        raise NoPairing(NoPairingCode.ROUNDS_IMPOSSIBLE, told, rounds=arrow_switched, most=played)
    tables = (pairs + 1) // 2
    return Movement(
        "mitchell",
        pairs,
        tuple(_round(r, tables, pairs - tables, played - r <= arrow_switched) for r in range(played)),
        1 if arrow_switched else 2,
    )


def _round(r: int, tables: int, moving: int, switched: bool) -> Round:
    """The round after `r` others; so many pairs sit East-West and move."""
    skip = 1 if tables % 2 == 0 and r >= tables // 2 else 0
    seated, out = [], []
    for t in range(tables):
        here = (t - r - skip) % tables
        ns, ew = t + 1, tables + here + 1
        if here < moving:
            sides = ((ew,), (ns,)) if switched else ((ns,), (ew,))
            seated.append(Table(t + 1, sides, (t + r) % tables + 1))
        else:
            out.append(ns)
    return Round(r + 1, tuple(seated), tuple(out))
