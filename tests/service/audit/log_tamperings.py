"""Tamperings with the signed log: keys, epochs, checkpoints, stored nodes."""

import random

import asyncpg
import msgspec

from domain.canonical import canonical
from service.audit.findings import FindingCode as F
from tests.service.audit.tampered import Archive, Tampered, codes, flipped


async def checkpoint_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    number = chance.randint(1, archive.checkpoints)
    name = chance.choice(["signature", "body", "at", "key"])
    row = await connection.fetchrow("select * from checkpoint where number = $1", number)
    if name == "at":
        await connection.execute("update checkpoint set at = at + interval '1 s' where number = $1", number)
        return Tampered(codes(F.CHECKPOINT_WRONG), checkpoint=number, log=True)
    if name == "key":
        others = [key[0] for key in await connection.fetch("select key from log_key where key <> $1", row["key"])]
        await connection.execute("update checkpoint set key = $2 where number = $1", number, chance.choice(others))
        return Tampered(codes(F.CHECKPOINT_FORGED), checkpoint=number, log=True)
    if name == "signature":
        value = flipped(row["signature"], chance)
    else:
        body = msgspec.json.decode(row["body"])
        shard = chance.choice([at for at, size in enumerate(body["sizes"]) if size])
        body["roots"][shard] = flipped(bytes.fromhex(body["roots"][shard]), chance).hex()
        value = canonical(body)
    await connection.execute(f"update checkpoint set {name} = $2 where number = $1", number, value)
    return Tampered(codes(F.CHECKPOINT_FORGED), checkpoint=number, log=True)


async def checkpoint_deleted(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    number = chance.randint(1, archive.checkpoints - 1)
    await connection.execute("delete from checkpoint where number = $1", number)
    return Tampered(codes(F.CHECKPOINT_MISSING), checkpoint=number, log=True)


async def node_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    row = chance.choice(await connection.fetch("select * from merkle_node"))
    await connection.execute(
        "update merkle_node set hash = $5 where epoch = $1 and shard = $2 and level = $3 and index = $4",
        row["epoch"], row["shard"], row["level"], row["index"], flipped(row["hash"], chance),
    )  # fmt: skip
    position = (row["index"] << row["level"]) + 1
    return Tampered(codes(F.NODE_WRONG), shards=(row["shard"],), shard=row["shard"], position=position)


async def node_deleted(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    row = chance.choice(await connection.fetch("select * from merkle_node"))
    await connection.execute(
        "delete from merkle_node where epoch = $1 and shard = $2 and level = $3 and index = $4",
        row["epoch"], row["shard"], row["level"], row["index"],
    )  # fmt: skip
    position = (row["index"] << row["level"]) + 1
    return Tampered(codes(F.NODE_MISSING), shards=(row["shard"],), shard=row["shard"], position=position)


async def announcement_removed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    await connection.execute("delete from log_epoch where epoch = $1", chance.randint(1, archive.epochs))
    return Tampered(codes(F.EPOCH_MISSING), log=True)


async def announcement_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    epoch = chance.randint(1, archive.epochs)
    signature = await connection.fetchval("select signature from log_epoch where epoch = $1", epoch)
    await connection.execute("update log_epoch set signature = $2 where epoch = $1", epoch, flipped(signature, chance))
    return Tampered(codes(F.EPOCH_WRONG), log=True)


async def key_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    number = chance.randint(1, await connection.fetchval("select count(*) from log_key"))
    signature = await connection.fetchval("select signature from log_key where number = $1", number)
    await connection.execute("update log_key set signature = $2 where number = $1", number, flipped(signature, chance))
    return Tampered(codes(F.KEY_WRONG), log=True)
