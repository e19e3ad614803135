"""A tournament as its organiser, its entrants and onlookers have it: through the interface and nothing else."""

import asyncio
import re
from collections.abc import Callable
from typing import Any, Final, Self

import httpx
from msgspec import Struct

from tests.service.http.tables import Headers, guest, problem
from tests.service.http.tokens import player_of

SECONDS_MAX: Final = 90.0
TRIES_MAX: Final = 10
STALE: Final = 412
SWISS: Final[dict[str, Any]] = {"kind": "swiss", "rounds": 2}
ONE_HAND: Final[dict[str, Any]] = {"length": {"kind": "hands", "hands": 1}}
BY_HAND: Final[dict[str, Any]] = {"automatic": False}


def stage_of(form: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """A stage of matches of one hand, without a clock."""
    return {"format": form or SWISS, "match": ONE_HAND} | more


def terms_of(*stages: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Two at a table, and a director who pairs and starts every round."""
    return {
        "title": "The cup",
        "ruleset": "canasta-classic",
        "players": 2,
        "stages": list(stages) or [stage_of()],
        "pace": BY_HAND,
    } | more


class Person(Struct):
    """Somebody with an account: their id, and the header that speaks for them."""

    id: str
    headers: Headers

    @classmethod
    async def new(cls, client: httpx.AsyncClient, name: str = "Ada") -> Self:
        headers = await guest(client, name)
        return cls(await player_of(client, headers), headers)


class Team(Struct):
    """An entrant, and the persons of it."""

    id: str
    persons: list[Person]

    @property
    def headers(self) -> Headers:
        return self.persons[0].headers


DRAWN: Final = frozenset({"at", "prev", "hash", "salt", "digest", "id"})
"""What is not the same when the same is done a moment later."""


def essence(told: Any) -> Any:
    """What an act does, without the time, the names of new texts and of new bots, and the chain."""
    if isinstance(told, dict):
        return {name: essence(value) for name, value in told.items() if name not in DRAWN}
    if isinstance(told, list):
        return [essence(each) for each in told]
    if not isinstance(told, str):
        return told
    if told.startswith("bot-"):
        return told.rpartition("-")[0]
    return re.sub(r"^[0-9]{4}-[0-9-]+T[0-9:.]+Z$", "a time", told)


def rows(changes: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    """Some fields of each of a list of changes."""
    return [tuple(each[name] for name in names) for each in changes]


class Event:
    """A tournament and its organiser."""

    def __init__(self, client: httpx.AsyncClient, organiser: Person, tournament_id: str) -> None:
        self.client = client
        self.organiser = organiser
        self.director = organiser.headers
        self.id = tournament_id
        self.path = f"/v1/tournaments/{tournament_id}"
        self.teams: dict[str, Team] = {}
        self.acts: list[str] = []

    @classmethod
    async def announce(cls, client: httpx.AsyncClient, *stages: dict[str, Any], **terms: Any) -> Self:
        organiser = await Person.new(client, "Director")
        answer = await client.post("/v1/tournaments", json=terms_of(*stages, **terms), headers=organiser.headers)
        assert answer.status_code == 201, answer.text
        return cls(client, organiser, answer.json()["id"])

    @classmethod
    async def open(cls, client: httpx.AsyncClient, *stages: dict[str, Any], **terms: Any) -> Self:
        """A tournament that takes entries."""
        event = await cls.announce(client, *stages, **terms)
        await event.until(lambda shown: shown["status"] == "registration")
        return event

    @classmethod
    async def begun(cls, client: httpx.AsyncClient, entrants: int, *stages: dict[str, Any], **terms: Any) -> Self:
        """A tournament that has started, with so many entrants of one person each."""
        event = await cls.open(client, *stages, **terms)
        for _ in range(entrants):
            await event.enter()
        await event.act("start")
        return event

    # --- asking ---

    async def get(self, path: str = "", who: Headers | None = None, **more: Any) -> httpx.Response:
        return await self.client.get(self.path + path, headers=more.pop("headers", {}) | (who or {}), **more)

    async def ask(self, method: str, path: str, who: Headers, body: Any = None, **headers: str) -> httpx.Response:
        """A command. Names of headers are with underscores."""
        sent = who | {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.client.request(method, self.path + path, json=body, headers=sent)

    async def shown(self, path: str = "", who: Headers | None = None, **params: Any) -> dict[str, Any]:
        answer = await self.get(path, who, params=params)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def done(self, method: str, path: str, who: Headers, body: Any = None, **headers: str) -> dict[str, Any]:
        """A command that must not be refused; its answer."""
        answer = await self.ask(method, path, who, body, **headers)
        assert answer.is_success, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def events(self, after: int = 0) -> list[dict[str, Any]]:
        """All of them, page by page."""
        found: list[dict[str, Any]] = []
        following: int | None = after
        while following is not None:
            page = await self.shown("/events", after=following, limit=1000)
            found += page["events"]
            following = page["next"]
        return found

    async def until(self, reached: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait for the tournament to get somewhere of itself."""
        async with asyncio.timeout(SECONDS_MAX):
            while not reached(shown := await self.shown()):
                await asyncio.sleep(0.05)
        return shown

    # --- directing ---

    async def act(self, act: str, *, who: Headers | None = None, **fields: Any) -> dict[str, Any]:
        return await self.done("POST", "/acts", who or self.director, {"act": act, **fields})

    async def tried(self, act: str, **fields: Any) -> dict[str, Any]:
        """An act that is looked at first, which must store nothing and tell what then happens."""
        for _ in range(TRIES_MAX):
            before = await self.shown()
            preview = await self.preview(act, **fields)
            after = await self.shown()
            version = after["version"]
            if version > before["version"]:
                # The service may have had something to do; a look that stores something never comes to an end here.
                continue
            assert after == before
            assert (preview["dry_run"], preview["version"]) == (True, version)
            answer = await self.ask("POST", "/acts", self.director, {"act": act, **fields}, If_Match=f'"{version}"')
            if answer.status_code == STALE:
                continue
            assert answer.is_success, answer.text
            done = answer.json()
            assert not done["dry_run"]
            if preview["lots"]:
                # What was looked at had other lots than those that were drawn.
                assert [each["type"] for each in done["events"]] == [each["type"] for each in preview["events"]]
            else:
                assert [essence(each) for each in done["events"]] == [essence(each) for each in preview["events"]]
                assert essence(done["changes"]) == essence(preview["changes"])
            self.acts.append(act)
            return preview
        raise AssertionError("The tournament did not rest.")

    async def preview(self, act: str, **fields: Any) -> dict[str, Any]:
        return await self.done("POST", "/acts?dry_run=true", self.director, {"act": act, **fields})

    async def refused(self, code: str, act: str, *, who: Headers | None = None, **fields: Any) -> dict[str, Any]:
        """An act that must be refused so, beforehand and in earnest; what the problem tells."""
        told = []
        for query in ("?dry_run=true", ""):
            answer = await self.ask("POST", f"/acts{query}", who or self.director, {"act": act, **fields})
            told.append(problem(answer, code))
        assert essence(told[0]["params"]) == essence(told[1]["params"])
        return told[1]

    async def round(self, number: int) -> dict[str, Any]:
        return await self.shown(f"/rounds/{number}")

    async def begin_round(self, number: int) -> dict[str, Any]:
        """Pair and start the next round; its matches, once their games are dealt."""
        await self.act("pair")
        await self.act("start_round", round=number)
        return await self.dealt(number)

    async def dealt(self, number: int) -> dict[str, Any]:
        """A round, once all games of it that are to be played have been dealt."""
        async with asyncio.timeout(SECONDS_MAX):
            while True:
                found = await self.round(number)
                games = [game for match in found["matches"] for table in match["tables"] for game in table["games"]]
                answers = [await self.client.get(f"/v1/games/{game}", headers=self.director) for game in games]
                if all(each.is_success and each.json()["status"] in ("playing", "ended") for each in answers):
                    return found
                await asyncio.sleep(0.05)

    async def resign(self, match: dict[str, Any], side: int) -> None:
        """The side of a match of two persons gives its game up."""
        (table,) = match["tables"]
        entrant = match["sides"][side][0]
        headers = self.teams[entrant].headers
        answer = await self.client.post(
            f"/v1/games/{table['games'][-1]}/moves", json={"type": "resign"}, headers=headers
        )
        assert answer.status_code == 201, answer.text

    async def play_round(self, number: int) -> dict[str, Any]:
        """A round in which the side of the higher number gives up; as it is when all is decided."""
        for match in (await self.begin_round(number))["matches"]:
            weaker = max((0, 1), key=lambda side: int(match["sides"][side][0][1:]))
            await self.resign(match, weaker)
        return await self.decided(number)

    async def decided(self, number: int) -> dict[str, Any]:
        """A round, once all matches of it are over."""
        async with asyncio.timeout(SECONDS_MAX):
            while True:
                found = await self.round(number)
                if all(match["status"] == "decided" for match in found["matches"]):
                    return found
                await asyncio.sleep(0.05)

    # --- entering ---

    async def enter(self, persons: int = 1, **body: Any) -> Team:
        """An entrant of so many persons, all of whom agree to be seated."""
        members = [await Person.new(self.client, f"Player {len(self.teams) + 1}") for _ in range(persons)]
        wanted = {"players": [each.id for each in members]} | body
        entered = await self.done("POST", "/entrants", members[0].headers, wanted)
        team = Team(entered["id"], members)
        for partner in members[1:]:
            await self.done("POST", f"/entrants/{team.id}/consent", partner.headers)
        self.teams[team.id] = team
        return team
