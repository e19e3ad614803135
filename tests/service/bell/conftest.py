"""A Valkey of the test's own, which can be killed, paused and started again."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.embedded import EmbeddedServers, ephemeral
from service.settings import Settings


class Valkey:
    """Hands out signals to the server process; everything else is the embedded server's own doing."""

    def __init__(self, servers: EmbeddedServers) -> None:
        assert servers._valkey is not None, servers.notes
        self._server = servers._valkey
        self.url = self._server.url

    def send(self, number: signal.Signals) -> None:
        assert self._server.child is not None
        os.kill(self._server.child.pid, number)

    async def kill(self) -> None:
        self.send(signal.SIGKILL)
        assert self._server.child is not None
        while self._server.child.exit_code() is None:
            await asyncio.sleep(0.01)

    async def begin(self) -> None:
        self._server.begin()
        while not self._server.ready():
            await asyncio.sleep(0.01)


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    settings = Settings(state_dir=tmp_path, database_url="postgresql://unused")
    with ephemeral(settings) as servers:
        yield Valkey(servers)
