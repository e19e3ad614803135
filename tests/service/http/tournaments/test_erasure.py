"""Who is erased leaves the tournaments that go on, and takes along the names that they gave."""

import asyncio
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from service import erasure
from service.audit.run import Audit, Options
from service.players import ERASED_NAME
from service.running import Service
from service.settings import Settings
from service.store.errors import StoreBusy
from service.tournaments.leaving import withdraw_erased
from tests.service.http.tournaments.event import Event, Person, Team, stage_of

CANARY = "Kanarienvogel7f3a"
ROUND_ROBIN = stage_of({"kind": "round_robin"})
SECONDS_MAX = 60.0


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, erasure_poll_seconds=0.1)


async def erase(event: Event, team: Team) -> None:
    assert (await event.client.delete("/v1/me", headers=team.headers)).status_code == 204


async def entrant(event: Event, team: Team) -> dict[str, Any]:
    return await event.shown(f"/entrants/{team.id}")


async def until_withdrawn(event: Event, team: Team) -> None:
    async with asyncio.timeout(SECONDS_MAX):
        while (await entrant(event, team))["status"] != "withdrawn":
            await asyncio.sleep(0.03)


async def kept_of(service: Service, kind: str) -> list[str | None]:
    rows = await service.store.pool.fetch("select body, key from tournament_text where kind = $1 order by body", kind)
    assert all((row["body"] is None) == (row["key"] is None) for row in rows)
    return [row["body"] for row in rows]


async def assert_clean(settings: Settings) -> None:
    assert settings.database_url is not None
    report = await asyncio.to_thread(Audit(Options(url=settings.database_url, rules=True)).run)
    assert report.ok, report.findings


async def test_who_is_erased_is_withdrawn_and_the_name_they_gave_is_gone(
    client: httpx.AsyncClient, service: Service, settings: Settings
) -> None:
    event = await Event.open(client, ROUND_ROBIN)
    gone = await event.enter(name=CANARY)
    others = [await event.enter(name="The others"), await event.enter()]
    await erase(event, gone)
    # The name is gone with the answer; who withdraws the entrant comes a moment later.
    assert await kept_of(service, "name") == ["The others", None]
    assert (await entrant(event, gone))["name"] == ERASED_NAME
    await until_withdrawn(event, gone)
    assert [(await entrant(event, each))["status"] for each in others] == ["entered", "entered"]
    assert (await entrant(event, others[0]))["name"] == "The others"
    assert CANARY not in (await event.get("/entrants")).text + (await event.get("/events")).text
    await event.act("start")
    await event.play_round(1)
    await asyncio.sleep(0.5)
    withdrawn = [each for each in await event.events() if each["type"] == "withdrawn"]
    assert [each["entrant"] for each in withdrawn] == [gone.id]
    await assert_clean(settings)


async def test_a_tournament_under_way_goes_on_without_them(
    client: httpx.AsyncClient, service: Service, settings: Settings
) -> None:
    event = await Event.begun(client, 4, ROUND_ROBIN)
    (first, second) = (await event.begin_round(1))["matches"]
    gone = event.teams[first["sides"][0][0]]
    await erase(event, gone)
    await until_withdrawn(event, gone)
    # Their seat at the table is left as at any other: a bot plays on, and the match is decided at it.
    (game,) = first["tables"][0]["games"]
    async with asyncio.timeout(SECONDS_MAX):
        while "bot" not in {seat["kind"] for seat in (await client.get(f"/v1/games/{game}")).json()["seats"]}:
            await asyncio.sleep(0.03)
    await event.resign(first, 1)
    await event.resign(second, 1)
    decided = await event.decided(1)
    assert {match["status"] for match in decided["matches"]} == {"decided"}
    await event.begin_round(2)
    seated = {each for match in (await event.round(2))["matches"] for side in match["sides"] for each in side}
    assert gone.id not in seated
    assert len(seated) == 2
    await assert_clean(settings)


async def test_a_tournament_that_is_over_stays_as_it_was(client: httpx.AsyncClient, settings: Settings) -> None:
    event = await Event.open(client, ROUND_ROBIN)
    gone = await event.enter(name=CANARY)
    await event.act("cancel", reason="other")
    async with asyncio.timeout(SECONDS_MAX):
        while (await event.events())[-1]["type"] != "boards_revealed":
            await asyncio.sleep(0.03)
    version = (await event.shown())["version"]
    await erase(event, gone)
    await asyncio.sleep(0.5)
    assert (await event.shown())["version"] == version
    shown = await entrant(event, gone)
    assert (shown["status"], shown["name"]) == ("entered", ERASED_NAME)
    await assert_clean(settings)


async def test_what_a_director_wrote_belongs_to_the_tournament(
    client: httpx.AsyncClient, service: Service, settings: Settings
) -> None:
    event = await Event.open(client, ROUND_ROBIN)
    team = await event.enter()
    named = await event.act("enter", players=[(await Event.open(client)).organiser.id], name="Named by the desk")
    await event.act("announce", text="Tea at five")
    await event.act("withdraw", entrant=team.id, note="Called in sick")
    await event.act("hand_over", player=(await Person.new(client, "Ada")).id)
    assert (await client.delete("/v1/me", headers=event.director)).status_code == 204
    assert named["events"][0]["name"] is not None
    assert await kept_of(service, "name") == [None]
    assert await kept_of(service, "announcement") == ["Tea at five"]
    assert await kept_of(service, "note") == ["Called in sick"]
    assert await kept_of(service, "title") == ["The cup", "The cup"]
    assert [each["text"] for each in (await event.shown())["announcements"]] == ["Tea at five"]
    await assert_clean(settings)


async def test_a_withdrawal_that_fails_is_tried_until_it_is_done(
    client: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [StoreBusy(1), RuntimeError("unforeseen"), StoreBusy(1)]

    async def failing(*arguments: Any) -> None:
        if failures:
            raise failures.pop()
        await withdraw_erased(*arguments)

    monkeypatch.setattr(erasure, "withdraw_erased", failing)
    # Longer than a look takes, or one begun before the erasure ends what it has not seen; shorter than the tries.
    monkeypatch.setattr(erasure, "LEAVING_SECONDS", 1.0)
    event = await Event.open(client, ROUND_ROBIN)
    gone = await event.enter()
    await erase(event, gone)
    await until_withdrawn(event, gone)
    assert not failures


async def test_a_name_that_came_with_a_late_request_goes_as_well(client: httpx.AsyncClient, service: Service) -> None:
    """A request that was under way while its author was erased may keep a name after that."""
    event = await Event.open(client, ROUND_ROBIN)
    gone = await event.enter(name="Ada's")
    await erase(event, gone)
    late = "update tournament_text set body = $1, key = sha256('a') where kind = 'name'"
    await service.store.pool.execute(late, CANARY)
    async with asyncio.timeout(SECONDS_MAX):
        while await kept_of(service, "name") != [None]:
            await asyncio.sleep(0.03)
