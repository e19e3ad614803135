"""What everybody is told of the deals before the first card, and what is counted of all games (fairness, 5 and 7)."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import httpx
import pytest
from msgspec.structs import replace

from domain.labels import MEANINGS
from service import fairness_counters
from service.fairness_counters import COUNT, LATE
from service.offline.beacons import KNOWN
from service.running import Service
from service.settings import Settings
from tests.service.http.conftest import running
from tests.service.http.tables import Table, guest, problem
from tests.service.http.test_starting import committed, reveal
from tests.service.http.test_worlds import normal
from tests.service.http.waiting_tables import events_of, until_status


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Counters that are never old."""
    return replace(settings, fairness_counters_seconds=0.001)


@pytest.fixture(autouse=True)
def counted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was counted a moment ago is counted anew, however long it took."""
    monkeypatch.setattr(fairness_counters, "REST", 0)


async def test_counting_rests_as_many_times_as_long_as_it_took(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fairness_counters, "REST", 10_000)
    first = await service.fairness_counters.counts()
    await asyncio.sleep(0.05)
    assert (await service.fairness_counters.counts()) is first


async def fairness_of(table: Table, seat: int | None = 0) -> dict[str, Any]:
    found: dict[str, Any] = (await table.get(seat=seat)).json()["fairness"]
    return found


# --- before the first card ---


async def test_an_open_table_says_what_is_committed(client: httpx.AsyncClient) -> None:
    table = await committed(client, [1, 3], beacon=True)
    created = (await events_of(table))[0]["fairness"]
    shown = await fairness_of(table)
    assert {key: shown[key] for key in created} == created
    assert shown["nonces"] == [False, True, False, True]
    assert shown["beacon"]["name"] == "quicknet"
    assert (shown["chosen_by"], shown["meaning"]) == (None, None)
    assert (shown["awaits_beacon"], shown["awaited_nonces"]) == (False, [])


async def test_a_stranger_to_a_listed_table_is_told_the_same(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, visibility="public", watch={"who": "nobody"}, beacon=True)
    assert await fairness_of(table, seat=None) == await fairness_of(table)


@pytest.mark.parametrize(
    ("mode", "seats", "beacon", "label"),
    [
        ("server_only", [], False, "server_only"),
        ("players", [], False, "server_only"),
        ("players", [2], False, "players"),
        ("server_only", [], True, "beacon"),
        ("players", [], True, "beacon"),
        ("players", [0, 2], True, "players_and_beacon"),
    ],
)
async def test_a_closed_table_says_who_chose_its_deals(
    client: httpx.AsyncClient, mode: str, seats: list[int], beacon: bool, label: Any
) -> None:
    table = await committed(client, seats, fairness=mode, beacon=beacon)
    await table.start()
    shown = await fairness_of(table)
    assert (shown["mode"], shown["chosen_by"], shown["meaning"]) == (mode, label, MEANINGS[label])
    assert shown["nonces"] == [seat in seats for seat in range(4)]
    assert shown["awaited_nonces"] == seats
    view = (await table.view())["fairness"]
    assert (view["chosen_by"], view["server_alone"]) == (label, label == "server_only")


async def test_a_practice_game_promises_nothing(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, practice={"kind": "seed", "seed": "00"})
    assert await fairness_of(table) is None


async def test_two_tables_that_differ_in_their_deals_alone_show_the_same(client: httpx.AsyncClient) -> None:
    """N1: nothing of it tells a card, neither to seats nor to others."""
    seen = []
    for _ in range(2):
        table = await committed(client, [1], visibility="public")
        await table.start()
        await reveal(table, 1)
        shown = [normal((await table.get(seat=seat)).text) for seat in (0, None)]
        texts = [await fairness_of(table, seat) for seat in (0, 1, None)]
        assert texts[0] == texts[1] == texts[2]
        commitment = texts[0].pop("commitment")
        seen.append(texts[0])
        assert all(commitment in text for text in shown)
    assert seen[0] == seen[1]


# --- counters ---


async def counts(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.get("/v1/fairness")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()["counts"]
    return found


async def test_everybody_may_read_the_counters_and_the_chains(client: httpx.AsyncClient) -> None:
    answer = (await client.get("/v1/fairness")).json()
    assert [chain["name"] for chain in answer["chains"]] == ["quicknet"]
    assert answer["chains"][0]["public_key"] == KNOWN[0].public_key
    assert answer["relay"] is False
    zero = dict.fromkeys(
        (
            "ended",
            "revealed",
            "sealed",
            "unrevealed",
            "on_boards",
            "aborted",
            "aborted_after_deal",
            "nonces_unrevealed",
            "beacons_late",
            "board_sets",
            "board_sets_closed",
        ),
        0,
    )
    assert {name: number for name, number in answer["counts"].items() if name != "counted_at"} == zero


async def test_what_ended_and_was_revealed_is_counted(client: httpx.AsyncClient, service: Service) -> None:
    table = await Table.of(client)
    await table.start()
    assert (await counts(client))["ended"] == 0
    await table.move({"type": "resign"}, 0)
    practice = await Table.of(client, practice={"kind": "seed", "seed": "00"})
    await practice.start()
    await practice.move({"type": "resign"}, 0)
    found = await counts(client)
    assert (found["ended"], found["revealed"], found["unrevealed"]) == (1, 1, 0)
    metrics = (await client.get("/metrics")).text
    assert 'meldhouse_fairness{count="revealed"} 1.0' in metrics


async def test_a_game_that_ended_without_its_reveal_shows(
    client: httpx.AsyncClient, service: Service, database: str
) -> None:
    """An operator who cuts the reveal off, or aborts what was dealt, is counted."""
    tables = [await Table.of(client) for _ in range(3)]
    for table in tables[:2]:
        await table.start()
        await table.move({"type": "resign"}, 0)
    connection = await asyncpg.connect(database)
    try:
        await connection.execute("alter table event disable trigger event_is_append_only")
        await connection.execute("delete from event where stream = $1 and type = 'revealed'", tables[0].id)
        await connection.execute(
            "update event set type = 'aborted' where stream = $1 and type = 'resigned'", tables[1].id
        )
    finally:
        await connection.close()
    found = await counts(client)
    assert (found["ended"], found["revealed"], found["unrevealed"]) == (2, 1, 1)
    assert (found["aborted"], found["aborted_after_deal"], found["beacons_late"]) == (1, 1, 0)


async def test_a_sealed_game_is_counted_apart(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, sealed_until=(datetime.now(UTC) + timedelta(hours=1)).isoformat())
    await table.start()
    await table.move({"type": "resign"}, 0)
    found = await counts(client)
    assert (found["ended"], found["sealed"], found["unrevealed"]) == (1, 1, 0)


async def test_a_seal_keeps_the_deals_from_strangers(client: httpx.AsyncClient) -> None:
    until = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    table = await Table.of(client, visibility="public", sealed_until=until)
    await table.start()
    assert await fairness_of(table, seat=None) is None
    assert (await fairness_of(table))["chosen_by"] == "server_only"


async def test_nonces_that_were_not_revealed_are_counted(settings: Settings) -> None:
    async with running(replace(settings, nonce_seconds=0.2)) as (_, client):
        table = await committed(client, [1, 2])
        await table.start()
        await until_status(table, "open")
        assert (await counts(client))["nonces_unrevealed"] == 2


async def test_the_counters_are_read_once_for_a_while(settings: Settings) -> None:
    async with running(replace(settings, fairness_counters_seconds=3600.0)) as (_, client):
        before = await counts(client)
        table = await Table.of(client)
        await table.start()
        await table.move({"type": "resign"}, 0)
        assert await counts(client) == before


FEW = ("event_of_fairness", "event_of_unrevealed_nonce", "event_of_table")
"""Indexes of the events table that hold no move."""


async def test_counting_walks_through_no_moves(client: httpx.AsyncClient, service: Service) -> None:
    """Of a game with many events the counters read a handful, from indexes that hold no others."""
    table = await Table.of(client)
    await table.start()
    await table.play(20)
    await table.move({"type": "resign"}, 0)
    plans = []
    async with service.store.pool.acquire() as connection, connection.transaction():
        # So few rows Postgres would rather read as a whole.
        await connection.execute("set local enable_seqscan = off")
        for statement in (COUNT, LATE):
            rows = await connection.fetch(f"explain (analyze, costs off, timing off, summary off) {statement}")
            plans += [row[0].strip() for row in rows]
    of_events = [line for line in plans if " on event " in line]
    assert len(of_events) >= 5
    for line in of_events:
        assert any(index in line for index in FEW), line


async def test_a_table_that_never_starts_is_given_up_and_revealed(settings: Settings) -> None:
    async with running(replace(settings, open_table_seconds=0.3)) as (_, client):
        owner = await guest(client)
        made = (await client.post("/v1/games", json={"players": 4}, headers=owner)).json()
        table = Table(client, [owner], made)
        await until_status(table, "ended")
        events = await events_of(table)
        assert [event["type"] for event in events] == ["created", "aborted", "game_ended", "revealed"]
        assert (events[1]["reason"], events[3]["context"]["seats"]) == ("time", [])
        assert (await table.get("/verification")).json()["ok"]
        problem(await client.post(f"{table.path}/start", headers=owner), "table_not_open")
        found = await counts(client)
        assert (found["aborted"], found["aborted_after_deal"]) == (1, 0)


async def test_a_table_that_has_started_is_not_given_up(settings: Settings) -> None:
    async with running(replace(settings, open_table_seconds=60.0)) as (app, client):
        table = await Table.of(client)
        await table.start()
        service: Service = app.state.service
        assert await service.store.pool.fetchval("select count(*) from deadline") == 0
