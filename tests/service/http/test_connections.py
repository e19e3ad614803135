"""Connections at their limits: heads that are too large, requests that never come in whole, the end of the worker."""

import asyncio
import json
import time
from typing import Any

import pytest
from msgspec.structs import replace

from service.settings import Settings
from tests.service.http.conftest import LiveServer
from tests.service.http.patience import SECONDS_MAX, until
from tests.service.http.tables import Table

BEGIN = b"GET /v1/health/live HTTP/1.1\r\nHost: x\r\n"
TRIES_MAX = 10


async def say(live: LiveServer, *parts: bytes) -> tuple[int, dict[str, Any]]:
    """Send bytes as they are; the status and the problem that come back before the connection is closed."""
    host, port = live.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        for part in parts:
            writer.write(part)
        async with asyncio.timeout(SECONDS_MAX):
            answer = await reader.read()
    finally:
        writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head.lower(), answer[:500]
    return int(head.split()[1]), json.loads(body)


async def test_a_head_has_a_largest_size_whether_in_one_header_or_in_many(settings: Settings) -> None:
    limited = replace(settings, headers_bytes_max=4096)
    async with LiveServer(limited) as live:
        begin = b"GET /v1/health/live HTTP/1.1\r\nHost: x\r\n"
        for head in (begin + b"X: " + b"y" * 5000 + b"\r\n\r\n", begin + b"X: y\r\n" * 3000 + b"\r\n"):
            status, problem = await say(live, head)
            assert (status, problem["code"], problem["params"]) == (431, "headers_too_large", {"limit": 4096})
        # A header without an end is refused before it has one.
        status, problem = await say(live, begin + b"X: " + b"y" * 10_000)
        assert (status, problem["code"]) == (431, "headers_too_large")
        async with live.client() as client:
            assert (await client.get("/v1/health/live", headers={"X": "y" * 3000})).status_code == 200


async def test_a_request_has_a_longest_time_to_come_in(settings: Settings) -> None:
    async with LiveServer(replace(settings, request_seconds=0.3)) as live:
        begin = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n"
        for unfinished in (b"", b"GET /v1/he", begin, begin + b'\r\n{"na'):
            status, problem = await say(live, unfinished)
            assert (status, problem["code"]) == (408, "request_too_slow")
        for before in (0.05, 0.25):
            await closed_after(live, (0.3, 0.5), before, b"GET /v1/he")
        async with live.client() as client:
            assert (await client.get("/v1/health/live")).status_code == 200
            await asyncio.sleep(1)
            # A connection that waits between requests is not one whose request is late.
            assert (await client.get("/v1/health/live")).status_code == 200


async def seconds_for(live: LiveServer, before: float, *parts: bytes) -> float:
    """How long a connection stays open after these bytes, which follow a request that was answered and a rest."""
    host, port = live.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(BEGIN + b"\r\n")
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
    await asyncio.sleep(before)
    begun = time.monotonic()
    for part in parts:
        writer.write(part)
        await asyncio.sleep(0.01)
    async with asyncio.timeout(SECONDS_MAX):
        await reader.read()
    writer.close()
    return time.monotonic() - begun


async def closed_after(live: LiveServer, seconds: tuple[float, float], before: float, *parts: bytes) -> None:
    """A connection is closed no sooner than the first time, and before the second one.

    A busy machine may be late with it now and then: one of some tries has to be in time, none too early.
    """
    for _ in range(TRIES_MAX):
        took = await seconds_for(live, before, *parts)
        assert took >= seconds[0]
        if took < seconds[1]:
            return
    raise AssertionError(f"The connection stays open for longer than {seconds[1]} seconds.")


async def test_empty_lines_keep_no_connection(settings: Settings) -> None:
    async with LiveServer(replace(settings, request_seconds=0.5, headers_bytes_max=1024)) as live:
        for lines in ([b"\r\n"], [b"\r\n"] * 20):
            await closed_after(live, (0.5, 1.0), 0.1, *lines)
        await closed_after(live, (0.0, 0.45), 0.1, *[b"\r\n" * 100] * 6)


async def test_the_time_of_a_request_begins_when_the_one_before_it_is_answered(settings: Settings) -> None:
    async with LiveServer(
        replace(settings, request_seconds=1.0, keep_alive_seconds=0.1, bell_poll_seconds=0.1)
    ) as live:
        async with live.client() as client:
            table = await Table.of(client, watch={"who": "anyone"}, visibility="public")
        reader, writer = await asyncio.open_connection(*live.url.removeprefix("http://").split(":"))
        writer.write(b"GET %b/stream HTTP/1.1\r\nHost: x\r\n\r\n" % table.path.encode())
        await reader.readuntil(b"keep-alive")
        writer.write(b"\r\n")
        begun, rest = time.monotonic(), b""
        async with asyncio.timeout(SECONDS_MAX):
            while rest.count(b"keep-alive") <= 5 or time.monotonic() - begun < 1.5:
                piece = await reader.read(65_536)
                assert piece
                rest += piece
            writer.write(b"nonsense\r\n\r\n")
            rest += await reader.read()
        writer.close()
        # Within an answer there is no room for a problem.
        assert b"HTTP/1.1" not in rest


async def test_a_worker_has_only_so_many_connections(settings: Settings) -> None:
    async with LiveServer(replace(settings, connections_max=2)) as live:
        address = live.url.removeprefix("http://").split(":")
        open_ones = [await asyncio.open_connection(*address) for _ in range(2)]
        status, problem = await say(live)
        assert (status, problem["code"], problem["params"]) == (503, "too_many_connections", {"limit": 2})
        reader, writer = open_ones[0]
        writer.write(BEGIN + b"Connection: close\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 200")
        async with live.client() as client:
            assert (await client.get("/v1/health/live")).status_code == 200
        for _, writer in open_ones:
            writer.close()


async def test_what_is_no_http_is_answered_with_a_problem(settings: Settings) -> None:
    async with LiveServer(settings) as live:
        status, problem = await say(live, b"nonsense\r\n\r\n")
        assert (status, problem["code"]) == (400, "malformed_request")


async def test_a_request_that_is_open_at_the_end_is_told_so(settings: Settings) -> None:
    live = LiveServer(settings)
    async with live:
        begin = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n"
        asked = asyncio.create_task(say(live, begin + b'\r\n{"na'))
        await until(lambda: live.server.server_state.tasks)
        await asyncio.sleep(0.1)
        await live.stop()
        status, problem = await asked
        assert (status, problem["code"]) == (503, "stopping")


async def pieces(live: LiveServer, *parts: bytes) -> bytes:
    """What comes back first for a request that comes in pieces; the rest of them is kept back then."""
    host, port = live.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    answered = asyncio.create_task(reader.read(65536))
    try:
        for part in parts:
            if answered.done():
                break
            writer.write(part)
            await asyncio.sleep(0.02)
        async with asyncio.timeout(SECONDS_MAX):
            return await answered
    finally:
        writer.close()


async def test_the_size_of_a_head_does_not_depend_on_its_pieces(settings: Settings) -> None:
    async with LiveServer(replace(settings, headers_bytes_max=4096)) as live:
        for headers in ([b"X: " + b"y" * 900 + b"\r\n"] * 4, [b"X: " + b"y" * 3600 + b"\r\n"]):
            whole = BEGIN + b"".join(headers) + b"\r\n"
            halves = [whole[at : at + 500] for at in range(0, len(whole), 500)]
            assert (await pieces(live, *halves)).startswith(b"HTTP/1.1 200"), headers
        small = [b"X: y\r\n"] * 2000
        assert (await pieces(live, BEGIN, *[b"".join(small[at : at + 500]) for at in range(0, 2000, 500)])).startswith(
            b"HTTP/1.1 431"
        )


async def test_a_large_body_before_the_next_head_does_not_count_as_head(settings: Settings) -> None:
    async with LiveServer(replace(settings, headers_bytes_max=1024)) as live:
        body = b'{"name": "Ada"' + b" " * 8000 + b"}"
        head = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        reader, writer = await asyncio.open_connection(*live.url.removeprefix("http://").split(":"))
        writer.write(head % len(body) + body + BEGIN[:20])
        await asyncio.sleep(0.1)
        writer.write(BEGIN[20:] + b"Connection: close\r\n\r\n")
        async with asyncio.timeout(SECONDS_MAX):
            answers = await reader.read()
        writer.close()
        assert answers.count(b"HTTP/1.1 2") == 2, answers


async def test_trailers_have_a_largest_size(settings: Settings) -> None:
    async with LiveServer(replace(settings, headers_bytes_max=1024, body_bytes_max=1024)) as live:
        head = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        chunked = head + b"Transfer-Encoding: chunked\r\n\r\n0\r\n"
        for trailers in ([b"X: y\r\n" * 500] * 10, [b"X: ", *[b"y" * 3000] * 10]):
            status, problem = await say(live, chunked, *trailers)
            assert (status, problem["code"]) == (413, "body_too_large")


async def test_no_flood_of_nonsense_fills_the_log(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    async with LiveServer(settings) as live:
        for _ in range(50):
            await say(live, b"nonsense\r\n\r\n")
    assert caplog.text.count("Invalid HTTP request received") == 1
