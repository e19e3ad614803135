from typing import Any

import httpx
import msgspec
from msgspec.structs import replace

from domain.canonical import canonical
from domain.chain import first_prev, link
from domain.events import decode
from domain.evolve import replay
from domain.views import encode_view
from service.settings import Settings
from tests.service.http.conftest import running
from tests.service.http.tables import Table, problem

NDJSON = {"Accept": "application/x-ndjson"}


async def test_the_events_of_a_seat_fold_to_its_view(game: Table) -> None:
    await game.play(8)
    for seat in range(4):
        lines = (await game.get("/events", seat=seat, headers=NDJSON)).content.splitlines()
        state = replay(map(decode, lines))
        assert msgspec.json.decode(encode_view(state, seat)) == await game.view(seat)


async def test_events_carry_the_chain_for_whoever_keeps_its_head(game: Table) -> None:
    events = (await game.get("/events", seat=None, params={"code": game.code})).json()["events"]
    assert events[0]["prev"] == first_prev(game.id)
    assert [event["prev"] for event in events[1:]] == [event["hash"] for event in events[:-1]]
    await game.move({"type": "resign"}, 0)
    whole = (await game.get("/events")).json()["events"]
    assert [event["hash"] for event in whole[: len(events)]] == [event["hash"] for event in events]
    for event in whole:
        claimed, prev = event.pop("hash"), event.pop("prev")
        assert link(prev, canonical(event)) == claimed


async def test_events_come_in_pages(game: Table) -> None:
    whole = (await game.get("/events")).json()
    assert whole["next"] is None
    version = whole["events"][-1]["n"]
    assert [event["n"] for event in whole["events"]] == list(range(1, version + 1))
    found: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        answer = await game.get(f"/events?after={after}&limit=2")
        page = answer.json()
        found += page["events"]
        link = answer.headers.get("link", "")
        assert (f"after={page['next']}&limit=2" in link) == (page["next"] is not None)
        after = page["next"]
    assert found == whole["events"]


async def test_ndjson_has_the_same_events_a_line_each(game: Table) -> None:
    answer = await game.get("/events", headers={"Accept": "text/html, application/x-ndjson;q=0.9"})
    assert answer.headers["content-type"] == "application/x-ndjson"
    lines = [msgspec.json.decode(line) for line in answer.content.splitlines()]
    assert lines == (await game.get("/events")).json()["events"]


async def test_after_the_head_there_is_nothing_yet(game: Table) -> None:
    assert (await game.get("/events?after=1000000")).json() == {"events": [], "next": None}


async def test_markup_in_a_name_stays_text(client: httpx.AsyncClient) -> None:
    table = await Table.of(client)
    assert (await table.get()).headers["content-type"] == "application/json"
    problem(await client.post("/v1/players", json={"name": "a\r\nb"}), "invalid_body")


async def test_an_operator_makes_pages_shorter(settings: Settings) -> None:
    async with running(replace(settings, page_events_max=3, page_items_max=1)) as (_, client):
        table = await Table.of(client)
        await table.start()
        page = (await table.get("/events?limit=1000")).json()
        assert ([event["n"] for event in page["events"]], page["next"]) == ([1, 2, 3], 3)
        await client.post("/v1/games", json={"players": 4}, headers=table.seats[0])
        listed = (await client.get("/v1/games?mine=true", headers=table.seats[0])).json()
        assert (len(listed["games"]), listed["next"] is None) == (1, False)
