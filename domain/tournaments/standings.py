"""Standings of a stage: a pure function of the state, which is one of the events so far."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from domain.pairing.shapes import SIDES, Compass
from domain.standings.ranking import rank
from domain.tournaments.brackets import bracket_standing
from domain.tournaments.entries import POOLS, StageEntries, entries_of
from domain.tournaments.formats import Elimination, Ladder
from domain.tournaments.state import StageState, Tournament
from domain.tournaments.terms import Stage
from domain.tournaments.tie_breaks import CODES

THIRD_PLACE: Final = "T"
"""The match of a bracket whose two sides can be third at best."""

Levels = list[list[str]]
"""Entrants who share a rank, best first, those of a level by seed."""

Values = dict[str, tuple[int | None, ...]]
"""By entrant, in the order of the stage's tie-breaks."""


class Row(Struct, frozen=True, gc=False):
    """One entrant.

    score     hundredths: points of the stage with what was carried and less penalties; in matchpoints a percentage of
              the most there was, so that 5432 is 54.32 %
    values    by tie-break of the terms, integers with the decimals of the tie-break; null where one does not apply
    played    matches that were played, of which `wins`, `draws` and `losses`; byes, forfeits and void matches are none
    group     where North-South and East-West are ranked apart, which of the two; ranks are within it
    """

    rank: int
    entrant: str
    score: int
    carried: int
    penalty: int
    values: tuple[int | None, ...]
    played: int
    wins: int
    draws: int
    losses: int
    group: Compass | None = None


class Standings(Struct, frozen=True):
    """After the event `version`: of a stage, up to a round that has begun; `complete` when all its matches count.

    Who is level shares a rank, and stands by seed. With two groups rows go by rank, North-South before East-West.
    """

    stage: int
    round: int
    version: int
    rows: tuple[Row, ...]
    complete: bool


def standings(state: Tournament, stage: int | None = None) -> Standings:
    """The standings of a stage, the present one unless told otherwise, best first.

    A bracket is ranked by how far everybody came, a ladder by its rungs, all else by score and tie-breaks. Who withdrew
    stays with what it played; who was disqualified stands behind all others. Raises `IndexError` for a stage that has
    not begun.
    """
    begun = state.stages[-1 if stage is None else stage]
    return ranked(state, begun, entries_of(state, begun))


def ranked(state: Tournament, begun: StageState, entered: StageEntries) -> Standings:
    """The same, from entries that were made before."""
    terms = state.stage_terms(begun.number)
    if isinstance(terms.format, Elimination | Ladder):
        nothing: tuple[int | None, ...] = (None,) * len(terms.tie_breaks)
        values: Values = {entry.entrant: nothing for entry in entered.entries}
        levels = _unparted(state, begun, entered)
    else:
        levels, values = _by_score(terms, entered)
    rows = _rows(entered, levels, values)
    return Standings(begun.number, entered.round, state.version, rows, entered.complete)


def totals(state: Tournament) -> dict[str, int]:
    """The scores in the present stage, in hundredths, with what was carried over and penalties."""
    return {entrant: record.score for entrant, record in entries_of(state, state.stages[-1]).records.items()}


def _by_score(terms: Stage, entered: StageEntries) -> tuple[Levels, Values]:
    placings = rank(
        entered.entries,
        entered.codes,
        after=entered.after,
        scale=entered.scale,
        pairing=entered.pairing,
        lot_seed=entered.lot_seed,
    )
    columns = [entered.codes.index(CODES[each]) for each in terms.tie_breaks]
    values = {placing.entrant: tuple([placing.values[column] for column in columns]) for placing in placings}
    levels: Levels = []
    for _, level in groupby(placings, key=lambda placing: placing.rank):
        levels.append([placing.entrant for placing in level])
    return levels, values


def _unparted(state: Tournament, begun: StageState, entered: StageEntries) -> Levels:
    """Those who share a place in a bracket or stand on a rung; who was disqualified comes last."""
    form = state.stage_terms(begun.number).format
    order = [entry.entrant for entry in entered.entries]
    levels = _by_bracket(state, begun, order) if isinstance(form, Elimination) else _by_rungs(state, begun, order)
    out = {entry.entrant for entry in entered.entries if entry.pool >= POOLS}
    parted = [[each for each in level if (each in out) is last] for last in (False, True) for level in levels]
    return [level for level in parted if level]


def _by_bracket(state: Tournament, begun: StageState, order: Sequence[str]) -> Levels:
    """Who can still win all of it; the winner and who lost the final; the third; the losers of later rounds first."""
    now = bracket_standing(state, begun)
    placed = {entrant for level in now.places for entrant in level}
    for_third = {
        entrant
        for number in begun.rounds
        for match in state.matches_of(number)
        if match.paired.bracket == THIRD_PLACE and not match.over
        for side in match.paired.sides
        for entrant in side
    }
    for_third.update(entrant for name, sides in now.ready if name == THIRD_PLACE for entrant in sides)
    rank_of = {entrant: place for place, entrant in enumerate(order)}
    levels = [sorted(level, key=rank_of.__getitem__) for level in now.places]
    still_in = [entrant for entrant in order if entrant not in placed | for_third]
    third = [entrant for entrant in order if entrant in for_third]
    if still_in or len(order) == len(third):
        return [level for level in (still_in, third, *levels) if level]
    return [level for level in (*levels[:2], third, *levels[2:]) if level]


def _by_rungs(state: Tournament, begun: StageState, order: Sequence[str]) -> Levels:
    """The rungs, as far as they are those of this stage; then who left it."""
    later = begun.number + 1 < len(state.stages)
    rungs = state.stages[begun.number + 1].entrants if later else state.ladder
    known = set(order)
    return [[entrant] for entrant in dict.fromkeys((*rungs, *order)) if entrant in known]


def _rows(entered: StageEntries, levels: Levels, values: Values) -> tuple[Row, ...]:
    pools = {entry.entrant: entry.pool for entry in entered.entries}
    before = [0] * POOLS
    rows: list[tuple[bool, Row]] = []
    for level in levels:
        pool = pools[level[0]]
        group = pool % POOLS
        for entrant in level:
            record = entered.records[entrant]
            row = Row(
                before[group] + 1,
                entrant,
                record.score,
                record.carried,
                record.penalty,
                values[entrant],
                record.played,
                record.wins,
                record.draws,
                record.losses,
                SIDES[group] if entered.two_winners else None,
            )
            rows.append((pool >= POOLS, row))
        before[group] += len(level)
    if entered.two_winners:
        rows.sort(key=lambda each: (each[0], each[1].rank, each[1].group != SIDES[0]))
    return tuple([row for _, row in rows])
