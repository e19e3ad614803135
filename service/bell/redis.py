"""The bell between processes, over Redis or Valkey publish and subscribe.

There is one channel for all games. A message carries whatever was rung since the message before it, a version for each
stream, so at eight thousand moves a second it is a hundred messages, and a process that hears of a game nobody
listens to has spent a dictionary look-up. A channel for each game would cost a command for each move, and a
subscription, with its confirmation to wait for, for each listener that comes and goes.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from random import SystemRandom

import structlog
from msgspec import Struct
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from service.bell.base import Listener
from service.bell.board import Board

log = structlog.get_logger(__name__)

CHANNEL = "meldhouse:bell"
CANCEL_SECONDS = 0.05
TROUBLE = (RedisError, OSError, TimeoutError)
jitter = SystemRandom()


class BellLimits(Struct, frozen=True, kw_only=True):
    """Times in seconds.

    `gather_seconds` is the shortest time between two messages of one process; the first after a rest goes at once.
    `alone_seconds` takes its place while the last message reached no other process.
    A subscription that says nothing for `ping_seconds` is pinged, and given up after as long again: a network that
    swallows everything is noticed in twice that. `unsent_streams` is how many streams may wait for Redis to come back;
    what is beyond is dropped, as a bell may be.
    """

    channel: str = CHANNEL
    gather_seconds: float = 0.01
    alone_seconds: float = 0.1
    connect_seconds: float = 3.0
    ping_seconds: float = 3.0
    first_pause_seconds: float = 0.05
    longest_pause_seconds: float = 1.0
    unsent_streams: int = 10_000


class RedisBell:
    """Fulfils `service.bell.base.Bell`. Works on without Redis: then only this process hears its bells at once.

    Make it with `start` inside the event loop; it connects by itself, again and again.
    """

    def __init__(self, url: str, limits: BellLimits) -> None:
        self._url = url
        self._limits = limits
        # Begins every message of this process, which has heard its own bells already.
        self._mark = secrets.token_hex(4).encode()
        self._board = Board()
        self._unsent: dict[str, int] = {}
        self._rung = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.connected = False
        """Whether the subscription stands."""

    @classmethod
    def start(cls, url: str, limits: BellLimits | None = None) -> "RedisBell":
        bell = cls(url, limits or BellLimits())
        loop = asyncio.get_running_loop()
        bell._tasks = [
            loop.create_task(bell._for_ever("bell_deaf", bell._hear)),
            loop.create_task(bell._for_ever("bell_mute", bell._send)),
        ]
        return bell

    @property
    def listeners(self) -> int:
        return self._board.listeners

    def ring(self, stream: str, version: int) -> None:
        self._board.tell(stream, version)
        if len(self._unsent) >= self._limits.unsent_streams:
            self._unsent.clear()
        self._unsent[stream] = version
        self._rung.set()

    def listen(self, stream: str) -> Listener:
        return self._board.listen(stream)

    async def close(self) -> None:
        self._board.close()
        pending = set(self._tasks)
        while pending:
            # Asked again and again, because the client takes a cancellation while it connects for a time-out.
            for task in pending:
                task.cancel()
            _, pending = await asyncio.wait(pending, timeout=CANCEL_SECONDS)

    async def _for_ever(self, event: str, work: Callable[[Redis, Callable[[], None]], Awaitable[None]]) -> None:
        """Do the work on a connection; whenever that breaks, say so once, rest, and try again."""
        limits = self._limits
        pause = limits.first_pause_seconds
        told = False

        def fine() -> None:
            nonlocal pause, told
            if told:
                log.info("bell_restored", after=event)
            pause, told = limits.first_pause_seconds, False

        while True:
            try:
                async with self._client() as client:
                    await work(client, fine)
            except TROUBLE as error:
                if not told:
                    log.warning(event, why=str(error) or type(error).__name__)
                told = True
            await asyncio.sleep(pause * jitter.uniform(0.75, 1.25))
            pause = min(2 * pause, limits.longest_pause_seconds)

    def _client(self) -> Redis:
        """Without the client's own retries, which reconnect silently and lose what was published meanwhile."""
        return Redis.from_url(
            self._url,
            socket_connect_timeout=self._limits.connect_seconds,
            socket_timeout=self._limits.ping_seconds,
            retry=Retry(NoBackoff(), 0),
        )

    async def _hear(self, client: Redis, fine: Callable[[], None]) -> None:
        async with client.pubsub() as subscription:
            await subscription.subscribe(self._limits.channel)
            try:
                await self._pass_on(subscription, fine)
            finally:
                self.connected = False

    async def _pass_on(self, subscription: PubSub, fine: Callable[[], None]) -> None:
        pinged = False
        while True:
            message = await subscription.get_message(timeout=self._limits.ping_seconds)
            if message is None:
                if pinged:
                    raise TimeoutError("Redis has gone silent.")
                await subscription.ping()
                pinged = True
                continue
            pinged = False
            if message["type"] == "message":
                self._tell(message["data"])
            elif message["type"] == "subscribe":
                self.connected = True
                fine()
                self._board.doubt()

    def _tell(self, data: bytes) -> None:
        """What is not a stream and a version is passed over: others may write to the channel."""
        if data.startswith(self._mark):
            return
        for entry in data.decode(errors="replace").split():
            stream, _, version = entry.rpartition(":")
            if stream in self._board and version.isdecimal() and len(version) < 10:
                self._board.tell(stream, int(version))

    async def _send(self, client: Redis, fine: Callable[[], None]) -> None:
        while True:
            await self._rung.wait()
            self._rung.clear()
            sending, self._unsent = self._unsent, {}
            text = b"%b %b" % (self._mark, " ".join([f"{s}:{v}" for s, v in sending.items()]).encode())
            try:
                reached = await client.publish(self._limits.channel, text)
            except TROUBLE:
                self._unsent = sending | self._unsent
                self._rung.set()
                raise
            fine()
            alone = reached <= int(self.connected)
            await asyncio.sleep(self._limits.alone_seconds if alone else self._limits.gather_seconds)
