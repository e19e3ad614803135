"""Lists of tournaments."""

import httpx
import pytest

from tests.service.http.tables import guest, problem
from tests.service.http.tournaments.event import Event, Person, stage_of, terms_of


async def ids(client: httpx.AsyncClient, query: str = "", headers: dict[str, str] | None = None) -> list[str]:
    answer = await client.get(f"/v1/tournaments{query}", headers=headers or {})
    assert answer.status_code == 200, answer.text
    return [each["id"] for each in answer.json()["tournaments"]]


async def walked(client: httpx.AsyncClient, limit: int, query: str = "") -> list[str]:
    """All pages of a list, one after the other."""
    found: list[str] = []
    cursor = ""
    while True:
        page = (await client.get(f"/v1/tournaments?limit={limit}&cursor={cursor}{query}")).json()
        assert len(page["tournaments"]) <= limit
        found += [each["id"] for each in page["tournaments"]]
        if page["next"] is None:
            return found
        cursor = page["next"]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8])
async def test_pages_are_the_list_and_nothing_else(client: httpx.AsyncClient, limit: int) -> None:
    organiser = await guest(client)
    for number in range(7):
        answer = await client.post("/v1/tournaments", json=terms_of(title=f"No. {number}"), headers=organiser)
        assert answer.status_code == 201
    whole = await ids(client, "?limit=100")
    assert len(set(whole)) == 7
    assert await walked(client, limit) == whole


async def test_a_tournament_announced_meanwhile_shifts_no_page(client: httpx.AsyncClient) -> None:
    events = [await Event.announce(client) for _ in range(4)]
    first = (await client.get("/v1/tournaments?limit=2")).json()
    await Event.announce(client)
    second = (await client.get(f"/v1/tournaments?limit=2&cursor={first['next']}")).json()
    listed = [each["id"] for page in (first, second) for each in page["tournaments"]]
    assert listed == [event.id for event in reversed(events)]
    assert second["next"] is None


async def test_filters_say_what_is_listed(client: httpx.AsyncClient) -> None:
    running = await Event.begun(client, 4)
    samba = await Event.open(client, ruleset="samba-official")
    cancelled = await Event.announce(client)
    await cancelled.act("cancel", reason="other")
    assert await ids(client, "?status=running") == [running.id]
    assert await ids(client, "?status=registration") == [samba.id]
    assert await ids(client, "?status=cancelled") == [cancelled.id]
    assert await ids(client, "?ruleset=samba-official") == [samba.id]
    assert await ids(client, "?ruleset=samba-official&status=running") == []
    assert await ids(client, "?mine=true", running.director) == [running.id]
    player = next(iter(running.teams.values())).headers
    assert await ids(client, "?entered=true", player) == [running.id]
    assert await ids(client, "?mine=true", player) == []
    assert await ids(client, "?entered=true", running.director) == []


async def test_a_list_tells_what_a_tournament_is(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, pace={"automatic": False, "starts_at": "2999-01-01T10:00:00Z"})
    await event.act("pair")
    (listed,) = (await client.get("/v1/tournaments")).json()["tournaments"]
    shown = await event.shown()
    assert listed == {
        "id": event.id,
        "title": "The cup",
        "status": "running",
        "organiser": event.organiser.id,
        "organiser_name": "Director",
        "ruleset": "canasta-classic",
        "players": 2,
        "entrants": "fixed",
        "shown": "public",
        "created_at": shown["created_at"][:19] + listed["created_at"][19:],
        "starts_at": "2999-01-01T10:00:00Z",
        "entered": 4,
        "round": 1,
        "finished_at": None,
    }


async def test_an_unlisted_tournament_is_for_those_who_know_of_it(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, shown="unlisted")
    team = await event.enter()
    assert await ids(client) == []
    assert await ids(client, "?mine=true", event.director) == [event.id]
    assert await ids(client, "?entered=true", team.headers) == [event.id]
    assert (await client.get(event.path)).status_code == 200


async def test_who_left_a_line_up_is_not_listed_as_entered_in_it(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    team = await event.enter()
    other = await Person.new(client)
    change = {"outgoing": team.persons[0].id, "incoming": other.id}
    await event.done("PATCH", f"/entrants/{team.id}", team.headers, change)
    assert await ids(client, "?entered=true", team.headers) == []
    assert await ids(client, "?entered=true", other.headers) == [event.id]


async def test_own_lists_take_a_token_and_pages_a_cursor_of_theirs(client: httpx.AsyncClient) -> None:
    problem(await client.get("/v1/tournaments?mine=true"), "credential_missing")
    problem(await client.get("/v1/tournaments?entered=true"), "credential_missing")
    for cursor in ("x", "AAAA", "%00", "9" * 200, "Zm9v"):
        problem(await client.get(f"/v1/tournaments?cursor={cursor}"), "cursor_invalid")
    for query in ("status=open", "limit=0", "limit=100000", "ruleset=A", "shown=unlisted", "mine=2"):
        problem(await client.get(f"/v1/tournaments?{query}"), "invalid_parameter")


async def test_a_finished_tournament_says_when_that_was(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, stage_of({"kind": "danish", "rounds": 1}))
    await event.play_round(1)
    await event.act("finish")
    (listed,) = (await client.get("/v1/tournaments?status=finished")).json()["tournaments"]
    assert listed["finished_at"] is not None
