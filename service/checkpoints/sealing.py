"""One step of sealing: look at everything again, then sign a checkpoint, or announce that the log begins anew.

    LogState (database) + Last (directory of the keys) + Frontier (memory)  ->  Checkpoint | Epoch, signed and stored

A step is one transaction under the log's lock, so whatever ends it leaves either all of it or nothing. What is wrong is
never signed again: the next epoch says what was found, and begins at the first event over the rows as they stand.
"""

import asyncio
import secrets
import time
from typing import Final

import structlog
from msgspec import Struct
from msgspec.structs import replace

from service.checkpoints.frontier import Broken, Frontier, within
from service.checkpoints.keys import KeyDirectory, KeyUnusable, Last, SigningKey
from service.checkpoints.rows import (
    Connection,
    LogState,
    Stored,
    add_checkpoint,
    add_epoch,
    add_key,
    checkpoint_body,
    key_ring,
    log_state,
    take_lock,
)
from service.checkpoints.signed import (
    FORMAT,
    Checkpoint,
    Epoch,
    Key,
    KeyRing,
    LineFault,
    Signed,
    digest,
    read_body,
    verify_line,
)
from service.stamping import Clock
from service.store.database import Pool, reached

log = structlog.get_logger(__name__)

STEP_EVENTS_MAX: Final = 16_384
"""A checkpoint covers at most so many new events: older archives are sealed in steps, each of them short."""

PUNCTUAL: Final = 0.9
"""A look that comes this little before its time is punctual."""

_clock: Final = Clock()


class Known(Struct, frozen=True):
    """What one worker knows of the log beside what is stored: replaced as a whole, once a step is durable."""

    ring: KeyRing
    keys: int
    key: SigningKey
    last: Last
    frontier: Frontier | None


class Step(Struct, frozen=True):
    """What a step did; `more` says that there is more to do at once."""

    line: Signed
    known: Known
    more: bool


class Sealing:
    """The log as one worker seals it. A step raises `KeyUnusable`, `StoreError`."""

    def __init__(self, pool: Pool, directory: KeyDirectory, *, seconds: float, events_max: int) -> None:
        self._pool = pool
        self._directory = directory
        self._seconds = seconds
        self._events_max = events_max
        self._known: Known | None = None

    async def due(self) -> bool:
        """Whether there is something to do: a look that locks nothing."""
        with reached():
            state = await log_state(self._pool)
        epoch, checkpoint = state.epoch, state.checkpoint
        if epoch is None or epoch.feed_epoch != state.feed_epoch:
            return True
        if checkpoint is None or checkpoint.epoch != epoch.epoch:
            return any(state.heads)
        sizes = _sizes(checkpoint)
        if sizes is None or len(sizes) != len(state.heads) or any(map(int.__lt__, state.heads, sizes)):
            return True
        waiting = sum(state.heads) - sum(sizes)
        return waiting >= self._events_max or (waiting > 0 and state.age >= self._seconds * PUNCTUAL)

    async def step(self) -> Step | None:
        """Sign a checkpoint or announce an epoch, durably; None where another worker is at it or nothing is new."""
        with reached():
            async with self._pool.acquire() as connection, connection.transaction():
                if not await take_lock(connection):
                    return None
                state = await log_state(connection)
                known = await self._know(connection, state)
                try:
                    done = await self._seal(connection, state, known)
                except Broken as broken:
                    done = await _begin_epoch(connection, state, known, broken)
        if done is None:
            self._known = known
            return None
        self._known = done.known
        assert known.ring.log is not None
        await asyncio.to_thread(self._directory.keep, known.ring.log, done.known.last)
        return done

    async def _know(self, connection: Connection, state: LogState) -> Known:
        """The keys, and what is remembered outside the database; the first key is made here. Raises `KeyUnusable`."""
        known = self._known
        if known is not None and known.keys == state.keys:
            # Other workers may have signed since, and a restored database does not say so.
            return replace(known, last=await self._last(known.ring, known))
        if state.keys == 0:
            ring, key = await _first_key(connection, self._directory)
            return Known(ring, 1, key, Last(0, 0, None), None)
        try:
            ring = await key_ring(connection)
        except LineFault as fault:
            raise KeyUnusable(f"The keys in the database cannot be trusted: {fault}") from fault
        assert ring.newest is not None
        key = await asyncio.to_thread(self._directory.load, ring.newest)
        last = await self._last(ring, known)
        return Known(ring, state.keys, key, last, None if known is None else known.frontier)

    async def _last(self, ring: KeyRing, known: Known | None) -> Last:
        """What was signed last by any worker: this one may know it alone, if it could not be kept."""
        own = known.last if known is not None and known.ring.log == ring.log else Last(0, 0, None)
        return own.later(await asyncio.to_thread(self._directory.last, _log_of(ring)))

    async def _seal(self, connection: Connection, state: LogState, known: Known) -> Step | None:
        """Raises `Broken`."""
        epoch = state.epoch
        if epoch is None:
            raise Broken("first" if known.last.epoch == 0 else "shrunk")
        if epoch.feed_epoch != state.feed_epoch:
            raise Broken("restored")
        stored = state.checkpoint if state.checkpoint is not None and state.checkpoint.epoch == epoch.epoch else None
        await _check_last(connection, known.last, epoch.epoch, epoch.after, stored)
        frontier = known.frontier.copy() if known.frontier is not None and known.frontier.epoch == epoch.epoch else None
        if stored is None:
            number, previous = epoch.after, epoch.previous
            frontier = Frontier.empty(epoch.epoch, len(state.heads))
        else:
            body = _checked(stored, known.ring, len(state.heads))
            number, previous = stored.number, digest(stored.raw)
            for shard, (size, head) in enumerate(zip(body.sizes, state.heads, strict=True)):
                if head < size:
                    raise Broken("shrunk", shard, head + 1)
            if frontier is None:
                frontier = await Frontier.read(connection, epoch.epoch, number, body.sizes, epoch.suspects)
            else:
                await frontier.grow(connection, body.sizes, epoch.suspects, check=False)
                frontier.take_nodes()
            for shard, (root, signed) in enumerate(zip(frontier.roots(), body.roots, strict=True)):
                if root.hex() != signed:
                    raise Broken("checkpoint_wrong", shard)
        targets = within(frontier.sizes, state.heads, STEP_EVENTS_MAX)
        if targets == frontier.sizes:
            return None
        await frontier.grow(connection, targets, epoch.suspects, check=True)
        frontier.number = number + 1
        line = known.key.sign(
            Checkpoint(
                at=_now(),
                checkpoint=FORMAT,
                epoch=epoch.epoch,
                log=_log_of(known.ring),
                number=number + 1,
                previous=previous,
                roots=tuple(root.hex() for root in frontier.roots()),
                sizes=tuple(frontier.sizes),
            )
        )
        await add_checkpoint(connection, line, frontier.take_nodes())
        last = Last(number + 1, epoch.epoch, line.digest)
        return Step(line, Known(known.ring, known.keys, known.key, last, frontier), targets != state.heads)


async def _check_last(connection: Connection, last: Last, epoch: int, after: int, stored: Stored | None) -> None:
    """Whether what was signed last is there still, word for word. Raises `Broken`."""
    if last.epoch > epoch or (last.epoch == epoch and last.number > (after if stored is None else stored.number)):
        raise Broken("shrunk")
    if stored is None or last.epoch != epoch or last.number <= after:
        return
    raw = stored.raw if last.number == stored.number else await checkpoint_body(connection, last.number)
    if raw is None or last.digest != digest(raw):
        raise Broken("checkpoint_wrong")


def _checked(stored: Stored, ring: KeyRing, shards: int) -> Checkpoint:
    """A checkpoint that is what its row says, and rightly signed. Raises `Broken`."""
    try:
        body = verify_line(
            Signed(read_body(stored.raw), stored.raw, stored.key, stored.signature), ring.public_keys
        ).body
    except LineFault as fault:
        raise Broken("checkpoint_wrong") from fault
    if not isinstance(body, Checkpoint) or len(body.sizes) != shards:
        raise Broken("checkpoint_wrong")
    if (body.number, body.epoch, body.log) != (stored.number, stored.epoch, ring.log):
        raise Broken("checkpoint_wrong")
    return body


async def _begin_epoch(connection: Connection, state: LogState, known: Known, broken: Broken) -> Step:
    """Announce a new epoch, with numbers above all that are known to have been signed."""
    epoch, after, previous = 0, 0, None
    if state.epoch is not None:
        epoch, after, previous = state.epoch.epoch, state.epoch.after, state.epoch.previous
    if state.checkpoint is not None and state.checkpoint.number > after:
        after, previous = state.checkpoint.number, digest(state.checkpoint.raw)
    if known.last.number >= after and known.last.digest is not None:
        after, previous = known.last.number, known.last.digest
    line = known.key.sign(
        Epoch(
            after=after,
            at=_now(),
            epoch=max(epoch, known.last.epoch) + 1,
            epoch_begins=FORMAT,
            log=_log_of(known.ring),
            position=broken.position,
            reason=broken.reason,
            shard=broken.shard,
        )
    )
    assert isinstance(line.body, Epoch)
    # Where rows are known to be wrong they are sealed as they stand, or no epoch would ever get beyond them.
    suspects = state.heads if broken.reason in ("row_changed", "gap") else [0] * len(state.heads)
    await add_epoch(connection, line, state.feed_epoch, previous, suspects)
    last = Last(after, line.body.epoch, previous)
    return Step(line, Known(known.ring, known.keys, known.key, last, None), more=True)


async def _first_key(connection: Connection, directory: KeyDirectory) -> tuple[KeyRing, SigningKey]:
    """Make the first key of the log, and the log's id with it. Raises `KeyUnusable`."""
    key = await asyncio.to_thread(directory.make)
    line = key.sign(statement(key, secrets.token_hex(16), None))
    await add_key(connection, line, line, 0)
    ring = KeyRing()
    ring.add(line)
    return ring, key


def statement(key: SigningKey, log_id: str, by: str | None) -> Key:
    """What is said of a new key, vouched for by the key `by`."""
    return Key(at=_now(), by=by, key=key.id, key_added=FORMAT, log=log_id, public_key=key.public_key.hex())


async def rotate(connection: Connection, directory: KeyDirectory) -> Signed | None:
    """Add a key, made here and vouched for by the one that signs now, which must be here too.

    Within a transaction under the log's lock; None where the log has no key yet. Raises `KeyUnusable`, `LineFault`.
    """
    state = await log_state(connection)
    ring = await key_ring(connection)
    if ring.newest is None or ring.log is None:
        return None
    present = await asyncio.to_thread(directory.load, ring.newest)
    new = await asyncio.to_thread(directory.make)
    body = statement(new, ring.log, present.id)
    line = present.sign(body)
    after = max(state.epoch.after if state.epoch else 0, state.checkpoint.number if state.checkpoint else 0)
    await add_key(connection, line, new.sign(body), after)
    return line


def _sizes(stored: Stored) -> tuple[int, ...] | None:
    try:
        body = read_body(stored.raw)
    except LineFault:
        return None
    return body.sizes if isinstance(body, Checkpoint) else None


def _log_of(ring: KeyRing) -> str:
    assert ring.log is not None
    return ring.log


def _now() -> str:
    return _clock.text(time.time())
