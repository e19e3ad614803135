"""Tamperings with what stands beside the events: rows of games, seats, masters."""

import random
from typing import Any

import asyncpg

from service.audit.findings import FindingCode
from service.audit.findings import FindingCode as F
from tests.service.audit.tampered import Archive, Tampered, codes, flipped


async def game_row_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game = chance.choice(archive.rows)
    row = await connection.fetchrow("select * from game where id = $1", game)
    choices: list[tuple[str, list[Any], FindingCode]] = [
        ("status", ["open", "closed", "playing", "ended", "lost"], F.GAME_STATUS_WRONG),
        ("turn", [None, 0, 1, 7], F.GAME_STATUS_WRONG),
        ("finished_at", [None, row["created_at"]], F.GAME_STATUS_WRONG),
        ("version", [*range(max(1, row["version"] - 3), row["version"] + 4)], F.GAME_VERSION_WRONG),
        ("players", [2, 3, 4, 5, 6], F.GAME_FACTS_WRONG),
        ("ruleset", ["samba-official", "bolivia", "x"], F.GAME_FACTS_WRONG),
        ("practice", [True, False], F.GAME_FACTS_WRONG),
    ]
    name, values, code = chance.choice(choices)
    value = chance.choice([value for value in values if value != row[name] and _differs(name, value, row[name])])
    await connection.execute(f"update game set {name} = $1 where id = $2", value, game)
    return Tampered(codes(code), games=(game,), game=game)


def _differs(name: str, value: object, there: object) -> bool:
    """Whether another value says something else: of `finished_at` it is only whether it is there."""
    return name != "finished_at" or (value is None) != (there is None)


async def game_row_deleted(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game = chance.choice(archive.rows)
    await connection.execute("delete from game where id = $1", game)
    return Tampered(codes(F.GAME_MISSING), games=(game,), game=game)


async def seat_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game = chance.choice(archive.rows)
    rows = await connection.fetch("select * from seat where game = $1", game)
    row = chance.choice(rows)
    change = chance.choice(["player = 'somebody'", "kind = 'nothing'", "seat = 9", "level = 'nothing'", None])
    if change == "level = 'nothing'" and row["kind"] == "open":
        change = "kind = 'bot'"
    place = "game = $1 and seat = $2"
    await connection.execute(
        f"delete from seat where {place}" if change is None else f"update seat set {change} where {place}",
        game, row["seat"],
    )  # fmt: skip
    return Tampered(codes(F.SEAT_WRONG), games=(game,), game=game)


async def master_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    rows = await connection.fetch("select game, master from secret")
    row = chance.choice(rows)
    await connection.execute("update secret set master = $2 where game = $1", row[0], flipped(row[1], chance))
    return Tampered(codes(F.MASTER_WRONG), games=(row[0],), game=row[0])


async def master_deleted(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    game = chance.choice([row[0] for row in await connection.fetch("select game from secret")])
    await connection.execute("delete from secret where game = $1", game)
    return Tampered(codes(F.MASTER_MISSING), games=(game,), game=game)


async def master_added(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    having = {row[0] for row in await connection.fetch("select game from secret")}
    game = chance.choice([*sorted(archive.games.keys() - having), "g-nowhere"])
    await connection.execute("insert into secret values ($1, $2)", game, chance.randbytes(128))
    return Tampered(codes(F.MASTER_LEFT), games=(game,), game=game)


async def board_game_moved(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    rows = await connection.fetch("select game, tournament from tournament_game where on_boards")
    game, tournament = chance.choice(rows)
    others = sorted({row[1] for row in rows} - {tournament})
    await connection.execute("update tournament_game set tournament = $2 where game = $1", game, chance.choice(others))
    return Tampered(codes(F.GAME_FACTS_WRONG), games=(game,), game=game)


async def board_commitment_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    """The master still fits the events, and neither fits what was published."""
    row = chance.choice(await connection.fetch("select tournament, commitment from board_set"))
    forged = flipped(bytes.fromhex(row["commitment"]), chance).hex()
    await connection.execute("update board_set set commitment = $2 where tournament = $1", row["tournament"], forged)
    query = "select game from tournament_game where tournament = $1 limit 1"
    told = chance.choice([row["tournament"], await connection.fetchval(query, row["tournament"])])
    return Tampered(codes(F.GAME_FACTS_WRONG), games=(told,), game=told)


async def tournament_row_changed(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    row = chance.choice(await connection.fetch("select id, status, version from tournament"))
    choices: list[tuple[str, Any, FindingCode]] = [
        ("status", chance.choice(["announced", "finished", "cancelled"]), F.GAME_STATUS_WRONG),
        ("version", row["version"] + chance.choice([-1, 1]), F.GAME_VERSION_WRONG),
    ]
    name, value, code = chance.choice(choices)
    await connection.execute(f"update tournament set {name} = $1 where id = $2", value, row["id"])
    return Tampered(codes(code), games=(row["id"],), game=row["id"])


async def tournament_row_deleted(connection: asyncpg.Connection, archive: Archive, chance: random.Random) -> Tampered:
    tournament = chance.choice([row[0] for row in await connection.fetch("select id from tournament")])
    await connection.execute("delete from tournament where id = $1", tournament)
    return Tampered(codes(F.GAME_MISSING), games=(tournament,), game=tournament)
