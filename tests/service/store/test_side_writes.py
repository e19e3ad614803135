"""What is written beside the events: in the same transaction, and only with events that are stored."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import msgspec
import pytest

from service.store.append import DropDeadline, DropSecret, PutDeadline, PutGame, PutSeat, PutSecret, Touch, Write
from service.store.base import Appended, Outcome, Replayed, VersionConflict
from service.store.deadlines import Deadline, Deadlines
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


@pytest.fixture
async def tables(store_url: str) -> AsyncIterator[Tables]:
    connection = await asyncpg.connect(store_url)
    yield Tables(connection)
    await connection.close()


@pytest.fixture
def deadlines(postgres_store: PostgresStore) -> Deadlines:
    return Deadlines(postgres_store.pool)


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
    row = msgspec.structs.asdict(NEW_GAME) | {"id": STREAM, "version": 3, "finished_at": None}
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


async def test_what_is_refused_writes_nothing_beside(
    postgres_store: PostgresStore, tables: Tables, deadlines: Deadlines
) -> None:
    stale = command(await postgres_store.head(STREAM), b"stale")
    await write(postgres_store, NEW_GAME)
    writes = (PutSeat(seat=0, kind="human", player="p_eve"), PutDeadline("move", NOW), PutSecret("ff"))
    refused = msgspec.structs.replace(stale, writes=writes, touch=Touch("finished", 1, NOW))
    assert await postgres_store.append(refused) == VersionConflict(1)
    assert (await tables.game())["status"] == "open"
    assert await tables.seats() == []
    assert await deadlines.next_due() is None
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


async def test_a_due_timer_is_claimed_by_one_worker_only(postgres_store: PostgresStore, deadlines: Deadlines) -> None:
    for number in range(6):
        due = LONG_AGO + timedelta(seconds=number)
        await write(postgres_store, PutDeadline("move", due), stream=f"g_{number}", bodies=(b"1", b"2"))
    await write(postgres_store, PutDeadline("move", NOW + timedelta(days=36500)), stream="g_later")
    first = await deadlines.claim_due(limit=4)
    assert first == [Deadline(f"g_{n}", "move", 2, LONG_AGO + timedelta(seconds=n)) for n in range(4)]
    assert [deadline.game for deadline in await deadlines.claim_due()] == ["g_4", "g_5"]
    assert await deadlines.claim_due() == []


async def test_a_timer_of_a_worker_that_died_falls_to_another(
    postgres_store: PostgresStore, deadlines: Deadlines
) -> None:
    await write(postgres_store, PutDeadline("move", LONG_AGO))
    assert len(await deadlines.claim_due(lease_seconds=0.0)) == 1
    assert len(await deadlines.claim_due(lease_seconds=60.0)) == 1
    assert await deadlines.claim_due() == []


async def test_moving_a_timer_frees_it_and_dropping_it_ends_it(
    postgres_store: PostgresStore, deadlines: Deadlines
) -> None:
    await write(postgres_store, PutDeadline("move", LONG_AGO))
    (claimed,) = await deadlines.claim_due()
    later = LONG_AGO + timedelta(hours=1)
    await write(postgres_store, PutDeadline("move", later))
    await deadlines.done(claimed)
    assert await deadlines.next_due() == later
    assert await deadlines.claim_due() == [Deadline(STREAM, "move", 2, later)]
    await write(postgres_store, DropDeadline("move"))
    assert await deadlines.next_due() is None


async def test_a_timer_without_meaning_is_done_away_with(postgres_store: PostgresStore, deadlines: Deadlines) -> None:
    await write(postgres_store, PutDeadline("move", LONG_AGO))
    (claimed,) = await deadlines.claim_due(lease_seconds=0.0)
    await deadlines.done(claimed)
    assert await deadlines.claim_due() == []
