"""The games of a tournament's matches, held to what its events say of them: on which boards and by which beacon they
are dealt, and what their hands come to. Everything is counted anew from the events of the games themselves."""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

import asyncpg
from msgspec import MsgspecError, Struct, field

from domain import events
from domain.events import AnyEvent
from domain.tournaments.lengths import boards_of_game
from domain.tournaments.seating import GameResult
from domain.tournaments.state import Match, Tournament
from domain.tournaments.tables import match_side, points_by_side
from domain.upcasting import SchemaUnknown, decode_stored
from service.audit.chains import DAMAGED
from service.audit.findings import FindingCode
from service.audit.play import Play
from service.audit.rows import UNREADABLE
from service.tournaments.collecting import position_totals

GAMES_TOGETHER: Final = 200
"""Games whose deciding events are read at a time."""

Fault = tuple[FindingCode, str, int | None]
"""A code, what is wrong, and the number of the tournament's event that says otherwise."""

_DECIDING: Final = """
select stream, version, body, encode(hash, 'hex') as hash, schema from event
where stream = any($1::text[]) and type in (
    'created', 'closed', 'started', 'hand_ended', 'resigned', 'timed_out', 'adjudicated', 'game_ended'
)
order by stream, version
"""
_HEAD: Final = "select version from event where stream = $1 and hash = decode($2, 'hex')"
_UP_TO: Final = "select body, schema from event where stream = $1 and version <= $2 order by version"

_BY_THE_CLOCK: Final = frozenset({"time", "position"})
"""Results that a director may have taken from a game under way, which was ended afterwards."""

_UNDECODED: Final = (SchemaUnknown, MsgspecError, *DAMAGED)


class PlayedGame(Struct, frozen=True):
    """A game of a match and its place there; `result` is what the tournament says of it, and with which event."""

    game: str
    match: Match
    table: int
    leg: int
    result: tuple[GameResult, int] | None


class _Course(Struct):
    """What the events of a game say: its boards, its beacon as it was fixed and as it came out, by hand the version of
    its end and the totals by side of the table, which side gave up or lost on time and when, and the end."""

    boards: tuple[int, ...] = ()
    fixed: dict[str, Any] | None = None
    shown: dict[str, Any] | None = None
    hands: list[tuple[int, list[int]]] = field(default_factory=list)
    lost: tuple[int, int | None] | None = None
    end: tuple[int, str] | None = None

    def take(self, version: int, head: str, event: AnyEvent) -> None:
        match event:
            case events.Created():
                self.boards = tuple((event.fairness or {}).get("boards", ()))
            case events.Closed():
                self.fixed = event.beacon
            case events.Started():
                self.shown = event.beacon
            case events.HandEnded():
                self.hands.append((version, [line["total"] for line in event.lines]))
            case events.Resigned() | events.TimedOut() | events.Adjudicated():
                self.lost = (version, event.side)
            case events.GameEnded():
                self.end = (version, head)


async def game_faults(
    connection: asyncpg.Connection, state: Tournament, games: Iterable[PlayedGame]
) -> AsyncIterator[Fault]:
    """Where games are not those of their matches. Of one that cannot be read its own stream tells.

    Raises what the driver raises where the database as such cannot be used.
    """
    rest = iter(games)
    while lot := [*islice(rest, GAMES_TOGETHER)]:
        courses = await _courses(connection, [each.game for each in lot])
        for played in lot:
            course = courses.get(played.game)
            if course is None:
                continue
            try:
                found = [*_deal_faults(state, played, course)]
                if played.result is not None:
                    found += await _result_faults(connection, state, played, course)
            except UNREADABLE:
                continue
            except _UNDECODED as error:
                message = f"The game {played.game} cannot be held to its match: {error!r}."
                found = [(FindingCode.MATCH_GAME_WRONG, message, None)]
            for fault in found:
                yield fault


async def _courses(connection: asyncpg.Connection, games: Sequence[str]) -> dict[str, _Course]:
    """Those that can be read, one by one where it does not go together."""
    try:
        async with connection.transaction():
            rows = await connection.fetch(_DECIDING, games)
    except UNREADABLE:
        if len(games) == 1:
            return {}
        singly = [await _courses(connection, [game]) for game in games]
        return {game: course for each in singly for game, course in each.items()}
    found: dict[str, _Course] = {}
    damaged = set()
    for row in rows:
        try:
            found.setdefault(row["stream"], _Course()).take(
                row["version"], row["hash"], decode_stored(row["schema"], row["body"])
            )
        except _UNDECODED:
            damaged.add(row["stream"])
    return {game: course for game, course in found.items() if game not in damaged}


def _deal_faults(state: Tournament, played: PlayedGame, course: _Course) -> Iterator[Fault]:
    """Whether the game is dealt from the boards of its match, by the beacon of its tournament."""
    boards = boards_of_game(state.stage_terms(played.match.stage), played.match.paired.boards, played.leg)
    if course.boards != boards:
        yield FindingCode.MATCH_GAME_WRONG, f"The game {played.game} is not played on the boards of its match.", None
    if (course.fixed, course.shown) != ((state.beacon, state.beacon_shown) if boards else (None, None)):
        message = f"The game {played.game} is not dealt by the beacon on which the tournament's boards depend."
        yield FindingCode.MATCH_BEACON_WRONG, message, None


async def _result_faults(
    connection: asyncpg.Connection, state: Tournament, played: PlayedGame, course: _Course
) -> list[Fault]:
    """Whether the result of a game is what its hands come to, as far as it was counted."""
    assert played.result is not None
    result, n = played.result
    counted = await _counted_to(connection, played.game, course, result)
    if counted is None:
        message = f"The result of {played.game} was not counted from the end that it has."
        return [(FindingCode.MATCH_GAME_WRONG, message, n)]
    hands = [totals for version, totals in course.hands if version <= counted]
    if result.reason == "position":
        hands.append(await _position(connection, played.game, counted))
    if [*result.hands] != [points_by_side(state, played.match, played.table, hand) for hand in hands]:
        message = f"The result of {played.game} is not what the hands of the game come to."
        return [(FindingCode.RESULT_WRONG, message, n)]
    lost = course.lost
    side = None
    if lost is not None and lost[0] == counted - 1 and lost[1] is not None:
        side = match_side(state, played.match, played.table, lost[1])
    if result.loser != side:
        message = f"By the result of {played.game} side {result.loser} lost it, and by the game {side}."
        return [(FindingCode.RESULT_WRONG, message, n)]
    return []


async def _counted_to(connection: asyncpg.Connection, game: str, course: _Course, result: GameResult) -> int | None:
    """The version of the game that the result was counted at; None where that is none of its own."""
    if course.end is not None and course.end[1] == result.head:
        return course.end[0]
    if result.reason not in _BY_THE_CLOCK:
        return None
    version: int | None = await connection.fetchval(_HEAD, game, result.head)
    return version


async def _position(connection: asyncpg.Connection, game: str, version: int) -> list[int]:
    """By side of the table, what the hand in play after this event counts as it lies."""
    async with connection.transaction():
        rows = await connection.fetch(_UP_TO, game, version)
    play = Play(game, None)
    play.go_on([decode_stored(row["schema"], row["body"]) for row in rows])
    assert play.state is not None
    return position_totals(play.state)
