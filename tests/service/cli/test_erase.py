"""`meldhouse erase`."""

import asyncio
from typing import Any

import asyncpg

from tests.service.cli.running import refused, told


def run(url: str, statement: str) -> list[Any]:
    async def ask() -> list[Any]:
        connection = await asyncpg.connect(url)
        rows: list[Any] = await connection.fetch(statement)
        await connection.close()
        return rows

    return asyncio.run(ask())


def test_people_are_erased_by_their_ids_and_others_are_left_alone(fresh_database: str) -> None:
    told("migrate", DATABASE_URL=fresh_database)
    people = "('p1', 'Ada', 'guest', now()), ('p2', 'Ben', 'guest', now())"
    run(fresh_database, f"insert into player (id, name, kind, created_at) values {people}")
    tokens = "('aa', 't1', 'p1', '{play}', now()), ('bb', 't2', 'p2', '{play}', now())"
    rows = tokens.replace("('aa'", "(sha256('aa')").replace("('bb'", "(sha256('bb')")
    run(fresh_database, f"insert into token (hash, id, player, scopes, created_at) values {rows}")
    text = told("erase", "p1", "p9", DATABASE_URL=fresh_database)
    assert text.splitlines() == ["p1: erased", "p9: nobody to erase"]
    assert told("erase", "p1", DATABASE_URL=fresh_database) == "p1: nobody to erase\n"
    found = run(fresh_database, "select id, name, erased_at is not null as erased, leaving from player order by id")
    assert [tuple(row) for row in found] == [("p1", None, True, True), ("p2", "Ben", False, False)]
    assert [row["player"] for row in run(fresh_database, "select player from token")] == ["p2"]


def test_tournaments_that_nobody_directs_any_more_are_told(fresh_database: str) -> None:
    told("migrate", DATABASE_URL=fresh_database)
    run(fresh_database, "insert into player (id, name, kind, created_at) values ('p1', 'Ada', 'guest', now())")
    run(
        fresh_database,
        "insert into tournament (id, organiser, status) "
        "values ('t1', 'p1', 'registration'), ('t2', 'p1', 'finished'), ('t3', 'p1', 'cancelled'), "
        "('t4', 'p1', 'running')",
    )
    # The fourth was handed over to them, and they have done nothing in it.
    run(
        fresh_database,
        "insert into event (stream, version, shard, position, type, body, prev_hash, hash, actor) "
        "select id, 1, 0, row_number() over (), 'tournament_created', '{}', decode(repeat('00', 32), 'hex'), "
        "sha256(convert_to(repeat('00', 32) || e'\n', 'UTF8') || '{}'::bytea), 'p1' from tournament where id <> 't4'",
    )
    text = told("erase", "p1", DATABASE_URL=fresh_database)
    assert text.splitlines() == ["p1: erased", "  nobody directs any more: t1"]


def test_somebody_must_be_named() -> None:
    assert "PLAYERS" in refused("erase", DATABASE_URL="postgresql://nobody@127.0.0.1:1/x")
