"""Players at a table, as their clients see it."""

from typing import Any, Self

import httpx
import msgspec

from domain.bots import bot_of
from domain.moves import move_to_json
from domain.options import LegalMoves
from domain.rules import compile_rules
from domain.rulesets import resolve
from domain.shuffle import words
from domain.views import View

Headers = dict[str, str]


async def guest(client: httpx.AsyncClient, name: str = "Ada") -> Headers:
    """A new guest, as the header that speaks for them."""
    answer = await client.post("/v1/players", json={"name": name})
    assert answer.status_code == 201, answer.text
    return {"Authorization": f"Bearer {answer.json()['token']}"}


class Table:
    """A game, those who hold its seats from 0, and the code of its share link."""

    def __init__(self, client: httpx.AsyncClient, seats: list[Headers], created: dict[str, Any]) -> None:
        self.client = client
        self.seats = seats
        self.id: str = created["id"]
        self.code: str = created["share_url"].partition("code=")[2]
        self.path = f"/v1/games/{self.id}"
        self.ruleset: str = created["ruleset"]
        self.chance = words(b"table")

    @classmethod
    async def of(cls, client: httpx.AsyncClient, players: int = 4, **terms: Any) -> Self:
        """A table at which every seat is taken, opened by seat 0."""
        seats = [await guest(client, f"Player {seat}") for seat in range(players)]
        opened = {"players": players, "seats": [{"kind": "you"}, *[{"kind": "open"}] * (players - 1)]} | terms
        answer = await client.post("/v1/games", json=opened, headers=seats[0])
        assert answer.status_code == 201, answer.text
        table = cls(client, seats, answer.json())
        for seat in range(1, players):
            joined = await client.post(f"{table.path}/seats", json={"code": table.code}, headers=seats[seat])
            assert joined.status_code == 201, joined.text
        return table

    async def start(self) -> dict[str, Any]:
        answer = await self.client.post(f"{self.path}/start", headers=self.seats[0])
        assert answer.status_code == 201, answer.text
        started: dict[str, Any] = answer.json()
        return started

    async def get(self, path: str = "", seat: int | None = 0, **more: Any) -> httpx.Response:
        headers = more.pop("headers", {}) | ({} if seat is None else self.seats[seat])
        return await self.client.get(self.path + path, headers=headers, **more)

    async def view(self, seat: int = 0) -> dict[str, Any]:
        found: dict[str, Any] = (await self.get(seat=seat)).json()["view"]
        return found

    async def move(self, body: Any, seat: int | None = None, query: str = "", **headers: str) -> httpx.Response:
        """Send moves from a seat, or from the one to act."""
        if seat is None:
            seat = (await self.view())["to_act"]
        sent = self.seats[seat] | {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.client.post(f"{self.path}/moves{query}", json=body, headers=sent)

    async def bot_moves(self, view: dict[str, Any]) -> list[Any]:
        """What a greedy player does at the seat to act."""
        return self.chosen(view, await self.get("/legal_moves", seat=view["to_act"]))

    def chosen(self, view: dict[str, Any], legal: httpx.Response) -> list[Any]:
        """What a greedy player chooses among the legal moves."""
        rules = compile_rules(resolve(self.ruleset), len(self.seats))
        chosen = bot_of("greedy", rules).choose(
            msgspec.convert(view, View), msgspec.json.decode(legal.content, type=LegalMoves), self.chance
        )
        return [move_to_json(move) for move in chosen]

    async def play(self, requests: int) -> dict[str, Any]:
        """Play on with so many requests, or to the end; the view of who moved last."""
        view = await self.view()
        for _ in range(requests):
            if view["to_act"] is None:
                break
            view = await self.view(view["to_act"])
            answer = await self.move(await self.bot_moves(view), view["to_act"])
            assert answer.status_code == 201, answer.text
            view = answer.json()
        return view


def problem(answer: httpx.Response, code: str) -> dict[str, Any]:
    """The problem document of an answer, which must be one with this code."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    document: dict[str, Any] = answer.json()
    assert document["code"] == code, document
    assert document["status"] == answer.status_code
    assert document["type"] == f"urn:meldhouse:problem:{code}"
    assert document["instance"].startswith("urn:meldhouse:request:")
    assert document["title"]
    assert document["detail"]
    return document
