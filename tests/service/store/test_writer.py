"""The writer: batches, limits, one bad append among good ones, and a database that goes and comes."""

import asyncio
from datetime import UTC, datetime

import asyncpg
import msgspec
import pytest

from domain.chain import first_prev
from service.store.append import Append, PutGame
from service.store.base import Appended, Head, Outcome, Replayed
from service.store.batch import SQL, Placed, pack
from service.store.database import DatabaseLimits
from service.store.errors import StoreBusy, StoreError, StoreUnavailable
from service.store.postgres import PostgresStore, StoreLimits
from service.store.writer import WriterLimits
from tests.contracts.event_store import STREAM, command, fill, whole_feed
from tests.service.store.conftest import AS_APP
from tests.service.store.relay import relayed

SHORT = StoreLimits(
    database=DatabaseLimits(connections=2, connect_seconds=1.5, statement_seconds=1.0),
    writer=WriterLimits(patience_seconds=0.8),
)
SECONDS_MAX = 30.0


def new(stream: str) -> Head:
    return Head(0, first_prev(stream))


def game(share_code: str, ruleset: str = "samba-official") -> PutGame:
    return PutGame(
        share_code=share_code,
        visibility="listed",
        status="open",
        ruleset=ruleset,
        players=4,
        practice=False,
        created_by="p_anna",
        created_at=datetime(2026, 11, 30, tzinfo=UTC),
    )


async def test_appends_that_arrive_together_share_a_transaction(postgres_store: PostgresStore, store_url: str) -> None:
    owner = await asyncpg.connect(store_url)
    streams = [f"g_{number}" for number in range(64)]
    await asyncio.gather(*(postgres_store.append(command(new(s), stream=s)) for s in streams))
    transactions = await owner.fetchval("select count(distinct xmin::text) from event")
    await owner.close()
    assert transactions <= 6


async def test_the_cost_of_an_append_does_not_grow_with_the_stream_or_the_log(store_url: str) -> None:
    """Plans made while the tables were empty serve for as long as the connection lives."""
    connection = await asyncpg.connect(store_url)
    head = new("g_long")
    for number in range(300):
        append = command(head, stream="g_long", key=f"k{number}")
        others = [Placed(command(new(f"g_{number}"), stream=f"g_{number}"), 5)]
        assert await connection.fetch(SQL, *pack([Placed(append, 5), *others])) == []
        head = Head(head.version + 1, append.events[-1].hash)
    await connection.execute("select pg_stat_force_next_flush()")
    read = await connection.fetchrow(
        "select sum(idx_tup_read) as by_index, (select seq_tup_read from pg_stat_user_tables where relname = 'event')"
        " as by_table from pg_stat_user_indexes where relname = 'event'"
    )
    await connection.close()
    assert read["by_table"] < 300
    assert read["by_index"] < 300 * 6


@pytest.mark.parametrize("ruleset", ["nul\0", "surrogate\ud800", "samba-official"])
async def test_one_append_that_the_database_refuses_spares_the_others(store_url: str, ruleset: str) -> None:
    store = await PostgresStore.open(store_url, StoreLimits(database=AS_APP))
    first = msgspec.structs.replace(command(new("g_first"), stream="g_first"), writes=[game("taken")])
    await store.append(first)
    code = "taken" if ruleset == "samba-official" else "free"
    bad = msgspec.structs.replace(command(new("g_bad"), stream="g_bad"), writes=[game(code, ruleset)])
    good = [command(new(f"g_{number}"), stream=f"g_{number}") for number in range(20)]
    outcomes = await asyncio.gather(
        *(store.append(append) for append in [*good[:10], bad, *good[10:]]), return_exceptions=True
    )
    refused = outcomes.pop(10)
    assert isinstance(refused, StoreError)
    assert outcomes == [Appended(1, 1)] * 20
    assert await store.head("g_bad") == new("g_bad")
    assert len(await whole_feed(store)) == 21
    await store.close()


async def test_more_waiting_appends_than_the_limit_are_refused(store_url: str) -> None:
    store = await PostgresStore.open(store_url, StoreLimits(writer=WriterLimits(waiting_appends=10)))
    streams = [f"g_{number}" for number in range(30)]
    outcomes = await asyncio.gather(*(store.append(command(new(s), stream=s)) for s in streams), return_exceptions=True)
    assert outcomes[:10] == [Appended(1, 1)] * 10
    assert all(isinstance(outcome, StoreBusy) and outcome.limit == 10 for outcome in outcomes[10:])
    assert await store.append(command(new("g_later"), stream="g_later")) == Appended(1, 1)
    assert store.waiting == 0
    await store.close()


async def test_closing_finishes_what_is_waiting_and_takes_nothing_more(store_url: str) -> None:
    store = await PostgresStore.open(store_url, StoreLimits(writer=WriterLimits(stop_seconds=SECONDS_MAX)))
    streams = [f"g_{number}" for number in range(50)]
    tasks = [asyncio.create_task(store.append(command(new(s), stream=s))) for s in streams]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*tasks) == [Appended(1, 1)] * 50
    with pytest.raises(StoreUnavailable):
        await store.append(command(new("g_late"), stream="g_late"))


async def test_an_append_whose_answer_was_lost_comes_back_as_replayed(store_url: str) -> None:
    async with relayed(store_url) as relay:
        store = await PostgresStore.open(relay.url)
        head = await fill(store, 1)
        for key in ("k", None):
            append = command(head, b"once", key=key, answer=b"told")
            relay.lose_answers = 1
            outcome = await store.append(append)
            assert outcome == Replayed(head.version + 1, head.version + 1, b"told")
            head = await store.head(STREAM)
        assert [event.body for event in await store.read(STREAM, after=1)] == [b"once", b"once"]
        await store.close()


async def test_answers_lost_again_and_again_lose_and_double_nothing(store_url: str) -> None:
    async with relayed(store_url) as relay:
        store = await PostgresStore.open(relay.url)
        acknowledged = 0

        async def player(stream: str) -> None:
            nonlocal acknowledged
            head = new(stream)
            for number in range(40):
                append = command(head, b"%d" % number, stream=stream, key=f"k{number}")
                assert isinstance(await store.append(append), Appended | Replayed)
                head = Head(head.version + 1, append.events[-1].hash)
                acknowledged += 1

        async def saboteur() -> None:
            seen = 0
            while True:
                await asyncio.sleep(0.001)
                if acknowledged >= seen + 20:
                    relay.lose_answers, seen = 1, acknowledged

        sabotage = asyncio.create_task(saboteur())
        streams = [f"g_{number}" for number in range(16)]
        await asyncio.gather(*(player(stream) for stream in streams))
        sabotage.cancel()
        relay.lose_answers = 0
        events = await whole_feed(store)
        assert len(events) == acknowledged == 16 * 40
        for stream in streams:
            bodies = [event.body for event in events if event.stream == stream]
            assert bodies == [b"%d" % number for number in range(40)]
        await store.close()


async def test_a_database_that_goes_is_told_and_one_that_comes_back_is_used(store_url: str) -> None:
    async with relayed(store_url) as relay:
        store = await PostgresStore.open(relay.url, SHORT)
        head = await fill(store, 1)
        relay.refuse = True
        relay.cut()
        waiting = [store.append(command(head, stream="g_contract", key=f"k{number}")) for number in range(5)]
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(outcome, StoreUnavailable) for outcome in outcomes)
        # Known to be gone it is not waited for; a busy machine may hold one of the answers up.
        assert min([await seconds_to_refuse(store, command(head)) for _ in range(5)]) < 0.1
        with pytest.raises(StoreUnavailable):
            await store.read("g_contract")
        relay.refuse = False
        assert await appended(store, command(head)) == Appended(2, 2)
        assert store.waiting == 0
        await store.close()


async def seconds_to_refuse(store: PostgresStore, append: Append) -> float:
    """How long it takes to say that the database is gone."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    with pytest.raises(StoreUnavailable):
        await store.append(append)
    return loop.time() - begun


async def appended(store: PostgresStore, append: Append) -> Outcome:
    """What comes of an append once the database is there again."""
    async with asyncio.timeout(SECONDS_MAX):
        while True:
            try:
                return await store.append(append)
            except StoreUnavailable:
                await asyncio.sleep(0.05)


async def test_a_network_that_swallows_everything_is_noticed(store_url: str) -> None:
    async with relayed(store_url) as relay:
        store = await PostgresStore.open(relay.url, SHORT)
        head = await fill(store, 1)
        relay.silent = True
        async with asyncio.timeout(SECONDS_MAX):
            with pytest.raises(StoreUnavailable):
                await store.append(command(head, key="k"))
            with pytest.raises(StoreUnavailable):
                await store.read("g_contract")
        relay.silent = False
        assert isinstance(await appended(store, command(head, key="k")), Appended | Replayed)
        assert len(await store.read("g_contract")) == 2
        await store.close()


async def test_callers_that_give_up_leave_the_pool_whole(store_url: str) -> None:
    store = await PostgresStore.open(store_url, StoreLimits(database=DatabaseLimits(connections=3)))
    await fill(store, 20)
    for round_ in range(40):
        tasks = [asyncio.create_task(store.read("g_contract")) for _ in range(8)]
        await asyncio.sleep(0.0003 * (round_ % 7))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    results = await asyncio.gather(*(store.read("g_contract") for _ in range(12)))
    assert all(len(events) == 20 for events in results)
    owner = await asyncpg.connect(store_url)
    idle = await owner.fetchval("select count(*) from pg_stat_activity where state = 'idle in transaction'")
    await owner.close()
    assert idle == 0
    await store.close()


async def test_a_writer_that_breaks_tells_its_callers(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await PostgresStore.open(store_url)
    await fill(store, 1)
    monkeypatch.setattr("service.store.writer.outcomes", lambda batch, refused: [])
    head = await store.head(STREAM)
    async with asyncio.timeout(SECONDS_MAX):
        with pytest.raises(StoreUnavailable):
            await store.append(command(head))
        with pytest.raises(StoreUnavailable):
            await store.append(command(head))
    await store.close()
