"""What stands on the sheets of a tournament: standings, pairings and crosstable as texts, for pages and for files."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.rules import compile_rules
from domain.standings.keys import KEYS, decimal_text, shown
from domain.standings.lines import Scale
from domain.tournaments.clocks import moment
from domain.tournaments.crosstable import Cell, CrossRow, Crosstable
from domain.tournaments.matches import BOARD_SCORES
from domain.tournaments.reached import is_bracket, reached
from domain.tournaments.results import is_played_out
from domain.tournaments.standings import Row, Standings
from domain.tournaments.state import Match, Round, Tournament
from domain.tournaments.terms import Stage
from domain.tournaments.tie_breaks import CODES, scale_of

COLUMNS: Final = 9
"""Rounds beside one another in a crosstable, as many as a sheet of paper has room for; further ones stand below."""

BYES: Final = {"bye": "bye", "half_bye": "half bye", "zero_bye": "not there"}
KINDS: Final = {
    "bye": "bye",
    "half_bye": "half bye",
    "late": "late",
    "void": "void",
    "zero_bye": "–",
    "forfeit_win": "forfeit",
    "forfeit_loss": "forfeit",
}
GROUP_NAMES: Final = {"NS": "North-South", "EW": "East-West"}
Names = Mapping[str, str]
NOBODY: Final[Names] = MappingProxyType({})


class StandingRow(Struct, frozen=True, kw_only=True):
    """A line of the standings; `ties` are the values of the tie-breaks as they are written, `out` is how the entrant
    left, `carried` what the score has from the stage before, `penalty` what it is less by (with a minus) or more; all
    three empty for most. In a bracket `score` is how far the entrant came."""

    rank: int
    entrant: str
    name: str
    score: str
    carried: str
    penalty: str
    ties: tuple[str, ...]
    played: int
    out: str


class StandingGroup(Struct, frozen=True):
    """Those who are ranked together; `name` is empty where all are."""

    name: str
    rows: tuple[StandingRow, ...]


class TieBreakHead(Struct, frozen=True):
    """What stands above the values of a tie-break: its name, its code, and its place among the `ties` of a row."""

    name: str
    code: str
    place: int


class Seated(Struct, frozen=True):
    """Who sits at a table: the entrant's number, its name, and its players where they do not make the name."""

    number: int
    name: str
    players: str


class PairingRow(Struct, frozen=True, kw_only=True):
    """A match of a round: its tables, its sides, its boards, and what came of it so far; `note` is how, or whether it
    is still being played."""

    match: str
    tables: str
    sides: tuple[tuple[Seated, ...], ...]
    boards: str
    points: str
    score: str
    note: str


class ByeRow(Struct, frozen=True):
    """Who sits a round out, and as what."""

    seated: Seated
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
    carried: str
    penalty: str
    out: str


class CrossBlock(Struct, frozen=True):
    """A part of a crosstable that fits on a sheet: its columns, and a line for everybody."""

    columns: tuple[str, ...]
    lines: tuple[CrossLine, ...]


def scale_shown(stage: Stage) -> Scale:
    """How many decimals scores of a stage are written with."""
    return scale_of(stage, 0)


def score_title(state: Tournament, stage: int) -> str:
    """What stands above what a stage is ranked by."""
    return "Reached" if is_bracket(state, stage) else "Score"


def tie_break_heads(stage: Stage, rows: Sequence[Row]) -> tuple[TieBreakHead, ...]:
    """What stands above the tie-breaks of a stage: those that anybody has a value of, which in a bracket are none."""
    return tuple(
        TieBreakHead(KEYS[CODES[each]].name, KEYS[CODES[each]].code, place)
        for place, each in enumerate(stage.tie_breaks)
        if any(row.values[place] is not None for row in rows)
    )


def standing_groups(state: Tournament, found: Standings, names: Names) -> tuple[StandingGroup, ...]:
    """Standings, in one group or two."""
    stage = state.stage_terms(found.stage)
    far = reached(state, state.stages[found.stage])
    groups: dict[str, list[StandingRow]] = {}
    for row in found.rows:
        groups.setdefault(GROUP_NAMES.get(row.group or "", ""), []).append(_standing(state, stage, row, names, far))
    return tuple(StandingGroup(name, tuple(rows)) for name, rows in groups.items())


def _standing(state: Tournament, stage: Stage, row: Row, names: Names, far: Names) -> StandingRow:
    scale = scale_shown(stage)
    return StandingRow(
        rank=row.rank,
        entrant=row.entrant,
        name=names[row.entrant],
        score=_ranking(row, far, scale),
        carried=_carried(row.entrant, row.carried, far, scale),
        penalty=_penalty(row.penalty, scale),
        ties=tuple(shown(CODES[each], value, scale) for each, value in zip(stage.tie_breaks, row.values, strict=True)),
        played=row.played,
        out=_out(state, row.entrant),
    )


def _ranking(row: Row | CrossRow, far: Names, scale: Scale) -> str:
    """What ranks somebody: how far they came in a bracket, else the score."""
    return far[row.entrant] if row.entrant in far else decimal_text(row.score, 2, scale.decimals)


def _carried(entrant: str, carried: int, far: Names, scale: Scale) -> str:
    """What a score has from the stage before; empty for nothing, and in a bracket, where it ranks nobody."""
    return "" if carried == 0 or entrant in far else decimal_text(carried, 2, scale.decimals)


def _penalty(penalty: int, scale: Scale) -> str:
    """What a penalty or (below zero) a bonus does to a score, with its sign; empty for neither."""
    return "" if penalty == 0 else f"{'+' if penalty < 0 else ''}{decimal_text(-penalty, 2, scale.decimals)}"


def _out(state: Tournament, entrant: str) -> str:
    """How an entrant left; empty for who did not."""
    status = state.entrants[entrant].status
    return status if status in ("withdrawn", "disqualified") else ""


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


def pairing_rows(state: Tournament, played: Round, names: Names, players: Names = NOBODY) -> tuple[PairingRow, ...]:
    """The matches of a round by table; `players` are those of entrants whose name does not tell them."""
    scale = scale_shown(state.stage_terms(played.stage))
    compared = isinstance(state.stage_terms(played.stage).score, BOARD_SCORES)

    def seats(match: Match) -> tuple[tuple[Seated, ...], ...]:
        return tuple(tuple(_seated(state, each, names, players) for each in side) for side in match.paired.sides)

    return tuple(
        _pairing(match, seats(match), scale, compared, _note(state, match)) for match in state.matches_of(played.number)
    )


def _seated(state: Tournament, entrant: str, names: Names, players: Names) -> Seated:
    return Seated(state.entrants[entrant].place, names[entrant], players.get(entrant, ""))


def _pairing(
    match: Match, sides: tuple[tuple[Seated, ...], ...], scale: Scale, compared: bool, note: str
) -> PairingRow:
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
        sides=sides,
        boards=_ranges(match.paired.boards),
        points=points,
        score=score,
        note=note,
    )


def _note(state: Tournament, match: Match) -> str:
    """How a match came to what it did; of one whose result is not told only whether it is still being played."""
    if match.started and not match.over:
        return "finished" if is_played_out(state, match) else "playing"
    adjustment = None if match.ruling is None else match.ruling.adjustment
    if adjustment is not None:
        return {"forfeit": "forfeit", "void": "void"}.get(adjustment.kind, "ruling")
    return "" if match.decided is None or match.decided.how is None else match.decided.how.replace("_", " ")


def _ranges(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def bye_rows(state: Tournament, played: Round, names: Names, players: Names = NOBODY) -> tuple[ByeRow, ...]:
    """Who sits a round out."""
    return tuple(ByeRow(_seated(state, entrant, names, players), BYES[bye]) for entrant, bye in played.byes.items())


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
                    score=_ranking(row, far, scale),
                    carried=_carried(row.entrant, begun.carried.get(row.entrant, 0), far, scale),
                    penalty=_penalty(row.penalty, scale),
                    out=_out(state, row.entrant),
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
