"""Tournaments followed live: events, the clock of the round, standings, the end."""

import asyncio
import json
import time
from itertools import pairwise
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from domain.tournaments.standings import Standings, standings
from domain.tournaments.state import Round, Tournament
from service.http.tournaments.view import RoundClock, clock_of
from service.settings import Settings
from service.tournaments.live import LiveTournament
from service.tournaments.reconciling import Reconciling
from tests.service.http.conftest import LiveServer
from tests.service.http.patience import until
from tests.service.http.tables import Headers, guest, problem
from tests.service.http.test_streams import NDJSON, Reader
from tests.service.http.tokens import bearing, make_token
from tests.service.http.tournaments.event import SECONDS_MAX, Event, stage_of

SHORT = stage_of({"kind": "danish", "rounds": 1})
CLOCKED = SHORT | {"match": {"length": {"kind": "hands", "hands": 1}, "minutes": 60}}


async def played_out(event: Event) -> None:
    await event.play_round(1)
    await event.act("finish")


def of_type(reader: Reader, kind: str) -> list[dict[str, Any]]:
    return [message for message in reader.messages if message["type"] == kind]


@pytest.mark.parametrize("form", [{}, NDJSON])
async def test_a_stream_has_every_event_once_and_what_goes_with_them(live: LiveServer, form: Headers) -> None:
    async with live.client() as client:
        event = await Event.open(client, CLOCKED)
        reader = Reader(client, f"{event.path}/stream", dict(form))
        for _ in range(4):
            await event.enter()
        await event.act("start")
        await event.act("pair")
        # Who has read several events at once has the clock as the last of them has left it.
        await until(lambda: [each["status"] for each in of_type(reader, "clock")] == ["paired"])
        await event.act("start_round", round=1)
        for match in (await event.dealt(1))["matches"]:
            await event.resign(match, 1)
        await event.decided(1)
        await event.act("finish")
        end = await reader.end()
        events = await event.events()
        assert end == {"type": "end", "reason": "tournament_over", "version": events[-1]["n"]}
        assert [message for message in reader.messages if "n" in message] == events
        if not form:
            assert reader.ids == reader.versions()
        clocks = of_type(reader, "clock")
        assert [each["status"] for each in clocks][:2] == ["paired", "started"]
        assert clocks[-1]["status"] == "closed"
        assert {each["due_at"] for each in clocks[1:]} == {(await event.round(1))["clock"]["due_at"]}
        assert [each["over"] for each in clocks] == sorted(each["over"] for each in clocks)
        assert all(each["now"].endswith("Z") for each in clocks)
        places = of_type(reader, "standings")[-1]
        final = await event.shown("/standings")
        assert [(each["entrant"], each["rank"], each["score"]) for each in places["rows"]] == [
            (each["entrant"], each["rank"], each["score"]) for each in final["rows"]
        ]
        told = [json.dumps(each["rows"]) for each in of_type(reader, "standings")]
        assert all(one != other for one, other in pairwise(told))


async def test_over_any_number_of_reconnects_every_event_comes_once(live: LiveServer) -> None:
    async with live.client() as client:
        event = await Event.begun(client, 4, SHORT)
        playing = asyncio.create_task(played_out(event))
        seen: list[int] = []
        last = 0
        ended = False
        while not ended:
            headers = {"Last-Event-ID": str(last)} if last else {}
            async with client.stream("GET", f"{event.path}/stream", headers=headers) as answer:
                lines = 0
                async for line in answer.aiter_lines():
                    if line.startswith("id: "):
                        last = int(line[4:])
                        seen.append(last)
                    ended |= line == "event: end"
                    lines += 1
                    if lines >= 14 and line == "":
                        # Gone in the middle of everything, after whole messages.
                        break
        await playing
        assert seen == [each["n"] for each in await event.events()]


async def test_a_reader_may_leave_out_clock_and_standings(live: LiveServer) -> None:
    async with live.client() as client:
        event = await Event.begun(client, 4, SHORT)
        version = (await event.shown())["version"]
        reader = Reader(client, f"{event.path}/stream?clock=false&standings=false&after={version}", {})
        await played_out(event)
        end = await reader.end()
        assert {message["type"] for message in reader.messages} & {"clock", "standings"} == set()
        assert reader.versions() == list(range(version + 1, end["version"] + 1))


async def test_who_comes_when_all_is_over_is_told_everything_and_the_end(live: LiveServer) -> None:
    async with live.client() as client:
        event = await Event.begun(client, 4, SHORT)
        await played_out(event)
        async with asyncio.timeout(SECONDS_MAX):
            while (last := (await event.events())[-1])["type"] != "boards_revealed":
                await asyncio.sleep(0.05)
        reader = Reader(client, f"{event.path}/stream?after={last['n'] - 2}&standings=true", {})
        assert (await reader.end())["reason"] == "tournament_over"
        assert [message["type"] for message in reader.messages] == [
            "tournament_finished", "boards_revealed", "clock", "standings", "end",
        ]  # fmt: skip
        assert reader.messages[-1]["version"] == (await event.shown())["version"]


async def test_a_stream_does_not_end_before_the_master_is_revealed(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = Reconciling._step
    held = asyncio.Event()

    async def waiting(self: Reconciling, found: LiveTournament, games: Any) -> bool:
        if found.state.status == "finished":
            await held.wait()
        return await step(self, found, games)

    monkeypatch.setattr(Reconciling, "_step", waiting)
    async with live.client() as client:
        event = await Event.begun(client, 4, SHORT)
        await played_out(event)
        finished = (await event.shown())["version"]
        reader = Reader(client, f"{event.path}/stream", {})
        await until(lambda: finished in reader.versions())
        await asyncio.sleep(0.5)
        assert not reader.task.done()
        held.set()
        assert (await reader.end())["version"] == finished + 1
        assert reader.versions()[-1] == finished + 1


async def test_a_place_that_there_is_not_is_refused(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    version = (await event.shown())["version"]
    for answer in (
        await event.get("/stream", headers={"Last-Event-ID": str(version + 1)}),
        await event.get(f"/stream?after={version + 1}"),
    ):
        assert problem(answer, "position_unknown")["params"] == {"current_version": version}
    for value in ("-1", "abc", "1.5", "", "99999999999"):
        problem(await event.get("/stream", headers={"Last-Event-ID": value}), "invalid_parameter")


async def test_silence_is_broken_and_a_stop_is_told(settings: Settings) -> None:
    quick = replace(settings, keep_alive_seconds=0.1, bell_poll_seconds=0.05)
    async with LiveServer(quick) as live:
        async with live.client() as client:
            event = await Event.open(client)
            reader = Reader(client, f"{event.path}/stream", {})
            await until(lambda: reader.keep_alives >= 2)
            stopping = asyncio.create_task(live.stop())
            end = await reader.end()
            assert (end["type"], end["reason"]) == ("end", "stopping")
        await stopping


async def test_a_stream_ends_with_the_token_it_was_opened_with(live: LiveServer) -> None:
    async with live.client() as client:
        event = await Event.open(client)
        made = await make_token(client, event.director, "tournament", tournament=event.id)
        reader = Reader(client, f"{event.path}/stream", bearing(made["token"]))
        await reader.until(2)
        token = next(
            each["id"]
            for each in (await client.get("/v1/tokens", headers=event.director)).json()["tokens"]
            if each["tournament"] == event.id
        )
        assert (await client.delete(f"/v1/tokens/{token}", headers=event.director)).status_code == 204
        assert (await reader.end())["reason"] == "access_changed"


async def test_readers_beyond_the_limit_are_turned_away(settings: Settings) -> None:
    async with LiveServer(replace(settings, streams_max=1)) as live, live.client() as client:
        event = await Event.open(client)
        reader = Reader(client, f"{event.path}/stream", {})
        await reader.until(1)
        problem(await client.get(f"{event.path}/stream", headers=await guest(client)), "too_many_streams")
        reader.task.cancel()


async def test_two_hundred_readers_cost_one_ranking_a_version(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranked: list[int] = []

    def counted(state: Tournament, stage: int | None = None) -> Standings:
        ranked.append(state.version)
        return standings(state, stage)

    clocks: list[int] = []

    def looked_at(state: Tournament, played: Round) -> RoundClock:
        clocks.append(state.version)
        return clock_of(state, played)

    monkeypatch.setattr("service.tournaments.rankings.standings", counted)
    monkeypatch.setattr("service.http.tournaments.streams.clock_of", looked_at)
    async with LiveServer(settings) as live:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        async with httpx.AsyncClient(base_url=live.url, timeout=60, limits=limits) as client:
            event = await Event.begun(client, 8, SHORT)
            version = (await event.shown())["version"]
            readers = [Reader(client, f"{event.path}/stream?after={version}", {}) for _ in range(200)]
            await until(lambda: live.server.service.streams == len(readers))
            begun = time.monotonic()
            await played_out(event)
            ends = await asyncio.gather(*(reader.end(90) for reader in readers))
            took = time.monotonic() - begun
    final = ends[0]["version"]
    assert {end["version"] for end in ends} == {final}
    assert all(reader.versions() == list(range(version + 1, final + 1)) for reader in readers)
    # Standings are told when they change: who has read several events at once has them from the last of these.
    final_standings = [of_type(reader, "standings")[-1] | {"version": 0} for reader in readers]
    assert all(told == final_standings[0] for told in final_standings)
    assert len(ranked) == len(set(ranked)), "A version was ranked twice."
    assert len(clocks) == len(set(clocks)), "The clock of a version was worked out twice."
    assert took < 60
