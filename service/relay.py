"""Rounds of a beacon from a relay of drand, over HTTP.

The relay is not trusted: what it answers proves itself by its signature. What it can do is to say nothing.
"""

import asyncio
from typing import Final

import httpx
import msgspec
from msgspec import Struct

from domain.beacons import Beacon, BeaconShown, Signature, shown
from service.offline.beacons import Chains

ANSWER_BYTES_MAX: Final = 16_384
"""Longest answer; drand's have a few hundred bytes."""

TRIES_MAX: Final = 3
PAUSE_SECONDS: Final = 1.0
"""How often a round is asked for at a time, and the pause between: relays have it a moment after it is due."""


class RelayFault(Exception):
    """The relay gave no round; `why` is `unreachable`, `not_there` or `wrong`."""

    def __init__(self, why: str, detail: str) -> None:
        super().__init__(detail)
        self.why = why


class _Answer(Struct, frozen=True):
    """What drand's HTTP interface says of a round; further keys are let be."""

    round: int
    signature: Signature


class Relay:
    """A relay at an http or https address, such as a public one of drand or one's own."""

    def __init__(self, url: str, chains: Chains, seconds: float) -> None:
        self._url = url.rstrip("/")
        self._chains = chains
        self._seconds = seconds
        self._client = httpx.AsyncClient(timeout=seconds, follow_redirects=False)

    async def close(self) -> None:
        await self._client.aclose()

    async def round(self, beacon: Beacon) -> BeaconShown:
        """The round, verified, asked for up to `TRIES_MAX` times. Raises `RelayFault`."""
        for _ in range(TRIES_MAX - 1):
            try:
                return await self._ask(beacon)
            except RelayFault:
                await asyncio.sleep(PAUSE_SECONDS)
        return await self._ask(beacon)

    async def _ask(self, beacon: Beacon) -> BeaconShown:
        try:
            async with asyncio.timeout(self._seconds):
                status, content = await self._read(f"{self._url}/{beacon.chain}/public/{beacon.round}")
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OSError) as error:
            raise RelayFault("unreachable", f"The relay does not answer: {type(error).__name__}.") from error
        if status != 200:
            raise RelayFault("not_there", f"The relay answers with status {status}.")
        try:
            answer = msgspec.json.decode(content, type=_Answer)
        except msgspec.MsgspecError as error:
            raise RelayFault("wrong", f"The relay's answer is no round: {error}.") from error
        # The round asked for, whatever number the relay puts on its answer.
        found = shown(beacon, answer.signature)
        if not self._chains.signed(found):
            raise RelayFault("wrong", f"The relay's signature is not that of round {beacon.round}.")
        return found

    async def _read(self, url: str) -> tuple[int, bytes]:
        """Status and body of an answer, as far as a round can be long."""
        # As it is: a few bytes that are packed may stand for more than there is memory.
        async with self._client.stream("GET", url, headers={"accept-encoding": "identity"}) as answer:
            content = b""
            async for piece in answer.aiter_raw():
                content += piece
                if len(content) > ANSWER_BYTES_MAX:
                    raise RelayFault("wrong", "The relay's answer is longer than a round can be.")
            return answer.status_code, content
