"""The group-commit writer: gathers what arrives while the commit before is under way, and commits it at once."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import asyncpg
import structlog
from msgspec import Struct

from service.store.append import Append
from service.store.base import Outcome
from service.store.batch import SQL, Placed, outcomes, pack
from service.store.database import GONE, PASSING, drop, reason_of
from service.store.errors import HeadMismatch, StoreBusy, StoreError, StoreUnavailable

log = structlog.get_logger(__name__)

FIRST_PAUSE_SECONDS = 0.02
LONGEST_PAUSE_SECONDS = 1.0


class WriterLimits(Struct, frozen=True, kw_only=True):
    """Limits of one writer; times in seconds.

    `patience_seconds` is how long one batch is tried before its callers are told that the database is gone; after
    that, new appends are refused at once until it is back.
    """

    batch_appends: int = 256
    batch_bytes: int = 1 << 20
    waiting_appends: int = 4096
    patience_seconds: float = 5.0
    stop_seconds: float = 1.0


class Waiting:
    """An append on its way, and the caller's future."""

    __slots__ = ("future", "placed", "size")

    def __init__(self, append: Append, shard: int, size: int, future: asyncio.Future[Outcome]) -> None:
        self.placed = Placed(append, shard)
        self.size = size
        self.future = future

    def fail(self, error: StoreError) -> None:
        if not self.future.done():
            self.future.set_exception(error)


class Writer:
    """One connection, one batch at a time, at most one append of a stream in a batch.

    There is no timer: the next batch is what has arrived since the last one left. A batch whose connection breaks is
    sent again as it is, so what had been committed comes back as replayed.
    """

    def __init__(self, connect: Callable[[], Awaitable[asyncpg.Connection]], limits: WriterLimits) -> None:
        self._connect = connect
        self._limits = limits
        self._connection: asyncpg.Connection | None = None
        self._loop = asyncio.get_running_loop()
        self._ready: deque[Waiting] = deque()
        self._under_way: list[Waiting] = []
        # By stream with an append that is ready or under way: those behind it.
        self._behind: dict[str, deque[Waiting] | None] = {}
        self._count = 0
        self._idle: asyncio.Future[None] | None = None
        self._gone: str | None = None
        self._closing = False
        self._task = self._loop.create_task(self._run())
        self._task.add_done_callback(self._ended)

    @property
    def waiting(self) -> int:
        """Appends that are not answered yet."""
        return self._count

    async def append(self, append: Append, shard: int, size: int) -> Outcome:
        """The outcome, once the append is durable or refused. Raises as `EventStore.append`."""
        if self._closing:
            raise StoreUnavailable("The store is closing.")
        if self._gone is not None:
            raise StoreUnavailable(self._gone)
        if self._count >= self._limits.waiting_appends:
            raise StoreBusy(self._limits.waiting_appends)
        item = Waiting(append, shard, size, self._loop.create_future())
        self._count += 1
        behind = self._behind
        stream = append.stream
        if stream not in behind:
            behind[stream] = None
            self._ready.append(item)
            self._wake()
        elif (queue := behind[stream]) is None:
            behind[stream] = deque((item,))
        else:
            queue.append(item)
        return await item.future

    async def close(self) -> None:
        """Take nothing more, finish what is waiting within `stop_seconds`, fail the rest."""
        self._closing = True
        self._wake()
        await asyncio.wait({self._task}, timeout=self._limits.stop_seconds)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._fail_all("The store is closing.")
        await self._lose_connection()

    def _wake(self) -> None:
        if self._idle is not None:
            self._idle.set_result(None)
            self._idle = None

    async def _run(self) -> None:
        while True:
            batch = self._under_way = self._take()
            if batch:
                trouble = await self._commit(batch)
                if trouble is not None:
                    await self._recover(trouble)
                self._release(batch)
            elif self._closing:
                return
            else:
                self._idle = self._loop.create_future()
                await self._idle

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Nobody waits for ever for a writer that has broken."""
        if not task.cancelled() and (error := task.exception()) is not None:
            log.critical("writer_broken", exc_info=error)
            self._gone = "The writer of this process is broken."
            self._fail_all(self._gone)

    def _take(self) -> list[Waiting]:
        """The next batch. A caller that is gone before its append was sent has asked for nothing."""
        batch: list[Waiting] = []
        size = 0
        ready = self._ready
        limits = self._limits
        while ready and len(batch) < limits.batch_appends:
            item = ready[0]
            if batch and size + item.size > limits.batch_bytes:
                break
            ready.popleft()
            if item.future.done():
                self._release((item,))
                continue
            size += item.size
            batch.append(item)
        return batch

    def _release(self, batch: Sequence[Waiting]) -> None:
        """The batch is answered: what stood behind it comes next."""
        self._count -= len(batch)
        behind = self._behind
        for item in batch:
            stream = item.placed.append.stream
            queue = behind[stream]
            if queue:
                self._ready.append(queue.popleft())
            else:
                del behind[stream]

    async def _commit(self, batch: Sequence[Waiting]) -> str | None:
        """Answer every caller of the batch; or, after all patience, say what keeps the database from answering."""
        placed = [item.placed for item in batch]
        until = self._loop.time() + self._limits.patience_seconds
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                parameters = pack(placed)
                if self._connection is None:
                    self._connection = await self._connected()
                refused = await self._connection.fetch(SQL, *parameters)
            except PASSING as error:
                trouble = reason_of(error)
            except GONE as error:
                trouble = reason_of(error)
                await self._lose_connection()
            except (asyncpg.PostgresError, ValueError) as error:
                return await self._one_by_one(batch, reason_of(error))
            except (asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
                trouble = reason_of(error)
                await self._lose_connection()
            else:
                self._answer(batch, refused)
                return None
            log.warning("append_retried", appends=len(batch), why=trouble)
            if self._loop.time() + pause > until:
                return trouble
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    async def _connected(self) -> asyncpg.Connection:
        """A new connection. Whatever keeps it from being made, a wrong password too, may pass: `OSError`."""
        try:
            return await self._connect()
        except (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, ValueError) as error:
            raise OSError(reason_of(error)) from None

    def _answer(self, batch: Sequence[Waiting], refused: Sequence[Any]) -> None:
        for item, outcome in zip(batch, outcomes([item.placed for item in batch], refused), strict=True):
            if isinstance(outcome, HeadMismatch):
                item.fail(outcome)
            elif not item.future.done():
                item.future.set_result(outcome)

    async def _one_by_one(self, batch: Sequence[Waiting], reason: str) -> str | None:
        """Something in the batch is refused as such: find out which append it is, and spare the others."""
        if len(batch) > 1:
            for item in batch:
                trouble = await self._commit((item,))
                if trouble is not None:
                    return trouble
            return None
        log.error("append_refused", stream=batch[0].placed.append.stream, why=reason)
        batch[0].fail(StoreError(f"The database refused: {reason}"))
        return None

    async def _recover(self, trouble: str) -> None:
        """Tell everybody that the database is gone, then wait until it is back."""
        self._gone = f"The database does not answer: {trouble}"
        log.error("database_gone", why=trouble, waiting=self._count)
        self._fail_all(self._gone)
        pause = FIRST_PAUSE_SECONDS
        while not self._closing:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            try:
                if self._connection is None:
                    self._connection = await self._connected()
                await self._connection.fetch("select 1")
            except (*GONE, *PASSING, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                log.debug("database_still_gone", why=reason_of(error))
                await self._lose_connection()
            else:
                self._gone = None
                log.warning("database_back")
                return

    def _fail_all(self, reason: str) -> None:
        """Fail everything that waits. What is under way stays with `_run`, which releases it."""
        queues = [self._under_way, self._ready, *filter(None, self._behind.values())]
        for item in [item for queue in queues for item in queue]:
            item.fail(StoreUnavailable(reason))

    async def _lose_connection(self) -> None:
        connection, self._connection = self._connection, None
        await drop(connection)
