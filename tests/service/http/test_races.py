"""What comes at the same time (cases O13, O15, O16, O17), on one worker and on two."""

import asyncio
from collections import Counter
from datetime import UTC, datetime

import httpx
import pytest
from msgspec.structs import replace

from service.settings import Settings
from tests.service.http.conftest import LiveServer, running
from tests.service.http.tables import Table, guest, problem
from tests.service.http.test_automata import until

DRAW = {"type": "draw"}


async def test_one_key_makes_one_event_however_often_it_comes(settings: Settings) -> None:
    """O13: ten requests at once on two workers, half of the callers gone before the answer."""
    async with LiveServer(settings) as one, LiveServer(settings) as two, one.client() as first, two.client() as second:
        table = await Table.of(first)
        await table.start()
        seat = (await table.view())["to_act"]
        version = (await table.view())["version"]
        headers = table.seats[seat] | {"Idempotency-Key": "once"}

        async def send(client: httpx.AsyncClient, patience: float | None) -> httpx.Response | None:
            try:
                async with asyncio.timeout(patience):
                    return await client.post(f"{table.path}/moves", json=DRAW, headers=headers)
            except TimeoutError:
                return None

        sent = [send(client, patience) for client in (first, second) for patience in (None, 0.002) for _ in range(3)]
        answers = [answer for answer in await asyncio.gather(*sent) if answer is not None]
        assert len(answers) >= 6
        assert {(answer.status_code, answer.content, answer.headers["etag"]) for answer in answers} == {
            (201, answers[0].content, f'"{version + 1}"')
        }
        assert (await table.view())["version"] == version + 1
        other = await second.post(f"{table.path}/moves", json={"type": "pass"}, headers=headers)
        problem(other, "idempotency_key_reused")


async def test_a_move_that_turns_out_to_be_stored_already_is_told_to_everybody(settings: Settings) -> None:
    """Its first answer may have been lost together with the worker that would have told."""
    async with running(settings) as (_, first), running(settings) as (other, second):
        table = await Table.of(first)
        seat = (await table.start())["view"]["to_act"]
        assert (await second.get(table.path, headers=table.seats[seat])).status_code == 200
        games = other.state.service.games
        told: list[int] = []
        games.appended.append(lambda live, happened: told.extend(event.n for event in happened))
        headers = table.seats[seat] | {"Idempotency-Key": "once"}
        version = (await first.post(f"{table.path}/moves", json=DRAW, headers=headers)).json()["version"]
        assert games.held(table.id).state.version == version - 1
        again = await second.post(f"{table.path}/moves", json=DRAW, headers=headers)
        assert (again.status_code, again.json()["version"]) == (201, version)
        assert told == [version]


async def test_two_moves_on_one_version_are_one_success(settings: Settings) -> None:
    """O15: two workers, the same version named, ten times."""
    async with running(settings) as (_, first), running(settings) as (_, second):
        table = await Table.of(first)
        await table.start()
        for _ in range(10):
            view = await table.view()
            seat = view["to_act"]
            moves = await table.bot_moves(await table.view(seat))
            headers = table.seats[seat] | {"If-Match": f'"{view["version"]}"'}
            answers = await asyncio.gather(
                *(client.post(f"{table.path}/moves", json=moves, headers=headers) for client in (first, second))
            )
            codes = sorted(answer.status_code for answer in answers)
            assert codes == [201, 412]
            stale = next(answer for answer in answers if answer.status_code == 412)
            current = problem(stale, "stale_version")["params"]["current_version"]
            assert current == (await table.view())["version"]


async def test_without_a_version_both_commands_are_decided(settings: Settings) -> None:
    async with running(settings) as (_, first), running(settings) as (_, second):
        table = await Table.of(first)
        leaving = [
            client.delete(f"{table.path}/seats/{seat}", headers=table.seats[seat])
            for client, seat in ((first, 1), (second, 2), (first, 3))
        ]
        assert [answer.status_code for answer in await asyncio.gather(*leaving)] == [204] * 3


async def test_the_last_seat_is_taken_once(settings: Settings) -> None:
    """O16: fifty guests, two workers, one seat."""
    async with running(settings) as (_, first), running(settings) as (_, second):
        table = await Table.of(first)
        await first.delete(f"{table.path}/seats/3", headers=table.seats[3])
        guests = [await guest(first) for _ in range(50)]
        body = {"code": table.code}
        answers = await asyncio.gather(
            *(
                (first, second)[number % 2].post(f"{table.path}/seats", json=body, headers=headers)
                for number, headers in enumerate(guests)
            )
        )
        codes = Counter(answer.status_code for answer in answers)
        assert codes[201] == 1
        for answer in answers:
            if answer.status_code != 201:
                problem(answer, "table_full")


async def test_every_free_seat_finds_one_of_many(settings: Settings) -> None:
    async with running(settings) as (_, client):
        owner = await guest(client)
        made = (await client.post("/v1/games", json={"players": 6, "visibility": "public"}, headers=owner)).json()
        guests = [await guest(client) for _ in range(20)]
        answers = await asyncio.gather(
            *(client.post(f"/v1/games/{made['id']}/seats", json={}, headers=headers) for headers in guests)
        )
        assert sorted(answer.json()["seat"] for answer in answers if answer.status_code == 201) == list(range(6))
        for answer in answers:
            if answer.status_code != 201:
                problem(answer, "table_full")


async def test_any_worker_serves_any_game(settings: Settings) -> None:
    async with running(settings) as (_, first), running(settings) as (_, second):
        table = await Table.of(first)
        await table.start()
        for number in range(12):
            table.client = (first, second)[number % 2]
            await table.play(1)
        views = []
        for client in (first, second):
            table.client = client
            views.append([(await table.get(seat=seat)).content for seat in range(4)])
        assert views[0] == views[1]


@pytest.mark.parametrize("redis", [True, False])
async def test_a_stream_at_one_worker_hears_of_moves_at_another(settings: Settings, redis: bool) -> None:
    from tests.service.http.test_streams import Reader

    if not redis:
        settings = replace(settings, redis_url=None, bell_poll_seconds=0.1)
    async with LiveServer(settings) as one, LiveServer(settings) as two, one.client() as first, two.client() as second:
        table = await Table.of(first)
        readers = [Reader(second, f"{table.path}/stream", headers) for headers in table.seats]
        await table.start()
        await table.play(8)
        await table.move({"type": "resign"}, 0)
        for reader in readers:
            end = await reader.end()
            assert reader.versions() == list(range(1, end["version"] + 1))


async def test_a_move_against_the_clock_is_played_by_the_seat_or_by_its_stand_in_never_by_both(
    settings: Settings,
) -> None:
    """O17: forty tables, two workers, a move around the very moment at which its time is over."""
    async with running(settings) as (app, first), running(settings) as (_, second):
        pool = app.state.service.store.pool
        clock = {"kind": "per_move", "move_seconds": 1}
        tables = [await Table.of(first, players=2, clock=clock) for _ in range(40)]

        async def play(table: Table, client: httpx.AsyncClient, late: float | None) -> str:
            view = (await table.start())["view"]
            seat, version = view["to_act"], view["version"]
            due = await pool.fetchval("select due_at from deadline where game = $1 and kind = 'turn'", table.id)
            if late is None:
                await until(table, lambda view: view["to_act"] != seat)
            elif due is not None:
                await asyncio.sleep((due - datetime.now(UTC)).total_seconds() + late)
            answer = await client.post(f"{table.path}/moves", json=DRAW, headers=table.seats[seat])
            while (await table.view())["to_act"] == seat:
                await asyncio.sleep(0.05)
            turn = [event for event in (await table.get("/events")).json()["events"] if event["n"] > version]
            turn = turn[: [event["type"] for event in turn].index("discarded") + 1]
            kinds = [event["type"] for event in turn if event["type"] in ("drew", "took_pile", "stood_in")]
            assert {event["seat"] for event in turn} == {seat}
            if answer.status_code == 201:
                assert (kinds, answer.json()["version"]) == (["drew", "stood_in"], version + 1)
                return "seat"
            assert problem(answer, answer.json()["code"])["code"] in ("turn_begun", "not_your_turn")
            assert kinds in (["stood_in", "drew"], ["stood_in", "took_pile"])
            return "stand-in"

        # Most of them at the very moment; some so early that the seat has played also on a busy machine, and one when
        # the stand-in has.
        moments = [*(0.00005 * (number - 22) ** 3 for number in range(len(tables) - 1)), None]
        clients = [first, second] * (len(tables) // 2)
        who = Counter(await asyncio.gather(*map(play, tables, clients, moments)))
        assert len(who) == 2, who
