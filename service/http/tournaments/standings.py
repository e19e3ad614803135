"""Standings and crosstables, as of any event, page by page, with every value explained for whoever asks."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from msgspec import Meta, Raw, Struct, json
from msgspec.structs import asdict, replace

from domain.standings.keys import KEYS, decimal_text, shown
from domain.tournaments.crosstable import CrossRow, Crosstable, crosstable
from domain.tournaments.explaining import RowExplained, explained
from domain.tournaments.reached import is_bracket, reached
from domain.tournaments.standings import Row
from domain.tournaments.state import EntrantStatus, Tournament
from domain.tournaments.terms import STAGES_MAX, TieBreak
from domain.tournaments.tie_breaks import CODES, scale_of
from service.http.operations import AnswerKind, Call, Operation, Reply
from service.http.parameters import if_none_match
from service.http.problems import Problem
from service.http.tables import etag
from service.http.tournaments.paging import PAGED, PlacesQuery, cut, places_reply, version_asked
from service.http.tournaments.shown import AsOf, find_at, names_of
from service.tournaments.tournaments import worked_out

PRESENT: Final = -1
Square = tuple[tuple[tuple[int, ...], ...], ...]

_ENTRANT: Final = re.compile(r"(?<!the seed and )\be[0-9]+\b")
"""An entrant's id in a sentence; the one that a lot was drawn for stays, since that is what was hashed."""

StageNumber = Annotated[
    int, Meta(ge=PRESENT, lt=STAGES_MAX, description="A stage, from 0; -1: the one that has begun last.")
]


class StageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at`: as it stood after this event; `stage`: of this stage."""

    at: AsOf = 0
    stage: StageNumber = PRESENT


class StagePageQuery(PlacesQuery, frozen=True, forbid_unknown_fields=True):
    """A page of what is in the order of the standings; `stage`: of this stage."""

    stage: StageNumber = PRESENT


class StandingsQuery(StagePageQuery, frozen=True, forbid_unknown_fields=True):
    """`explain`: an entrant whose place is explained."""

    explain: Annotated[str, Meta(pattern=r"^(e[0-9]{1,9})?$(?!\n)", description="An entrant.")] = ""


class TieBreakColumn(Struct, frozen=True, kw_only=True):
    """A tie-break of the stage: its values are integers with so many decimals."""

    tie_break: TieBreak
    code: str
    name: str
    decimals: int
    lower_is_better: bool


class RowShown(Row, frozen=True, kw_only=True):
    """A row with the entrant's name and status. `shown` has the values as they are written in a table. In a bracket
    `reached` says how far the entrant came, which ranks it; its `score` ranks nobody there, and `score_shown` is empty.
    """

    name: str
    status: EntrantStatus
    score_shown: str
    reached: str | None
    shown: tuple[str, ...]


class StandingsShown(Struct, frozen=True, kw_only=True):
    """A page of the standings of a stage after event `version`, best first.

    entrants   how many rows there are on all pages
    round      the last round that has begun; `complete` when all matches up to it count
    published  the number of the event that published standings last, 0 where none did
    explained  how the entrant asked for comes to its place, null where nobody was asked for; on any page
    next       the `after` of the next page, which is one of the same version; null at the end
    """

    version: int
    stage: int
    round: int
    complete: bool
    published: int
    tie_breaks: tuple[TieBreakColumn, ...]
    entrants: int
    rows: tuple[RowShown, ...]
    explained: RowExplained | None
    next: str | None


class CrosstableShown(Crosstable, frozen=True, kw_only=True):
    """A page of a crosstable that has rows of so many `entrants`; `names` are those of its rows and of whom they met.

    A `square` has lines of the rows of the page, and columns of all rows of all pages. `next` is the `after` of the
    next page, which is one of the same version; null at the end.
    """

    names: dict[str, str]
    entrants: int
    next: str | None


class _Kept(Struct, frozen=True):
    """A crosstable as it is kept: rows that a page does not have are not read."""

    rounds: tuple[int, ...]
    rows: tuple[Raw, ...]
    square: Square | None


async def get_standings(call: Call) -> Reply:
    query: StandingsQuery = call.query
    _, state = await find_at(call, version_asked(query))
    if not query.explain and if_none_match(call.headers, state.version):
        return Reply(304, b"", (etag(state.version),))
    stage = stage_of(state, query.stage)
    found = call.service.rankings.of(state, stage)
    page = cut(call, state, len(found.rows))
    listed = found.rows[page.places]
    # An explanation names whomever the entrant met.
    names = await names_of(call, state, None if query.explain else [row.entrant for row in listed])
    why = await worked_out(state, lambda: explained(state, query.explain, stage)) if query.explain else None
    told = StandingsShown(
        version=state.version,
        stage=stage,
        round=found.round,
        complete=found.complete,
        published=state.published,
        tie_breaks=tuple(_column(each) for each in state.stage_terms(stage).tie_breaks),
        entrants=len(found.rows),
        rows=_rows(state, stage, listed, names),
        explained=named(why, names) if why else None,
        next=page.following,
    )
    return places_reply(call, state, f"standings?stage={stage}", told, page.following)


def _rows(state: Tournament, stage: int, rows: Sequence[Row], names: Mapping[str, str]) -> tuple[RowShown, ...]:
    terms = state.stage_terms(stage)
    scale = scale_of(terms, 0)
    bracket = is_bracket(state, stage)
    far = reached(state, state.stages[stage])
    return tuple(
        RowShown(
            **asdict(row),
            name=names[row.entrant],
            status=state.entrants[row.entrant].status,
            score_shown="" if bracket else decimal_text(row.score, 2, scale.decimals),
            reached=far.get(row.entrant),
            shown=tuple(
                shown(CODES[each], value, scale) for each, value in zip(terms.tie_breaks, row.values, strict=True)
            ),
        )
        for row in rows
    )


async def get_crosstable(call: Call) -> Reply:
    query: StagePageQuery = call.query
    _, state = await find_at(call, version_asked(query))
    if if_none_match(call.headers, state.version):
        return Reply(304, b"", (etag(state.version),))
    stage = stage_of(state, query.stage)
    # Made once for all pages of a walk: of thousands of entrants it takes a while.
    kept = await call.service.rendered.of(
        ("crosstable rows", state.id, state.version, stage), lambda: json.encode(crosstable(state, stage))
    )
    found = json.decode(kept, type=_Kept)
    page = cut(call, state, len(found.rows))
    rows = tuple(json.decode(row, type=CrossRow) for row in found.rows[page.places])
    told = CrosstableShown(
        stage=stage,
        version=state.version,
        rounds=found.rounds,
        rows=rows,
        square=None if found.square is None else found.square[page.places],
        names=await names_of(call, state, _named_in(state, rows)),
        entrants=len(found.rows),
        next=page.following,
    )
    return places_reply(call, state, f"crosstable?stage={stage}", told, page.following)


def _named_in(state: Tournament, rows: Sequence[CrossRow]) -> list[str]:
    """The entrants of rows of a crosstable, and those that they name by number."""
    met = {number for row in rows for cell in row.cells if cell for number in (*cell.opponents, *cell.partners)}
    own = {row.number for row in rows}
    return [*(row.entrant for row in rows), *(each.id for each in state.entrants.values() if each.place in met - own)]


def stage_of(state: Tournament, wanted: int) -> int:
    """The number of a stage that has begun; `PRESENT` for the last one. Raises `Problem`."""
    begun = len(state.stages)
    stage = begun - 1 if wanted == PRESENT else wanted
    if not 0 <= stage < begun:
        raise Problem(
            "stage_not_found",
            f"{begun} stages have begun; they are numbered from 0.",
            params={"begun": begun},
        )
    return stage


def named(row: RowExplained, names: Mapping[str, str]) -> RowExplained:
    """An explanation with names in the place of entrants' ids."""

    def text(sentence: str) -> str:
        return _ENTRANT.sub(lambda found: names.get(found[0], found[0]), sentence)

    return replace(
        row,
        text=text(row.text),
        rounds=tuple(replace(each, text=text(each.text)) for each in row.rounds),
        tie_breaks=tuple(replace(each, text=text(each.text)) for each in row.tie_breaks),
    )


def _column(tie_break: TieBreak) -> TieBreakColumn:
    key = KEYS[CODES[tie_break]]
    return TieBreakColumn(
        tie_break=tie_break, code=key.code, name=key.name, decimals=key.places, lower_is_better=key.lower_is_better
    )


OPERATIONS: Final = (
    Operation(
        id="getStandings",
        method="GET",
        path="/v1/tournaments/{tournament_id}/standings",
        tag="tournaments",
        summary="The standings, as of any event",
        description="Scores are in hundredths. A row's `values` are in the order of `tie_breaks`. With `explain` every "
        "value of one entrant comes with its arithmetic. " + PAGED,
        credential="optional",
        scope="watch",
        query=StandingsQuery,
        headers=("If-None-Match",),
        answers=(
            AnswerKind(status=200, description="A page.", kind=StandingsShown, headers=("ETag", "Link")),
            AnswerKind(status=304, description="You have them already.", headers=("ETag",)),
        ),
        problems=("tournament_not_found", "stage_not_found", "entrant_not_found", "event_not_found", "cursor_invalid"),
        run=get_standings,
    ),
    Operation(
        id="getCrosstable",
        method="GET",
        path="/v1/tournaments/{tournament_id}/crosstable",
        tag="tournaments",
        summary="The crosstable: everybody's rounds in the order of the standings",
        description="Rows are in the order of the standings; cells name opponents by their numbers in order of "
        "entering. A round robin has besides a square of all meetings, in the order of the rows. " + PAGED,
        credential="optional",
        scope="watch",
        query=StagePageQuery,
        headers=("If-None-Match",),
        answers=(
            AnswerKind(status=200, description="A page.", kind=CrosstableShown, headers=("ETag", "Link")),
            AnswerKind(status=304, description="You have it already.", headers=("ETag",)),
        ),
        problems=("tournament_not_found", "stage_not_found", "event_not_found", "cursor_invalid"),
        run=get_crosstable,
    ),
)
