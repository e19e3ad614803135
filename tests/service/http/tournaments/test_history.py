"""The events of a tournament, page by page."""

import httpx
import pytest
from msgspec import json

from domain.canonical import canonical
from domain.chain import first_prev, link
from tests.service.http.tables import problem
from tests.service.http.tournaments.event import Event


@pytest.mark.parametrize("limit", [1, 3, 7, 1000])
async def test_pages_are_all_events_in_order(client: httpx.AsyncClient, limit: int) -> None:
    event = await Event.begun(client, 4)
    await event.play_round(1)
    found = []
    path = f"{event.path}/events?limit={limit}"
    while path:
        answer = await client.get(path)
        page = answer.json()
        assert len(page["events"]) <= limit
        found += page["events"]
        path = answer.links["next"]["url"] if "next" in answer.links else ""
        assert (page["next"] is None) == (not path)
    assert [each["n"] for each in found] == list(range(1, (await event.shown())["version"] + 1))
    assert [each["prev"] for each in found[1:]] == [each["hash"] for each in found[:-1]]
    assert found == await event.events()


async def test_lines_are_the_events_of_a_page(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4)
    answer = await event.get("/events?after=2&limit=4", headers={"Accept": "application/x-ndjson"})
    assert answer.headers["content-type"] == "application/x-ndjson"
    lines = [json.decode(line) for line in answer.content.splitlines()]
    assert lines == (await event.shown("/events", after=2, limit=4))["events"]
    assert [each["n"] for each in lines] == [3, 4, 5, 6]
    assert answer.links["next"]["url"] == f"{event.path}/events?after=6&limit=4"


async def test_after_the_last_event_there_is_nothing(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    assert await event.shown("/events", after=2_000_000_000) == {"events": [], "next": None}
    for query in ("after=-1", "limit=0", "limit=1000000", "after=x", "from=1"):
        problem(await event.get(f"/events?{query}"), "invalid_parameter")


async def test_no_name_and_no_text_stands_in_an_event(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, title="The Unmistakable Cup")
    await event.enter(name="The Unmistakable Pair")
    await event.act("announce", text="Unmistakable words")
    await event.act("withdraw", entrant="e1", note="Unmistakable reasons")
    told = json.encode(await event.events()).decode()
    assert "nmistakable" not in told
    assert "Player 1" not in told
    assert (await event.shown("/entrants/e1"))["name"] == "The Unmistakable Pair"


async def test_the_log_of_acts_is_told_page_by_page(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4)
    whole = (await event.shown("/acts", limit=1000))["acts"]
    found = []
    after: int | None = 0
    while after is not None:
        page = await event.shown("/acts", after=after, limit=3)
        found += page["acts"]
        after = page["next"]
    assert found == whole
    assert (await event.shown("/acts"))["names"] == {f"e{number}": f"Player {number}" for number in range(1, 5)}
    assert {each["by"] for each in whole} == {
        event.organiser.id, *(team.persons[0].id for team in event.teams.values()),
    }  # fmt: skip


async def test_whoever_reads_can_follow_the_chain(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4)
    head = first_prev(event.id)
    for each in await event.events():
        body = {name: value for name, value in each.items() if name not in ("prev", "hash")}
        assert each["prev"] == head
        head = link(head, canonical(body))
        assert each["hash"] == head
