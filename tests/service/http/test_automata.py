"""Bots at their seats, stand-ins at those of the absent, and the timers behind both."""

import asyncio
import time
from itertools import takewhile
from typing import Any

import httpx
from litestar import Litestar
from msgspec.structs import replace

from service.running import Service
from service.settings import Settings
from service.turns import NONCE, TURN
from tests.service.http.conftest import running
from tests.service.http.tables import Headers, Table, guest, problem
from tests.service.http.waiting_tables import let_be_due

BOT = {"kind": "bot", "level": "greedy"}
LONG = {"kind": "per_move", "move_seconds": 3600}


async def until(table: Table, condition: Any, seconds: float = 60.0) -> dict[str, Any]:
    """The view of seat 0 once the condition holds."""
    async with asyncio.timeout(seconds):
        while True:
            view = await table.view()
            if condition(view):
                return view
            await asyncio.sleep(0.02)


async def with_bots(client: httpx.AsyncClient, seats: list[Any], **terms: Any) -> Table:
    owner: Headers = await guest(client)
    made = await client.post("/v1/games", json={"players": len(seats), "seats": seats} | terms, headers=owner)
    assert made.status_code == 201, made.text
    return Table(client, [owner] * len(seats), made.json())


async def forget_bots(app: Litestar) -> None:
    """From now on this worker moves no bot and takes up no timer, as if it had died."""
    service: Service = app.state.service
    await service.bots.close()
    await service.deadlines.close()


async def test_bots_play_by_themselves_until_a_person_is_to_act(client: httpx.AsyncClient) -> None:
    table = await with_bots(client, [{"kind": "you"}, BOT, {"kind": "bot", "level": "random"}, BOT])
    await table.start()
    for _ in range(3):
        view = await until(table, lambda view: view["to_act"] == 0)
        answer = await table.move(await table.bot_moves(view), 0)
        assert answer.status_code == 201


async def test_four_bots_play_a_whole_game(client: httpx.AsyncClient) -> None:
    table = await with_bots(
        client, [BOT] * 2, ruleset="canasta-classic", options={"target": {"2": 5000, "3": 7500, "4": 5000}}
    )
    await table.start()
    view = await until(table, lambda view: view["status"] == "ended", seconds=60)
    assert view["end_reason"] == "target"
    verdict = (await table.get("/verification")).json()
    assert verdict["ok"], verdict


async def test_a_person_is_heard_while_bots_play(client: httpx.AsyncClient) -> None:
    for _ in range(5):
        table = await with_bots(client, [{"kind": "you"}, BOT, BOT, BOT])
        await table.start()
        assert (await table.move({"type": "resign"}, 0)).status_code == 201
        assert (await table.view())["end_reason"] == "resigned"


async def test_a_bot_whose_worker_died_is_played_by_another(settings: Settings) -> None:
    settings = replace(settings, bot_seconds=0.2)
    async with running(settings) as (app, client):
        table = await with_bots(client, [{"kind": "you"}, BOT, BOT, BOT])
        await forget_bots(app)
        await table.start()
        stuck = await table.view()
        if stuck["to_act"] == 0:
            await make_own_turn(table)
        assert (await table.view())["to_act"] != 0
    async with running(settings) as (_, other):
        table.client = other
        await until(table, lambda view: view["to_act"] == 0)


async def make_own_turn(table: Table) -> None:
    """Make the turn of seat 0, so that another seat is to act."""
    while (await table.view())["to_act"] == 0:
        await table.play(1)


async def test_a_stand_in_makes_the_moves_of_a_turn_whose_time_is_over(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, clock={"kind": "per_move", "move_seconds": 1})
    seat = (await table.start())["view"]["to_act"]
    await until(table, lambda view: view["to_act"] != seat)
    events = (await table.get("/events")).json()["events"]
    stood_in = next(event for event in events if event["type"] == "stood_in")
    assert (stood_in["seat"], stood_in["reason"]) == (seat, "absence")
    # The turns of others may have been made as well by now.
    turn = takewhile(lambda event: event["type"] != "stood_in", events[stood_in["n"] :])
    following = [event["type"] for event in turn if event.get("seat") == seat]
    assert following[0] in ("drew", "took_pile", "took_upcard")
    assert following[-1] == "discarded"


async def test_who_comes_and_goes_elsewhere_gives_the_seat_to_act_no_more_time(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, clock={"kind": "per_move", "move_seconds": 1})
    seat = (await table.start())["view"]["to_act"]
    other = (seat + 2) % 4
    held = table.seats[other]
    begun = time.monotonic()
    while "stood_in" not in {event["type"] for event in (await table.get("/events", seat=seat)).json()["events"]}:
        assert (await client.delete(f"{table.path}/seats/{other}", headers=held)).status_code == 204
        held = await guest(client)
        taken = await client.post(f"{table.path}/seats", json={"code": table.code, "seat": other}, headers=held)
        assert taken.status_code == 201, taken.text
        assert time.monotonic() - begun < 30
        await asyncio.sleep(0.3)


async def test_a_game_with_stand_ins_verifies(client: httpx.AsyncClient, service: Service) -> None:
    table = await Table.of(client, clock=LONG)
    seat = (await table.start())["view"]["to_act"]
    await let_be_due(service, table, TURN)
    await until(table, lambda view: view["to_act"] != seat)
    await table.play(3)
    await table.move({"type": "resign"}, 0)
    verdict = (await table.get("/verification")).json()
    assert verdict["ok"], verdict


async def test_an_unanswered_question_counts_as_no(client: httpx.AsyncClient, service: Service) -> None:
    position = {
        "ruleset": "samba-official", "players": 4, "turn": 0, "phase": "answer", "began": "stock",
        "holdings": [["4C", "5C"], 11, 11, 11], "pile": ["6D"], "stock": {"count": 60},
        "melds": [[{"id": "m1", "kind": "group", "cards": ["8S", "8H", "8D"]}], []],
        "ask": {"type": "ask", "then": [{"type": "discard", "cards": ["4C"]}]},
    }  # fmt: skip
    table = await Table.of(
        client,
        practice={"kind": "position", "position": position},
        clock=LONG,
    )
    started = await table.start()
    assert started["view"]["to_act"] == 2
    await let_be_due(service, table, TURN)
    view = await until(table, lambda view: view["to_act"] == 0)
    assert view["permission"] == "refused"
    events = (await table.get("/events")).json()["events"]
    first = next(place for place, event in enumerate(events) if event["type"] == "stood_in")
    told = [(event["type"], event["seat"], event.get("yes")) for event in events[first : first + 2]]
    assert told == [("stood_in", 2, None), ("answered", 2, False)]


async def test_the_owner_plays_on_the_next_time(client: httpx.AsyncClient, service: Service) -> None:
    table = await Table.of(client, players=2, clock=LONG)
    seat = (await table.start())["view"]["to_act"]
    for to_act in (1 - seat, seat):
        await let_be_due(service, table, TURN)
        await until(table, lambda view, to_act=to_act: view["to_act"] == to_act)
    assert (await table.move({"type": "draw"}, seat)).status_code == 201
    assert not (await table.view())["stood_in"]


async def test_moves_made_in_time_need_no_stand_in(client: httpx.AsyncClient) -> None:
    seconds = 3
    table = await Table.of(client, clock={"kind": "per_move", "move_seconds": seconds})
    await table.start()
    # A turn is a few requests: each takes a small part of its time, all of them more than the time of one.
    until = time.monotonic() + seconds + 0.5
    while time.monotonic() < until:
        await table.play(1)
        await asyncio.sleep(0.1)
    events = (await table.get("/events?limit=1000")).json()["events"]
    assert "stood_in" not in [event["type"] for event in events]


async def test_a_timer_of_a_table_without_a_clock_is_dropped(client: httpx.AsyncClient, service: Service) -> None:
    table = await Table.of(client)
    await table.start()
    due = "insert into deadline (game, kind, version, due_at) values ($1, 'turn', 1, now() - interval '1 minute')"
    await service.store.pool.execute(due, table.id)
    before = await table.view()
    async with asyncio.timeout(30):
        while await service.store.pool.fetchval("select count(*) from deadline"):
            await asyncio.sleep(0.02)
    assert await table.view() == before


async def test_a_restart_loses_no_timer(settings: Settings) -> None:
    async with running(settings) as (_, client):
        table = await Table.of(client, clock={"kind": "per_move", "move_seconds": 1})
        await table.start()
        seat = (await table.view())["to_act"]
    await asyncio.sleep(1.2)
    async with running(settings) as (_, client):
        table.client = client
        await until(table, lambda view: view["to_act"] != seat)


async def test_two_workers_stand_in_once(settings: Settings) -> None:
    async with running(settings) as (_, first), running(settings):
        table = await Table.of(first, clock={"kind": "per_move", "move_seconds": 1})
        seat = (await table.start())["view"]["to_act"]
        await until(table, lambda view: view["to_act"] not in (seat, (seat + 1) % 4))
        events = (await table.get("/events?limit=1000")).json()["events"]
        seats = [event["seat"] for event in events if event["type"] == "stood_in"]
        assert len(seats) >= 2
        assert seats == [(seat + turn) % 4 for turn in range(len(seats))]


async def test_a_table_without_a_clock_waits(client: httpx.AsyncClient, service: Service) -> None:
    table = await Table.of(client)
    await table.start()
    assert await service.store.pool.fetchval("select count(*) from deadline") == 0
    assert (await table.get("/events")).json()["events"][-1]["type"] == "dealt"


async def test_a_seat_that_was_left_is_played_by_the_stand_in(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, clock={"kind": "per_move", "move_seconds": 1})
    seat = (await table.start())["view"]["to_act"]
    watching = (seat + 1) % 4
    await client.delete(f"{table.path}/seats/{seat}", headers=table.seats[seat])
    table.seats[0] = table.seats[watching]
    await until(table, lambda view: view["to_act"] == watching)


async def test_the_bot_that_takes_over_a_seat_plays_at_once_and_is_nobody_s_choice(client: httpx.AsyncClient) -> None:
    table = await Table.of(client)
    await table.start()
    seat = (await table.view())["to_act"]
    if seat == 0:
        await make_own_turn(table)
        seat = (await table.view())["to_act"]
    await client.delete(f"{table.path}/seats/{seat}", headers=table.seats[seat])
    answer = await client.post(f"{table.path}/seats", json={"bot": "random", "seat": seat}, headers=table.seats[0])
    problem(answer, "seat_taken")
    await until(table, lambda view: view["to_act"] != seat)


async def test_a_nonce_not_revealed_in_time_reopens_the_table(settings: Settings) -> None:
    from tests.service.http.test_starting import committed, reveal

    async with running(settings) as (app, client):
        table = await committed(client, [1, 2, 3])
        await table.start()
        await reveal(table, 1)
        await let_be_due(app.state.service, table, NONCE)
        await until(table, lambda view: view["status"] == "open")
        shown = (await table.get()).json()
        assert [seat["kind"] for seat in shown["seats"]] == ["human", "human", "open", "open"]
        for seat, failures in ((1, 0), (2, 1), (3, 1)):
            me = (await client.get("/v1/me", headers=table.seats[seat])).json()
            assert me["nonces_unrevealed"] == failures
        for seat in (2, 3):
            answer = await client.post(f"{table.path}/seats", json={"code": table.code}, headers=table.seats[seat])
            assert answer.json()["seat"] == seat
        started = await table.start()
        assert started["status"] == "playing", "the commitments of the first closing have lapsed"
        problem(await reveal(table, 1), "table_not_closed")


async def test_a_game_that_cannot_be_served_does_not_stop_the_timers_of_others(settings: Settings) -> None:
    clock = {"kind": "per_move", "move_seconds": 1}
    async with running(settings) as (app, client):
        poisoned = await Table.of(client, clock=clock)
        sound = await Table.of(client, clock=clock)
        service: Service = app.state.service
        fresh = service.games.fresh

        async def fails_for_one(stream: str) -> Any:
            if stream == poisoned.id:
                raise ValueError("what nobody foresaw")
            return await fresh(stream)

        await poisoned.start()
        begun = await sound.start()
        service.games.fresh = fails_for_one  # type: ignore[method-assign]
        async with asyncio.timeout(60):
            while service.games.held(sound.id).state.version <= begun["version"] + 2:  # type: ignore[union-attr]
                await asyncio.sleep(0.05)
        assert service.deadlines.running
        assert (await client.get("/v1/health/ready")).status_code == 200


async def test_a_worker_that_looks_for_no_timers_is_not_ready(settings: Settings) -> None:
    async with running(settings) as (app, client):
        service: Service = app.state.service
        await service.deadlines.close()
        problem(await client.get("/v1/health/ready"), "timers_stopped")
