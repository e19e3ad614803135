"""A lean HTTP/1.1 client for loopback: kept connections, prepared bytes, one request at a time on each."""

import asyncio
from typing import Final, cast

_LENGTH: Final = b"content-length: "
_END: Final = b"\r\n\r\n"


class Connection(asyncio.Protocol):
    """One kept connection. `ask` sends a prepared request and gives the status and the body of the answer."""

    def __init__(self) -> None:
        self._transport: asyncio.WriteTransport | None = None
        self._received = b""
        self._waiting: asyncio.Future[tuple[int, bytes]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # The transports of uvloop do not descend from asyncio's.
        self._transport = cast(asyncio.WriteTransport, transport)

    def data_received(self, data: bytes) -> None:
        received = self._received + data if self._received else data
        end = received.find(_END)
        if end < 0:
            self._received = received
            return
        at = received.find(_LENGTH, 0, end)
        length = 0 if at < 0 else int(received[at + len(_LENGTH) : received.index(b"\r", at)])
        if len(received) < end + len(_END) + length:
            self._received = received
            return
        self._received = b""
        waiting = self._waiting
        if waiting is not None and not waiting.done():
            waiting.set_result((int(received[9:12]), received[end + len(_END) :]))

    def connection_lost(self, exc: Exception | None) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(exc or ConnectionError("the server closed the connection"))

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a request; its answer."""
        assert self._transport is not None
        self._waiting = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._waiting

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


async def connect(port: int) -> Connection:
    """A connection to the service on loopback."""
    _, connection = await asyncio.get_running_loop().create_connection(Connection, "127.0.0.1", port)
    return connection


def request(method: str, path: str, body: bytes = b"", token: str = "", **headers: str) -> bytes:
    """The bytes of a request; header names are written with underscores."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Accept: application/json"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body or method == "POST":
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + _END + body
