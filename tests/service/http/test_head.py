"""HEAD: what GET answers, without the body."""

import httpx
import pytest

from tests.service.http.conftest import LiveServer
from tests.service.http.patience import until
from tests.service.http.tables import Table, guest


@pytest.mark.parametrize("path", ["", "/events", "/legal_moves", "/record", "/verification"])
async def test_head_is_get_without_a_body(live: LiveServer, path: str) -> None:
    async with live.client() as client:
        table = await Table.of(client)
        await table.start()
        if path in ("/record", "/verification"):
            await table.move({"type": "resign"}, 0)
        got = await table.get(path)
        head = await client.head(table.path + path, headers=table.seats[0])
        assert (head.status_code, head.content) == (got.status_code, b"")
        same = ("content-type", "content-length", "etag", "cache-control")
        assert [head.headers.get(name) for name in same] == [got.headers.get(name) for name in same]
        assert (await client.get(table.path, headers=table.seats[0])).status_code == 200


async def test_the_head_of_a_stream_ends_at_once(live: LiveServer) -> None:
    async with live.client() as client:
        table = await Table.of(client)
        head = await client.head(f"{table.path}/stream", headers=table.seats[0])
        assert head.status_code == 200
        assert head.headers["content-type"] == "text/event-stream"
        assert head.content == b""
        await until(lambda: not live.server.service.streams)


async def test_head_is_refused_like_get(live: LiveServer, client: httpx.AsyncClient) -> None:
    async with live.client() as asking:
        assert (await asking.head("/v1/me")).status_code == 401
        assert (await asking.head("/v1/me", headers=await guest(asking))).status_code == 200
        assert (await asking.head("/v1/games/g00")).status_code == 404
        assert (await asking.head("/v1/nothing")).status_code == 404
        posted = await asking.head("/v1/players")
        assert (posted.status_code, posted.headers["allow"], posted.content) == (405, "OPTIONS, POST", b"")
    assert (await client.head("/v1/health/live")).content == b""
