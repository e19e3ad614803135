"""What stands on the sheets of a tournament: standings, pairings and crosstable as texts, for pages and for files."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.rules import compile_rules
from domain.standings.keys import decimal_text, shown
from domain.standings.lines import Scale
from domain.tournaments.clocks import moment
from domain.tournaments.crosstable import Cell, Crosstable
from domain.tournaments.matches import BOARD_SCORES
from domain.tournaments.standings import Row, Standings
from domain.tournaments.state import Match, Round, Tournament
from domain.tournaments.terms import Stage
from domain.tournaments.tie_breaks import CODES, scale_of

COLUMNS: Final = 9
"""Rounds beside one another in a crosstable, as many as a sheet of paper has room for; further ones stand below."""

BYES: Final = {"bye": "bye", "half_bye": "half bye", "zero_bye": "not there"}
KINDS: Final = {
    "full_bye": "bye",
    "half_bye": "half bye",
    "zero_bye": "–",
    "forfeit_win": "forfeit",
    "forfeit_loss": "forfeit",
}
GROUP_NAMES: Final = {"NS": "North-South", "EW": "East-West"}
Names = Mapping[str, str]


class StandingRow(Struct, frozen=True, kw_only=True):
    """A line of the standings; `ties` are the values of the tie-breaks as they are written."""

    rank: int
    entrant: str
    name: str
    score: str
    ties: tuple[str, ...]
    played: int
    out: bool


class StandingGroup(Struct, frozen=True):
    """Those who are ranked together; `name` is empty where all are."""

    name: str
    rows: tuple[StandingRow, ...]


class PairingRow(Struct, frozen=True, kw_only=True):
    """A match of a round: its tables, the names of its sides, its boards, and what came of it so far."""

    match: str
    tables: str
    sides: tuple[tuple[str, ...], ...]
    boards: str
    points: str
    score: str
    note: str


class ByeRow(Struct, frozen=True):
    """Who sits a round out, and as what."""

    name: str
    bye: str


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


class CrossBlock(Struct, frozen=True):
    """A part of a crosstable that fits on a sheet: its columns, and a line for everybody."""

    columns: tuple[str, ...]
    lines: tuple[CrossLine, ...]


def scale_shown(stage: Stage) -> Scale:
    """How many decimals scores of a stage are written with."""
    return scale_of(stage, 0)


def standing_groups(state: Tournament, found: Standings, names: Names) -> tuple[StandingGroup, ...]:
    """Standings, in one group or two."""
    stage = state.stage_terms(found.stage)
    groups: dict[str, list[StandingRow]] = {}
    for row in found.rows:
        groups.setdefault(GROUP_NAMES.get(row.group or "", ""), []).append(_standing(state, stage, row, names))
    return tuple(StandingGroup(name, tuple(rows)) for name, rows in groups.items())


def _standing(state: Tournament, stage: Stage, row: Row, names: Names) -> StandingRow:
    scale = scale_shown(stage)
    return StandingRow(
        rank=row.rank,
        entrant=row.entrant,
        name=names[row.entrant],
        score=decimal_text(row.score, 2, scale.decimals),
        ties=tuple(shown(CODES[each], value, scale) for each, value in zip(stage.tie_breaks, row.values, strict=True)),
        played=row.played,
        out=state.entrants[row.entrant].status in ("withdrawn", "disqualified"),
    )


def entered_rows(state: Tournament, names: Names) -> tuple[str, ...]:
    """The names of those who take part, before anything is ranked."""
    return tuple(names[each.id] for each in state.active)


def side_titles(state: Tournament) -> tuple[str, ...]:
    """What the sides of a match are called in the headings of columns, as many as any match of it has."""
    if state.terms.entrants == "teams":
        return "Home", "Visitors"
    usual = len(compile_rules(state.terms.ruleset, state.terms.players).sides)
    sides = max([usual, *(len(match.paired.sides) for match in state.matches.values())])
    return ("North-South", "East-West") if sides == 2 else tuple(f"Side {number}" for number in range(1, sides + 1))


def pairing_rows(state: Tournament, played: Round, names: Names) -> tuple[PairingRow, ...]:
    """The matches of a round by table."""
    scale = scale_shown(state.stage_terms(played.stage))
    compared = isinstance(state.stage_terms(played.stage).score, BOARD_SCORES)
    return tuple(_pairing(match, names, scale, compared) for match in state.matches_of(played.number))


def _pairing(match: Match, names: Names, scale: Scale, compared: bool) -> PairingRow:
    outcome = match.outcome
    points = score = ""
    if outcome is not None:
        if outcome.how != "ruling" or any(outcome.points):
            points = " : ".join(decimal_text(each, 0, 0) for each in outcome.points)
        if outcome.score is not None and not compared:
            score = " : ".join(decimal_text(each, 2, scale.decimals) for each in outcome.score)
    return PairingRow(
        match=match.id,
        tables=", ".join(str(seats.table) for seats in match.paired.tables),
        sides=tuple(tuple(names[each] for each in side) for side in match.paired.sides),
        boards=_ranges(match.paired.boards),
        points=points,
        score=score,
        note=_note(match),
    )


def _note(match: Match) -> str:
    adjustment = None if match.ruling is None else match.ruling.adjustment
    if adjustment is not None:
        return {"forfeit": "forfeit", "void": "void"}.get(adjustment.kind, "ruling")
    return "" if match.decided is None or match.decided.how is None else match.decided.how.replace("_", " ")


def _ranges(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def bye_rows(played: Round, names: Names) -> tuple[ByeRow, ...]:
    """Who sits a round out."""
    return tuple(ByeRow(names[entrant], BYES[bye]) for entrant, bye in played.byes.items())


def cross_blocks(state: Tournament, found: Crosstable, names: Names) -> tuple[CrossBlock, ...]:
    """A crosstable, cut into parts that fit beside one another."""
    scale = scale_shown(state.stage_terms(found.stage))
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
                    score=decimal_text(row.score, 2, scale.decimals),
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


def clock_text(time: str | None, zone: str) -> str:
    """A time of an event as the clock at the place of the tournament shows it; empty for none."""
    return "" if time is None else local_text(moment(time), zone)


def local_text(at: datetime, zone: str) -> str:
    """A moment as the clock at a place shows it."""
    return f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} {zone}"
