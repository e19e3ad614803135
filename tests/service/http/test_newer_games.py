"""Games that a newer program has written are refused, told of in the log, and never folded."""

import httpx
import pytest
from structlog.testing import capture_logs

from domain.editions import EDITION
from domain.upcasting import SCHEMA
from service.http import opening
from service.running import Service
from service.settings import Settings
from service.store import database
from service.store.append import Append, chained
from service.store.base import Appended
from service.store.postgres import PostgresStore
from tests.service.http.conftest import LiveServer, running
from tests.service.http.tables import Table, problem
from tests.service.http.test_streams import Reader

FUTURE = b'{"cards":["8S","9S"],"n":%d,"seat":0,"type":"someday"}'


async def moved_on_by_a_newer_program(settings: Settings, table: Table, monkeypatch: pytest.MonkeyPatch) -> int:
    """The version that a program of the next schema has brought the game to."""
    assert settings.database_url is not None
    with monkeypatch.context() as patch:
        patch.setattr(database, "SCHEMA", SCHEMA + 1)
        store = await PostgresStore.open(settings.database_url)
        head = await store.head(table.id)
        append = Append(
            stream=table.id,
            expected_version=head.version,
            prev_hash=head.hash,
            events=chained(head.hash, [("someday", FUTURE % (head.version + 1))]),
            actor="newer",
        )
        assert isinstance(await store.append(append), Appended)
        await store.close()
    return head.version + 1


async def test_a_game_with_events_of_a_newer_schema_is_refused_on_every_path(
    settings: Settings, client: httpx.AsyncClient, game: Table, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await Table.of(client)
    await other.start()
    version = await moved_on_by_a_newer_program(settings, game, monkeypatch)
    with capture_logs() as said:
        for answer in (
            await game.get(),
            await game.get("/legal_moves"),
            await game.get("/events"),
            await game.move({"type": "resign"}, 0),
        ):
            told = problem(answer, "game_newer")
            assert answer.status_code == 503
            assert answer.headers["retry-after"] == "1"
            assert "8S" not in told["detail"]
    lines = [line for line in said if line["event"] == "game_newer"]
    assert {(line["game"], line["log_level"]) for line in lines} == {(game.id, "error")}
    assert "8S" not in str(said)
    assert (await service.store.head(game.id)).version == version, "nothing was appended to it"
    await other.play(2)


async def test_a_worker_that_starts_later_refuses_the_game_as_well(
    settings: Settings, game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await moved_on_by_a_newer_program(settings, game, monkeypatch)
    async with running(settings) as (_, client):
        answer = await client.get(game.path, headers=game.seats[0])
        problem(answer, "game_newer")


async def test_a_stream_of_the_game_ends_so_that_another_worker_is_asked(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with LiveServer(settings) as live, live.client() as client:
        table = await Table.of(client)
        await table.start()
        reader = Reader(client, f"{table.path}/stream", table.seats[0])
        version = (await table.view())["version"]
        await reader.until(version)
        await moved_on_by_a_newer_program(settings, table, monkeypatch)
        with capture_logs() as said:
            end = await reader.end()
        assert end == {"type": "end", "reason": "stopping", "version": version}
        assert reader.versions() == list(range(1, version + 1)), "nothing of the event is told"
        assert [line["game"] for line in said if line["event"] == "game_newer"] == [table.id]


async def test_a_game_decided_by_a_newer_edition_is_refused(
    settings: Settings, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "ENGINE", f"meldhouse/9.0.0 rules/{EDITION + 1}")
    table = await Table.of(client, players=2)
    async with running(settings) as (_, later):
        answer = await later.get(table.path, headers=table.seats[0])
        told = problem(answer, "game_newer")
    assert told["status"] == 503
