"""What the store says of trouble: which rule of the database it was, never the row."""

import traceback

import asyncpg
import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from domain.chain import first_prev
from service.store.append import NewEvent
from service.store.base import Head
from service.store.database import reached
from service.store.errors import StoreError
from service.store.postgres import PostgresStore
from tests.contracts.event_store import STREAM, command

CARDS = "QSQSQS2DJK"


async def told(connection: asyncpg.Connection, statement: str, *arguments: object) -> str:
    """Everything that may come to the log of a statement that fails."""
    try:
        with reached():
            await connection.execute(statement, *arguments)
    except StoreError as trouble:
        return "".join(traceback.format_exception(trouble))
    raise AssertionError(statement)


async def test_no_row_and_no_argument_is_quoted(store_url: str) -> None:
    connection = await asyncpg.connect(store_url)
    try:
        await connection.execute("create table hand (cards text unique, seat int constraint counts check (seat >= 0))")
        await connection.execute("insert into hand values ($1, 0)", CARDS)
        said = [
            await told(connection, "insert into hand values ($1, 0)", CARDS),
            await told(connection, "insert into hand values ($1, -1)", CARDS + "2"),
            await told(connection, "insert into hand (seat) values ($1)", CARDS),
            await told(connection, "insert into hand (seat) values ($1::text::int)", CARDS),
        ]
    finally:
        await connection.close()
    assert "UniqueViolationError 23505 hand_cards_key" in said[0]
    assert "CheckViolationError 23514 counts" in said[1]
    assert "InvalidTextRepresentationError 22P02" in said[3]
    for text in said:
        assert CARDS not in text


async def test_a_refused_append_quotes_no_event(postgres_store: PostgresStore) -> None:
    append = command(Head(0, first_prev(STREAM)), b'{"cards":"' + CARDS.encode() + b'"}')
    forged = [NewEvent(event.type, event.body, "0" * 64) for event in append.events]
    with pytest.raises(StoreError) as refused, capture_logs() as said:
        await postgres_store.append(replace(append, events=forged))
    assert [line["event"] for line in said] == ["append_refused"]
    for text in (said[0]["why"], "".join(traceback.format_exception(refused.value))):
        assert "CheckViolationError 23514 event_hash_holds" in text
        assert CARDS not in text
