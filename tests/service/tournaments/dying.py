"""A worker that is killed at a moment of its work, as a process of its own.

    python -m tests.service.tournaments.dying MOMENT

With its settings from the environment it looks after whatever tournaments there are, and kills itself right after the
first of what MOMENT names: a game was made (`game`), results were told (`results`), a step was taken (`step`).
"""

import asyncio
import os
import signal
import sys
from typing import Any

from service.running import Description, Service
from service.settings import Settings
from service.tournaments import tables
from service.tournaments.match_games import MatchGames
from service.tournaments.reconciling import Reconciling

SECONDS_MAX = 60.0


def die() -> None:
    """At once, as by a kill from outside: nothing is tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)


def arm(moment: str) -> None:
    """Have the worker die at its first such moment."""
    games: Any = MatchGames
    reconciling: Any = Reconciling
    make, append = games.create, reconciling._append

    async def made(self: Any, *arguments: Any) -> None:
        await make(self, *arguments)
        die()

    async def appended(self: Any, live: Any, purpose: str, *arguments: Any) -> bool:
        done: bool = await append(self, live, purpose, *arguments)
        if done and purpose == moment:
            die()
        return done

    if moment == "game":
        one_by_one: Any = tables
        one_by_one.AT_ONCE = 1
        games.create = made
    else:
        reconciling._append = appended


async def run(settings: Settings) -> None:
    service = Service(settings, lambda: Description(b"", b""))
    await service.open()
    await asyncio.sleep(SECONDS_MAX)


def main() -> None:
    arm(sys.argv[1])
    asyncio.run(run(Settings.from_env(os.environ)))


if __name__ == "__main__":
    main()
