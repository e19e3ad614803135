"""A tournament as a file: its own form in JSON, tables in CSV, FIDE's report file."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from domain.standings.keys import decimal_text
from domain.tournaments.state import Tournament
from service.http.operations import JSON, AnswerKind, Call, Operation, Reply
from service.http.problems import Problem
from service.http.tournaments import sheets
from service.http.tournaments.documents import SAME, document, download, title_of
from service.http.tournaments.shown import AsOf, called_by, entrants_shown, find_at
from service.tournaments.cells import csv_of
from service.tournaments.exporting import TournamentOut, exported, to_json
from service.tournaments.trf_export import ExportNotPossible, trf_of
from service.trf.writing import write_trf

CSV: Final = "text/csv; charset=utf-8; header=present"
TRF: Final = "text/plain; charset=utf-8"
What = Literal["standings", "pairings", "entrants", "results"]
Rows = Iterator[Sequence[object]]


class ExportQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`format`: `json`, `csv` (of which table `what` tells) or `trf`; `at`: as it stood after this event."""

    format: Literal["json", "csv", "trf"] = "json"
    what: What = "standings"
    at: AsOf = 0


async def export(call: Call) -> Reply:
    query: ExportQuery = call.query
    _, state = await find_at(call, query.at)
    shown = await entrants_shown(call, state, state.entrants.values())
    names = {each.id: each.name for each in shown}
    title = await title_of(call, state)
    if query.format == "json":
        persons = {player for each in state.entrants.values() for player in each.players}
        players = await call.service.players.names(persons)
        content = await asyncio.to_thread(lambda: to_json(exported(state, title, names, players)))
        return document(call, content, JSON, download(title, "json"))
    if query.format == "csv":
        members = {each.id: called_by(each.members) for each in shown}
        content = await asyncio.to_thread(lambda: csv_of(_table(call, state, names, members, query.what)))
        return document(call, content, CSV, download(f"{title} {query.what}", "csv"))
    try:
        content = await asyncio.to_thread(lambda: write_trf(trf_of(state, title, names)))
    except ExportNotPossible as trouble:
        raise Problem("export_not_possible", trouble.why, params={"format": "trf"}) from trouble
    return document(call, content, TRF, download(title, "trf"))


def _table(call: Call, state: Tournament, names: Mapping[str, str], members: Mapping[str, str], what: What) -> Rows:
    """The rows of a table, with its headings first; `members` are the names of those of each entrant."""
    match what:
        case "standings":
            return _standings(call, state, names)
        case "pairings":
            return _pairings(state, names)
        case "entrants":
            return _entrants(state, names, members)
        case "results":
            return _results(state, names)


def _standings(call: Call, state: Tournament, names: Mapping[str, str]) -> Rows:
    stage = state.stage
    ties = () if stage is None else state.stage_terms(stage.number).tie_breaks
    score = "score" if stage is None else sheets.score_title(state, stage.number).lower()
    # Tie-breaks are called as in the terms, `wins` among them: how matches ended has other names.
    record = ("played", "won", "drawn", "lost")
    yield ["group", "rank", "entrant", "name", "status", score, "carried", "penalty", *ties, *record]
    if stage is None:
        return
    found = call.service.rankings.of(state)
    scale = sheets.scale_shown(state.stage_terms(stage.number))
    rows = {row.entrant: row for row in found.rows}
    for group in sheets.standing_groups(state, found, names):
        for each in group.rows:
            row, status = rows[each.entrant], state.entrants[each.entrant].status
            values = [None if value == "—" else value for value in each.ties]
            parts = [decimal_text(part, 2, scale.decimals) for part in (row.carried, row.penalty)]
            counts = (row.played, row.wins, row.draws, row.losses)
            yield [group.name, each.rank, each.entrant, each.name, status, each.score, *parts, *values, *counts]


def _pairings(state: Tournament, names: Mapping[str, str]) -> Rows:
    sides = sheets.side_titles(state)
    yield ["round", "match", "tables", *(side.lower() for side in sides), "boards", "bye"]
    for played in state.rounds.values():
        for row in sheets.pairing_rows(state, played, names):
            seated = [_named(side) for side in row.sides]
            yield [
                played.number,
                row.match,
                row.tables,
                *seated,
                *[None] * (len(sides) - len(seated)),
                row.boards,
                None,
            ]
        for bye in sheets.bye_rows(state, played, names):
            yield [played.number, None, None, bye.seated.name, *[None] * (len(sides) - 1), None, bye.bye]


def _named(side: Sequence[sheets.Seated]) -> str:
    return " & ".join(each.name for each in side)


def _entrants(state: Tournament, names: Mapping[str, str], members: Mapping[str, str]) -> Rows:
    yield ["entrant", "seed", "name", "players", "player_names", "status", "rating", "late_round"]
    for each in state.entrants.values():
        rating = None if each.rating is None else f"{each.rating / 100:.2f}"
        players = " ".join(each.players)
        yield [each.id, each.seed, names[each.id], players, members[each.id], each.status, rating, each.late_round]


def _results(state: Tournament, names: Mapping[str, str]) -> Rows:
    yield ["round", "match", "entrants", "name", "points", "score", "how"]
    for played in state.rounds.values():
        for row, match in zip(sheets.pairing_rows(state, played, names), state.matches_of(played.number), strict=True):
            if not match.over:
                continue
            points, score = row.points.split(" : "), row.score.split(" : ")
            for place, side in enumerate(match.paired.sides):
                own = [column[place] if len(column) > place else None for column in (points, score)]
                yield [played.number, row.match, " ".join(side), _named(row.sides[place]), *own, row.note]


OPERATIONS: Final = (
    Operation(
        id="exportTournament",
        method="GET",
        path="/v1/tournaments/{tournament_id}/export",
        tag="tournaments",
        summary="The tournament as a file: JSON, CSV or TRF",
        description="JSON has everything that the standings follow from, and `importTournament` reads it. CSV "
        "(RFC 4180) has one table; what a spreadsheet would take for a formula begins with an apostrophe. TRF is "
        "FIDE's report file of 2026, for tournaments scored by win, draw and loss.",
        credential="none",
        query=ExportQuery,
        headers=("If-None-Match",),
        answers=(
            AnswerKind(status=200, description="The file.", kind=TournamentOut),
            AnswerKind(status=200, description="The file.", kind=str, media_types=("text/csv", "text/plain")),
            SAME,
        ),
        problems=("tournament_not_found", "event_not_found", "export_not_possible"),
        run=export,
    ),
)
