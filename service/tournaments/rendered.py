"""Pages and calendars as they were last made: whoever asks for one that has not changed costs a look, not a ranking."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import Final

import msgspec

BYTES_MAX: Final = 1 << 25
"""Of all that is kept by one worker."""


class Rendered:
    """A bounded number of bytes, what was longest unused leaves first."""

    def __init__(self, most: int = BYTES_MAX) -> None:
        self._known: OrderedDict[bytes, bytes] = OrderedDict()
        self._making: dict[bytes, asyncio.Task[bytes]] = {}
        self._most = most
        self._size = 0

    def __len__(self) -> int:
        return len(self._known)

    async def of(self, key: object, make: Callable[[], bytes]) -> bytes:
        """What is kept under a key, which holds everything that it is made from.

        What is not kept is made beside the event loop, once for all who ask meanwhile.
        """
        name = sha256(msgspec.json.encode(key)).digest()
        known = self._known.get(name)
        if known is not None:
            self._known.move_to_end(name)
            return known
        making = self._making.get(name)
        if making is None:
            making = self._making[name] = asyncio.create_task(self._make(name, make))
            making.add_done_callback(lambda _: self._making.pop(name, None))
        return await asyncio.shield(making)

    async def _make(self, name: bytes, make: Callable[[], bytes]) -> bytes:
        made = self._known[name] = await asyncio.to_thread(make)
        self._size += len(made)
        while self._size > self._most:
            self._size -= len(self._known.popitem(last=False)[1])
        return made
