"""The feed beside slow commits, long transactions and several workers."""

import asyncio
from collections import Counter

import asyncpg

from domain.chain import first_prev
from service.store.base import Appended, Head, VersionConflict
from service.store.batch import SQL, Placed, pack
from service.store.postgres import PostgresStore, StoreLimits
from tests.contracts.event_store import command, digest, fill, whole_feed
from tests.service.store.conftest import AS_APP


async def test_a_commit_that_comes_late_is_not_passed_over(store_url: str, postgres_store: PostgresStore) -> None:
    slow = await asyncpg.connect(store_url)
    transaction = slow.transaction()
    await transaction.start()
    head = Head(0, first_prev("g_slow"))
    await slow.fetch(SQL, *pack([Placed(command(head, stream="g_slow"), 3)]))
    # Same shard, later position: it has to wait for the slow one, it must not overtake it.
    quick_connection = await asyncpg.connect(store_url)
    head = Head(0, first_prev("g_quick"))
    quick = asyncio.create_task(quick_connection.fetch(SQL, *pack([Placed(command(head, stream="g_quick"), 3)])))
    await fill(postgres_store, 3, "g_elsewhere")
    page = await postgres_store.read_feed()
    assert {event.stream for event in page.events} == {"g_elsewhere"}
    assert not quick.done()
    await transaction.commit()
    assert await quick == []
    later = await postgres_store.read_feed(page.cursor)
    assert [event.stream for event in later.events] == ["g_slow", "g_quick"]
    await slow.close()
    await quick_connection.close()


async def test_a_transaction_left_open_elsewhere_does_not_hold_up_the_feed(
    store_url: str, postgres_store: PostgresStore
) -> None:
    idler = await asyncpg.connect(store_url)
    async with idler.transaction():
        await idler.execute("insert into player values ('p_idle', 'Idle', 'guest', now())")
        await fill(postgres_store, 3)
        assert len((await postgres_store.read_feed()).events) == 3
    await idler.close()


async def test_positions_have_no_gaps_although_appends_are_refused(
    store_url: str, postgres_store: PostgresStore
) -> None:
    async def mixed(number: int) -> None:
        stream = f"g_{number % 40}"
        head = await postgres_store.head(stream)
        if number % 3 == 0:
            head = Head(head.version + 5, digest("nowhere"))
        await postgres_store.append(command(head, b"1", b"2", stream=stream))

    for _ in range(4):
        await asyncio.gather(*(mixed(number) for number in range(120)))
    owner = await asyncpg.connect(store_url)
    rows = await owner.fetch(
        "select s.shard, s.head, count(e.*) as events, coalesce(max(e.position), 0) as last"
        " from shard s left join event e on e.shard = s.shard group by 1, 2"
    )
    await owner.close()
    assert len(rows) == 16
    assert sum(row["events"] for row in rows) > 0
    assert all(row["head"] == row["events"] == row["last"] for row in rows)


async def test_workers_on_one_database_agree_on_who_won(store_url: str) -> None:
    limits = StoreLimits(lanes=2, database=AS_APP)
    workers = [await PostgresStore.open(store_url, limits) for _ in range(3)]
    streams = [f"g_{number}" for number in range(12)]
    for version in range(10):
        heads = [await workers[0].head(stream) for stream in streams]
        outcomes = await asyncio.gather(
            *(
                worker.append(command(head, b"%d" % place, stream=stream))
                for place, worker in enumerate(workers)
                for stream, head in zip(streams, heads, strict=True)
            )
        )
        expected = {Appended(version + 1, version + 1): 12, VersionConflict(version + 1): 24}
        assert Counter(outcomes) == expected
    assert len(await whole_feed(workers[1])) == 120
    for worker in workers:
        await worker.close()
