"""What games of matches came to, read from their events: the hands that count, by side of the match."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from domain import events
from domain.events import AnyEvent
from domain.scoring import score_lines
from domain.state import Ended, State
from domain.tournaments.seating import GameResult
from domain.tournaments.state import Match, Tournament
from domain.tournaments.tables import match_side, points_by_side
from service.decoding import decoded
from service.games import Games
from service.store.base import StoredEvent
from service.store.database import Pool, reached

# The end of a game, what led to it, and the ends of its hands: an index leads to each.
_ENDS: Final = """
select e.stream, e.version, e.type, e.body, encode(e.hash, 'hex') as hash, e.schema
from unnest($1::text[]) as g (id)
cross join lateral (
    select stream, version from event where type = 'game_ended' and stream = g.id limit 1
) o
cross join lateral (
    select * from event where stream = g.id and type = 'hand_ended'
    union all
    select * from event where stream = g.id and version in (o.version - 1, o.version) and type <> 'hand_ended'
) e
order by e.stream, e.version
"""
_HANDS: Final = """
select stream, version, type, body, encode(hash, 'hex') as hash, schema
from event where stream = $1 and type = 'hand_ended' order by version
"""


class PlayedGame(Struct, frozen=True):
    """A game of a match, by its place in it."""

    game: str
    match: str
    table: int
    leg: int


class Collecting:
    """Reads results. Everything may raise `StoreUnavailable`, `StoreBusy` and `GameNewer`."""

    def __init__(self, pool: Pool, games: Games) -> None:
        self._pool = pool
        self._games = games

    async def results(self, state: Tournament, played: Sequence[PlayedGame]) -> list[GameResult]:
        """The results of games that have ended."""
        with reached():
            rows = await self._pool.fetch(_ENDS, [each.game for each in played])
        found: dict[str, list[Any]] = {}
        for row in rows:
            found.setdefault(row["stream"], []).append(row)
        return [await self._result(state, each, found[each.game]) for each in played if each.game in found]

    async def as_it_lies(self, state: Tournament, played: PlayedGame) -> GameResult | None:
        """What an open game would come to if it were broken off and its hand counted as it lies; None once it ended."""
        live = await self._games.fresh(played.game)
        now, head = live.state, live.hash
        if now.table.status == "ended":
            return None
        with reached():
            rows = await self._pool.fetch(_HANDS, played.game)
        match = state.matches[played.match]
        hands = [points_by_side(state, match, played.table, totals) for totals in _totals(_stored(rows))]
        reason = "time"
        if now.hand > len(hands):
            hands.append(points_by_side(state, match, played.table, position_totals(now)))
            reason = "position"
        return _game_result(match, played, hands, reason, None, head)

    async def _result(self, state: Tournament, played: PlayedGame, rows: Sequence[Any]) -> GameResult:
        match = state.matches[played.match]
        happened = _stored(rows)
        hands = [points_by_side(state, match, played.table, totals) for totals in _totals(happened)]
        ended = happened[-1]
        assert isinstance(ended, events.GameEnded), "A game that has ended says so."
        why = happened[-2] if len(happened) > 1 else None
        reason: str = ended.reason
        loser = None
        if isinstance(why, events.Resigned | events.TimedOut | events.Adjudicated) and why.side is not None:
            loser = match_side(state, match, played.table, why.side)
        if isinstance(why, events.Adjudicated) and why.reason == "time":
            reason = "time"
            if state.stage_terms(match.stage).match.end_of_time == "score_position":
                last = (await self._games.fresh(played.game)).state
                if last.hand > len(hands):
                    hands.append(points_by_side(state, match, played.table, position_totals(last)))
                    reason = "position"
        return _game_result(match, played, hands, reason, loser, rows[-1]["hash"])


def position_totals(state: State) -> list[int]:
    """By side of the table what an unfinished hand counts as it lies: cards on the table less cards in hand."""
    return [line["total"] for line in score_lines(state, Ended(None, "stock", concealed=False))]


def _game_result(
    match: Match, played: PlayedGame, hands: Sequence[tuple[int, ...]], reason: str, loser: int | None, head: str
) -> GameResult:
    points = tuple(map(sum, zip(*hands, strict=True))) if hands else (0,) * len(match.paired.sides)
    return GameResult(
        match=match.id,
        table=played.table,
        leg=played.leg,
        game=played.game,
        points=points,
        hands=tuple(hands),
        reason=reason,
        loser=loser,
        head=head,
    )


def _totals(happened: Iterable[AnyEvent]) -> list[list[int]]:
    return [[line["total"] for line in event.lines] for event in happened if isinstance(event, events.HandEnded)]


def _stored(rows: Iterable[Any]) -> list[AnyEvent]:
    return decoded(
        StoredEvent(row["stream"], row["version"], row["type"], row["body"], "", row["hash"], row["schema"])
        for row in rows
    )
