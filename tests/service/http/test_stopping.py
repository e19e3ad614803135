"""The end of a worker: at once, with a word to whoever listens."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import httpx
import pytest

from service.settings import Settings
from tests.service.campaign import processes
from tests.service.http.conftest import LiveServer
from tests.service.http.patience import SECONDS_MAX
from tests.service.http.tables import Table
from tests.service.http.test_streams import Reader

SOON = 8.0
"""It takes a second at most, for what was begun, and a busy machine adds some. The silence of a stream is fifteen."""

SERVE = """
import sys
from pathlib import Path
from service.logs import configure_logs
from service.server import listen, run
from service.settings import Settings
from service.workers import run_workers
if __name__ == "__main__":
    database_url, redis_url, state_dir, workers = sys.argv[1:]
    settings = Settings(state_dir=Path(state_dir), database_url=database_url, redis_url=redis_url, port=0,
                        workers=int(workers), database_wait_seconds=15.0, log_level="warning")
    configure_logs(settings)
    listening = listen(settings)
    serve = run if settings.workers == 1 else run_workers
    serve(settings, listening, ready=lambda: print(listening.getsockname()[1], flush=True))
    print("ended", flush=True)
"""


async def test_open_streams_do_not_hold_up_the_end(settings: Settings) -> None:
    live = LiveServer(settings)
    async with live, live.client() as client:
        table = await Table.of(client)
        readers = [Reader(client, f"{table.path}/stream", headers) for headers in table.seats]
        for reader in readers:
            await reader.until(5)
        begun = time.monotonic()
        await live.stop()
        assert time.monotonic() - begun < SOON
        for reader in readers:
            assert await reader.end() == {"type": "end", "reason": "stopping", "version": 5}


class Process:
    """The service as a process of its own."""

    def __init__(self, settings: Settings, tmp_path: Path, workers: int) -> None:
        script = tmp_path / "serve.py"
        script.write_text(SERVE)
        arguments = [str(settings.database_url), str(settings.redis_url), str(tmp_path), str(workers)]
        self.process = subprocess.Popen(
            [sys.executable, str(script), *arguments],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
        )
        assert self.process.stdout is not None
        self.url = f"http://127.0.0.1:{self.process.stdout.readline().strip()}"

    def end(self, number: signal.Signals) -> float:
        """Ask it to stop; how many seconds it took."""
        begun = time.monotonic()
        self.process.send_signal(number)
        try:
            self.process.wait(timeout=SECONDS_MAX)
        finally:
            self.process.kill()
        assert self.process.stdout is not None
        assert self.process.stdout.read() == "ended\n"
        self.process.stdout.close()
        return time.monotonic() - begun


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_a_process_at_once(settings: Settings, tmp_path: Path, number: signal.Signals) -> None:
    process = await asyncio.to_thread(Process, settings, tmp_path, 1)
    async with httpx.AsyncClient(base_url=process.url, timeout=SECONDS_MAX) as client:
        table = await Table.of(client)
        reader = Reader(client, f"{table.path}/stream", table.seats[0])
        await reader.until(5)
        seconds = await asyncio.to_thread(process.end, number)
        assert (await reader.end())["reason"] == "stopping"
        assert seconds < SOON
        assert process.process.returncode == 0


async def test_workers_come_back_and_end_together(settings: Settings, tmp_path: Path) -> None:
    process = await asyncio.to_thread(Process, settings, tmp_path, 2)
    workers = processes.workers(process.process.pid)
    assert len(workers) == 2
    async with httpx.AsyncClient(base_url=process.url, timeout=SECONDS_MAX) as client:
        table = await Table.of(client)
        await table.start()
        os.kill(workers[0], signal.SIGKILL)
        async with asyncio.timeout(SECONDS_MAX):
            while len(set(processes.workers(process.process.pid)) - set(workers)) == 0:
                await asyncio.sleep(0.05)
    async with httpx.AsyncClient(base_url=process.url, timeout=SECONDS_MAX) as client:
        table.client = client
        await table.play(4)
        metrics = (await client.get("/metrics")).text
        assert 'meldhouse_requests_total{operation="createGame",status="201"} 1.0' in metrics
    seconds = await asyncio.to_thread(process.end, signal.SIGTERM)
    assert seconds < SOON
    assert processes.workers(process.process.pid) == []


async def test_killed_workers_lose_and_double_no_acknowledged_move(settings: Settings, tmp_path: Path) -> None:
    process = await asyncio.to_thread(Process, settings, tmp_path, 2)
    async with httpx.AsyncClient(base_url=process.url, timeout=SECONDS_MAX) as client:
        table = await Table.of(client, practice={"kind": "seed", "seed": "00" * 16})
        await table.start()

        async def patiently(send: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
            async with asyncio.timeout(2 * SECONDS_MAX):
                while True:
                    try:
                        answer = await send()
                        if answer.status_code < 500:
                            return answer
                    except httpx.TransportError:
                        pass
                    await asyncio.sleep(0.05)

        acknowledged = []
        for number in range(30):
            if number % 10 == 5:
                os.kill(processes.workers(process.process.pid)[0], signal.SIGKILL)
            seat = (await patiently(table.get)).json()["view"]["to_act"]
            view = (await patiently(partial(table.get, seat=seat))).json()["view"]
            legal = await patiently(partial(table.get, "/legal_moves", seat=seat))
            moves = table.chosen(view, legal)
            sent = partial(table.move, moves, seat, Idempotency_Key=f"k{number}")
            answer = await patiently(sent)
            assert answer.status_code == 201, answer.text
            acknowledged.append(answer.json()["version"])
        events = (await patiently(partial(table.get, "/events?limit=1000"))).json()["events"]
    assert acknowledged == sorted(set(acknowledged))
    assert acknowledged[-1] == events[-1]["n"]
    await asyncio.to_thread(process.end, signal.SIGTERM)


async def test_workers_go_when_their_parent_is_killed(settings: Settings, tmp_path: Path) -> None:
    process = await asyncio.to_thread(Process, settings, tmp_path, 2)
    workers = processes.workers(process.process.pid)
    process.process.kill()
    process.process.wait()
    async with asyncio.timeout(SECONDS_MAX):
        while any(Path(f"/proc/{pid}").exists() for pid in workers):
            await asyncio.sleep(0.05)
    assert process.process.stdout is not None
    process.process.stdout.close()
