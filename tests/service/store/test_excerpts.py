"""What is read of a long game: the index of the few events that are no matter of a hand."""

import re

import asyncpg

from domain.excerpts import HAND_TYPES
from service.store.postgres import EXCERPT


async def test_the_index_leaves_out_what_an_excerpt_leaves_out(database: str) -> None:
    connection = await asyncpg.connect(database)
    try:
        index = await connection.fetchval("select indexdef from pg_indexes where indexname = 'event_of_table'")
    finally:
        await connection.close()
    (types,) = re.findall(r"<> ALL \('\{([a-z_,]+)\}'", index)
    assert tuple(types.split(",")) == HAND_TYPES


async def test_an_excerpt_of_a_long_game_touches_few_rows(database: str) -> None:
    connection = await asyncpg.connect(database)
    try:
        await connection.execute(
            """
            insert into event (stream, version, shard, position, type, body, prev_hash, hash, actor)
            select stream, n, 0, 3000 * game + n,
                case when n = 1 then 'created' when n % 100 = 99 then 'hand_ended' when n % 100 = 0 then 'dealt'
                    else 'drew' end,
                '{}', zero, sha256(convert_to(encode(zero, 'hex') || e'\\n', 'UTF8') || '{}'), 'test'
            from generate_series(0, 9) game, generate_series(1, 3000) n,
                lateral (select 'g' || game as stream, decode(repeat('00', 32), 'hex') as zero) made
            """
        )
        await connection.execute("vacuum analyze event")
        query = EXCERPT.replace("$1", "'g5'").replace("$2", "1550")
        rows = await connection.fetch(f"explain (analyze, costs off, timing off) {query}")
    finally:
        await connection.close()
    plan = "\n".join(row[0] for row in rows)
    assert "event_of_table" in plan
    assert "Seq Scan" not in plan
    read = sum(int(float(number)) for number in re.findall(r"actual rows=([\d.]+)", plan))
    dropped = sum(map(int, re.findall(r"Removed by Filter: (\d+)", plan)))
    assert read + dropped < 400
