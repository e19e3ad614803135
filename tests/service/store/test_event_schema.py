"""Every stored event is marked with the schema of its body."""

import asyncpg
import pytest

from domain.chain import first_prev
from domain.upcasting import SCHEMA
from service.store import database
from service.store.append import Append, chained
from service.store.base import Appended, StoredEvent
from service.store.postgres import PostgresStore, StoreLimits
from tests.service.store.conftest import AS_APP

STREAM = "g1"

INSERT = """
insert into event (stream, version, shard, position, type, body, prev_hash, hash, actor)
select 'g2', n, 0, n, 't', 'x', prev, sha256(convert_to(encode(prev, 'hex') || e'\\n', 'UTF8') || 'x'), 'p'
from (values ($1::integer, $2::bytea)) v (n, prev)
"""


def append(stored: list[StoredEvent], *bodies: bytes) -> Append:
    prev = stored[-1].hash if stored else first_prev(STREAM)
    events = chained(prev, [("moved", body) for body in bodies])
    return Append(stream=STREAM, expected_version=len(stored), prev_hash=prev, events=events, actor="p")


async def test_events_are_marked_by_the_program_that_stores_them(
    postgres_store: PostgresStore, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(await postgres_store.append(append([], b"{}", b"[]")), Appended)
    monkeypatch.setattr(database, "SCHEMA", SCHEMA + 1)
    newer = await PostgresStore.open(store_url, StoreLimits(database=AS_APP))
    assert isinstance(await newer.append(append(await newer.read(STREAM), b"{}")), Appended)
    await newer.close()
    for events in (await postgres_store.read(STREAM), (await postgres_store.read_feed()).events):
        assert [event.schema for event in events] == [SCHEMA, SCHEMA, SCHEMA + 1]
        assert len({event.hash for event in events}) == 3


async def test_what_says_nothing_of_its_schema_stores_the_first(database: str) -> None:
    """Programs from before the column was there, and whoever repairs a database by hand."""
    connection = await asyncpg.connect(database)
    for version, setting in enumerate(("", "7", None), start=1):
        if setting is not None:
            await connection.execute("select set_config('meldhouse.event_schema', $1, false)", setting)
        else:
            await connection.execute("reset all")
        await connection.execute(INSERT, version, bytes(32))
    rows = await connection.fetch("select schema from event order by version")
    await connection.close()
    assert [row["schema"] for row in rows] == [1, 7, 1]
