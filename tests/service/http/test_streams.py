"""Live streams (cases O4, O19, O20, O21, O24)."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from service.settings import Settings
from tests.service.http.conftest import LiveServer
from tests.service.http.patience import SECONDS_MAX, until
from tests.service.http.tables import Headers, Table, guest, problem

NDJSON = {"Accept": "application/x-ndjson"}


class Reader:
    """Reads a stream in the background."""

    def __init__(self, client: httpx.AsyncClient, path: str, headers: Headers) -> None:
        self.messages: list[dict[str, Any]] = []
        self.ids: list[int] = []
        self.keep_alives = 0
        self._news = asyncio.Condition()
        self.task = asyncio.create_task(self._read(client, path, headers))

    async def _read(self, client: httpx.AsyncClient, path: str, headers: Headers) -> None:
        async with client.stream("GET", path, headers=headers) as answer:
            assert answer.status_code == 200, await answer.aread()
            if answer.headers["content-type"] == "application/x-ndjson":
                async for line in answer.aiter_lines():
                    await self._tell(json.loads(line) if line else None)
            else:
                await self._read_events(answer.aiter_lines())

    async def _read_events(self, lines: AsyncIterator[str]) -> None:
        kind = ""
        async for line in lines:
            name, _, value = line.partition(": ")
            if name == "id":
                self.ids.append(int(value))
            elif name == "event":
                kind = value
            elif name == "data":
                message = json.loads(value)
                assert message["type"] == kind
                await self._tell(message)
            elif line.startswith(":"):
                await self._tell(None)

    async def _tell(self, message: dict[str, Any] | None) -> None:
        async with self._news:
            if message is None:
                self.keep_alives += 1
            else:
                self.messages.append(message)
            self._news.notify_all()

    async def until(self, version: int, seconds: float = SECONDS_MAX) -> None:
        """Wait until the event of a version has come."""
        async with asyncio.timeout(seconds), self._news:
            await self._news.wait_for(lambda: bool(self.messages) and self.messages[-1].get("n", 0) >= version)

    async def end(self, seconds: float = SECONDS_MAX) -> dict[str, Any]:
        """Wait for the last message."""
        await asyncio.wait_for(self.task, seconds)
        return self.messages[-1]

    def versions(self) -> list[int]:
        return [message["n"] for message in self.messages if "n" in message]


@pytest.mark.parametrize("form", [{}, NDJSON])
async def test_a_stream_has_every_event_once_up_to_the_end(live: LiveServer, form: Headers) -> None:
    async with live.client() as client:
        table = await Table.of(client)
        reader = Reader(client, f"{table.path}/stream", table.seats[1] | form)
        await table.start()
        await table.play(30)
        await table.move({"type": "resign"}, 0)
        end = await reader.end()
        events = (await table.get("/events?limit=1000", seat=1)).json()["events"]
        assert end == {"type": "end", "reason": "game_over", "version": events[-1]["n"]}
        assert reader.versions() == [event["n"] for event in events]
        assert [message["hash"] for message in reader.messages[:-1]] == [event["hash"] for event in events]
        if not form:
            assert reader.ids == reader.versions()
        later = [event for event in reader.messages if event["type"] == "drew" and event["seat"] != 1]
        assert later
        assert all(isinstance(event["cards"], int) for event in later)


async def test_a_stream_goes_on_after_the_last_event_id(live: LiveServer) -> None:
    async with live.client() as client:
        table = await Table.of(client)
        await table.start()
        version = (await table.play(3))["version"]
        headers = table.seats[0] | {"Last-Event-ID": str(version - 1)}
        reader = Reader(client, f"{table.path}/stream?after=2", headers)
        await reader.until(version)
        assert reader.versions() == [version]
        await table.move({"type": "resign"}, 0)
        await reader.end()
        assert reader.versions() == list(range(version, reader.messages[-1]["version"] + 1))


@pytest.mark.parametrize("value", ["-1", "abc", "1.5", "", "99999999999", "1,2"])
async def test_an_id_of_no_event_is_refused(game: Table, value: str) -> None:
    answer = await game.get("/stream", headers={"Last-Event-ID": value})
    assert problem(answer, "invalid_parameter")["params"]["name"] == "Last-Event-ID"


async def test_an_id_beyond_the_head_is_refused(game: Table) -> None:
    version = (await game.view())["version"]
    for answer in (
        await game.get("/stream", headers={"Last-Event-ID": str(version + 1)}),
        await game.get("/stream", headers={"Last-Event-ID": "1000000000"}),
        await game.get(f"/stream?after={version + 1}"),
    ):
        assert problem(answer, "position_unknown")["params"] == {"current_version": version}


async def test_silence_is_broken(settings: Settings) -> None:
    quick = replace(settings, keep_alive_seconds=0.1, bell_poll_seconds=0.05)
    async with LiveServer(quick) as live, live.client() as client:
        table = await Table.of(client)
        reader = Reader(client, f"{table.path}/stream", table.seats[0])
        await until(lambda: reader.keep_alives >= 2)
        reader.task.cancel()


async def test_a_stream_ends_when_its_seat_is_left(live: LiveServer) -> None:
    async with live.client() as client:
        table = await Table.of(client)
        await table.start()
        version = (await table.view())["version"]
        reader = Reader(client, f"{table.path}/stream", table.seats[3])
        await reader.until(version)
        await client.delete(f"{table.path}/seats/3", headers=table.seats[3])
        end = await reader.end()
        assert end == {"type": "end", "reason": "access_changed", "version": version}
        newcomer = await guest(client)
        await client.post(f"{table.path}/seats", json={"code": table.code}, headers=newcomer)
        assert reader.versions() == list(range(1, version + 1))


async def test_readers_that_catch_up_miss_nothing(live: LiveServer) -> None:
    """O19: events are appended while readers come in at all places."""
    async with live.client() as client:
        table = await Table.of(client)
        await table.start()
        readers: list[Reader] = []
        for _ in range(12):
            await table.play(2)
            readers.append(Reader(client, f"{table.path}/stream", table.seats[len(readers) % 4]))
            readers.append(Reader(client, f"{table.path}/stream?code={table.code}&after={len(readers)}", {}))
        await table.move({"type": "resign"}, 0)
        for number, reader in enumerate(readers):
            end = await reader.end()
            first = number + 1 if number % 2 else 1
            assert reader.versions() == list(range(first, end["version"] + 1))


async def test_a_silenced_bell_costs_only_time(live: LiveServer) -> None:
    """O20: nothing of what is rung arrives; the slow poll finds the moves."""
    async with live.client() as client:
        table = await Table.of(client)
        reader = Reader(client, f"{table.path}/stream", table.seats[0])
        await reader.until(5)
        service = live.server.service
        service.games.ring = lambda _game, _version: None
        await table.start()
        version = (await table.view())["version"]
        await reader.until(version)
        assert reader.versions() == list(range(1, version + 1))
        reader.task.cancel()


async def test_watchers_stay_behind_where_the_table_says_so(live: LiveServer) -> None:
    """O9, O10: no path shows an event before its time, and after the end all do."""
    async with live.client() as client:
        table = await Table.of(client, watch={"who": "link", "delay_seconds": 4})
        await table.start()
        code = f"?code={table.code}"
        version = (await table.view())["version"]
        assert (await client.get(table.path + code)).json()["version"] == 1
        assert len((await client.get(f"{table.path}/events{code}")).json()["events"]) == 1
        reader = Reader(client, f"{table.path}/stream{code}", {})
        await asyncio.sleep(0.5)
        assert reader.versions() == [1]
        await reader.until(version)
        shown = await client.get(table.path + code)
        assert shown.headers["etag"] == f'"{version}"'
        await table.play(1)
        assert (await client.get(table.path + code)).json()["version"] == version
        await table.move({"type": "resign"}, 0)
        end = await reader.end()
        assert reader.versions() == list(range(1, end["version"] + 1))
        assert (await client.get(table.path + code)).json()["version"] == end["version"]


async def test_there_are_only_so_many_streams(settings: Settings) -> None:
    async with LiveServer(replace(settings, streams_max=1)) as live, live.client() as client:
        table = await Table.of(client)
        reader = Reader(client, f"{table.path}/stream", table.seats[0])
        await reader.until(5)
        answer = await table.get("/stream")
        assert problem(answer, "too_many_streams")["params"] == {"limit": 1}
        assert answer.headers["retry-after"] == "1"
        reader.task.cancel()
        await until(lambda: live.server.service.streams == 0)
