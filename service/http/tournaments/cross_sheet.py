"""A crosstable as texts, cut into parts that fit on a sheet."""

from typing import Final

from msgspec import Struct

from domain.standings.keys import decimal_text
from domain.standings.lines import Scale
from domain.tournaments.crosstable import Cell, Crosstable
from domain.tournaments.reached import reached
from domain.tournaments.state import Tournament
from service.http.tournaments.sheets import Names, carried_text, how_left, penalty_text, ranking, scale_shown

COLUMNS: Final = 9
"""Rounds beside one another in a crosstable, as many as a sheet of paper has room for; further ones stand below."""

KINDS: Final = {
    "bye": "bye",
    "half_bye": "half bye",
    "late": "late",
    "void": "void",
    "zero_bye": "–",
    "forfeit_win": "forfeit",
    "forfeit_loss": "forfeit",
}


class CrossCell(Struct, frozen=True):
    """A round of somebody: against whom (and on which side), and what it was worth."""

    against: str
    score: str


class CrossLine(Struct, frozen=True, kw_only=True):
    """A line of a crosstable; some of the rounds, as many as fit beside one another."""

    number: int
    rank: int
    name: str
    cells: tuple[CrossCell, ...]
    score: str
    carried: str
    penalty: str
    out: str


class CrossBlock(Struct, frozen=True):
    """A part of a crosstable that fits on a sheet: its columns, and a line for everybody."""

    columns: tuple[str, ...]
    lines: tuple[CrossLine, ...]


def cross_blocks(state: Tournament, found: Crosstable, names: Names) -> tuple[CrossBlock, ...]:
    """A crosstable, cut into parts that fit beside one another."""
    scale = scale_shown(state.stage_terms(found.stage))
    begun = state.stages[found.stage]
    far = reached(state, begun)
    width = len(found.rounds) or max((len(row.cells) for row in found.rows), default=0)
    titles = [str(number) for number in found.rounds or range(1, width + 1)]
    blocks = []
    for first in range(0, max(width, 1), COLUMNS):
        columns = tuple(titles[first : first + COLUMNS])
        lines = []
        for row in found.rows:
            cells = [_cell(each, scale) for each in row.cells[first : first + COLUMNS]]
            cells += [CrossCell("", "")] * (len(columns) - len(cells))
            lines.append(
                CrossLine(
                    number=row.number,
                    rank=row.rank,
                    name=names[row.entrant],
                    cells=tuple(cells),
                    score=ranking(row, far, scale),
                    carried=carried_text(row.entrant, begun.carried.get(row.entrant, 0), far, scale),
                    penalty=penalty_text(row.penalty, scale),
                    out=how_left(state, row.entrant),
                )
            )
        blocks.append(CrossBlock(columns, tuple(lines)))
    return tuple(blocks)


def _cell(cell: Cell | None, scale: Scale) -> CrossCell:
    if cell is None:
        return CrossCell("", "")
    against = "/".join(map(str, cell.opponents)) + {"NS": " n", "EW": " e"}.get(cell.side or "", "")
    if cell.kind in KINDS:
        against = f"{against} {KINDS[cell.kind]}" if cell.opponents else KINDS[cell.kind]
    return CrossCell(against, "" if cell.score is None else decimal_text(cell.score, 2, scale.decimals))
