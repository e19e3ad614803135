"""Bots as ordinary players: each with a token of its own, all they know from the public API."""

import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import parse_qs, urlsplit

import msgspec
from msgspec import Struct

from domain.bots import bot_of
from domain.events import AnyEvent
from domain.options import LegalMoves
from domain.rules import compile_rules
from domain.rulesets import resolve
from domain.shuffle import words
from domain.views import View
from service.cli.client import Answer, Client
from service.cli.own_service import OwnService, ServiceFault

NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")
LEVEL: Final = "greedy"
EVENTS_PAGE: Final = 1000


class Step(Struct, frozen=True):
    """What one seat did: its view afterwards, and the events as it may see them."""

    view: View
    happened: list[AnyEvent]


class ApiPlayers:
    """A table of bots at a running service; in the context the game is under way."""

    def __init__(self, service: OwnService, ruleset: str, players: int, options: dict[str, Any] | None = None) -> None:
        self._service = service
        self._ruleset = ruleset
        self._options = options
        self._clients: list[Client] = []
        self._rules = compile_rules(resolve(ruleset, options), players)
        self.names: Sequence[str] = NAMES[:players]
        self.game = ""
        self.step: Step

    def __enter__(self) -> Self:
        try:
            self._sit_down()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of every connection."""
        for client in self._clients:
            client.close()

    def _sit_down(self) -> None:
        for name in self.names:
            self._clients.append(self._player(name))
        host, *others = self._clients
        opened = host.post(
            "/v1/games",
            {
                "ruleset": self._ruleset,
                "options": self._options,
                "players": len(self.names),
                "seats": [{"kind": "you"}, *({"kind": "open"} for _ in others)],
                "fairness": "server_only",
            },
        ).json()
        self.game = opened["id"]
        code = parse_qs(urlsplit(opened["share_url"]).query)["code"][0]
        for client in others:
            client.post(self._path("seats"), {"code": code})
        host.post(self._path("start"))
        self.step = Step(self.view(0), self.events(0))

    def play(self, seconds_max: float) -> Iterator[Step]:
        """Play on, step by step, to the end of the game. Raises `ServiceFault` when the time is over."""
        deadline = time.monotonic() + seconds_max
        bot = bot_of(LEVEL, self._rules)
        streams = [words(f"{self.game}/{seat}".encode()) for seat in range(len(self.names))]
        while (seat := self.step.view.to_act) is not None:
            if time.monotonic() > deadline:
                raise ServiceFault(f"The game was not over after {seconds_max:g} seconds.")
            view = self.view(seat)
            legal = msgspec.json.decode(self._clients[seat].get(self._path("legal_moves")).body, type=LegalMoves)
            moves = bot.choose(view, legal, streams[seat])
            answer = self._clients[seat].post(self._path("moves"), moves, If_Match=f'"{view.version}"')
            self.step = Step(msgspec.json.decode(answer.body, type=View), self.events(seat, view.version))
            yield self.step

    def view(self, seat: int) -> View:
        """The game as a seat sees it now."""
        return msgspec.convert(self._clients[seat].get(self._path()).json()["view"], View)

    def events(self, seat: int, after: int = 0) -> list[AnyEvent]:
        """All events above a version, as a seat sees them."""
        happened: list[AnyEvent] = []
        while True:
            path = self._path(f"events?after={after}&limit={EVENTS_PAGE}")
            page = self._clients[seat].get(path, Accept="application/x-ndjson")
            happened += msgspec.json.Decoder(AnyEvent).decode_lines(page.body)
            if "link" not in page.headers:
                return happened
            after = happened[-1].n

    def get(self, what: str) -> Answer:
        """Something of the game, asked for by the first seat."""
        return self._clients[0].get(self._path(what))

    def _player(self, name: str) -> Client:
        with self._service.client() as client:
            token = client.post("/v1/players", {"name": name}).json()["token"]
        return self._service.client(token)

    def _path(self, what: str = "") -> str:
        return f"/v1/games/{self.game}/{what}" if what else f"/v1/games/{self.game}"
