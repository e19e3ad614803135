"""Crosstables of published events, read as entries with their lines."""

from pathlib import Path
from typing import Final

from msgspec import Struct

from domain.standings.lines import CHESS_POINTS, Entry, Line
from tests.domain.standings.random_fields import MEETINGS, entries_of

DATA: Final = Path(__file__).parents[2] / "data" / "standings"


class Published(Struct, frozen=True):
    """A player's values as printed by the organisers."""

    points: str
    buchholz_cut: str
    buchholz: str
    rating_cut: str
    sonneborn_berger: str


def line(number: int, opponent: int, letter: str) -> Line:
    """A played round against an entrant by number: w, d or l."""
    scores = {"w": CHESS_POINTS.win, "d": CHESS_POINTS.draw, "l": CHESS_POINTS.loss}
    return Line(
        round=number, kind="played", score=scores[letter], opponents=(f"e{opponent}",), outcome=MEETINGS[letter]
    )


def womens_rapid() -> tuple[list[Entry], list[Published]]:
    """The 110 players in their official final order, with their values."""
    rows = [row.split() for row in (DATA / "womens_rapid_2024.txt").read_text().splitlines() if row[0] != "#"]
    lines = [[line(n, int(cell[:-1]), cell[-1]) for n, cell in enumerate(row[7:], start=1)] for row in rows]
    return entries_of(lines, [int(row[1]) for row in rows]), [Published(*row[2:7]) for row in rows]


def square(rows: str) -> list[Entry]:
    """A single round robin from a square of w, d, l and x, one row an entrant; rounds by the opponent's column."""
    lines = []
    for place, row in enumerate(rows.split()):
        others = [(n + 1, letter) for n, letter in enumerate(row) if n != place]
        lines.append([line(number, opponent, letter) for number, (opponent, letter) in enumerate(others, start=1)])
    return entries_of(lines)
