"""What an audit looks at is what there was at its start; what comes meanwhile is left to the next one."""

import asyncpg
import pytest

from domain.chain import link
from domain.chance import PracticeChance
from domain.events import encode, type_of
from service.audit.games import check_games
from service.audit.rows import Span
from service.audit.source import connect, read_cut
from service.store.postgres import PostgresStore
from tests.service.audit.archive import Told, practice_game, stamped, store


async def test_games_that_move_on_meanwhile_are_checked_up_to_the_cut(copy: str) -> None:
    connection = await connect(copy)
    cut = await read_cut(connection)
    before = await check_games(connection, cut, Span("", None), None, together=True)
    into = await PostgresStore.open(copy)
    game = practice_game(2)
    await store(into, Told("a-new-game", stamped(game.happened)))
    # The practice game that stands in a hand is played on, as the service does it.
    await _move_on(copy)
    await into.close()
    after = await check_games(connection, cut, Span("", None), None, together=True)
    assert after.findings.kept == before.findings.kept == []
    assert (after.games, after.events) == (before.games, before.events)
    later = await read_cut(connection)
    whole = await check_games(connection, later, Span("", None), None, together=True)
    assert whole.events > before.events
    await connection.close()


async def _move_on(url: str) -> None:
    """One event more of a running game, and its row as if the turn had changed."""
    connection = await asyncpg.connect(url)
    row = await connection.fetchrow("select * from event where stream = 'practice-3' order by version desc limit 1")
    game = practice_game(3)
    game.move(PracticeChance())
    event = stamped(game.happened)[row["version"]]
    body = encode(event)
    await connection.execute(
        "insert into event (stream, version, shard, position, type, body, prev_hash, hash, actor, command_last) "
        "select $1, $2, shard, head + 1, $3, $4, $5, $6, 'x', $2 from shard where shard = $7",
        row["stream"], row["version"] + 1, type_of(event), body, row["hash"],
        bytes.fromhex(link(row["hash"].hex(), body)), row["shard"],
    )  # fmt: skip
    await connection.execute("update shard set head = head + 1 where shard = $1", row["shard"])
    await connection.execute("update game set version = $1, turn = 3 where id = $2", row["version"] + 1, row["stream"])
    await connection.close()


async def test_an_audit_cannot_write(copy: str) -> None:
    connection = await connect(copy)
    assert await connection.fetchval("select current_user") == "pg_read_all_data"
    for refusal in (asyncpg.InsufficientPrivilegeError, asyncpg.ReadOnlySQLTransactionError):
        for statement in ("create table t ()", "update shard set head = 0"):
            with pytest.raises((refusal, asyncpg.ReadOnlySQLTransactionError)):
                await connection.execute(statement)
        # Nor can the login itself, whatever role it might take on.
        await connection.execute("reset role")
    await connection.close()
