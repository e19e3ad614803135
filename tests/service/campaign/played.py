"""A table at which people play on whatever happens to the service, with a note of all that was acknowledged."""

import asyncio
import time
from itertools import count
from typing import Any, Final, Self

import httpx
import msgspec
from msgspec import Struct

from tests.service.campaign.follower import Follower
from tests.service.campaign.patience import PAUSE_SECONDS, Patient
from tests.service.http.tables import Headers, Table, guest

PEOPLE: Final = 4
TURN_SECONDS_MAX: Final = 180.0


class Acknowledged(Struct, frozen=True):
    """A request that was answered 201: the game went from one version to another."""

    seat: int
    key: str
    body: Any
    before: int
    after: int


class PlayedTable:
    """Four seats; those of `bots` are held by bots of the service. One of the people follows the live stream."""

    def __init__(self, table: Table, bots: frozenset[int], set_up: int) -> None:
        self.table = table
        self.bots = bots
        self.set_up = set_up
        """The version at which play began."""
        self.acknowledged: list[Acknowledged] = []
        self.longest_wait = 0.0
        self._numbers = count(1)
        self.follower = Follower(table.client, table.path, table.seats[0])
        self._following = asyncio.create_task(self.follower.follow())

    @classmethod
    async def of(cls, client: Patient, bots: frozenset[int]) -> Self:
        """Open a table, have everybody sit down, and start."""
        people = [seat for seat in range(PEOPLE) if seat not in bots]
        seats: list[Headers] = [{} if seat in bots else await guest(client, f"P{seat}") for seat in range(PEOPLE)]
        kinds = [{"kind": "bot", "level": "greedy"} if seat in bots else {"kind": "open"} for seat in range(PEOPLE)]
        wanted = {"players": PEOPLE, "seats": [{"kind": "you"}, *kinds[1:]]}
        opened = await client.post("/v1/games", json=wanted, headers=seats[0])
        assert opened.status_code == 201, opened.text
        table = Table(client, seats, opened.json())
        for seat in people[1:]:
            body = {"code": table.code, "seat": seat}
            joined = await client.post(f"{table.path}/seats", json=body, headers=seats[seat])
            assert joined.status_code == 201, joined.text
        await table.start()
        return cls(table, bots, (await table.view())["version"])

    async def play(self, stop: asyncio.Event) -> None:
        """Move after move, until told to stop or the game is over."""
        seat = 0
        while not stop.is_set():
            view = await self._view_of_turn(seat, stop)
            if view is None:
                return
            seat = view["to_act"]
            moves = self.table.chosen(view, await self.table.get("/legal_moves", seat=seat))
            assert await self._move(seat, moves, view["version"])

    async def finish(self) -> None:
        """End the game if it is not over, and wait until the stream has told so."""
        view = await self.table.view()
        while view["to_act"] is not None and not await self._move(0, {"type": "resign"}, view["version"]):
            assert self.bots, "the game went on although nobody moved"
            view = await self.table.view()
        async with asyncio.timeout(TURN_SECONDS_MAX):
            await self._following

    def give_up(self) -> None:
        """Stop following."""
        self._following.cancel()

    async def _view_of_turn(self, seat: int, stop: asyncio.Event) -> dict[str, Any] | None:
        """The view of the person to act; None when the game is over or the play is to stop."""
        deadline = time.monotonic() + TURN_SECONDS_MAX
        while not stop.is_set():
            view = await self.table.view(seat)
            known = self.acknowledged[-1].after if self.acknowledged else self.set_up
            assert view["version"] >= known, f"a view of {view['version']} after {known} was acknowledged"
            turn: int | None = view["to_act"]
            if turn is None or turn == seat:
                return view if turn == seat else None
            if turn not in self.bots:
                seat = turn
                continue
            assert time.monotonic() < deadline, "a bot does not move"
            await asyncio.sleep(PAUSE_SECONDS)
        return None

    async def _move(self, seat: int, body: Any, version: int) -> bool:
        """Send a command and note what was acknowledged; False where a bot was quicker."""
        key = f"move-{next(self._numbers)}"
        began = time.monotonic()
        answer = await self.send(Acknowledged(seat, key, body, version, 0))
        self.longest_wait = max(self.longest_wait, time.monotonic() - began)
        if answer.status_code == 412:
            return False
        assert answer.status_code == 201, answer.text
        self.acknowledged.append(Acknowledged(seat, key, body, version, answer.json()["version"]))
        return True

    async def send(self, command: Acknowledged) -> httpx.Response:
        """Send a command, for the first time or once more."""
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": command.key,
            "If-Match": f'"{command.before}"',
        }
        return await self.table.client.post(
            f"{self.table.path}/moves",
            content=msgspec.json.encode(command.body),
            headers=self.table.seats[command.seat] | headers,
        )
