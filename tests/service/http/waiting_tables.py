"""Closed tables that wait for a beacon of the tests' own chain, and a relay that has its rounds."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx
import msgspec
from msgspec.structs import replace

from service.offline.beacons import Chain
from service.running import Service
from service.settings import Settings
from tests.domain import drand
from tests.service.http.tables import Table


def with_chain(settings: Settings, chain: Chain, **other: Any) -> Settings:
    """Settings of a service that knows a chain beside the usual ones."""
    path = settings.state_dir / "chains.json"
    path.write_bytes(msgspec.json.encode([chain]))
    return replace(settings, beacon_chains=path, **other)


def signature(table: Mapping[str, Any]) -> str:
    """The signature of the round that a game's answer says it waits for."""
    return drand.signature(table["fairness"]["beacon"]["round"])


async def bring(table: Table, number: int, signed: str, seat: int = 0, **other: Any) -> httpx.Response:
    """Bring a round to a table."""
    body = {"round": number, "signature": signed} | other
    return await table.client.post(f"{table.path}/beacon", json=body, headers=table.seats[seat])


async def events_of(table: Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await table.get("/events?limit=1000")).json()["events"]
    return found


async def let_be_due(service: Service, table: Table, kind: str) -> None:
    """Let the time of one of a game's timers be over now, whatever its length is."""
    due = "update deadline set due_at = now(), leased_until = null where game = $1 and kind = $2"
    assert await service.store.pool.execute(due, table.id, kind) == "UPDATE 1"


async def until_status(table: Table, status: str, seconds: float = 60.0) -> dict[str, Any]:
    """The game once it has come as far as this."""
    async with asyncio.timeout(seconds):
        while (shown := (await table.get()).json())["status"] != status:
            await asyncio.sleep(0.03)
    found: dict[str, Any] = shown
    return found


Answer = Callable[[str], tuple[int, bytes] | Awaitable[tuple[int, bytes]]]


class LoopbackRelay:
    """A server on a loopback address that answers like a relay, or as a test wants it; `asked` are the paths."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[str] = []
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split()[1].decode()
            self.asked.append(path)
            found = self.answer(path)
            status, body = found if isinstance(found, tuple) else await found
            writer.write(
                b"HTTP/1.1 %d X\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % (status, len(body)) + body
            )
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()


@asynccontextmanager
async def relay(answer: Answer) -> AsyncIterator[LoopbackRelay]:
    found = LoopbackRelay(answer)
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield found


def honest(path: str) -> tuple[int, bytes]:
    """What a relay answers that has every round."""
    number = int(path.rpartition("/")[2])
    return 200, json.dumps({"round": number, "signature": drand.signature(number), "randomness": "00"}).encode()
