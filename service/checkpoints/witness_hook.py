"""An address that gets every signed line by HTTP POST: at least once, in order, one after the other.

What waits is bounded by the log's own tables: the cursor is a row, which one worker at a time leases.
"""

import asyncio
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from service.checkpoints.lines import Place, lines_after
from service.store.database import Pool, reached

if TYPE_CHECKING:
    import httpx

HOOK: Final = "hook"
LEASE_SECONDS: Final = 5.0
"""What a worker may take beside the answer of the other side before another takes over."""

PAUSE_SECONDS_MAX: Final = 60.0
"""After a failure the next attempt comes after a second, after each further one in a row after twice the time."""

_BEGIN: Final = "insert into witness_cursor (witness) values ($1) on conflict do nothing"
_LEASE: Final = """
update witness_cursor set leased_until = now() + make_interval(secs => $2)
where witness = $1 and (leased_until is null or leased_until <= now())
returning key, epoch, checkpoint, failures
"""
_ADVANCE: Final = """
update witness_cursor
set key = $2, epoch = $3, checkpoint = $4, failures = 0, leased_until = now() + make_interval(secs => $5)
where witness = $1
"""
_RELEASE: Final = "update witness_cursor set leased_until = null where witness = $1"
_PUT_OFF: Final = """
update witness_cursor
set failures = failures + 1, leased_until = now() + make_interval(secs => least($2, power(2, least(failures, 30))))
where witness = $1
"""


class NotTaken(Exception):
    """The other side did not take a line; the message says why, without its address."""


class _Lease(Struct, frozen=True):
    place: Place
    failures: int


class WitnessHook:
    """Posts what the other side has not taken yet."""

    def __init__(self, url: str, seconds: float) -> None:
        self._url = url
        self._seconds = seconds
        self._client: httpx.AsyncClient | None = None

    async def catch_up(self, pool: Pool) -> int:
        """Post every line that was not taken yet; how many. Raises `NotTaken`, `StoreError`."""
        with reached():
            await pool.execute(_BEGIN, HOOK)
            row = await pool.fetchrow(_LEASE, HOOK, self._seconds + LEASE_SECONDS)
            if row is None:
                return 0
            taken = 0
            try:
                async for placed in lines_after(pool, Place(row["key"], row["epoch"], row["checkpoint"])):
                    for line in placed.lines:
                        await self._post(line)
                        taken += 1
                    place = placed.place
                    lease = self._seconds + LEASE_SECONDS
                    await pool.execute(_ADVANCE, HOOK, place.key, place.epoch, place.checkpoint, lease)
            except NotTaken:
                await pool.execute(_PUT_OFF, HOOK, PAUSE_SECONDS_MAX)
                raise
            await pool.execute(_RELEASE, HOOK)
        return taken

    async def close(self) -> None:
        """Let go of the connection."""
        if self._client is not None:
            await self._client.aclose()

    async def _post(self, line: bytes) -> None:
        import httpx

        if self._client is None:
            self._client = httpx.AsyncClient(timeout=self._seconds)
        try:
            async with asyncio.timeout(self._seconds):
                answer = await self._client.post(self._url, content=line, headers={"content-type": "application/json"})
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            raise NotTaken(f"The witness does not answer: {type(error).__name__}.") from None
        if not answer.is_success:
            raise NotTaken(f"The witness answers with status {answer.status_code}.")
