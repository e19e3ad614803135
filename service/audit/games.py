"""Checks games: every event of theirs, and what stands beside it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Final

import asyncpg
from msgspec import Struct, field

from service.audit.agreement import Beside, GameRow, SeatRow, disagreements
from service.audit.appends import Touches
from service.audit.chains import Broken, Chain
from service.audit.findings import Finding, FindingCode, Findings
from service.audit.play import Play, Rulebook
from service.audit.rows import Row, Rows, Span, read_games, read_part, read_singly
from service.audit.source import Cut
from service.store.database import reason_of

DAMAGE: Final = (
    asyncpg.InternalServerError, asyncpg.DataError, asyncpg.ProgramLimitExceededError, asyncpg.OutOfMemoryError,
    UnicodeDecodeError,
)  # fmt: skip
"""What is raised over rows that Postgres cannot read, that are too large together, or whose text is none."""

_GAMES: Final = """
select id, status, ruleset, players, practice, version, turn, finished_at, {seal} as sealed_until
from game where {span}
"""

_SEATS: Final = "select game, seat, kind, player, level from seat where {span} order by game, seat"

_SECRETS: Final = "select game, master from secret where {span}"

_NEWEST: Final = "select coalesce(max(version), 0) from event where stream = $1"


class Checked(Struct):
    """What came of a lot of games: how many there were, how many of their events were fine, and what was wrong."""

    games: int = 0
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
    except DAMAGE:
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
        version = None if mine.row is None else mine.row.version
        play, touches = Play(game, rulebook), Touches(version)
        chain = Chain(game, cut.shards, play, touches)
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
            chain.found += await _disagreements(connection, chain, play, touches, mine, at)
        checked.games += 1
        checked.ended += play.state is not None and play.state.table.status == "ended"
        checked.events += chain.events
        checked.findings.add(chain.found)
    for game, mine in beside.items():
        if not await connection.fetchval(_NEWEST, game):
            checked.findings.add([_stray(game, mine)])
    return checked


async def _take(connection: asyncpg.Connection, cut: Cut, chain: Chain, rows: Rows | None) -> AsyncIterator[int]:
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
        except DAMAGE:
            pass
    before: Row | None = None
    try:
        async for row in read_singly(connection, cut, chain.game, chain.events):
            if before is not None:
                chain.take_row(before, row)
                yield len(before.body)
            before = row
    except DAMAGE as error:
        n = chain.events + 1 + (before is not None)
        message = f"The database cannot read event {n}, or one of those after it: {reason_of(error)}."
        raise Broken(Finding(FindingCode.UNREADABLE, message, game=chain.game, n=n)) from error
    if before is not None:
        chain.take_row(before, None)
        yield len(before.body)


async def _part(connection: asyncpg.Connection, cut: Cut, chain: Chain) -> Rows | None:
    async with one_snapshot(connection):
        return await read_part(connection, cut, chain.game, chain.events)


async def _disagreements(
    connection: asyncpg.Connection, chain: Chain, play: Play, touches: Touches, beside: Beside, at: datetime
) -> list[Finding]:
    """What does not agree, unless the game has moved on since the cut: then the next audit compares it."""
    assert play.state is not None
    found = list(disagreements(chain.game, play.state, play.standing(), beside, at))
    why = touches.fault(chain.events)
    if why is not None:
        found.append(Finding(FindingCode.GAME_VERSION_WRONG, why, game=chain.game))
    if found and await connection.fetchval(_NEWEST, chain.game) > chain.events:
        return []
    return found


async def _read_beside(connection: asyncpg.Connection, cut: Cut, span: Span) -> dict[str, Beside]:
    seal = "sealed_until" if cut.seals else "null::timestamptz"
    games = await connection.fetch(_GAMES.format(seal=seal, span=span.condition("id", 1)), *span.parameters())
    seats: dict[str, list[SeatRow]] = {}
    for game, *seat in await connection.fetch(_SEATS.format(span=span.condition("game", 1)), *span.parameters()):
        seats.setdefault(game, []).append(SeatRow(*seat))
    secrets = await connection.fetch(_SECRETS.format(span=span.condition("game", 1)), *span.parameters())
    rows = {row["id"]: GameRow(*row) for row in games}
    masters = {row["game"]: row["master"] for row in secrets}
    return {
        game: Beside(rows.get(game), seats.get(game, ()), masters.get(game))
        for game in sorted(rows.keys() | seats.keys() | masters.keys())
    }


def _stray(game: str, beside: Beside) -> Finding:
    """What is kept for a game without an event."""
    if beside.row is not None:
        return Finding(FindingCode.STREAM_MISSING, "There is a row of the game, and no event.", game=game)
    if beside.seats:
        return Finding(FindingCode.SEAT_WRONG, "There are seats, and neither a game nor an event.", game=game)
    return Finding(FindingCode.MASTER_LEFT, "A master is kept for a game that there is not.", game=game)
