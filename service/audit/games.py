"""Checks games: every event of theirs, and what stands beside it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Final

import asyncpg
from msgspec import Struct, field

from service.audit.agreement import Beside, GameRow, SeatRow, TournamentRow
from service.audit.appends import Touches
from service.audit.chains import Broken, GameChain
from service.audit.findings import Finding, FindingCode, Findings
from service.audit.play import Play, Rulebook
from service.audit.rows import UNREADABLE, Row, Rows, Span, read_games, read_part, read_singly
from service.audit.source import Cut
from service.audit.tournament_rows import compare_rows
from service.audit.tournaments import TournamentChain
from service.store.database import reason_of
from service.tournaments.ids import is_tournament

_GAMES: Final = """
select id, status, ruleset, players, practice, version, turn, finished_at, {seal} as sealed_until, {boards}
where {span}
"""

_BOARDS: Final = """tournament, commitment, opened_at from game
left join (select game, tournament from tournament_game where on_boards) t on t.game = id
left join (select tournament, commitment, opened_at from board_set) b using (tournament)
"""

_NO_BOARDS: Final = "null::text as tournament, null::text as commitment, null::timestamptz as opened_at from game"

_SEATS: Final = "select game, seat, kind, player, level from seat where {span} order by game, seat"

_SECRETS: Final = "select game, master from secret where {span}"

_TOURNAMENTS: Final = "select id, status, version, organiser from tournament where {span}"

_BOARD_SETS: Final = "select tournament, commitment from board_set where {span}"

_NEWEST: Final = "select coalesce(max(version), 0) from event where stream = $1"


class Checked(Struct):
    """What came of a lot of games and tournaments: how many, how many of their events were fine, and what was wrong."""

    games: int = 0
    tournaments: int = 0
    ended: int = 0
    events: int = 0
    bytes: int = 0
    findings: Findings = field(default_factory=Findings)


@asynccontextmanager
async def one_snapshot(connection: asyncpg.Connection) -> AsyncIterator[None]:
    """Everything inside sees the database at one moment, and an error inside spoils nothing outside."""
    if connection.is_in_transaction():
        async with connection.transaction():
            yield
    else:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            yield


async def check_games(
    connection: asyncpg.Connection, cut: Cut, span: Span, rulebook: Rulebook | None, *, together: bool
) -> Checked:
    """Check every game of a span; `together` those that are small enough to be read at once.

    Raises what the driver raises where the database as such cannot be used.
    """
    try:
        async with one_snapshot(connection):
            return await _check(connection, cut, span, rulebook, together)
    except UNREADABLE:
        pass
    # Game by game, and where that fails event by event, to tell which cannot be read.
    async with one_snapshot(connection):
        return await _check(connection, cut, span, rulebook, False)


async def _check(
    connection: asyncpg.Connection, cut: Cut, span: Span, rulebook: Rulebook | None, together: bool
) -> Checked:
    checked = Checked()
    beside = await _read_beside(connection, cut, span)
    at = datetime.now(UTC)
    games: list[Rows | str]
    if together:
        games = [*await read_games(connection, cut, span)]
    else:
        query = f"select distinct stream from event where {span.condition('stream', 1)} order by stream"
        games = [row["stream"] for row in await connection.fetch(query, *span.parameters())]
    for rows in games:
        game = rows if isinstance(rows, str) else rows.game
        mine = beside.pop(game, Beside())
        chain = _chain(game, cut, mine, rulebook)
        try:
            async for size in _take(connection, cut, chain, None if isinstance(rows, str) else rows):
                checked.bytes += size
            if not chain.events:
                # The game began after the cut.
                continue
            chain.end()
        except Broken as broken:
            chain.found.append(broken.finding)
        else:
            chain.found += await _disagreements(connection, chain, mine, at)
        checked.games += isinstance(chain, GameChain)
        checked.tournaments += not isinstance(chain, GameChain)
        checked.ended += chain.over
        checked.events += chain.events
        checked.findings.add(chain.found)
    for game, mine in beside.items():
        if not await connection.fetchval(_NEWEST, game):
            checked.findings.add([_stray(game, mine)])
    return checked


async def _take(
    connection: asyncpg.Connection, cut: Cut, chain: GameChain | TournamentChain, rows: Rows | None
) -> AsyncIterator[int]:
    """Take all events of a game; gives the bytes of bodies as they are taken. Raises `Broken`."""
    if rows is not None:
        if chain.take(rows):
            yield len(rows.bodies)
            return
    else:
        try:
            while (part := await _part(connection, cut, chain)) is not None:
                if not chain.take(part):
                    break
                yield len(part.bodies)
            else:
                return
        except UNREADABLE:
            pass
    before: Row | None = None
    try:
        async for row in read_singly(connection, cut, chain.stream, chain.events, chain.body_bytes_max):
            if before is not None:
                chain.take_row(before, row)
                yield len(before.body)
            before = row
    except UNREADABLE as error:
        n = chain.events + 1 + (before is not None)
        message = f"The database cannot read event {n}, or one of those after it: {reason_of(error)}."
        raise Broken(Finding(FindingCode.UNREADABLE, message, game=chain.stream, n=n)) from error
    if before is not None:
        chain.take_row(before, None)
        yield len(before.body)


async def _part(connection: asyncpg.Connection, cut: Cut, chain: GameChain | TournamentChain) -> Rows | None:
    async with one_snapshot(connection):
        return await read_part(connection, cut, chain.stream, chain.events)


def _chain(stream: str, cut: Cut, beside: Beside, rulebook: Rulebook | None) -> GameChain | TournamentChain:
    if is_tournament(stream):
        return TournamentChain(stream, cut.shards, rules=rulebook is not None)
    version = None if beside.row is None else beside.row.version
    return GameChain(stream, cut.shards, Play(stream, rulebook), Touches(version))


async def _disagreements(
    connection: asyncpg.Connection, chain: GameChain | TournamentChain, beside: Beside, at: datetime
) -> list[Finding]:
    """What does not agree, unless the stream has moved on since the cut: then the next audit compares it."""
    found = [*chain.disagreements(beside, at)]
    if isinstance(chain, TournamentChain) and chain.state is not None:
        found += await compare_rows(connection, chain.state, chain.sayings, beside.master)
    if found and await connection.fetchval(_NEWEST, chain.stream) > chain.events:
        return []
    return found


async def _read_beside(connection: asyncpg.Connection, cut: Cut, span: Span) -> dict[str, Beside]:
    seal = "sealed_until" if cut.seals else "null::timestamptz"
    boards = _BOARDS if cut.boards else _NO_BOARDS
    query = _GAMES.format(seal=seal, boards=boards, span=span.condition("id", 1))
    games = await connection.fetch(query, *span.parameters())
    seats: dict[str, list[SeatRow]] = {}
    for game, *seat in await connection.fetch(_SEATS.format(span=span.condition("game", 1)), *span.parameters()):
        seats.setdefault(game, []).append(SeatRow(*seat))
    secrets = await connection.fetch(_SECRETS.format(span=span.condition("game", 1)), *span.parameters())
    rows = {row["id"]: GameRow(*row) for row in games}
    masters = {row["game"]: row["master"] for row in secrets}
    tournaments: dict[str, TournamentRow] = {}
    sets: dict[str, str] = {}
    if cut.boards:
        query = _TOURNAMENTS.format(span=span.condition("id", 1))
        tournaments = {row["id"]: TournamentRow(*row) for row in await connection.fetch(query, *span.parameters())}
        query = _BOARD_SETS.format(span=span.condition("tournament", 1))
        sets = dict(await connection.fetch(query, *span.parameters()))
    return {
        stream: Beside(
            rows.get(stream), seats.get(stream, ()), masters.get(stream), tournaments.get(stream), sets.get(stream)
        )
        for stream in sorted(rows.keys() | seats.keys() | masters.keys() | tournaments.keys() | sets.keys())
    }


def _stray(game: str, beside: Beside) -> Finding:
    """What is kept for a game or a tournament without an event."""
    if beside.tournament is not None or beside.boards is not None:
        return Finding(FindingCode.STREAM_MISSING, "There are rows of the tournament, and no event.", game=game)
    if beside.row is not None:
        return Finding(FindingCode.STREAM_MISSING, "There is a row of the game, and no event.", game=game)
    if beside.seats:
        return Finding(FindingCode.SEAT_WRONG, "There are seats, and neither a game nor an event.", game=game)
    return Finding(FindingCode.MASTER_LEFT, "A master is kept for a game that there is not.", game=game)
