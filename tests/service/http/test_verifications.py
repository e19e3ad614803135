"""Records sent in to be verified: any file, any size, any pace."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from domain.records.lines import split_lines
from domain.records.verdicts import Verdict
from domain.records.verification import verify
from service.settings import Settings
from tests.service.http.conftest import LiveServer, running
from tests.service.http.patience import SECONDS_MAX, until
from tests.service.http.tables import guest, problem
from tests.service.http.test_connections import say

RECORDS = sorted(Path("tests/data/records").glob("*.meld.jsonl"))
HEADERS = {"Content-Type": "application/x-ndjson"}
HEAD = b"POST /v1/verifications HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"


async def sent(client: httpx.AsyncClient, content: bytes | AsyncIterator[bytes]) -> httpx.Response:
    return await client.post("/v1/verifications", content=content, headers=HEADERS)


@pytest.mark.parametrize("path", [RECORDS[0], RECORDS[-1]], ids=lambda path: path.name)
async def test_a_record_that_is_sent_in_gets_the_verdict_that_it_gets_offline(
    client: httpx.AsyncClient, path: Path
) -> None:
    record = path.read_bytes()
    answer = await sent(client, record)
    assert answer.status_code == 200
    assert answer.content == msgspec.json.encode(verify(split_lines([record])))
    assert answer.json()["ok"]


@pytest.mark.parametrize(
    ("content", "line", "code"),
    [
        (b"", 1, "truncated"),
        (b"\x00\xff\xfe", 1, "nul_byte"),
        (b'{"record":"meldhouse/2"}\n', 1, "unknown_version"),
        (b"[" * 300_000, 1, "line_too_long"),
        (RECORDS[0].read_bytes()[:-30], None, "truncated"),
        (RECORDS[0].read_bytes().replace(b'"game":', b'"gane":', 1), 1, "unknown_key"),
    ],
)
async def test_a_record_that_is_wrong_is_told_with_its_line_and_is_no_problem(
    client: httpx.AsyncClient, content: bytes, line: int | None, code: str
) -> None:
    answer = await sent(client, content)
    assert answer.status_code == 200
    verdict = msgspec.json.decode(answer.content, type=Verdict)
    assert not verdict.ok
    assert verdict.fault is not None
    assert verdict.fault.code == code
    assert line is None or verdict.fault.line == line


async def test_a_record_may_come_in_pieces_of_any_size_and_be_larger_than_other_bodies(settings: Settings) -> None:
    record = max((path.read_bytes() for path in RECORDS), key=len)
    assert len(record) > 3 * settings.body_bytes_max

    async def pieces(size: int) -> AsyncIterator[bytes]:
        for start in range(0, len(record), size):
            yield record[start : start + size]

    async with LiveServer(settings) as live, live.client() as client:
        for size in (100, 7_001, len(record)):
            answer = await sent(client, pieces(size))
            assert (answer.status_code, answer.json()["ok"]) == (200, True)


async def test_what_comes_after_the_first_fault_is_taken_and_let_go(settings: Settings) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"no record\n"
        for _ in range(200):
            yield b"x" * 50_000

    async with LiveServer(settings) as live, live.client() as client:
        answer = await sent(client, pieces())
        assert (answer.status_code, answer.json()["fault"]["line"]) == (200, 1)
        assert (await client.get("/v1/health/live")).status_code == 200


async def test_a_record_has_a_largest_size_whether_it_is_told_or_not(settings: Settings) -> None:
    limited = replace(settings, verification_bytes_max=100_000)
    async with LiveServer(limited) as live:
        told = HEAD + b"Content-Length: 100001\r\n\r\n"
        untold = HEAD + b"Transfer-Encoding: chunked\r\n\r\n186a1\r\n" + b"x" * 100_001
        for request in (told, untold):
            status, refused = await say(live, request)
            assert (status, refused["code"], refused["params"]) == (413, "body_too_large", {"limit": 100_000})
        async with live.client() as client:
            assert (await sent(client, b"x" * 100_000)).status_code == 200


async def test_a_record_is_sent_as_lines_of_json_or_as_a_file(client: httpx.AsyncClient) -> None:
    record = RECORDS[0].read_bytes()
    for kind in ("application/x-ndjson", "application/octet-stream", "Application/X-NDJSON; charset=utf-8"):
        answer = await client.post("/v1/verifications", content=record, headers={"Content-Type": kind})
        assert answer.status_code == 200
    for kind in ("application/json", "text/plain", ""):
        answer = await client.post("/v1/verifications", content=record, headers={"Content-Type": kind})
        assert answer.status_code == 415
        refused = problem(answer, "unsupported_media_type")
        assert refused["params"] == {"needed": ["application/x-ndjson", "application/octet-stream"]}


async def test_a_worker_verifies_only_so_many_records_at_a_time(settings: Settings) -> None:
    limited = replace(settings, verification_uploads_max=1)
    begun, going_on = asyncio.Event(), asyncio.Event()
    record = RECORDS[0].read_bytes()

    async def slowly() -> AsyncIterator[bytes]:
        yield record[:1000]
        begun.set()
        await going_on.wait()
        yield record[1000:]

    async with LiveServer(limited) as live, live.client() as client, live.client() as other:
        first = asyncio.create_task(sent(client, slowly()))
        await begun.wait()
        await until(lambda: live.server.service.judges._busy)
        assert problem(await sent(other, record), "busy")["params"] == {"limit": 1}
        # Whoever plays meanwhile is not held up.
        asked = time.monotonic()
        assert await guest(other)
        assert time.monotonic() - asked < SECONDS_MAX / 2
        going_on.set()
        assert (await first).json()["ok"]
        assert (await sent(other, record)).json()["ok"]


async def test_a_record_has_a_longest_time(settings: Settings) -> None:
    async with LiveServer(replace(settings, request_seconds=0.2, verification_seconds=1.0)) as live:
        begun = time.monotonic()
        status, refused = await say(live, HEAD + b"Content-Length: 900\r\n\r\n ")
        assert 1.0 <= time.monotonic() - begun < SECONDS_MAX / 2
        # Whichever of the two clocks is looked at first: that of the request, or that of the verdict.
        assert (status, refused["code"]) in ((408, "request_too_slow"), (503, "verification_too_slow"))
        assert refused["params"] == {"seconds": 1.0}


async def test_what_follows_an_upload_on_a_connection_has_the_time_of_any_request(settings: Settings) -> None:
    async with LiveServer(replace(settings, request_seconds=0.5, verification_seconds=60.0)) as live:
        host, port = live.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(HEAD + b"Content-Length: 2\r\n\r\nx")
        await asyncio.sleep(0.8)
        writer.write(b"\n")
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        begun = time.monotonic()
        writer.write(b"GET /v1/he")
        async with asyncio.timeout(SECONDS_MAX):
            assert b"request_too_slow" in await reader.read()
        assert time.monotonic() - begun < SECONDS_MAX
        writer.close()


async def test_who_goes_away_frees_the_place(settings: Settings) -> None:
    async with running(replace(settings, verification_uploads_max=1)) as (app, _):
        judges = app.state.service.judges

        async def going_away() -> AsyncIterator[bytes]:
            yield RECORDS[0].read_bytes()[:5000]
            raise ConnectionError

        for _ in range(3):
            with pytest.raises(ConnectionError):
                await judges.judge(going_away())

        async def whole() -> AsyncIterator[bytes]:
            yield RECORDS[0].read_bytes()

        assert (await judges.judge(whole())).ok
