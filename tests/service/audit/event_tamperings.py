"""Tamperings with the rows of events and the counters of their shards."""

import random

import asyncpg
import msgspec

from domain.canonical import canonical
from domain.chain import link
from service.audit.findings import FindingCode as F
from tests.service.audit.tampered import Archive, Tampered, codes, column, flipped, put

# --- columns of an event ---


async def body_flipped(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance, below_last=True)
    await put(connection, "body", flipped(await column(connection, "body", game, n), chance), game, n)
    return Tampered(codes(F.BODY_CHANGED), games=(game,), game=game, n=n)


async def last_body_flipped(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game = chance.choice(list(archive.games))
    n = archive.games[game]
    await put(connection, "body", flipped(await column(connection, "body", game, n), chance), game, n)
    return Tampered(codes(F.HASH_WRONG), games=(game,), game=game, n=n)


async def body_damaged(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance, below_last=True)
    body = chance.choice([
        b"", b"\0", b"\xff\xfe{}", b"{", b"[" * 100_000, b"null", b"{}\n{}", b'{"a":' * 5000, b"9" * 5000,
        chance.randbytes(200), b'"\\ud800"', b'{"n":1,"n":1}',
    ])  # fmt: skip
    await put(connection, "body", body, game, n)
    return Tampered(codes(F.BODY_CHANGED), games=(game,), game=game, n=n)


async def body_huge(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance)
    await connection.execute(
        "update event set body = convert_to(repeat('x', $1), 'UTF8') where stream = $2 and version = $3",
        chance.choice([262_144, 1_000_000, 20_000_000]), game, n,
    )  # fmt: skip
    return Tampered(codes(F.BODY_INVALID), games=(game,), game=game, n=n)


async def hash_flipped(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance)
    await put(connection, "hash", flipped(await column(connection, "hash", game, n), chance), game, n)
    shard = archive.shard_of(game)
    return Tampered(codes(F.HASH_WRONG), games=(game,), shards=(shard,), game=game, n=n)


async def hash_cut(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance)
    await put(connection, "hash", (await column(connection, "hash", game, n))[: chance.randrange(32)], game, n)
    return Tampered(codes(F.HASH_WRONG), games=(game,), shards=(archive.shard_of(game),), game=game, n=n)


async def prev_flipped(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance)
    await put(connection, "prev_hash", flipped(await column(connection, "prev_hash", game, n), chance), game, n)
    return Tampered(codes(F.PREV_WRONG), games=(game,), game=game, n=n)


async def type_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance)
    there = await column(connection, "type", game, n)
    name = chance.choice([kind for kind in ("drew", "discarded", "nonsense", "x" * 200) if kind != there])
    await put(connection, "type", name, game, n)
    return Tampered(codes(F.TYPE_WRONG), games=(game,), game=game, n=n)


async def schema_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance)
    await put(connection, "schema", chance.choice([0, 2, 99, -1]), game, n)
    return Tampered(codes(F.SCHEMA_UNKNOWN), games=(game,), game=game, n=n)


async def last_version_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game = chance.choice([game for game, events in archive.games.items() if events > 1])
    n = archive.games[game]
    await put(connection, "version", n + chance.randint(1, 1000), game, n)
    return Tampered(codes(F.EVENT_MISSING), games=(game,), game=game, n=n)


async def position_beyond(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance)
    shard = archive.shard_of(game)
    position = await column(connection, "position", game, n)
    await put(connection, "position", archive.heads[shard] + chance.randint(1, 9), game, n)
    return Tampered(codes(F.POSITION_MISSING), games=(game,), shards=(shard,), shard=shard, position=position)


async def positions_swapped(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance, below_last=True)
    other = chance.randint(n + 1, archive.games[game])
    here, there = [await column(connection, "position", game, at) for at in (n, other)]
    for at, position in ((n, 2**40), (other, here), (n, there)):
        await put(connection, "position", position, game, at)
    return Tampered(codes(F.POSITION_ORDER), games=(game,), shards=(archive.shard_of(game),), game=game)


async def shard_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance)
    shard = archive.shard_of(game)
    other = chance.choice([at for at in (*range(archive.shards), 99, -1) if at != shard])
    await connection.execute(
        "update event set shard = $1, position = (select coalesce(max(position), 0) + 1 from event where shard = $1) "
        "where stream = $2 and version = $3", other, game, n,
    )  # fmt: skip
    return Tampered(codes(F.SHARD_WRONG), games=(game,), game=game, n=n)


# --- rows that come and go ---


async def moved_to_another_game(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance, below_last=True)
    other = chance.choice([name for name in archive.games if name != game])
    await connection.execute(
        "update event set stream = $1, version = $2 where stream = $3 and version = $4",
        other, archive.games[other] + 1, game, n,
    )  # fmt: skip
    return Tampered(codes(F.EVENT_MISSING), games=(game, other), game=game, n=n)


async def row_deleted(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance, below_last=True)
    await connection.execute("delete from event where stream = $1 and version = $2", game, n)
    return Tampered(codes(F.EVENT_MISSING), games=(game,), shards=(archive.shard_of(game),), game=game, n=n)


async def game_deleted(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game = chance.choice(list(archive.games))
    await connection.execute("delete from event where stream = $1", game)
    return Tampered(codes(F.STREAM_MISSING), games=(game,), game=game)


async def row_inserted(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    """An event more at the end, with the right hash, and the counter adjusted."""
    game = chance.choice(archive.rows)
    n, shard = archive.games[game], archive.shard_of(game)
    row = await connection.fetchrow("select * from event where stream = $1 and version = $2", game, n)
    value = msgspec.json.decode(row["body"]) | {"n": n + 1}
    body = canonical(value)
    await connection.execute(
        "insert into event (stream, version, shard, position, type, body, prev_hash, hash, actor, command_last) "
        "values ($1, $2, $3, $4, $5, $6, $7, $8, 'x', $2)",
        game, n + 1, shard, archive.heads[shard] + 1, row["type"], body, row["hash"],
        bytes.fromhex(link(row["hash"].hex(), body)),
    )  # fmt: skip
    await connection.execute("update shard set head = head + 1 where shard = $1", shard)
    # What is no legal game is found by the rules; what the fold cannot take, without.
    return Tampered(codes(F.RULES_BROKEN, F.DOES_NOT_FOLD), games=(game,), game=game, n=n + 1)


async def row_doubled(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game, n = archive.event(chance)
    await connection.execute("alter table event drop constraint event_pkey")
    await connection.execute("drop index event_position, event_command")
    await connection.execute("insert into event select * from event where stream = $1 and version = $2", game, n)
    return Tampered(codes(F.EVENT_REPEATED), games=(game,), game=game, n=n)


async def position_doubled(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    shard = chance.choice([shard for shard, head in archive.heads.items() if head > 2])
    position = chance.randint(1, archive.heads[shard] - 1)
    await connection.execute("drop index event_position")
    await connection.execute(
        "update event set position = position - 1 where shard = $1 and position = $2", shard, position + 1
    )
    return Tampered(codes(F.POSITION_REPEATED), shards=(shard,), shard=shard, position=position)


async def tail_cut(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    """The last event of a shard is gone, and its counter not adjusted."""
    shard = chance.choice(list(archive.heads))
    await connection.execute("delete from event where shard = $1 and position = $2", shard, archive.heads[shard])
    return Tampered(codes(F.HEAD_AHEAD), shards=(), shard=shard, position=archive.heads[shard])


async def tail_cut_with_counter(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    """The last events of a shard are gone, counter adjusted, and the row of the game too: the checkpoints know."""
    shard = chance.choice(list(archive.heads))
    kept = max(0, archive.heads[shard] - chance.randint(1, 5))
    await connection.execute("delete from event where shard = $1 and position > $2", shard, kept)
    await connection.execute("update shard set head = $2 where shard = $1", shard, kept)
    return Tampered(codes(F.CHECKPOINT_BEYOND), shards=(shard,), shard=shard, position=kept + 1)


async def counter_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    shard = chance.choice(list(archive.heads))
    head = archive.heads[shard]
    changed = chance.choice([head + chance.randint(1, 9), chance.randrange(head)])
    await connection.execute("update shard set head = $2 where shard = $1", shard, changed)
    return Tampered(codes(F.HEAD_AHEAD if changed > head else F.HEAD_BEHIND), shard=shard)


async def counter_deleted(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    shard = chance.randrange(archive.shards)
    await connection.execute("delete from shard where shard = $1", shard)
    return Tampered(codes(F.SHARD_UNKNOWN), shard=shard)
