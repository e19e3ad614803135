"""What is written beside the events: in the same transaction, and only with events that are stored."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import msgspec
import pytest

from service.seals import UNTIL_LIFTED, Seals
from service.store.append import (
    AwaitSeal,
    DropDeadline,
    DropSecret,
    PutDeadline,
    PutGame,
    PutSeal,
    PutSeat,
    PutSecret,
    Touch,
    Write,
)
from service.store.base import Appended, Outcome, Replayed, VersionConflict
from service.store.postgres import PostgresStore
from tests.contracts.event_store import STREAM, command

NOW = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=3650)
NEW_GAME = PutGame(
    share_code="code",
    visibility="listed",
    status="open",
    ruleset="samba-official",
    players=4,
    practice=False,
    created_by="p_anna",
    created_at=NOW,
)


class Tables:
    """Looks at the tables beside the events."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def game(self) -> dict[str, Any]:
        return dict(await self._connection.fetchrow("select * from game"))

    async def seats(self) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await self._connection.fetch("select * from seat order by seat")]

    async def master(self) -> bytes | None:
        master: bytes | None = await self._connection.fetchval("select master from secret")
        return master

    async def deadlines(self) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await self._connection.fetch("select * from deadline order by game, kind")]


@pytest.fixture
async def tables(store_url: str) -> AsyncIterator[Tables]:
    connection = await asyncpg.connect(store_url)
    yield Tables(connection)
    await connection.close()


async def write(
    store: PostgresStore,
    *writes: Write,
    touch: Touch | None = None,
    stream: str = STREAM,
    bodies: Sequence[bytes] = (b"{}",),
) -> Outcome:
    append = command(await store.head(stream), *bodies, stream=stream)
    return await store.append(msgspec.structs.replace(append, writes=writes, touch=touch))


async def test_a_game_comes_with_its_first_events(postgres_store: PostgresStore, tables: Tables) -> None:
    seats = [PutSeat(seat=0, kind="human", player="p_anna"), PutSeat(seat=1, kind="bot", level="greedy")]
    await write(postgres_store, NEW_GAME, *seats, bodies=(b"1", b"2", b"3"))
    later = {"finished_at": None, "beacon": None, "sealed_until": None}
    row = msgspec.structs.asdict(NEW_GAME) | {"id": STREAM, "version": 3} | later
    assert await tables.game() == row
    assert await tables.seats() == [(STREAM, 0, "human", "p_anna", None), (STREAM, 1, "bot", None, "greedy")]


async def test_a_touch_keeps_the_row_at_the_version_of_its_append(
    postgres_store: PostgresStore, tables: Tables
) -> None:
    await write(postgres_store, NEW_GAME)
    await write(postgres_store, touch=Touch("playing", 2), bodies=(b"1", b"2"))
    row = await tables.game()
    assert (row["version"], row["status"], row["turn"], row["finished_at"]) == (3, "playing", 2, None)
    await write(postgres_store, touch=Touch("finished", None, NOW))
    row = await tables.game()
    assert (row["version"], row["status"], row["turn"], row["finished_at"]) == (4, "finished", None, NOW)


async def test_a_seat_is_taken_and_left(postgres_store: PostgresStore, tables: Tables) -> None:
    await write(postgres_store, NEW_GAME, PutSeat(seat=0, kind="open"), PutSeat(seat=1, kind="open"))
    await write(postgres_store, PutSeat(seat=1, kind="human", player="p_ben"))
    assert await tables.seats() == [(STREAM, 0, "open", None, None), (STREAM, 1, "human", "p_ben", None)]
    await write(postgres_store, PutSeat(seat=1, kind="open"))
    assert (await tables.seats())[1] == (STREAM, 1, "open", None, None)


async def test_side_writes_of_a_batch_go_to_their_own_streams(postgres_store: PostgresStore, tables: Tables) -> None:
    await write(postgres_store, NEW_GAME)
    other = msgspec.structs.replace(NEW_GAME, share_code="other")
    await write(postgres_store, other, PutSecret("bb"), stream="g_other", bodies=(b"1", b"2"))
    assert await tables.master() == b"\xbb"
    assert (await postgres_store.head("g_other")).version == 2
    assert (await postgres_store.head(STREAM)).version == 1


async def test_what_is_refused_writes_nothing_beside(postgres_store: PostgresStore, tables: Tables) -> None:
    stale = command(await postgres_store.head(STREAM), b"stale")
    await write(postgres_store, NEW_GAME)
    writes = (PutSeat(seat=0, kind="human", player="p_eve"), PutDeadline("move", NOW), PutSecret("ff"))
    refused = msgspec.structs.replace(stale, writes=writes, touch=Touch("finished", 1, NOW))
    assert await postgres_store.append(refused) == VersionConflict(1)
    assert (await tables.game())["status"] == "open"
    assert await tables.seats() == []
    assert await tables.deadlines() == []
    assert await tables.master() is None


async def test_a_repeated_command_writes_nothing_a_second_time(postgres_store: PostgresStore, tables: Tables) -> None:
    append = command(await postgres_store.head(STREAM), key="k")
    assert await postgres_store.append(msgspec.structs.replace(append, writes=[PutSecret("aa")])) == Appended(1, 1)
    again = msgspec.structs.replace(append, writes=[PutSecret("bb")])
    assert await postgres_store.append(again) == Replayed(1, 1, None)
    assert await tables.master() == b"\xaa"


async def test_a_secret_goes_when_it_is_revealed(postgres_store: PostgresStore, tables: Tables) -> None:
    master = bytes(range(128))
    await write(postgres_store, PutSecret(master.hex()))
    assert await tables.master() == master
    await write(postgres_store, DropSecret())
    assert await tables.master() is None


async def test_a_timer_belongs_to_the_version_of_its_append(postgres_store: PostgresStore, tables: Tables) -> None:
    await write(postgres_store, PutDeadline("turn", NOW), PutDeadline("nonce", LONG_AGO), bodies=(b"1", b"2"))
    assert await tables.deadlines() == [(STREAM, "nonce", 2, LONG_AGO, None), (STREAM, "turn", 2, NOW, None)]
    await write(postgres_store, PutDeadline("turn", LONG_AGO), DropDeadline("nonce"))
    assert await tables.deadlines() == [(STREAM, "turn", 3, LONG_AGO, None)]


async def test_the_timer_of_a_seal_goes_by_the_row_of_the_game(postgres_store: PostgresStore, tables: Tables) -> None:
    """So it is right though the seal was moved while the end of the game was on its way."""
    await write(postgres_store, NEW_GAME, PutSeal(NOW))
    assert (await tables.game())["sealed_until"] == NOW
    await Seals(postgres_store.pool).lift(STREAM, LONG_AGO)
    await write(postgres_store, AwaitSeal(), touch=Touch("ended", None, NOW), bodies=(b"1", b"2"))
    assert await tables.deadlines() == [(STREAM, "seal", 3, LONG_AGO, None)]


async def test_a_seal_that_is_lifted_takes_its_timer_along_and_moves_to_no_later_time(
    postgres_store: PostgresStore, tables: Tables
) -> None:
    await write(postgres_store, NEW_GAME, PutSeal(UNTIL_LIFTED), AwaitSeal())
    assert await tables.deadlines() == [(STREAM, "seal", 1, UNTIL_LIFTED, None)]
    seals = Seals(postgres_store.pool)
    assert await seals.lift(STREAM, NOW)
    assert not await seals.lift(STREAM, NOW + timedelta(seconds=1))
    assert not await seals.lift("g_other", NOW)
    assert (await tables.game())["sealed_until"] == NOW
    assert await tables.deadlines() == [(STREAM, "seal", 1, NOW, None)]


async def test_the_end_of_a_game_waits_for_who_is_lifting_its_seal(
    postgres_store: PostgresStore, tables: Tables, store_url: str
) -> None:
    await write(postgres_store, NEW_GAME, PutSeal(UNTIL_LIFTED))
    lifting = await asyncpg.connect(store_url)
    transaction = lifting.transaction()
    await transaction.start()
    await lifting.execute("update game set sealed_until = $1", NOW)
    ending = asyncio.create_task(write(postgres_store, AwaitSeal(), touch=Touch("ended", None, NOW)))
    await asyncio.sleep(0.2)
    assert not ending.done()
    await lifting.execute("update deadline set due_at = $1", NOW)
    await transaction.commit()
    await lifting.close()
    assert isinstance(await ending, Appended)
    assert await tables.deadlines() == [(STREAM, "seal", 2, NOW, None)]
