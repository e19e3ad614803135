"""Live streams of a tournament: its events, the clock of its round, and its standings as they change."""

import time
from collections.abc import Awaitable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from domain.events import encode
from domain.tournaments.entrants import OVER
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.state import Round, Tournament
from service.bell.base import Listener
from service.http.following import follow, place_of
from service.http.operations import EVENT_STREAM, NDJSON, AnswerKind, Call, Operation
from service.http.tournaments.shown import find
from service.http.tournaments.view import RoundClock, clock_of
from service.http.wire import EndReason, Wire
from service.principals import Watch
from service.store.base import VERSION_MAX
from service.tournaments.live import LiveTournament
from service.tournaments.rankings import Places, Ranking

PAGE_EVENTS: Final = 200


class TournamentStreamQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Begin after this version; without it, and without `Last-Event-ID`, with the first event.

    `clock` and `standings` say whether those come along as they change.
    """

    after: Annotated[int, Meta(ge=0, le=VERSION_MAX)] = 0
    clock: bool = True
    standings: bool = True


class ClockMessage(RoundClock, frozen=True, kw_only=True, tag_field="type", tag="clock"):
    """The last round, when it or its clock has changed. `now` is the time of the service, to set a clock by."""

    version: int
    now: str


class RankTold(Struct, frozen=True, kw_only=True):
    """An entrant's rank and score (hundredths)."""

    entrant: str
    rank: int
    score: int


class StandingsMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="standings"):
    """The standings as of event `version`, when they have changed; not more often than a setting says."""

    version: int
    stage: int
    round: int
    complete: bool
    rows: tuple[RankTold, ...]


StreamMessage = AnyTournamentEvent | ClockMessage | StandingsMessage


class _Reader:
    """What one reader was told last beside the events."""

    def __init__(self, call: Call, live: LiveTournament) -> None:
        self._call = call
        self._live = live
        self._clock: RoundClock | None = None
        self._places: Places = ()
        self._standings_at = 0.0
        self._standings_of = 0

    async def news(self, wire: Wire, watch: Watch) -> EndReason | None:
        """Send what is new; whether that was the end."""
        live = self._live
        while True:
            if not await watch.valid():
                return "access_changed"
            if wire.place >= live.state.version:
                break
            await self._events(wire, min(live.state.version, wire.place + PAGE_EVENTS))
        state = live.state
        over = state.status in OVER and state.revealed
        await self._beside(wire, state, at_once=over)
        return "tournament_over" if over else None

    async def _events(self, wire: Wire, last: int) -> None:
        live = self._live
        recent = live.recent(wire.place)
        if recent is None:
            recent = [event async for event in self._call.service.tournaments.events(live, wire.place, last)]
        told = [event for event in recent if event.n <= last]
        await wire.events((event.n, str(event.__struct_config__.tag), encode(event)) for event in told)

    async def _beside(self, wire: Wire, state: Tournament, *, at_once: bool) -> None:
        query: TournamentStreamQuery = self._call.query
        if query.clock and state.round is not None:
            clock = _clock(self._live, state, state.round)
            if clock != self._clock:
                self._clock = clock
                now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
                told = ClockMessage(**msgspec.structs.asdict(clock), version=state.version, now=now)
                await wire.beside("clock", msgspec.json.encode(told))
        if query.standings and state.stages and (at_once or self.standings_due()):
            await self._standings(wire, state)

    def standings_due(self) -> bool:
        """Whether the standings may have changed since they were told, and may be told again."""
        pause = self._call.service.settings.standings_stream_seconds
        return self._standings_of < self._live.state.version and time.monotonic() - self._standings_at >= pause

    async def _standings(self, wire: Wire, state: Tournament) -> None:
        self._standings_at, self._standings_of = time.monotonic(), state.version
        ranking = self._call.service.rankings.ranking(state)
        if ranking.places != self._places:
            self._places = ranking.places
            if ranking.message is None:
                ranking.message = _message(ranking)
            await wire.beside("standings", ranking.message)

    async def wait(self, listener: Listener, wire: Wire, watch: Watch) -> None:
        """Until there may be news, or the token is in doubt."""
        live, service = self._live, self._call.service
        settings = service.settings
        while True:
            behind = self._call.query.standings and self._standings_of < live.state.version
            poll = min(settings.standings_stream_seconds, settings.bell_poll_seconds) if behind else None
            moment = time.monotonic()
            heard = await listener.wait(max(wire.place, live.state.version), poll or settings.bell_poll_seconds)
            if heard > live.state.version:
                await service.tournaments.read_up_to(live, heard)
            else:
                await service.tournaments.read_since(live, moment)
            await wire.break_silence(settings.keep_alive_seconds)
            if live.state.version > wire.place or watch.doubted or (behind and self.standings_due()):
                return


def _clock(live: LiveTournament, state: Tournament, played: Round) -> RoundClock:
    """The clock of the last round, worked out once a version for all readers."""
    known = live.beside
    if known is not None and known[0] == state.version and isinstance(known[1], RoundClock):
        return known[1]
    clock = clock_of(state, played)
    live.beside = (state.version, clock)
    return clock


def _message(ranking: Ranking) -> bytes:
    """What all readers are told of one ranking."""
    found = ranking.standings
    rows = tuple(RankTold(entrant=entrant, rank=rank, score=score) for entrant, rank, score in ranking.places)
    told = StandingsMessage(
        version=found.version, stage=found.stage, round=found.round, complete=found.complete, rows=rows
    )
    return msgspec.json.encode(told)


async def stream_tournament(call: Call, receive: Any, send: Any) -> int:
    """Follow a tournament until it is over, the reader goes away, or the service stops."""
    live = await find(call)
    after = place_of(call, call.query.after, live.state.version)
    reader = _Reader(call, live)

    def news(wire: Wire, watch: Watch) -> Awaitable[EndReason | None]:
        return reader.news(wire, watch)

    return await follow(call, receive, send, live.id, after, news, reader.wait)


OPERATIONS: Final = (
    Operation(
        id="streamTournament",
        method="GET",
        path="/v1/tournaments/{tournament_id}/stream",
        tag="tournaments",
        summary="Follow a tournament live: events, round clock, standings",
        description="Server-sent events (`id` is the version, `event` the type), or with `Accept: "
        "application/x-ndjson` one message a line. Messages `clock` and `standings` have no place of their own. The "
        "last message has the type `end`; that of a tournament that is over comes when its master has been revealed.",
        credential="optional",
        scope="watch",
        query=TournamentStreamQuery,
        headers=("Last-Event-ID",),
        answers=(
            AnswerKind(
                status=200,
                description="Messages as they come.",
                kind=StreamMessage,
                media_types=(EVENT_STREAM, NDJSON),
            ),
        ),
        problems=("tournament_not_found", "position_unknown", "too_many_streams", "stopping"),
        run_raw=stream_tournament,
    ),
)
