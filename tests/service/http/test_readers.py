"""Readers who are slow, who stall, and who are gone: on the event loop that serves, and on that of the standard."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvloop
from msgspec.structs import replace
from structlog.testing import capture_logs

from service.http import records
from service.settings import Settings
from tests.service.http.conftest import LiveServer
from tests.service.http.patience import until
from tests.service.http.tables import Table

Scene = Callable[[Settings], Awaitable[None]]
REQUEST = b"GET %b HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture(params=[asyncio.run, uvloop.run])
def play(request: pytest.FixtureRequest, settings: Settings) -> Callable[..., Awaitable[None]]:
    """Plays a scene on an event loop of its own."""

    async def played(scene: Scene, **changed: Any) -> None:
        await asyncio.to_thread(request.param, scene(replace(settings, **changed)))

    return played


@asynccontextmanager
async def connected(live: LiveServer) -> AsyncIterator[socket.socket]:
    """A connection whose receiving side takes little by itself."""
    host, port = live.url.removeprefix("http://").split(":")
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.setblocking(False)
        await asyncio.get_running_loop().sock_connect(connection, (host, int(port)))
        yield connection


async def ask(connection: socket.socket, path: str, times: int = 1) -> None:
    await asyncio.get_running_loop().sock_sendall(connection, REQUEST % path.encode() * times)


async def finished(live: LiveServer) -> str:
    """The path of a game that has ended and that anybody may see."""
    async with live.client() as client:
        table = await Table.of(client, watch={"who": "anyone"}, visibility="public")
        await table.start()
        await table.play(20)
        await table.move({"type": "resign"}, 0)
        return table.path


def connections(live: LiveServer) -> set[Any]:
    return live.server.server_state.connections


@pytest.mark.parametrize("path", ["/stream", "/record", "/events?limit=1000"])
async def test_a_reader_who_stalls_is_cut_off(play: Callable[..., Awaitable[None]], path: str) -> None:
    async def scene(settings: Settings) -> None:
        async with LiveServer(settings) as live:
            game = await finished(live)
            await until(lambda: not connections(live))
            async with connected(live) as connection:
                await ask(connection, game + path, 60)
                await until(lambda: len(connections(live)) == 1)
                if path == "/stream":
                    await until(lambda: live.server.service.streams == 1)
                await until(lambda: not connections(live))
                # The connection goes first; what was written to it ends a moment later, and its place is free.
                await until(lambda: live.server.service.streams == 0)

    await play(scene, stream_send_seconds=1.0)


async def test_a_slow_reader_is_not_cut_off(play: Callable[..., Awaitable[None]]) -> None:
    async def scene(settings: Settings) -> None:
        async with LiveServer(settings) as live, connected(live) as connection:
            loop = asyncio.get_running_loop()
            async with live.client() as client:
                description = (await client.get("/v1/openapi.json")).content
            await ask(connection, "/v1/openapi.json", 6)
            begun = loop.time()
            whole = b""
            while whole.count(description) < 6:
                piece = await loop.sock_recv(connection, 65_536)
                assert piece
                whole += piece
                await asyncio.sleep(len(piece) / 500_000)
            assert loop.time() - begun > 4

    await play(scene, stream_send_seconds=1.0)


async def test_a_record_is_read_only_as_fast_as_it_is_taken(
    play: Callable[..., Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = 0

    def long_record(*_: object) -> Iterator[bytes]:
        nonlocal told
        for _number in range(1000):
            told += 1
            yield b"x" * 65_535 + b"\n"

    monkeypatch.setattr(records, "stored_record", long_record)

    async def scene(settings: Settings) -> None:
        async with LiveServer(settings) as live:
            game = await finished(live)
            async with connected(live) as connection:
                await ask(connection, f"{game}/record")
                await until(lambda: told)
                await asyncio.sleep(0.3)
                (protocol,) = connections(live)
                assert 0 < told < 20
                assert protocol.transport.get_write_buffer_size() < 200_000

    await play(scene)


async def test_readers_who_are_gone_say_nothing_in_the_log(
    play: Callable[..., Awaitable[None]], caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(settings: Settings) -> None:
        async with LiveServer(settings) as live:
            game = await finished(live)
            for path in ("/record", "/stream", "/events?limit=1000") * 3:
                async with connected(live) as connection:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    await ask(connection, game + path, 60)
                    await asyncio.sleep(0.1)
            await until(lambda: not connections(live))

    with capture_logs() as said:
        await play(scene)
    assert caplog.text == ""
    assert said == []


async def test_a_stream_before_other_requests_ends_with_its_reader(play: Callable[..., Awaitable[None]]) -> None:
    async def scene(settings: Settings) -> None:
        async with LiveServer(settings) as live, live.client() as client:
            table = await Table.of(client, watch={"who": "anyone"}, visibility="public")
            async with connected(live) as connection:
                await ask(connection, f"{table.path}/stream", 2)
                await until(lambda: live.server.service.streams == 1)
            await until(lambda: live.server.service.streams == 0)

    await play(scene, keep_alive_seconds=0.1, bell_poll_seconds=0.1)


async def test_a_little_that_is_not_taken_is_enough_to_be_cut_off(play: Callable[..., Awaitable[None]]) -> None:
    async def scene(settings: Settings) -> None:
        async with LiveServer(settings) as live, connected(live):
            await until(lambda: len(connections(live)) == 1)
            (protocol,) = connections(live)
            while not protocol.transport.get_write_buffer_size():
                protocol.transport.write(b"x" * 10_000)
                await asyncio.sleep(0.001)
            assert protocol.transport.get_write_buffer_size() <= 10_000
            protocol.transport.close()
            await until(lambda: not connections(live))

    await play(scene, stream_send_seconds=0.3)


async def test_what_is_written_to_a_reader_who_is_gone_is_dropped(
    play: Callable[..., Awaitable[None]], caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(settings: Settings) -> None:
        async with LiveServer(settings) as live, connected(live):
            await until(lambda: len(connections(live)) == 1)
            (protocol,) = connections(live)
            protocol.transport.abort()
            await until(lambda: not connections(live))
            protocol.transport.write(b"x")
            await asyncio.sleep(0.1)

    await play(scene)
    assert caplog.text == ""
