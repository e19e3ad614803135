"""Tournament files for tests, written column by column."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final

DATA: Final = Path(__file__).parents[2] / "data" / "trf"
VALUES: Final = {"1": 10, "W": 10, "+": 10, "F": 10, "U": 10, "=": 5, "D": 5, "H": 5}
"""What a result counts, in tenths."""

ANSWERS: Final = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}


def player(number: int, rounds: Sequence[str], rating: int = 0, name: str = "", points: str | None = None) -> str:
    """The line of a player; a round is `3w1` (against 3, White, won), `H`, or empty."""
    if points is None:
        tenths = sum(VALUES.get(each[-1:], 0) for each in rounds)
        points = f"{tenths // 10}.{tenths % 10}"
    head = f"001 {number:4}      {name or f'Player {number}':33} {rating or '':>4}".ljust(80) + f"{points:>4}"
    return f"{head.ljust(91)}{''.join(map(cell, rounds))}".rstrip()


def cell(past: str) -> str:
    """The ten columns of a round."""
    if not past:
        return " " * 10
    if not past[0].isdigit() or past[1:2] == "":
        return f"0000 - {past}  "
    return f"{past[:-2]:>4} {past[-2]} {past[-1]}  "


def written(rounds: Mapping[int, Sequence[str]], *records: str, name: str = "Test") -> bytes:
    """A file of these players by number, with further records."""
    lines = [f"012 {name}", *(player(number, past, 2800 - number) for number, past in rounds.items()), *records]
    return "\n".join([*lines, ""]).encode()


def by_chance(seed: int, players: int, rounds: int) -> dict[int, list[str]]:
    """Rounds in which everybody meets somebody by chance, with forfeits and byes of every kind among them."""
    chance = Random(seed)
    found: dict[int, list[str]] = {number: [] for number in range(1, players + 1)}
    for _ in range(rounds):
        there = [*found]
        chance.shuffle(there)
        for number in [there.pop() for _ in range(players % 2 + 2 * chance.randrange(2))]:
            found[number].append(chance.choice("UFHZ"))
        while there:
            one, other = there.pop(), there.pop()
            code = chance.choice("111000===+-")
            found[one].append(f"{other}w{code}")
            found[other].append(f"{one}b{ANSWERS[code]}")
    return found
