"""A whole event, as a director and the players of its pairs have it through the interface and nothing else.

    python -m tests.service.http.tournaments.whole_event http://127.0.0.1:8000 64

Pairs play duplicate boards from a striped stock, one hand a match, in a Swiss of five rounds by victory points. One
pair comes late, one leaves, one is not there in its first round; what a match of the first round came to is ruled
otherwise while the third one is played. Of every three pairs one melds what it can; the others draw and throw away
what they like least, until the stock is spent.
"""

import asyncio
import sys
import time
from collections.abc import Iterable
from itertools import pairwise
from random import Random
from typing import Any, Final

import httpx
import msgspec

from domain.bots import bot_of
from domain.moves import move_to_json
from domain.options import LegalMoves
from domain.rules import compile_rules
from domain.rulesets import resolve
from domain.shuffle import words
from domain.views import View
from tests.service.http.tournaments.event import BY_HAND, Event, Team

ROUNDS: Final = 5
LATE_ROUND: Final = 2
"""The first round of the pair that comes late."""

LEAVES_AFTER: Final = 2
RULESET: Final = "canasta-classic"
TABLES_AT_ONCE: Final = 8
RANKS: Final = "A23456789TJQK"
WILD: Final = ("2S", "2H", "2D", "2C", "JK")
MELDING: Final = 3
"""Each pair whose number is a multiple of this lays melds."""

TERMS: Final[dict[str, Any]] = {
    "title": "The Winter Pairs",
    "ruleset": RULESET,
    "players": 4,
    "boards": {"stock": "striped"},
    "registration": {"late_rounds": 2, "late_score": 40},
    "pace": BY_HAND | {"no_show_minutes": None},
}
STAGE: Final[dict[str, Any]] = {
    "format": {"kind": "swiss", "rounds": ROUNDS},
    "match": {"length": {"kind": "hands", "hands": 1}},
}


class WholeEvent:
    """The event, and who had which part in it."""

    def __init__(self, event: Event, pairs: int) -> None:
        self.event = event
        self.pairs = pairs
        self.absent = ""
        self.late = ""
        self.left = ""
        self.ruled = ""
        self.requests = 0

    @classmethod
    async def held(cls, client: httpx.AsyncClient, pairs: int) -> "WholeEvent":
        """Announced, entered, played and finished."""
        whole = cls(await Event.open(client, STAGE, **TERMS), pairs)
        await whole._enter()
        for number in range(1, ROUNDS + 1):
            await whole._round(number)
        await whole.event.tried("finish")
        await whole.event.until(lambda shown: bool(shown["boards"]["revealed"]))
        return whole

    async def _enter(self) -> None:
        event = self.event
        for _ in range(self.pairs):
            await event.enter(2)
        preview = await event.preview("start")
        assert len(preview["changes"]["entrants"]) == self.pairs
        await event.tried("close_registration")
        await event.until(lambda shown: shown["boards"]["boards"] == ROUNDS)
        await event.tried("start")

    async def _round(self, number: int) -> None:
        event = self.event
        await event.tried("pair")
        await event.tried("start_round", round=number)
        matches = (await event.dealt(number))["matches"]
        if number == 1:
            matches = await self._no_show(matches)
            self.late = (await event.enter(2)).id
        if number == LEAVES_AFTER + 1:
            await self._rule()
        await self._play(matches)
        await event.decided(number)
        await event.tried("close_round", round=number)
        if number == LEAVES_AFTER:
            await self._leave()

    async def _no_show(self, matches: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """One pair of the last match is not there: noted first, then the match is lost."""
        match = matches[-1]
        self.absent = match["sides"][1][0]
        await self.event.tried("note_no_show", match=match["id"], entrant=self.absent)
        preview = await self.event.tried("forfeit", match=match["id"], entrants=[self.absent], reason="absence")
        assert [each["score_new"] for each in preview["changes"]["results"]] == [[1400, 600]]
        return matches[:-1]

    async def _leave(self) -> None:
        """The pair in the middle goes home."""
        order = (await self.event.shown())["order"]
        self.left = next(each for each in order[len(order) // 2 :] if each not in (self.absent, self.late))
        team = self.event.teams[self.left]
        await self.event.done("DELETE", f"/entrants/{self.left}", team.headers)

    async def _rule(self) -> None:
        """The result of the first match was written down the wrong way round, and is turned about."""
        match = await self.event.shown("/matches/r1m1")
        self.ruled = match["id"]
        adjustment = {"kind": "points", "points": [*reversed(match["points"])]}
        preview = await self.event.tried("rule", match=self.ruled, adjustment=adjustment, reason="scoring_error")
        assert preview["changes"]["results"][0]["score_new"] == [*reversed(match["score"])]
        assert {each["entrant"] for each in preview["changes"]["ranks"]} >= {side[0] for side in match["sides"]}

    # --- play ---

    async def _play(self, matches: Iterable[dict[str, Any]]) -> None:
        places = asyncio.Semaphore(TABLES_AT_ONCE)

        async def one(match: dict[str, Any]) -> None:
            async with places:
                (table,) = match["tables"]
                await self._play_table(table)

        await asyncio.gather(*map(one, matches))

    async def _play_table(self, table: dict[str, Any]) -> None:
        """A hand to its end."""
        seats = [self._headers(seat["entrant"], seat["player"]) for seat in table["seats"]]
        path = f"/v1/games/{table['games'][-1]}"
        view = await self._view(path, seats[0])
        while view["to_act"] is not None:
            seat = view["to_act"]
            headers = seats[seat]
            entrant = table["seats"][seat]["entrant"]
            if int(entrant[1:]) % MELDING == 0:
                view = await self._moved(path, headers, await self._greedy(path, headers))
            else:
                view = await self._thrown_away(path, headers, seat, entrant)

    async def _thrown_away(self, path: str, headers: dict[str, str], seat: int, entrant: str) -> dict[str, Any]:
        """Draw, and discard a card that may be discarded; where there is nothing to draw, whatever is possible."""
        drawn = await self._ask("POST", f"{path}/moves", headers, {"type": "draw"})
        if not drawn.is_success:
            return await self._moved(path, headers, await self._greedy(path, headers))
        view: dict[str, Any] = drawn.json()
        if view["to_act"] != seat:
            return view
        taste = Random(entrant).sample(RANKS, len(RANKS))
        holding = view["holdings"][seat]["cards"]
        for card in sorted(holding, key=lambda card: (card in WILD, taste.index(card[0]), card)):
            answer = await self._ask("POST", f"{path}/moves", headers, {"type": "discard", "cards": [card]})
            if answer.is_success:
                discarded: dict[str, Any] = answer.json()
                return discarded
        return await self._moved(path, headers, await self._greedy(path, headers))

    async def _greedy(self, path: str, headers: dict[str, str]) -> list[Any]:
        """What a greedy player does, who knows what the seat sees and nothing else."""
        view = await self._view(path, headers)
        legal = await self._ask("GET", f"{path}/legal_moves", headers)
        rules = compile_rules(resolve(RULESET), 4)
        chosen = bot_of("greedy", rules).choose(
            msgspec.convert(view, View), msgspec.json.decode(legal.content, type=LegalMoves), words(b"event")
        )
        return [move_to_json(move) for move in chosen]

    async def _moved(self, path: str, headers: dict[str, str], moves: list[Any]) -> dict[str, Any]:
        answer = await self._ask("POST", f"{path}/moves", headers, moves)
        assert answer.is_success, answer.text
        view: dict[str, Any] = answer.json()
        return view

    async def _view(self, path: str, headers: dict[str, str]) -> dict[str, Any]:
        answer = await self._ask("GET", path, headers)
        assert answer.is_success, answer.text
        view: dict[str, Any] = answer.json()["view"]
        return view

    async def _ask(self, method: str, path: str, headers: dict[str, str], body: Any = None) -> httpx.Response:
        self.requests += 1
        return await self.event.client.request(method, path, json=body, headers=headers)

    def _headers(self, entrant: str, player: str) -> dict[str, str]:
        team: Team = self.event.teams[entrant]
        return next(person.headers for person in team.persons if person.id == player)

    # --- afterwards ---

    async def matches(self) -> list[dict[str, Any]]:
        """All matches, by round."""
        return [match for number in range(1, ROUNDS + 1) for match in (await self.event.round(number))["matches"]]


async def main(url: str, pairs: int) -> None:
    """Hold an event at a service, and say how it went."""
    begun = time.monotonic()
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        whole = await WholeEvent.held(client, pairs)
        standings = await whole.event.shown("/standings")
        for row in standings["rows"][:10]:
            print(f"{row['rank']:3} {row['name']:30} {row['score_shown']:>8}  {row['status']}")
        assert all(one["score"] >= other["score"] for one, other in pairwise(standings["rows"]))
        took = time.monotonic() - begun
        print(f"{pairs} pairs, {ROUNDS} rounds, {whole.requests} requests of players, {took:.0f} s")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
