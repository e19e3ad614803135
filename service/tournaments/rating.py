"""What the ratings get of a tournament: every match that is decided, once, and again where a ruling changes it.

How far the ratings know a tournament stands in its row, written by the same transaction as what they were told.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import structlog
from msgspec import Struct

from domain.ratings.pools import pool_of
from domain.ratings.shapes import ResultInvalid
from domain.tournaments.clocks import moment
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.rated import ranks_of
from domain.tournaments.round_events import MatchDecided, RulingIssued
from domain.tournaments.state import Match, Tournament
from service.ratings.results import MatchResult, players_of, rate_match
from service.ratings.worker import Ratings
from service.store.database import Pool, reached
from service.tournaments.live import LiveTournament
from service.tournaments.tournaments import Tournaments

log = structlog.get_logger(__name__)

TOGETHER: Final = 32
"""Matches that are told in one transaction, which keeps other results of the pool waiting."""

_RATED: Final = "select rated_version from tournament where id = $1"
_SET_RATED: Final = "update tournament set rated_version = greatest(rated_version, $2) where id = $1"


class Settled(Struct, frozen=True):
    """A match, and the event that settled it last."""

    match: str
    revision: int
    at: str


class Rating:
    """Hands matches to the ratings. Everything may raise `StoreUnavailable` and `StoreBusy`."""

    def __init__(self, pool: Pool, tournaments: Tournaments, ratings: Ratings) -> None:
        self._pool = pool
        self._tournaments = tournaments
        self._ratings = ratings

    async def hand_over(self, live: LiveTournament, state: Tournament) -> int:
        """Tell the ratings what they do not know of a tournament in this state; how many matches it was."""
        with reached():
            known: int | None = await self._pool.fetchval(_RATED, live.id)
        if known is None or known >= state.version:
            return 0
        settled: dict[str, Settled] = {}
        if state.terms.rated:
            happened = live.recent(known)
            if happened is None:
                happened = [event async for event in self._tournaments.events(live, known, state.version)]
            # A match that an event after the state settles would be told as it was before, and never again.
            settled = {
                each.match: each
                for each in settled_by(happened)
                if each.revision <= state.version and each.match in state.matches
            }
        matches = list(settled.values())
        for start in range(0, len(matches), TOGETHER):
            await self._tell(state, matches[start : start + TOGETHER])
        with reached():
            await self._pool.execute(_SET_RATED, live.id, state.version)
        if matches:
            self._ratings.wake()
        return len(matches)

    async def _tell(self, state: Tournament, matches: Sequence[Settled]) -> None:
        with reached():
            async with self._pool.acquire() as connection, connection.transaction():
                for each in matches:
                    try:
                        await rate_match(connection, match_result(state, each))
                    except ResultInvalid as invalid:
                        log.error("match_not_rated", tournament=state.id, match=each.match, why=str(invalid))


def settled_by(happened: Iterable[AnyTournamentEvent]) -> list[Settled]:
    """The matches that events decide or rule on, in order."""
    return [
        Settled(event.match, event.n, event.at) for event in happened if isinstance(event, MatchDecided | RulingIssued)
    ]


def match_result(state: Tournament, settled: Settled) -> MatchResult:
    """A match as the ratings take it, in the pool of as many seats as its tables have, also where others have more."""
    match = state.matches[settled.match]
    forfeits = _forfeits(match)
    ranks = ranks_of(match) if forfeits is None else _forfeit_ranks(forfeits)
    sides = tuple(_partnerships(match, side) for side in match.paired.sides)
    return MatchResult(
        tournament=state.id,
        match=match.id,
        revision=settled.revision,
        pool=pool_of(state.terms.ruleset, len(match.paired.tables[0].players)),
        sides=sides,
        ranks=(1,) * len(match.paired.sides) if ranks is None else ranks,
        at=moment(settled.at),
        rated=ranks is not None,
        forfeited_by=tuple(players_of([side for side, gone in zip(sides, forfeits or (), strict=False) if gone])),
        partnerships=state.terms.entrants != "individuals",
        public=state.terms.shown == "public",
    )


def results_changed(before: Tournament, after: Tournament, matches: Iterable[str]) -> list[MatchResult]:
    """The matches as the ratings would get them if the second state followed the first: these, and those forfeited."""
    forfeited = (key for key, match in after.matches.items() if _forfeits(match) != _forfeits(before.matches.get(key)))
    changed = dict.fromkeys((*matches, *forfeited))
    return [match_result(after, Settled(each, after.version, before.at)) for each in changed if each in after.matches]


def _forfeits(match: Match | None) -> tuple[bool, ...] | None:
    """By side whether a ruling has it lose the match without playing on; None where there is no such ruling."""
    adjustment = None if match is None or match.ruling is None else match.ruling.adjustment
    return None if adjustment is None or adjustment.kind != "forfeit" else adjustment.forfeit


def _forfeit_ranks(forfeits: Sequence[bool]) -> tuple[int, ...] | None:
    """Whoever stayed is before who went, and level with whoever else did; None where nobody stayed."""
    stayed = forfeits.count(False)
    return tuple(1 + stayed if gone else 1 for gone in forfeits) if stayed else None


def _partnerships(match: Match, side: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Who sat together on a side, one group a table."""
    groups: list[tuple[str, ...]] = []
    for seats in match.paired.tables:
        together = tuple(
            player for entrant, player in zip(seats.entrants, seats.players, strict=True) if entrant in side
        )
        groups.append(together)
    return tuple(groups)
