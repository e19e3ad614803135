"""The crosstable of a stage: entrants in the order of the standings, their rounds beside one another."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from domain.pairing.shapes import SIDES, Compass
from domain.standings.lines import Line, Outcome
from domain.tournaments.entries import entries_of
from domain.tournaments.formats import RoundRobin
from domain.tournaments.playing import goes_in_waves
from domain.tournaments.round_kinds import RoundKind, round_kind
from domain.tournaments.round_lines import CountedRound, counted_rounds, on_boards
from domain.tournaments.standings import Row, ranked
from domain.tournaments.state import Match, Round, Tournament

SQUARE_MAX: Final = 100


class Cell(Struct, frozen=True, kw_only=True):
    """A round of an entrant.

    opponents   the numbers of the entrants met, in order of entering; none in a bye
    partners    the numbers of those who play on the same side
    side        of the match: NS or EW, null at tables of other than two sides
    kind        how it went; null while it does not count
    score       hundredths, null while it does not count
    """

    round: int
    match: str | None
    opponents: tuple[int, ...]
    partners: tuple[int, ...]
    side: Compass | None
    kind: RoundKind | None
    outcome: Outcome | None
    score: int | None


class CrossRow(Struct, frozen=True, kw_only=True):
    """An entrant: its number in order of entering (17 of `e17`), which stays whatever its rank is, its rank, the
    penalty (below zero: bonus) that its score is less by, and a cell for every round, null where it had no part in it.
    """

    number: int
    rank: int
    group: Compass | None
    entrant: str
    score: int
    penalty: int
    cells: tuple[Cell | None, ...]


class Crosstable(Struct, frozen=True, kw_only=True):
    """A stage after the event `version`.

    rounds   the rounds of the columns; empty where everybody has rounds of its own, whose cells then say which
    square   in a round robin of no more than `SQUARE_MAX`: by row and column what the row's entrant scored against the
             column's, in the order of their meetings; null elsewhere
    """

    stage: int
    version: int
    rounds: tuple[int, ...]
    rows: tuple[CrossRow, ...]
    square: tuple[tuple[tuple[int, ...], ...], ...] | None


Seat = tuple[Match, int]


def crosstable(state: Tournament, stage: int | None = None) -> Crosstable:
    """The crosstable of a stage, the present one unless told otherwise. Raises `IndexError` where it has not begun."""
    begun = state.stages[-1 if stage is None else stage]
    terms = state.stage_terms(begun.number)
    rows = ranked(state, begun, entries_of(state, begun)).rows
    numbers = {row.entrant: state.entrants[row.entrant].place for row in rows}
    counted = counted_rounds(state, begun, on_boards(state, begun))
    waves = goes_in_waves(terms)
    columns: dict[str, list[Cell | None]] = {row.entrant: [] for row in rows}
    for number in begun.rounds:
        seats: dict[str, Seat] = {
            entrant: (match, place)
            for match in state.matches_of(number)
            for place, side in enumerate(match.paired.sides)
            for entrant in side
        }
        lines = counted[number].lines if number in counted else {}
        for entrant, column in columns.items():
            cell = _cell(state.rounds[number], entrant, seats.get(entrant), lines.get(entrant), numbers)
            if cell is not None or not waves:
                column.append(cell)
    return Crosstable(
        stage=begun.number,
        version=state.version,
        rounds=() if waves else begun.rounds,
        rows=tuple(_row(numbers[row.entrant], row, columns[row.entrant]) for row in rows),
        square=_square(rows, counted) if isinstance(terms.format, RoundRobin) and len(rows) <= SQUARE_MAX else None,
    )


def _row(number: int, row: Row, cells: list[Cell | None]) -> CrossRow:
    return CrossRow(
        number=number,
        rank=row.rank,
        group=row.group,
        entrant=row.entrant,
        score=row.score,
        penalty=row.penalty,
        cells=tuple(cells),
    )


def _cell(played: Round, entrant: str, seat: Seat | None, line: Line | None, numbers: Mapping[str, int]) -> Cell | None:
    if seat is None and line is None:
        return None
    opponents: tuple[int, ...] = ()
    partners: tuple[int, ...] = ()
    side: Compass | None = None
    if seat is not None:
        match, place = seat
        sides = match.paired.sides
        others = [each for other, entrants in enumerate(sides) if other != place for each in entrants]
        # Who was seated and left before anything counted is in no standings.
        opponents = tuple([numbers[each] for each in others if each in numbers])
        partners = tuple([numbers[each] for each in sides[place] if each != entrant and each in numbers])
        side = SIDES[place] if len(sides) == 2 else None
    return Cell(
        round=played.number,
        match=None if seat is None else seat[0].id,
        opponents=opponents,
        partners=partners,
        side=side,
        kind=None if line is None else round_kind(played, entrant, None if seat is None else seat[0], line),
        outcome=None if line is None else line.outcome,
        score=None if line is None else line.score,
    )


def _square(rows: tuple[Row, ...], counted: Mapping[int, CountedRound]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    meetings: dict[tuple[str, str], list[int]] = {}
    for of_round in counted.values():
        for entrant, line in of_round.lines.items():
            for opponent in line.opponents:
                meetings.setdefault((entrant, opponent), []).append(line.score)
    return tuple(tuple(tuple(meetings.get((row.entrant, other.entrant), ())) for other in rows) for row in rows)
