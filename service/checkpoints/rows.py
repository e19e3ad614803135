"""The log's own tables: what stands in them, and how a line is added. Whoever adds one holds `take_lock`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, Protocol

from msgspec import Struct

from service.checkpoints.signed import Checkpoint, Epoch, Key, KeyRing, LineFault, Signed, read_body

LOCK_KEY: Final = 0x6D6C6F67
"""Advisory lock of the log, the letters "mlog": who holds it may add keys, epochs and checkpoints."""

NOTED_LEVELS: Final = (8, 16, 24)
"""The levels of the complete subtrees that are stored."""

_LOCK: Final = """
select pg_try_advisory_xact_lock($1) as held,
    case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', true) end
"""

_STATE: Final = """
select f.epoch as feed_epoch,
    (select array_agg(head order by shard) from shard) as heads,
    coalesce((select max(number) from log_key), 0) as keys,
    e.epoch, e.feed_epoch as epoch_feed, e.after, e.previous, e.suspects,
    c.number, c.epoch as of_epoch, c.body, c.key, c.signature,
    extract(epoch from clock_timestamp() - c.at)::float8 as age
from feed f
left join lateral (select * from log_epoch order by epoch desc limit 1) e on true
left join lateral (select * from checkpoint order by number desc limit 1) c on true
"""

_KEYS: Final = "select number, body, signer, signature, key, own_signature from log_key order by number"
_ADD_KEY: Final = """
insert into log_key (number, key, after, body, signer, signature, own_signature)
values ((select coalesce(max(number), 0) + 1 from log_key), $1, $2, $3, $4, $5, $6)
"""
_ADD_EPOCH: Final = """
insert into log_epoch (epoch, at, feed_epoch, after, previous, suspects, body, key, signature)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""
_ADD_CHECKPOINT: Final = """
insert into checkpoint (number, epoch, at, body, key, signature) values ($1, $2, $3, $4, $5, $6)
"""
_ADD_NODES: Final = """
insert into merkle_node (epoch, shard, level, index, hash)
select $1, shard, level, index, hash
from unnest($2::smallint[], $3::smallint[], $4::bigint[], $5::bytea[]) as n (shard, level, index, hash)
"""


class Connection(Protocol):
    """What is needed of a connection or pool."""

    async def fetch(self, query: str, *arguments: object) -> list[Any]: ...

    async def fetchrow(self, query: str, *arguments: object) -> Any: ...

    async def execute(self, query: str, *arguments: object) -> str: ...


class EpochRow(Struct, frozen=True):
    """The epoch that lasts; `previous` is the digest of the checkpoint `after`."""

    epoch: int
    feed_epoch: str
    after: int
    previous: str | None
    suspects: list[int]


class Stored(Struct, frozen=True):
    """A checkpoint as it is stored; nothing of it has been checked."""

    number: int
    epoch: int
    raw: bytes
    key: str
    signature: bytes


class LogState(Struct, frozen=True):
    """The feed and the log at one moment. `heads` are by shard; `age` is that of the last checkpoint in seconds."""

    feed_epoch: str
    heads: list[int]
    keys: int
    epoch: EpochRow | None
    checkpoint: Stored | None
    age: float


class Node(Struct, frozen=True):
    """A complete subtree of a shard's tree, to be stored."""

    shard: int
    level: int
    index: int
    hash: bytes


async def take_lock(connection: Connection) -> bool:
    """Take the log's lock until the transaction ends, unless another has it. What is committed under it is durable."""
    row = await connection.fetchrow(_LOCK, LOCK_KEY)
    return bool(row["held"])


async def log_state(connection: Connection) -> LogState:
    """What the feed and the log are at."""
    row = await connection.fetchrow(_STATE)
    epoch = checkpoint = None
    if row["epoch"] is not None:
        previous = None if row["previous"] is None else row["previous"].hex()
        epoch = EpochRow(row["epoch"], row["epoch_feed"], row["after"], previous, row["suspects"])
    if row["number"] is not None:
        checkpoint = Stored(row["number"], row["of_epoch"], row["body"], row["key"], row["signature"])
    return LogState(row["feed_epoch"], row["heads"] or [], row["keys"], epoch, checkpoint, row["age"] or 0.0)


async def checkpoint_body(connection: Connection, number: int) -> bytes | None:
    """The body of a checkpoint as it is stored."""
    row = await connection.fetchrow("select body from checkpoint where number = $1", number)
    return None if row is None else bytes(row["body"])


async def key_ring(connection: Connection) -> KeyRing:
    """The keys of the log, each vouched for by the one before it and signed by itself. Raises `LineFault`."""
    ring = KeyRing()
    for row in await connection.fetch(_KEYS):
        for line in key_lines(row):
            if not isinstance(line.body, Key):
                raise LineFault("malformed", f"The statement of the key {row['key']} is none.")
            ring.add(line)
    return ring


def key_lines(row: Any) -> list[Signed]:
    """The lines of a key's row: by the key before it and by itself, which for the first key is the same."""
    body = read_body(row["body"])
    lines = [Signed(body, row["body"], row["signer"], row["signature"])]
    if row["signer"] != row["key"]:
        lines.append(Signed(body, row["body"], row["key"], row["own_signature"]))
    return lines


async def add_key(connection: Connection, by_signer: Signed, by_itself: Signed, after: int) -> None:
    """Store the statement of a key, as the key before has signed it and as it has signed it itself."""
    body = by_signer.body
    assert isinstance(body, Key)
    await connection.execute(
        _ADD_KEY, body.key, after, by_signer.raw, by_signer.key, by_signer.signature, by_itself.signature
    )


async def add_epoch(
    connection: Connection, line: Signed, feed_epoch: str, previous: str | None, suspects: Sequence[int]
) -> None:
    """Store the announcement of an epoch."""
    body = line.body
    assert isinstance(body, Epoch)
    await connection.execute(
        _ADD_EPOCH, body.epoch, datetime.fromisoformat(body.at), feed_epoch, body.after,
        None if previous is None else bytes.fromhex(previous), list(suspects), line.raw, line.key, line.signature,
    )  # fmt: skip


async def add_checkpoint(connection: Connection, line: Signed, nodes: Sequence[Node]) -> None:
    """Store a checkpoint and the subtrees completed since the one before it."""
    body = line.body
    assert isinstance(body, Checkpoint)
    if nodes:
        columns = [[getattr(node, name) for node in nodes] for name in Node.__struct_fields__]
        await connection.execute(_ADD_NODES, body.epoch, *columns)
    at = datetime.fromisoformat(body.at)
    await connection.execute(_ADD_CHECKPOINT, body.number, body.epoch, at, line.raw, line.key, line.signature)
