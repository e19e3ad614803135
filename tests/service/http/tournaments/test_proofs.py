"""Every event of a tournament is proved to be in the signed log, like those of games."""

from collections.abc import AsyncIterator

import httpx
import pytest
from litestar import Litestar
from msgspec.structs import replace

from domain.merkle import leaf_hash
from domain.merkle_proofs import verify_inclusion
from service.checkpoints.signed import Checkpoint, verify_line
from service.running import Service
from service.settings import Settings
from tests.service.http.conftest import running
from tests.service.http.tables import problem
from tests.service.http.test_log import events_sealed, raws, watched
from tests.service.http.tournaments.event import Event

NOWHERE = "t" + "0" * 32


@pytest.fixture
async def app(settings: Settings) -> AsyncIterator[Litestar]:
    async with running(replace(settings, checkpoint_seconds=0.05)) as (application, _):
        yield application


async def test_every_event_of_a_tournament_is_proved(client: httpx.AsyncClient, service: Service) -> None:
    event = await Event.begun(client, 4)
    await event.act("pair")
    newest = await events_sealed(client, service)
    ring = (await watched(client)).ring
    events = await event.events()
    assert len(events) > 8
    for each in events:
        answer = await event.get(f"/proof?n={each['n']}")
        assert answer.status_code == 200, answer.text
        told = answer.json()
        line = verify_line(answer.content.partition(b'"checkpoint":')[2][:-1], ring.public_keys)
        assert isinstance(line.body, Checkpoint)
        assert line.body.number >= newest.number
        assert (told["tournament"], told["n"], told["hash"]) == (event.id, each["n"], each["hash"])
        assert told["public_key"] == ring.public_keys[line.key].hex()
        root = bytes.fromhex(line.body.roots[told["shard"]])
        assert told["size"] == line.body.sizes[told["shard"]]
        assert verify_inclusion(
            leaf_hash(bytes.fromhex(each["hash"])), told["index"], told["size"], raws(told["proof"]), root
        )


async def test_without_a_number_it_is_the_last_event(client: httpx.AsyncClient, service: Service) -> None:
    event = await Event.open(client)
    await events_sealed(client, service)
    assert (await event.shown("/proof"))["n"] == (await event.shown())["version"]


async def test_what_is_not_there_is_told(client: httpx.AsyncClient, service: Service) -> None:
    event = await Event.open(client)
    newest = await events_sealed(client, service)
    version = (await event.shown())["version"]
    assert problem(await event.get(f"/proof?n={version + 1}"), "event_not_found")["params"] == {"n": version + 1}
    problem(await event.get(f"/proof?n=1&checkpoint={newest.number + 1000}"), "checkpoint_not_found")
    problem(await event.get("/proof?n=-1"), "invalid_parameter")
    problem(await event.get("/proof?code=abc"), "invalid_parameter")
    problem(await client.get(f"/v1/tournaments/{NOWHERE}/proof"), "tournament_not_found")


async def test_a_checkpoint_before_the_event_proves_nothing(client: httpx.AsyncClient, service: Service) -> None:
    event = await Event.open(client)
    before = await events_sealed(client, service)
    await event.enter()
    await events_sealed(client, service)
    version = (await event.shown())["version"]
    told = problem(await event.get(f"/proof?n={version}&checkpoint={before.number}"), "checkpoint_too_early")
    assert told["params"] == {"checkpoint": before.number, "n": version}
