"""Imports that are much work: refused beforehand, or done one after the other while all else goes on."""

import asyncio
from threading import Event as Signal

import httpx
import pytest
from msgspec import json
from msgspec.structs import replace

from service.http.tournaments import file_imports
from service.settings import Settings
from tests.service.http.tables import problem
from tests.service.http.tournaments.event import Event, Person, stage_of
from tests.service.http.tournaments.test_imports import JSON, TRF, send_file
from tests.service.trf.files import by_chance, written

MORE_THAN_THREADS = 40
"""More imports than there are threads in which pages and exports are made."""


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, import_places_max=100, imports_waiting_max=3)


async def test_a_file_of_too_many_rounds_and_entrants_is_refused(client: httpx.AsyncClient) -> None:
    person = await Person.new(client)
    answer = await send_file(client, person.headers, written(by_chance(1, players=17, rounds=6)), TRF)
    found = {"limit": 100, "found": 102, "entrants": 17, "rounds": 6}
    assert problem(answer, "import_too_large")["params"] == found
    answer = await send_file(client, person.headers, written(by_chance(1, players=16, rounds=6)), TRF)
    assert answer.status_code == 201, answer.text


async def test_a_file_of_too_many_couples_kept_apart_is_refused(client: httpx.AsyncClient) -> None:
    person = await Person.new(client)
    barred = "XXP " + " ".join(map(str, range(1, 16)))
    answer = await send_file(client, person.headers, written(by_chance(1, players=16, rounds=0), "XXR 3", barred), TRF)
    assert problem(answer, "import_too_large")["params"] == {"limit": 100, "found": 105}


async def test_a_file_of_too_many_penalties_and_entrants_is_refused(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, stage_of())
    await event.play_round(1)
    await event.act("close_round", round=1)
    await event.act("penalty", entrant="e1", round=1, score=10, reason="conduct")
    exported = (await event.get("/export")).json()
    content = json.encode(exported | {"penalties": exported["penalties"] * 26})
    answer = await send_file(client, event.director, content, JSON)
    found = {"limit": 100, "found": 104, "entrants": 4, "penalties": 26}
    assert problem(answer, "import_too_large")["params"] == found


async def test_pages_and_exports_do_not_wait_for_imports(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = await Event.begun(client, 4, stage_of())
    rehearse, go_on = file_imports._rehearsed, Signal()

    def held(*given: object) -> object:
        assert go_on.wait(30)
        return rehearse(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(file_imports, "_rehearsed", held)
    person = await Person.new(client)
    content = written(by_chance(2, players=4, rounds=1))
    sent = [
        asyncio.create_task(send_file(client, person.headers, content, TRF, key=f"k{number}"))
        for number in range(MORE_THAN_THREADS)
    ]
    try:
        await asyncio.sleep(0.5)
        async with asyncio.timeout(10):
            for address in (f"/tournaments/{event.id}", f"{event.path}/export"):
                assert (await client.get(address)).status_code == 200
            (done, _) = await asyncio.wait(sent, timeout=0.1)
        for each in done:
            assert problem(each.result(), "busy")["params"] == {"limit": 3}
        assert len(done) == MORE_THAN_THREADS - 3
    finally:
        go_on.set()
        answers = await asyncio.gather(*sent)
    assert sorted({each.status_code for each in answers}) == [201, 503]
