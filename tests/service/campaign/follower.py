"""A spectator of a live stream who connects again whenever the line breaks."""

import asyncio
from typing import Any, Final

import httpx
import msgspec

from tests.service.campaign.patience import PAUSE_SECONDS

SILENCE_SECONDS_MAX: Final = 20.0
"""Longer than the keep-alives of the service: a line that is silent for so long is broken."""


class Follower:
    """Collects the events of a game as one seat is told them, each time from the last one on."""

    def __init__(self, client: httpx.AsyncClient, path: str, headers: dict[str, str]) -> None:
        self.events: list[dict[str, Any]] = []
        self.connections = 0
        self._client = client
        self._path = path
        self._headers = headers | {"Accept": "application/x-ndjson"}

    async def follow(self) -> None:
        """Until the game is over."""
        while not await self._connection():
            await asyncio.sleep(PAUSE_SECONDS)

    async def _connection(self) -> bool:
        """One connection to its end; whether the game is over."""
        self.connections += 1
        path = f"{self._path}/stream?after={self.events[-1]['n'] if self.events else 0}"
        timeout = httpx.Timeout(SILENCE_SECONDS_MAX)
        try:
            async with self._client.stream("GET", path, headers=self._headers, timeout=timeout) as answer:
                assert answer.status_code in (200, 503), await answer.aread()
                async for line in answer.aiter_lines():
                    if answer.status_code == 200 and line and self._over(msgspec.json.decode(line)):
                        return True
        except httpx.TransportError:
            pass
        return False

    def _over(self, message: dict[str, Any]) -> bool:
        if message["type"] == "end":
            return bool(message["reason"] == "game_over")
        self.events.append(message)
        return False
