"""A beacon whose round nobody gets by itself: the director sees what is awaited, and anybody may bring it."""

import asyncio
import time
from typing import Any

import httpx
import pytest

from service.offline import beacons
from service.settings import Settings
from tests.domain import drand
from tests.service.http.tables import problem
from tests.service.http.tournaments.event import Event, stage_of
from tests.service.http.waiting_tables import with_chain

CHAIN = drand.chain(int(time.time()) - 100_000)
FAR = drand.chain(int(time.time()) - 100_000, period_seconds=600)
STAGE = stage_of({"kind": "danish", "rounds": 1})
BOARDS = {"stock": "striped", "beacon": True}


@pytest.fixture
def chain() -> Any:
    return CHAIN


@pytest.fixture
def settings(settings: Settings, chain: Any, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A service that knows a chain of the tests' own only, and has no relay."""
    monkeypatch.setattr(beacons, "KNOWN", ())
    return with_chain(settings, chain)


async def closed(client: httpx.AsyncClient, **terms: Any) -> Event:
    """A tournament with four entrants that waits for its beacon."""
    event = await Event.open(client, STAGE, boards=BOARDS, **terms)
    for _ in range(4):
        await event.enter()
    await event.act("close_registration")
    await event.until(lambda shown: shown["boards"]["beacon"] is not None and shown["boards"]["boards"] > 0)
    return event


async def bring(event: Event, number: int, signed: str, **other: Any) -> httpx.Response:
    (team, *_) = event.teams.values()
    return await event.ask("POST", "/beacon", team.headers, {"round": number, "signature": signed} | other)


async def come(event: Event) -> int:
    """The number of the round that is awaited, once it is out."""
    number: int = (await event.shown())["boards"]["beacon"]["round"]
    await asyncio.sleep(max(0.0, CHAIN.due(number) - time.time()) + 0.01)
    return number


async def test_a_director_sees_what_is_awaited(client: httpx.AsyncClient) -> None:
    event = await closed(client, pace={"automatic": True, "pause_seconds": 0})
    number = await come(event)
    shown = await event.shown()
    assert shown["status"] == "closed"
    assert shown["obstacle"] == {"code": "beacon_awaited", "params": {"missing": "shown"}}
    boards = shown["boards"]
    assert (boards["beacon"], boards["beacon_shown"]) == ({"chain": CHAIN.chain, "round": number}, False)
    assert boards["beacon_due_at"].startswith(time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(CHAIN.due(number))))


async def test_a_round_that_somebody_brings_lets_the_tournament_start(client: httpx.AsyncClient) -> None:
    event = await closed(client, pace={"automatic": True, "pause_seconds": 0})
    number = await come(event)
    answer = await bring(event, number, drand.signature(number))
    assert answer.status_code == 201, answer.text
    assert answer.json()["boards"]["beacon_shown"]
    shown = await event.until(lambda shown: shown["status"] == "running")
    assert shown["obstacle"] is None
    (found,) = [each for each in await event.events() if each["type"] == "beacon_shown"]
    assert found["beacon"]["signature"] == drand.signature(number)
    problem(await bring(event, number, drand.signature(number)), "beacon_already_shown")
    match = (await event.dealt(1))["matches"][0]
    (game,) = match["tables"][0]["games"]
    team = event.teams[match["sides"][0][0]]
    told = (await client.get(f"/v1/games/{game}", headers=team.headers)).json()
    assert told["fairness"]["beacon"]["round"] == number


async def test_a_director_does_not_start_without_the_round(client: httpx.AsyncClient) -> None:
    event = await closed(client)
    assert (await event.refused("beacon_awaited", "start"))["params"]["missing"] == "shown"
    problem(await event.ask("POST", "/acts", event.director, {"act": "open_registration"}), "tournament_wrong_status")
    number = await come(event)
    assert (await bring(event, number, drand.signature(number))).status_code == 201
    await event.act("start")
    assert (await event.shown())["status"] == "running"


async def test_what_is_not_the_round_is_refused(client: httpx.AsyncClient) -> None:
    event = await closed(client)
    number = await come(event)
    assert problem(await bring(event, number - 1, drand.signature(number - 1)), "beacon_round_wrong")["params"] == {
        "needed": number
    }
    problem(await bring(event, number, drand.signature(number), chain="ab" * 32), "beacon_chain_wrong")
    for signed in (drand.signature(number - 1), drand.signature(number, secret_key=5)):
        problem(await bring(event, number, signed), "beacon_wrong")
    assert not (await event.shown())["boards"]["beacon_shown"]


async def test_where_no_round_is_awaited_none_is_taken(client: httpx.AsyncClient) -> None:
    plain = await Event.open(client, STAGE)
    await plain.enter()
    problem(await bring(plain, 1, drand.signature(1)), "beacon_not_used")
    early = await Event.open(client, STAGE, boards=BOARDS)
    await early.enter()
    problem(await bring(early, 1, drand.signature(1)), "tournament_wrong_status")


@pytest.mark.parametrize("chain", [FAR])
async def test_a_round_is_not_taken_before_it_is_due(client: httpx.AsyncClient) -> None:
    event = await closed(client)
    number = (await event.shown())["boards"]["beacon"]["round"]
    problem(await bring(event, number, drand.signature(number)), "beacon_too_early")
