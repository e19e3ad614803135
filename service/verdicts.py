"""Verdicts on finished games, which change no more: each is found once, one at a time, and kept for a while."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

from domain.records.verdicts import Verdict
from service.commands import Denied

VERDICTS_MAX: Final = 256


class TooManyVerifications(Denied):
    """As many games wait for a verdict as there may be."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class Verdicts:
    """The verdicts of one worker. To judge takes long: whoever asks meanwhile waits for the same verdict."""

    def __init__(self, waiting_max: int) -> None:
        self._waiting_max = waiting_max
        self._verdicts: OrderedDict[str, Verdict] = OrderedDict()
        self._under_way: dict[str, asyncio.Task[Verdict]] = {}
        self._turn = asyncio.Lock()

    async def of(self, game_id: str, judge: Callable[[], Awaitable[Verdict]]) -> Verdict:
        """The verdict on a game, which `judge` finds. Raises `TooManyVerifications`, and what `judge` does."""
        verdict = self._verdicts.get(game_id)
        if verdict is not None:
            return verdict
        task = self._under_way.get(game_id)
        if task is None:
            if len(self._under_way) >= self._waiting_max:
                raise TooManyVerifications(self._waiting_max)
            task = asyncio.create_task(self._judge(game_id, judge), name=f"verdict on {game_id}")
            self._under_way[game_id] = task
        # Who goes away takes the verdict from nobody else.
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Judge no more."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _judge(self, game_id: str, judge: Callable[[], Awaitable[Verdict]]) -> Verdict:
        try:
            async with self._turn:
                verdict = await judge()
            self._verdicts[game_id] = verdict
            if len(self._verdicts) > VERDICTS_MAX:
                self._verdicts.popitem(last=False)
            return verdict
        finally:
            del self._under_way[game_id]
