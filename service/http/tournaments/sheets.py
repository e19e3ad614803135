"""What stands on the sheets of a tournament: standings and pairings as texts, for pages and for files."""

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
from domain.tournaments.crosstable import CrossRow
from domain.tournaments.matches import BOARD_SCORES
from domain.tournaments.reached import is_bracket, reached
from domain.tournaments.results import is_played_out
from domain.tournaments.standings import Row, Standings
from domain.tournaments.state import Match, Round, Tournament
from domain.tournaments.terms import Stage
from domain.tournaments.tie_breaks import CODES, scale_of
from service.http.tournaments.bracket_places import places_in_bracket

BYES: Final = {"bye": "bye", "half_bye": "half bye", "zero_bye": "not there"}
GROUP_NAMES: Final = {"NS": "North-South", "EW": "East-West"}
Names = Mapping[str, str]
NOBODY: Final[Names] = MappingProxyType({})


class StandingRow(Struct, frozen=True, kw_only=True):
    """A line of the standings.

    `players` are those of an entrant whose name does not tell them, `ties` the values of the tie-breaks as they are
    written, `out` is how the entrant left, `carried` what the score has from the stage before, `penalty` what it is
    less by (with a minus) or more; these are empty for most. In a bracket `score` is how far the entrant came.
    """

    rank: int
    entrant: str
    number: int
    name: str
    players: str
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


class Sitting(Struct, frozen=True):
    """The players of an entrant at a table; `where` is the table and the side of it, empty where the line says them."""

    where: str
    players: str


Sittings = Mapping[str, tuple[Sitting, ...]]
"""By entrant."""

NOWHERE: Final[Sittings] = MappingProxyType({})


class Seated(Struct, frozen=True):
    """Who plays a match, or sits a round out: the entrant's number, its name, and its players where the name alone does
    not say who sits where."""

    number: int
    name: str
    sitting: tuple[Sitting, ...]


class PairingRow(Struct, frozen=True, kw_only=True):
    """A match of a round: its tables, its place in a bracket, its sides, its boards, and what came of it so far; `note`
    is how, or whether it is still being played."""

    match: str
    tables: str
    bracket: str
    sides: tuple[tuple[Seated, ...], ...]
    boards: str
    points: str
    score: str
    note: str


class ByeRow(Struct, frozen=True):
    """Who sits a round out, and as what."""

    seated: Seated
    bye: str


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


def standing_groups(
    state: Tournament, found: Standings, names: Names, players: Names = NOBODY
) -> tuple[StandingGroup, ...]:
    """Standings, in one group or two; `players` are those of entrants whose name does not tell them."""
    stage = state.stage_terms(found.stage)
    far = reached(state, state.stages[found.stage])
    groups: dict[str, list[StandingRow]] = {}
    for row in found.rows:
        groups.setdefault(GROUP_NAMES.get(row.group or "", ""), []).append(
            _standing(state, stage, row, names, players, far)
        )
    return tuple(StandingGroup(name, tuple(rows)) for name, rows in groups.items())


def _standing(state: Tournament, stage: Stage, row: Row, names: Names, players: Names, far: Names) -> StandingRow:
    scale = scale_shown(stage)
    return StandingRow(
        rank=row.rank,
        entrant=row.entrant,
        number=state.entrants[row.entrant].place,
        name=names[row.entrant],
        players=players.get(row.entrant, ""),
        score=ranking(row, far, scale),
        carried=carried_text(row.entrant, row.carried, far, scale),
        penalty=penalty_text(row.penalty, scale),
        ties=tuple(shown(CODES[each], value, scale) for each, value in zip(stage.tie_breaks, row.values, strict=True)),
        played=row.played,
        out=how_left(state, row.entrant),
    )


def ranking(row: Row | CrossRow, far: Names, scale: Scale) -> str:
    """What ranks somebody: how far they came in a bracket, else the score."""
    return far[row.entrant] if row.entrant in far else decimal_text(row.score, 2, scale.decimals)


def carried_text(entrant: str, carried: int, far: Names, scale: Scale) -> str:
    """What a score has from the stage before; empty for nothing, and in a bracket, where it ranks nobody."""
    return "" if carried == 0 or entrant in far else decimal_text(carried, 2, scale.decimals)


def penalty_text(penalty: int, scale: Scale) -> str:
    """What a penalty or (below zero) a bonus does to a score, with its sign; empty for neither."""
    return "" if penalty == 0 else f"{'+' if penalty < 0 else ''}{decimal_text(-penalty, 2, scale.decimals)}"


def how_left(state: Tournament, entrant: str) -> str:
    """How an entrant left; empty for who did not."""
    status = state.entrants[entrant].status
    return status if status in ("withdrawn", "disqualified") else ""


def entered_rows(state: Tournament, names: Names, players: Names = NOBODY) -> tuple[Seated, ...]:
    """Those who take part, before anything is ranked; `players` are those of entrants whose name does not tell them."""
    told = {entrant: (Sitting("", called),) for entrant, called in players.items()}
    return tuple(seated(state, each.id, names, told) for each in state.active)


def side_titles(state: Tournament) -> tuple[str, ...]:
    """What the sides of a match are called in the headings of columns, as many as any match of it has."""
    return ("Home", "Visitors") if state.terms.entrants == "teams" else table_titles(state)


def table_titles(state: Tournament) -> tuple[str, ...]:
    """What the sides of a table are called, as many as any table has."""
    usual = len(compile_rules(state.terms.ruleset, state.terms.players).sides)
    sides = max([usual, *(len(match.paired.sides) for match in state.matches.values())])
    return ("North-South", "East-West") if sides == 2 else tuple(f"Side {number}" for number in range(1, sides + 1))


def pairing_rows(state: Tournament, played: Round, names: Names, sitting: Sittings = NOWHERE) -> tuple[PairingRow, ...]:
    """The matches of a round by table; `sitting` tells of entrants whose name does not say who sits where."""
    stage = state.stage_terms(played.stage)
    compared = isinstance(stage.score, BOARD_SCORES)
    places = places_in_bracket(state, state.stages[played.stage])

    def row(match: Match) -> PairingRow:
        points, score = _came(match, scale_shown(stage), compared)
        return PairingRow(
            match=match.id,
            tables=", ".join(str(seats.table) for seats in match.paired.tables),
            bracket=places.get(match.paired.bracket or "", ""),
            sides=tuple(tuple(seated(state, each, names, sitting) for each in side) for side in match.paired.sides),
            boards=_ranges(match.paired.boards),
            points=points,
            score=score,
            note=_note(state, match),
        )

    return tuple(row(match) for match in state.matches_of(played.number))


def seated(state: Tournament, entrant: str, names: Names, sitting: Sittings) -> Seated:
    """An entrant with its number, and with who sits where for it."""
    return Seated(state.entrants[entrant].place, names[entrant], sitting.get(entrant, ()))


def _came(match: Match, scale: Scale, compared: bool) -> tuple[str, str]:
    """Points and score of a match, empty for what there is not."""
    outcome = match.outcome
    points = score = ""
    if outcome is not None:
        if outcome.how != "ruling" or any(outcome.points):
            points = " : ".join(decimal_text(each, 0, 0) for each in outcome.points)
        if outcome.score is not None and not compared:
            score = " : ".join(decimal_text(each, 2, scale.decimals) for each in outcome.score)
    return points, score


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


def bye_rows(
    state: Tournament, played: Round, names: Names, sitting: Sittings = NOWHERE, why: Names = NOBODY
) -> tuple[ByeRow, ...]:
    """Who sits a round out; `why` says more than the kind of a bye, also of those who have none."""
    told = {entrant: BYES[bye] for entrant, bye in played.byes.items()} | {**why}
    return tuple(ByeRow(seated(state, entrant, names, sitting), each) for entrant, each in told.items())


def clock_text(time: str | None, zone: str) -> str:
    """A time of an event as the clock at the place of the tournament shows it; empty for none."""
    return "" if time is None else local_text(moment(time), zone)


def local_text(at: datetime, zone: str) -> str:
    """A moment as the clock at a place shows it."""
    return f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} {zone}"
