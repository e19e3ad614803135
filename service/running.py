"""The running service of one worker: what every request needs, opened once and closed once."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, Self

from msgspec import Struct

from domain.events import AnyEvent
from service.beacons import Beacons
from service.bell.base import Bell
from service.bell.in_process import InProcessBell
from service.bell.redis import RedisBell
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
from service.relay import Relay
from service.reviews import Reviews
from service.seals import Seals
from service.settings import Settings
from service.store.database import DatabaseLimits
from service.store.postgres import PostgresStore, StoreLimits
from service.store.writer import WriterLimits
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
    players: Players
    nonces: Nonces
    invitations: Invitations
    games: Games
    seals: Seals
    bots: Bots
    beacons: Beacons
    fairness_counters: FairnessCounters
    deadlines: Deadlines
    sealer: Sealer
    erasures: Erasures
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
        self.players = Players(pool)
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
        self.erasures = Erasures(pool, self.games, self.players, settings.erasure_poll_seconds)
        self.erasures.start()
        self._gauging = asyncio.create_task(self._gauge_always(), name="gauges")
        self.ready = True
        return self

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

    def _count(self, _live: LiveGame, happened: Sequence[AnyEvent]) -> None:
        self.metrics.appended(happened)

    async def stop_streams(self) -> None:
        """End every live stream with a message that says so; nothing new begins."""
        self.ready = False
        await self.bell.close()

    async def close(self) -> None:
        """Let go of everything; what was acknowledged is durable already."""
        self.ready = False
        self._gauging.cancel()
        await self.verdicts.close()
        await self.deadlines.close()
        await self.sealer.close()
        await self.erasures.close()
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
