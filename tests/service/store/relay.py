"""A relay in front of Postgres that can lose answers, cut connections and go silent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit, urlunsplit


class Relay:
    """Listens on a port of this machine and passes everything on, until told otherwise."""

    def __init__(self, target: str) -> None:
        self._split = urlsplit(target)
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self.url = ""
        self.silent = False
        """Nothing passes in either direction, and nothing is closed: a half-open network."""
        self.lose_answers = 0
        """How many of the next answers are lost, each by cutting the connection once the server has said something."""
        self.refuse = False
        """New connections are closed at once."""

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        user = self._split.netloc.partition("@")[0]
        self.url = urlunsplit(self._split._replace(netloc=f"{user}@127.0.0.1:{port}", query=""))

    async def stop(self) -> None:
        self.cut()
        assert self._server is not None
        self._server.close()
        await asyncio.sleep(0.01)

    def cut(self) -> None:
        """Close every connection."""
        for writer in list(self._writers):
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refuse:
            writer.transport.abort()
            return
        directory = parse_qs(self._split.query)["host"][0]
        up_reader, up_writer = await asyncio.open_unix_connection(Path(directory) / ".s.PGSQL.5432")
        self._writers |= {writer, up_writer}
        try:
            await asyncio.gather(self._pass(reader, up_writer, False), self._pass(up_reader, writer, True))
        finally:
            self._writers -= {writer, up_writer}
            writer.transport.abort()
            up_writer.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answers: bool) -> None:
        try:
            while data := await reader.read(1 << 16):
                while self.silent:
                    await asyncio.sleep(0.01)
                if answers and self.lose_answers:
                    self.lose_answers -= 1
                    break
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.transport.abort()


@asynccontextmanager
async def relayed(target: str) -> AsyncIterator[Relay]:
    relay = Relay(target)
    await relay.start()
    try:
        yield relay
    finally:
        await relay.stop()
