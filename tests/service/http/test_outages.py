"""Live streams while the database is gone: they wait, and miss nothing."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from domain.events import AnyEvent
from service.http import streams
from service.live import LiveGame
from service.settings import Settings
from service.store.errors import StoreBusy, StoreUnavailable
from tests.service.http.conftest import LiveServer
from tests.service.http.patience import SECONDS_MAX, until
from tests.service.http.tables import Table
from tests.service.http.test_streams import Reader
from tests.service.store.relay import relayed


async def test_streams_outlive_a_database_that_is_gone_for_a_while(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    assert settings.database_url is not None
    with capture_logs() as said:
        async with relayed(settings.database_url) as relay:
            patient = replace(settings, database_url=relay.url, keep_alive_seconds=0.2, bell_poll_seconds=0.1)
            async with LiveServer(patient) as live, live.client() as client:
                table = await Table.of(client, watch={"who": "link", "delay_seconds": 1})
                await table.start()
                version = (await table.view())["version"]
                watching = f"{table.path}/stream?code={table.code}"
                readers = [Reader(client, f"{table.path}/stream", headers) for headers in table.seats]
                readers.append(Reader(client, watching, {}))
                for reader in readers:
                    await reader.until(version)
                relay.refuse = True
                relay.cut()
                heard = {reader: reader.keep_alives for reader in readers}
                await asyncio.sleep(1)
                await until(lambda: all(reader.keep_alives - before >= 3 for reader, before in heard.items()))
                relay.refuse = False
                async with asyncio.timeout(SECONDS_MAX):
                    while (await client.get("/v1/health/ready")).status_code != 200:
                        await asyncio.sleep(0.1)
                await table.play(2)
                assert (await table.move({"type": "resign"}, 0)).status_code == 201
                for reader in readers:
                    end = await reader.end()
                    assert end["reason"] == "game_over"
                    assert reader.versions() == list(range(1, end["version"] + 1))
    assert not [line for line in said if line["log_level"] == "error" or "exc_info" in line]
    assert caplog.text == ""


async def test_streams_end_with_a_word_also_while_the_database_is_gone(settings: Settings) -> None:
    assert settings.database_url is not None
    async with relayed(settings.database_url) as relay:
        patient = replace(settings, database_url=relay.url, bell_poll_seconds=0.1)
        async with LiveServer(patient) as live, live.client() as client:
            table = await Table.of(client)
            reader = Reader(client, f"{table.path}/stream", table.seats[0])
            await reader.until(5)
            relay.refuse = True
            relay.cut()
            await asyncio.sleep(1)
            await live.stop()
            assert await reader.end() == {"type": "end", "reason": "stopping", "version": 5}


@pytest.mark.parametrize("trouble", [StoreUnavailable("gone"), StoreBusy(1)])
async def test_a_stream_goes_on_where_the_database_left_it(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    monkeypatch.setattr(streams, "PAGE_EVENTS", 2)
    games = live.server.service.games
    read = games.events
    broke = 0

    async def breaking(game: LiveGame, after: int, last: int) -> AsyncIterator[AnyEvent]:
        nonlocal broke
        async for event in read(game, after, last):
            yield event
            if event.n % 25 == 0 and broke < 3:
                broke += 1
                raise trouble

    async with live.client() as client:
        table = await Table.of(client)
        await table.start()
        await table.play(30)
        await table.move({"type": "resign"}, 0)
        held = games.held(table.id)
        assert held is not None
        held.tail.clear()
        monkeypatch.setattr(games, "events", breaking)
        reader = Reader(client, f"{table.path}/stream", table.seats[0])
        end = await reader.end()
        assert broke >= 2
        assert reader.versions() == list(range(1, end["version"] + 1))
