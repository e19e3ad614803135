"""Tables played by patient clients while one process after the other is killed, and a reckoning afterwards."""

import asyncio
import random
import shutil
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from msgspec import Struct

from service.embedded.account import server_account
from service.embedded.state import temporary_directory
from tests.service.campaign.audit import audit
from tests.service.campaign.faults import FAULTS, Victim
from tests.service.campaign.patience import Patient
from tests.service.campaign.played import PlayedTable

QUIET_SECONDS: Final = (0.5, 2.0)
"""Between two faults, at least and at most."""

EACH_KIND_SECONDS_MAX: Final = 240.0
"""How much longer than asked for a campaign may take until there was a fault of each kind."""

LOG_SHOWN: Final = 20_000
"""The most characters of the log that a failure shows."""

BOT_SEATS: Final = frozenset({1, 2})


class Plan(Struct, frozen=True):
    """How long to kill, at how many tables, with how many workers; the seed chooses pauses and victims."""

    seconds: float
    tables: int = 4
    workers: int = 2
    seed: int = 1


class Report(Struct, frozen=True):
    """What a campaign came to. Nothing is in it of what went wrong: that is raised."""

    games: int
    acknowledged: int
    events: int
    repeats: int
    connections: int
    faults: dict[str, int]
    longest_wait: float


async def campaign(plan: Plan) -> Report:
    """Run a campaign. Raises `AssertionError` where a promise was broken."""
    chance = random.Random(plan.seed)
    async with _victim(plan, chance) as victim, Patient(victim.address, 4 * plan.tables) as client:
        stop = asyncio.Event()
        games: list[PlayedTable] = []
        playing = [asyncio.create_task(_play(client, number, games, stop)) for number in range(plan.tables)]
        try:
            faults = await _torment(victim, plan.seconds, chance, playing)
            stop.set()
            await asyncio.gather(*playing)
            await asyncio.gather(*(game.finish() for game in games))
            events = [len(await audit(game, chance)) for game in games]
        finally:
            for task in playing:
                task.cancel()
            for game in games:
                game.give_up()
        return Report(
            games=len(games),
            acknowledged=sum(len(game.acknowledged) for game in games),
            events=sum(events),
            repeats=client.repeats,
            connections=sum(game.follower.connections for game in games),
            faults=dict(faults),
            longest_wait=max(game.longest_wait for game in games),
        )


@asynccontextmanager
async def _victim(plan: Plan, chance: random.Random) -> AsyncIterator[Victim]:
    place = temporary_directory(server_account(), in_memory=False)
    # One step below, because a directory among the temporary ones is taken for forsaken once its service is killed.
    directory = place / "state"
    directory.mkdir(mode=0o711)
    victim = Victim(directory, plan.workers, chance)
    try:
        await victim.begin()
        yield victim
    except AssertionError as broken:
        broken.add_note(f"The end of the service's log:\n{victim.log[-LOG_SHOWN:]}")
        raise
    finally:
        await victim.end()
        shutil.rmtree(place, ignore_errors=True)


async def _play(client: Patient, number: int, games: list[PlayedTable], stop: asyncio.Event) -> None:
    """One game after the other; at every second table two of the four are bots of the service."""
    while not stop.is_set():
        game = await PlayedTable.of(client, BOT_SEATS if number % 2 else frozenset())
        games.append(game)
        await game.play(stop)


async def _torment(
    victim: Victim, seconds: float, chance: random.Random, playing: list["asyncio.Task[None]"]
) -> Counter[str]:
    """One fault after the other until the time is up and there was one of each kind.

    Ends at once where a player has found something wrong.
    """
    faults: Counter[str] = Counter()
    until = time.monotonic() + seconds
    turn = 0
    while time.monotonic() < until or len(faults) < len(FAULTS):
        assert time.monotonic() < until + EACH_KIND_SECONDS_MAX, f"only these processes could be killed: {faults}"
        pause = chance.uniform(*QUIET_SECONDS)
        await asyncio.wait(playing, timeout=pause, return_when=asyncio.FIRST_EXCEPTION)
        for task in playing:
            if task.done():
                task.result()
        fault = FAULTS[turn % len(FAULTS)]
        turn += 1
        if await fault(victim):
            faults[fault.__name__.removeprefix("kill_")] += 1
    return faults
