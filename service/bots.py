"""Plays the bots' seats: whoever appended what brought a bot to move plays it, at once.

A worker that dies in between freezes no table: the seat's timer is durable, and another worker takes over.
"""

import asyncio
from typing import Final

import structlog

from domain.refusals import Refusal
from domain.state import State
from service.automata import FALL_BACK_LEVEL, NothingToDo, decide_for_bot
from service.commands import Command, Decided, Denied, MoveRefused
from service.games import Games
from service.live import LiveGame
from service.store.errors import StoreError
from service.turns import bot_to_act

log = structlog.get_logger(__name__)

ACTOR: Final = "bot"
CLOSE_SECONDS: Final = 0.5
"""How long a move that has been begun may take at the end."""


class Bots:
    """The bots at play in this worker: one task a game, for as long as a bot is to act."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._tasks: dict[str, asyncio.Task[bool]] = {}
        self._closing = False
        games.appended.append(lambda live, _: self.wake(live))

    def wake(self, live: LiveGame) -> None:
        """See to it that the bot to act, if one is, makes its moves."""
        game_id = live.facts.id
        if self._closing or bot_to_act(live.state) is None or game_id in self._tasks:
            return
        task = asyncio.create_task(self._play(live), name=f"bots of {game_id}")
        self._tasks[game_id] = task
        task.add_done_callback(lambda done: self._rest(live, done))

    async def close(self) -> None:
        """Leave the bots' seats to whoever comes next."""
        self._closing = True
        tasks = list(self._tasks.values())
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSE_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _rest(self, live: LiveGame, done: "asyncio.Task[bool]") -> None:
        del self._tasks[live.facts.id]
        if not done.cancelled() and done.result():
            # A move made while the task was ending has found it still there and woken nobody.
            self.wake(live)

    async def _play(self, live: LiveGame) -> bool:
        """Move as long as a bot is to act; whether nothing went wrong. What does is left to the seat's timer."""
        try:
            while not self._closing and bot_to_act(live.state) is not None:
                await self._move(live)
        except NothingToDo:
            return True
        except (Denied, StoreError) as trouble:
            log.warning("bot_stopped", game=live.facts.id, why=type(trouble).__name__)
            return False
        except Exception:
            log.exception("bot_stopped", game=live.facts.id)
            return False
        return True

    async def _move(self, live: LiveGame) -> None:
        try:
            await self._games.perform(live, _command(live, None), behind=True)
        except MoveRefused as refused:
            log.error("bot_refused", game=live.facts.id, code=str(refused.refusal.code))
            await self._games.perform(live, _command(live, FALL_BACK_LEVEL), behind=True)


def _command(live: LiveGame, level: str | None) -> Command:
    """The moves of the bot to act, at its own level or another one."""

    def decide(state: State) -> Decided | Refusal:
        seat = bot_to_act(state)
        if seat is None:
            raise NothingToDo
        occupant = state.table.seats[seat]
        assert occupant is not None
        return decide_for_bot(live, state, seat, level or occupant.bot or FALL_BACK_LEVEL)

    return Command(actor=ACTOR, decide=decide)
