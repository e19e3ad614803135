"""The running service of one worker: what every request needs, opened once and closed once."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, Self

from msgspec import Struct

from domain.events import AnyEvent
from domain.tournaments.events import AnyTournamentEvent
from service.beacons import Beacons
from service.bell.base import Bell
from service.bell.in_process import InProcessBell
from service.bell.redis import RedisBell
from service.boards import Boards
from service.bots import Bots
from service.checkpoints.sealer import Sealer
from service.commands import Denied
from service.deadlines import Deadlines
from service.erasure import Erasures
from service.fairness_counters import FairnessCounters
from service.games import Games
from service.invitations import Invitations
from service.judging import Judges
from service.live import LiveGame
from service.metrics import Metrics
from service.nonces import Nonces
from service.offline.beacons import read_chains
from service.players import Players
from service.principals import Principals
from service.ratings.worker import Ratings
from service.relay import Relay
from service.reviews import Reviews
from service.seals import Seals
from service.settings import Settings
from service.store.database import DatabaseLimits
from service.store.postgres import PostgresStore, StoreLimits
from service.store.writer import WriterLimits
from service.tokens import Tokens
from service.tournaments.apart import Apart
from service.tournaments.beacons import BoardBeacons
from service.tournaments.collecting import Collecting
from service.tournaments.live import LiveTournament
from service.tournaments.manager import Manager
from service.tournaments.match_games import MatchGames
from service.tournaments.prospects import Prospects
from service.tournaments.rankings import Rankings
from service.tournaments.rating import Rating
from service.tournaments.reconciling import Reconciling
from service.tournaments.rendered import Rendered
from service.tournaments.tables import Tables
from service.tournaments.tournaments import Tournaments
from service.turns import Patience
from service.verdicts import Verdicts

NO_ROLE: Final = "none"
GAUGE_SECONDS: Final = 1.0


class NoStreamPlace(Denied):
    """As many live streams are open as there may be."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class Description(Struct, frozen=True):
    """The description of the interface, as OpenAPI and as a page."""

    document: bytes
    page: bytes


class Service:
    """Everything of one worker that requests share. Open it before the first request, close it after the last."""

    store: PostgresStore
    bell: Bell
    principals: Principals
    players: Players
    tokens: Tokens
    nonces: Nonces
    invitations: Invitations
    games: Games
    seals: Seals
    boards: Boards
    bots: Bots
    beacons: Beacons
    fairness_counters: FairnessCounters
    deadlines: Deadlines
    sealer: Sealer
    erasures: Erasures
    ratings: Ratings
    tournaments: Tournaments
    rankings: Rankings
    rendered: Rendered
    prospects: Prospects
    imports: Apart
    manager: Manager
    _gauging: "asyncio.Task[None]"

    def __init__(self, settings: Settings, describe: Callable[[], Description]) -> None:
        self.settings = settings
        self.describe = describe
        self.metrics = Metrics()
        self.chains = read_chains(settings.beacon_chains)
        self.verdicts = Verdicts(settings.verifications_max)
        self.reviews = Reviews(settings.reviews_max)
        self.judges = Judges(settings.verification_uploads_max, settings.verification_seconds)
        self._streams = 0
        self.ready = False
        """Whether requests can be served: open, and not yet asked to stop."""

    async def open(self) -> Self:
        """Connect to what the settings name. Raises `StoreUnavailable`, `StoreNotReady`."""
        settings = self.settings
        assert settings.database_url is not None
        self.store = await PostgresStore.open(settings.database_url, store_limits(settings))
        pool = self.store.pool
        self.bell = InProcessBell() if settings.redis_url is None else RedisBell.start(settings.redis_url)
        self.principals = Principals(pool)
        self.players = Players(pool, self.principals)
        self.tokens = Tokens(pool, self.principals, settings.tokens_per_player_max, settings.token_seconds_max)
        self.nonces = Nonces(pool)
        self.invitations = Invitations(pool)
        patience = Patience(
            bot_seconds=settings.bot_seconds,
            nonce_seconds=settings.nonce_seconds,
            beacon_late_seconds=settings.beacon_late_seconds,
            open_table_seconds=settings.open_table_seconds,
            chains=self.chains,
        )
        self.seals = Seals(pool)
        self.boards = Boards(pool)
        self.games = Games(self.store, pool, self.bell.ring, patience, settings.games_cached_max)
        self.games.appended.append(self._count)
        self.bots = Bots(self.games)
        relay = settings.beacon_url and Relay(settings.beacon_url, self.chains, settings.beacon_request_seconds)
        self.beacons = Beacons(pool, self.games, self.chains, relay or None, self.metrics)
        self.fairness_counters = FairnessCounters(pool, settings.fairness_counters_seconds)
        self.deadlines = Deadlines(
            pool, self.games, self.bots, self.beacons, self.metrics, settings.deadline_poll_seconds
        )
        self.deadlines.start()
        self.sealer = Sealer(pool, settings, self.metrics)
        self.games.appended.append(self.sealer.heard)
        self.sealer.start()
        self.ratings = Ratings(pool, settings.rating_poll_seconds, settings.rating_preview_results_max)
        self.games.appended.append(self.ratings.heard)
        self.ratings.start()
        self.tournaments = Tournaments(
            self.store,
            pool,
            self.bell.ring,
            patience=settings.tournament_patience_seconds,
            cached_max=settings.tournaments_cached_max,
        )
        self.erasures = Erasures(pool, self.games, self.tournaments, self.players, settings.erasure_poll_seconds)
        self.erasures.start()
        self.rankings = Rankings(settings.tournaments_cached_max)
        self.rendered = Rendered()
        self.prospects = Prospects(settings.tournaments_cached_max)
        self.imports = Apart(settings.imports_waiting_max)
        self.tournaments.appended.append(self._count)
        self.tournaments.appended.append(self.sealer.heard)
        self.manager = self._manager()
        self.games.appended.append(self.manager.heard)
        self.deadlines.of_tournaments = self.manager.timer_over
        self.manager.start()
        self._gauging = asyncio.create_task(self._gauge_always(), name="gauges")
        self.ready = True
        return self

    def _manager(self) -> Manager:
        """The process manager of this worker, with what it works with."""
        pool, settings = self.store.pool, self.settings
        collecting = Collecting(pool, self.games)
        tables = Tables(pool, self.games, MatchGames(self.games, self.boards))
        reconciling = Reconciling(
            pool,
            self.tournaments,
            tables,
            collecting,
            self.boards,
            self.seals,
            BoardBeacons(self.chains, self.beacons),
            Rating(pool, self.tournaments, self.ratings),
        )
        return Manager(
            pool,
            self.tournaments,
            reconciling,
            tables,
            collecting,
            self.metrics,
            feed_seconds=settings.tournament_feed_seconds,
            sweep_seconds=settings.tournament_sweep_seconds,
        )

    async def _gauge_always(self) -> None:
        """Keep the gauges of this worker fresh: with several workers it is another one that is asked for them."""
        while True:
            self.gauge()
            await asyncio.sleep(GAUGE_SECONDS)

    def gauge(self) -> None:
        """Measure what is open, kept and waiting at the moment."""
        self.metrics.streams.set(self.streams)
        self.metrics.listeners.set(self.bell.listeners)
        self.metrics.games.set(len(self.games))
        self.metrics.waiting.set(self.store.waiting)

    def _count(
        self, _live: LiveGame | LiveTournament, happened: Sequence[AnyEvent] | Sequence[AnyTournamentEvent]
    ) -> None:
        self.metrics.appended(happened)

    async def stop_streams(self) -> None:
        """End every live stream with a message that says so; nothing new begins."""
        self.ready = False
        await self.bell.close()

    async def close(self) -> None:
        """Let go of everything; what was acknowledged is durable already."""
        self.ready = False
        self._gauging.cancel()
        self.imports.close()
        await self.verdicts.close()
        await self.deadlines.close()
        await self.manager.close()
        await self.sealer.close()
        await self.erasures.close()
        await self.ratings.close()
        await self.bots.close()
        await self.beacons.close()
        await self.bell.close()
        await self.store.close()

    @contextmanager
    def stream_place(self) -> Iterator[None]:
        """A place among the live streams of this worker. Raises `NoStreamPlace`."""
        if self._streams >= self.settings.streams_max:
            raise NoStreamPlace(self.settings.streams_max)
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1

    @property
    def streams(self) -> int:
        """How many live streams are open."""
        return self._streams

    def origin(self, scheme: str, headers: Mapping[bytes, bytes]) -> str:
        """The address under which the caller reached the service, for links."""
        if self.settings.public_url is not None:
            return self.settings.public_url.rstrip("/")
        host = headers.get(b"host", b"").decode("latin-1")
        if not host or not host.isascii() or any(mark in host for mark in ' \\"<>/?#@'):
            host = f"{self.settings.host}:{self.settings.port}"
        return f"{scheme}://{host}"


def store_limits(settings: Settings) -> StoreLimits:
    """The limits of the store as the settings have them."""
    return StoreLimits(
        database=DatabaseLimits(
            role=role_of(settings),
            connections=settings.database_connections_max,
            waiting=settings.database_waiting_max,
            wait_seconds=settings.database_wait_seconds,
        ),
        writer=WriterLimits(batch_appends=settings.event_batch_max),
    )


def role_of(settings: Settings) -> str | None:
    """The role that the service takes on in the database; None to work as the login itself."""
    return None if settings.database_role == NO_ROLE else settings.database_role
