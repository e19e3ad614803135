"""An operator who rewrites a game and everything that stands over it, with the real key."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import asyncpg

from domain.merkle import CompactRange, Subtree, leaf_hash
from service.checkpoints.keys import KeyDirectory, Last, SigningKey
from service.checkpoints.rows import NOTED_LEVELS
from service.checkpoints.signed import Checkpoint, Signed, read_body
from tests.service.checkpoints.conftest import GUARDED

Change = Callable[[bytes], bytes]


def another_salt(body: bytes) -> bytes:
    """An event with a salt that is none."""
    return body.replace(b'"salt":"', b'"salt":"00') if b'"salt":"' in body else body + b" "


def another_time(body: bytes) -> bytes:
    """An event a few milliseconds sooner or later: no rule can tell."""
    end = body.index(b'Z"', body.index(b'"at":"'))
    return body[: end - 1] + (b"7" if body[end - 1 : end] != b"7" else b"3") + body[end:]


async def rewrite(url: str, keys: KeyDirectory, game: str, *, sign: bool = True, change: Change = another_salt) -> None:
    """Change the second event of a game, with every hash after it, every node, and with `sign` every checkpoint."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("set session_replication_role = replica")
        for table in GUARDED:
            await connection.execute(f"alter table {table} disable trigger all")
        await _rewrite_game(connection, game, change)
        trees = await _rewrite_nodes(connection)
        if sign:
            await _sign_again(connection, keys, trees)
        for table in GUARDED:
            await connection.execute(f"alter table {table} enable always trigger {table}_is_append_only")
    finally:
        await connection.close()


async def _rewrite_game(connection: asyncpg.Connection, game: str, change: Change) -> None:
    rows = await connection.fetch("select * from event where stream = $1 order by version", game)
    prev: bytes = rows[0]["prev_hash"]
    for row in rows:
        body: bytes = row["body"]
        if row["version"] == 2:
            body = change(body)
        digest = sha256(b"%b\n%b" % (prev.hex().encode(), body)).digest()
        await connection.execute(
            "update event set body = $3, prev_hash = $4, hash = $5 where stream = $1 and version = $2",
            game, row["version"], body, prev, digest,
        )  # fmt: skip
        prev = digest


async def _rewrite_nodes(connection: asyncpg.Connection) -> list[list[bytes]]:
    """All nodes anew; the roots of every size, by shard."""
    epoch = await connection.fetchval("select max(epoch) from log_epoch")
    shards = await connection.fetchval("select shards from feed")
    roots: list[list[bytes]] = []
    for shard in range(shards):
        tree = CompactRange(NOTED_LEVELS)
        found = [tree.root()]
        for row in await connection.fetch("select hash from event where shard = $1 order by position", shard):
            tree.append(leaf_hash(row["hash"]))
            found.append(tree.root())
        nodes: list[Subtree] = tree.take_noted()
        for node in nodes:
            await connection.execute(
                "update merkle_node set hash = $5 where epoch = $1 and shard = $2 and level = $3 and index = $4",
                epoch, shard, node.level, node.index, node.hash,
            )  # fmt: skip
        roots.append(found)
    return roots


async def _sign_again(connection: asyncpg.Connection, keys: KeyDirectory, roots: Sequence[Sequence[bytes]]) -> None:
    previous: str | None = None
    last: Any = None
    for row in await connection.fetch("select number, body, key from checkpoint order by number"):
        body = read_body(row["body"])
        assert isinstance(body, Checkpoint)
        key: SigningKey = keys.load(row["key"])
        line: Signed = key.sign(
            Checkpoint(
                at=body.at, checkpoint=body.checkpoint, epoch=body.epoch, log=body.log, number=body.number,
                previous=previous, sizes=body.sizes,
                roots=tuple(roots[shard][size].hex() for shard, size in enumerate(body.sizes)),
            )
        )  # fmt: skip
        await connection.execute(
            "update checkpoint set body = $2, signature = $3 where number = $1", body.number, line.raw, line.signature
        )
        previous = line.digest
        last = (body.log, Last(body.number, body.epoch, line.digest))
    assert last is not None
    # What is kept beside the key is the operator's own as well.
    (keys.path / f"{last[0]}.last.json").unlink(missing_ok=True)
    keys.keep(*last)
