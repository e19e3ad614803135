"""Workers that are killed while a table waits for its beacon: the others, or those after them, start its game."""

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import msgspec
import pytest

from tests.domain import drand
from tests.service.campaign.processes import workers
from tests.service.cli.serving import serving

SECONDS_MAX = 120.0
CHAIN = drand.chain(int(time.time()) - 1000, period_seconds=2)


class Relay(BaseHTTPRequestHandler):
    """A relay that has every round which is due."""

    def do_GET(self) -> None:
        number = int(self.path.rpartition("/")[2])
        there = time.time() >= CHAIN.due(number)
        body = json.dumps({"round": number, "signature": drand.signature(number)} if there else {}).encode()
        self.send_response(200 if there else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def relay() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def played(client: httpx.Client, game: str, headers: dict[str, str]) -> str:
    try:
        return str(client.get(f"/v1/games/{game}", headers=headers).json()["status"])
    except httpx.TransportError:
        return "no worker"


@pytest.mark.parametrize("wait", [0.0, 4.0])
def test_a_table_outlives_all_workers_while_it_waits(
    database: str, redis_url: str, tmp_path: Path, wait: float
) -> None:
    """Killed right after closing, and about when the round is asked for."""
    chains = tmp_path / "chains.json"
    chains.write_bytes(msgspec.json.encode([CHAIN]))
    with (
        relay() as url,
        serving(
            DATABASE_URL=database, REDIS_URL=redis_url, MELDHOUSE_WORKERS="2", MELDHOUSE_BEACON_URL=url,
            MELDHOUSE_BEACON_CHAINS=str(chains),
        ) as service,
        httpx.Client(base_url=service.url, timeout=30) as client,
    ):  # fmt: skip
        made = client.post("/v1/players", json={"name": "Ada"}).json()
        headers = {"Authorization": f"Bearer {made['token']}"}
        bots = [{"kind": "bot", "level": "random"}] * 3
        opened = {"players": 4, "seats": [{"kind": "you"}, *bots], "beacon": "tests"}
        game = client.post("/v1/games", json=opened, headers=headers).json()["id"]
        assert client.post(f"/v1/games/{game}/start", headers=headers).json()["status"] == "closed"
        time.sleep(wait)
        for pid in workers(service.process.pid):
            os.kill(pid, signal.SIGKILL)
        until = time.monotonic() + SECONDS_MAX
        while (status := played(client, game, headers)) != "playing":
            assert time.monotonic() < until, status
            time.sleep(0.1)
        events = client.get(f"/v1/games/{game}/events?limit=1000", headers=headers).json()["events"]
        assert [event["type"] for event in events].count("started") == 1
