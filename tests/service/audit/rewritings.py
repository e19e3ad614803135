"""Games rewritten whole, with every hash made anew."""

import random
from collections.abc import Callable
from typing import Any

import asyncpg
import msgspec

from domain.canonical import canonical
from domain.chain import first_prev, link
from domain.events import encode
from service.audit.findings import FindingCode as F
from service.audit.kept import KeptHead
from tests.service.audit.archive import TURNS, practice_game, stamped
from tests.service.audit.tampered import Archive, Tampered, codes


async def rewrite(
    connection: asyncpg.Connection, game: str, change: Callable[[int, dict[str, Any]], None], first: int = 1
) -> None:
    """Change the bodies of a game's events from one on, and make every hash anew."""
    rows = await connection.fetch("select version, body from event where stream = $1 order by version", game)
    head = first_prev(game)
    changed = []
    for version, body in rows:
        value = msgspec.json.decode(body)
        change(version, value)
        body = canonical(value)
        prev, head = head, link(head, body)
        if version >= first:
            changed.append((body, bytes.fromhex(prev), bytes.fromhex(head), value["type"], game, version))
    await connection.executemany(
        "update event set body = $1, prev_hash = $2, hash = $3, type = $4 where stream = $5 and version = $6", changed
    )


async def kept_heads(connection: asyncpg.Connection, game: str) -> tuple[KeptHead, ...]:
    """The head of a game as a player may have kept it."""
    row = await connection.fetchrow(
        "select version, hash from event where stream = $1 order by version desc limit 1", game
    )
    return (KeptHead(game, row[0], row[1].hex()),)


async def times_rewritten(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    """A neutral edit, hashes made anew: only what was signed or kept can tell."""
    game, n = archive.event(chance)
    heads = await kept_heads(connection, game)

    def change(version: int, value: dict[str, Any]) -> None:
        if version == n:
            value["at"] = "2025-12-31T23:59:59.000Z"

    await rewrite(connection, game, change)
    shard = archive.shard_of(game)
    return Tampered(codes(F.ROOT_WRONG), games=(game,), shards=(shard,), shard=shard, heads=heads)


async def head_rewritten(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    """The same, found by a player's head alone."""
    done = await times_rewritten(connection, archive, chance)
    (head,) = done.heads
    return Tampered(codes(F.KEPT_HEAD_DIFFERS), games=done.games, game=head.game, n=head.n, heads=done.heads)


async def cut_short(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    """The end of a game is gone, found by a player's head alone."""
    game, n = archive.event(chance, above=1)
    heads = await kept_heads(connection, game)
    await connection.execute("delete from event where stream = $1 and version >= $2", game, n)
    return Tampered(codes(F.KEPT_HEAD_MISSING), games=(game,), game=game, n=heads[0].n, heads=heads)


async def fact_rewritten(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    """The number in a body is another one, hashes made anew."""
    game, n = archive.event(chance)

    def change(version: int, value: dict[str, Any]) -> None:
        if version == n:
            value["n"] += chance.choice([-1, 1, 100])

    await rewrite(connection, game, change)
    return Tampered(codes(F.NUMBER_WRONG), games=(game,), game=game, n=n)


async def form_rewritten(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    """A body that is none, with every hash made anew."""
    game, n = archive.event(chance)
    what = chance.choice(["salt", "at", "more", "type"])

    def change(version: int, value: dict[str, Any]) -> None:
        if version == n:
            value[what] = "nothing"

    await rewrite(connection, game, change)
    return Tampered(codes(F.BODY_INVALID), games=(game,), game=game, n=n)


async def totals_rewritten(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    rows = await connection.fetch(
        "select stream, version from event e where type = 'game_ended' "
        "and exists (select from event where stream = e.stream and type = 'hand_ended')"
    )
    game, n = chance.choice(rows)

    def change(version: int, value: dict[str, Any]) -> None:
        if version == n:
            value["totals"][chance.randrange(len(value["totals"]))] += 5

    await rewrite(connection, game, change)
    return Tampered(codes(F.TOTALS_WRONG, F.RULES_BROKEN), games=(game,), game=game, n=n)


async def rewritten_by_the_rules(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    """Another legal course of a game in place of the one that was played: nothing in its rows shows it."""
    game = f"practice-{TURNS}"
    heads = await kept_heads(connection, game)
    told = stamped(practice_game(TURNS, other=True).happened)
    assert len(told) == archive.games[game]
    await rewrite(connection, game, lambda n, value: _replace(value, encode(told[n - 1])))
    shard = archive.shard_of(game)
    found_by = chance.choice([F.ROOT_WRONG, F.KEPT_HEAD_DIFFERS])
    return Tampered(codes(found_by), games=(game,), shards=(shard,), heads=heads)


def _replace(value: dict[str, Any], body: bytes) -> None:
    value.clear()
    value.update(msgspec.json.decode(body))


async def reveal_removed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    """The last event of a finished game is gone, row and master put back to fit."""
    rows = await connection.fetch("select stream, version, body from event where type = 'revealed'")
    game, n, body = chance.choice(rows)
    await connection.execute("delete from event where stream = $1 and version = $2", game, n)
    master = bytes.fromhex(msgspec.json.decode(body)["master"])
    await connection.execute("insert into secret values ($1, $2)", game, master)
    return Tampered(codes(F.NOT_REVEALED), games=(game,), game=game)
