"""Beacons of closed tables: the rounds that have come out, and the start of the games that waited for them.

    a relay, or anybody at the table -> verified -> kept -> every game that waits for nothing else starts

A round is kept before any game is looked at, and a game is looked at anew once its last nonce is there: so whichever
comes last starts the game, on whatever worker. Where a worker dies in between, the game's timer does it.
"""

import asyncio
import time
from collections.abc import Sequence
from typing import Final

import structlog

from domain.beacons import Beacon, BeaconShown, shown
from domain.events import AnyEvent
from domain.lobby_refusals import LobbyRefused
from domain.playing import begin
from domain.state import State, Table
from domain.waiting import awaited_beacon, missing_nonces
from service.automata import NothingToDo
from service.commands import Command, Decided, Denied
from service.games import Games
from service.live import LiveGame
from service.metrics import Metrics
from service.offline.beacons import Chains
from service.relay import Relay, RelayFault
from service.store.database import Pool, reached
from service.store.errors import StoreError

log = structlog.get_logger(__name__)

ACTOR: Final = "beacon"
CLOSE_SECONDS: Final = 0.5
"""How long what has been begun may take at the end."""

_KNOWN: Final = "select encode(signature, 'hex') from beacon_round where chain = $1 and round = $2"
_KEEP: Final = """
insert into beacon_round (chain, round, signature) values ($1, $2, decode($3, 'hex')) on conflict do nothing
returning true
"""


class Beacons:
    """The beacons of this worker's games. What is awaited raises `StoreUnavailable` and `StoreBusy`."""

    def __init__(self, pool: Pool, games: Games, chains: Chains, relay: Relay | None, metrics: Metrics) -> None:
        self._pool = pool
        self._games = games
        self._chains = chains
        self._relay = relay
        self._metrics = metrics
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._asked: dict[Beacon, asyncio.Task[BeaconShown | None]] = {}
        self._closing = False
        games.appended.append(self._appended)

    async def close(self) -> None:
        """Leave waiting games to whoever comes next."""
        self._closing = True
        tasks = [*self._tasks.values(), *self._asked.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSE_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._relay is not None:
            await self._relay.close()

    async def known(self, beacon: Beacon) -> BeaconShown | None:
        """The round, if it has come out and somebody has brought it."""
        with reached():
            signature: str | None = await self._pool.fetchval(_KNOWN, beacon.chain, beacon.round)
        return None if signature is None else shown(beacon, signature)

    async def keep(self, found: BeaconShown) -> bool:
        """Keep a round whose signature has been verified; whether it was not known before."""
        with reached():
            return bool(await self._pool.fetchval(_KEEP, found.chain, found.round, found.signature))

    async def find(self, beacon: Beacon) -> BeaconShown | None:
        """The round, asked for if nobody has brought it; None where it cannot be had now."""
        found = await self.known(beacon)
        if found is None:
            await self._get(beacon)
            found = await self.known(beacon)
        return found

    async def start(self, live: LiveGame) -> bool:
        """Start a game that waits for nothing but a round that is known; whether this call has."""
        # Another worker may have stored the last nonce by now, and looked for the round before it was kept.
        await self._games.read_since(live, time.monotonic())
        beacon = _all_but(live.state.table)
        found = None if beacon is None else await self.known(beacon)
        if found is None:
            return False

        def decide(state: State) -> Decided:
            if _all_but(state.table) != beacon:
                raise NothingToDo
            return begin(state, live.chance, found)

        try:
            await self._games.perform(live, Command(actor=ACTOR, decide=decide))
        except NothingToDo:
            return False
        return True

    def wake(self, live: LiveGame) -> None:
        """See to it that the game starts, if its round is known or can be got."""
        game_id = live.facts.id
        if self._closing or awaited_beacon(live.state.table) is None or game_id in self._tasks:
            return
        self._tasks[game_id] = asyncio.create_task(self._look(live), name=f"beacon of {game_id}")

    def _appended(self, live: LiveGame, _happened: Sequence[AnyEvent]) -> None:
        # Once the last nonce is there, the round may be there already.
        if live.state.table.status == "closed" and _all_but(live.state.table) is not None:
            self.wake(live)

    async def _look(self, live: LiveGame) -> None:
        """Get the round if nobody has yet, and start the game. What goes wrong is tried again by the game's timer."""
        try:
            beacon = awaited_beacon(live.state.table)
            if beacon is not None and await self.known(beacon) is None:
                await self._get(beacon)
            await self.start(live)
        except (Denied, LobbyRefused, StoreError) as trouble:
            log.warning("beacon_start_failed", game=live.facts.id, why=type(trouble).__name__)
        except Exception:
            log.exception("beacon_start_failed", game=live.facts.id)
        finally:
            # At once, so that whoever comes after the last look wakes it anew.
            del self._tasks[live.facts.id]

    async def _get(self, beacon: Beacon) -> None:
        """Ask the relay for a round that is due, once for all the games that wait for it."""
        chain = self._chains.of(beacon.chain)
        if self._relay is None or chain is None or time.time() < chain.due(beacon.round):
            return
        asked = self._asked.get(beacon)
        if asked is None:
            asked = asyncio.create_task(self._ask(self._relay, beacon), name=f"round {beacon.round}")
            self._asked[beacon] = asked
            asked.add_done_callback(lambda _: self._asked.pop(beacon))
        found = await asyncio.shield(asked)
        if found is not None:
            await self.keep(found)

    async def _ask(self, relay: Relay, beacon: Beacon) -> BeaconShown | None:
        try:
            return await relay.round(beacon)
        except RelayFault as fault:
            self._metrics.beacon_failed(fault.why)
            log.warning("beacon_not_got", round=beacon.round, why=str(fault))
            return None


def _all_but(table: Table) -> Beacon | None:
    """The round for which the start waits, where it waits for nothing else."""
    beacon = awaited_beacon(table)
    return None if beacon is None or missing_nonces(table) else beacon
