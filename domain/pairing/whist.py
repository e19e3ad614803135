"""Individual movements: everyone partners everyone once and opposes everyone twice (whist designs)."""

from math import prod
from typing import Final

from domain.pairing.movements import Movement, Round, Table, bounded, bounded_rounds
from domain.pairing.shapes import NoPairing, NoPairingCode
from domain.pairing.whist_designs import DESIGNS, FIXED, Design

FEWEST: Final = min(DESIGNS)
MOST: Final = max(DESIGNS)


def whist(players: int, rounds: int | None = None) -> Movement:
    """The movement of 4n or 4n + 1 players, whole (4n - 1 or 4n + 1 rounds) or its first rounds.

    Of 4n + 1 players number r sits out round r. Raises NoPairing: too_few, too_many, field_invalid (4n + 2, 4n + 3),
    rounds_impossible.
    """
    bounded("A whist movement", players, FEWEST, MOST)
    if players not in DESIGNS:
        needed = "4n or 4n + 1 players"
        raise NoPairing(
            NoPairingCode.FIELD_INVALID, f"A whist movement needs {needed}, there are {players}.", needed=needed
        )
    design = DESIGNS[players]
    order = prod(design.moduli)
    played = order if rounds is None else rounds
    bounded_rounds(f"A whist movement of {players}", played, order)
    return Movement("whist", players, tuple(_round(design, players, shift) for shift in range(played)), 1)


def _round(design: Design, players: int, shift: int) -> Round:
    tables = []
    for place, base in enumerate(design.tables, 1):
        a, b, c, d = (players if x == FIXED else 1 + _sum(design.moduli, x, shift) for x in base)
        tables.append(Table(place, ((a, b), (c, d)), shift + 1))
    seated = {number for table in tables for side in table.sides for number in side}
    return Round(shift + 1, tuple(tables), tuple(number for number in range(1, players + 1) if number not in seated))


def _sum(moduli: tuple[int, ...], x: int, y: int) -> int:
    """Two elements of the group added, digit by digit."""
    total, weight = 0, 1
    for modulus in reversed(moduli):
        total += weight * ((x + y) % modulus)
        x, y, weight = x // modulus, y // modulus, weight * modulus
    return total
