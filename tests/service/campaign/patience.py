"""A client as every client should be: a key with each command, and the same request again until it is answered."""

import asyncio
import time
from typing import Any, Final
from uuid import uuid4

import httpx

ANSWER_SECONDS_MAX: Final = 180.0
"""Who gets no answer for so long gives up: the service should have come back long before."""

REQUEST_SECONDS_MAX: Final = 20.0
PAUSE_SECONDS: Final = 0.05


class Patient(httpx.AsyncClient):
    """Asks again where the line broke or the service says 503; `repeats` counts how often that was needed."""

    def __init__(self, url: str, connections: int) -> None:
        super().__init__(
            base_url=url,
            timeout=REQUEST_SECONDS_MAX,
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
        )
        self.repeats = 0

    async def request(self, method: Any, url: Any, *, headers: Any = None, **rest: Any) -> httpx.Response:
        """The answer, whatever it is, unless it is 503. A command without a key gets one."""
        sent = httpx.Headers(headers)
        if method == "POST":
            sent.setdefault("Idempotency-Key", uuid4().hex)
        deadline = time.monotonic() + ANSWER_SECONDS_MAX
        while True:
            try:
                answer = await super().request(method, url, headers=sent, **rest)
                if answer.status_code != 503:
                    return answer
                trouble = answer.text
            except httpx.TransportError as error:
                trouble = repr(error)
            if time.monotonic() > deadline:
                raise AssertionError(f"{method} {url} got no answer for {ANSWER_SECONDS_MAX:g} seconds: {trouble}")
            self.repeats += 1
            await asyncio.sleep(PAUSE_SECONDS)
