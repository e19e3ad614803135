"""Games on boards (fairness, MELD-BOARD-1): the same deals at every table, shown to no other before all have played."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from domain.board_games import Seating
from domain.events import Dealt, decode
from domain.records.lines import split_lines
from domain.records.verification import verify
from service import fairness_counters
from service.board_games import BoardsNotClosed
from service.commands import KeyConflict
from service.running import Service
from service.settings import Settings
from tests.service.board_sets import commit_boards, kept_master, unrevealed
from tests.service.http.board_games import MASTER, ONE_HAND, bots, create, game_of, table_of, tournament_id
from tests.service.http.conftest import running
from tests.service.http.tables import Headers, Table, guest, problem
from tests.service.http.test_seals import DRAWN, OF_A_GAME, STRANGERS_HEAR, ask, heard
from tests.service.http.test_streams import Reader
from tests.service.http.test_worlds import normal

T = tournament_id("one")
SECONDS_MAX = 60.0


@pytest.fixture(autouse=True)
def counted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fairness_counters, "REST", 0)


async def until(holds: Callable[[], Any], seconds: float = SECONDS_MAX) -> Any:
    """What is asked for, once it is there."""
    async with asyncio.timeout(seconds):
        while not (found := await holds()):
            await asyncio.sleep(0.02)
    return found


async def kinds(service: Service, game: str) -> list[str]:
    rows = await service.store.pool.fetch("select type from event where stream = $1 order by version", game)
    return [row["type"] for row in rows]


async def until_last(service: Service, game: str, kind: str) -> None:
    """Wait until an event of this kind is the game's last one."""
    await until(lambda: last_is(service, game, kind))


async def last_is(service: Service, game: str, kind: str) -> bool:
    return (await kinds(service, game))[-1] == kind


async def dealt(service: Service, game: str) -> list[Dealt]:
    stored = await service.store.read(game, 0, 10_000)
    return [event for event in (decode(each.body) for each in stored) if isinstance(event, Dealt)]


async def counts(client: httpx.AsyncClient) -> dict[str, Any]:
    await asyncio.sleep(0)
    found: dict[str, Any] = (await client.get("/v1/fairness")).json()["counts"]
    return found


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, fairness_counters_seconds=0)


@pytest.mark.parametrize("stock", ["common", "striped"])
async def test_two_tables_play_the_same_boards_and_are_revealed_after_the_last(
    client: httpx.AsyncClient, service: Service, stock: Any
) -> None:
    await commit_boards(service.store.pool, T, MASTER, 3)
    games = [
        game_of(T, 1, bots("greedy", "greedy"), (3, 1), stock=stock, options={"hand_cap": 2}),
        game_of(T, 2, bots("random", "greedy"), (3, 1), stock=stock, options={"hand_cap": 2}),
    ]
    await create(service, games[0])
    assert not await service.boards.open(T)
    first, second = (game.facts.id for game in games)
    await until_last(service, first, "game_ended")
    # The other table has still to play them: it is no matter that all the games there are have ended.
    await create(service, games[1])
    await until_last(service, second, "game_ended")
    decks = [await dealt(service, game) for game in (first, second)]
    assert [deal.deck for deal in decks[0]] == [deal.deck for deal in decks[1]]
    assert [deal.dealer for deal in decks[0]] == [deal.dealer for deal in decks[1]] == [0, 0]
    found = await counts(client)
    assert (found["ended"], found["sealed"], found["unrevealed"], found["on_boards"]) == (2, 2, 0, 2)
    assert (found["board_sets"], found["board_sets_closed"]) == (1, 1)
    for game in (first, second):
        problem(await client.get(f"/v1/games/{game}/record"), "game_sealed")
    assert await unrevealed(service.store.pool, T) == 2
    assert await service.boards.open(T)
    for game in (first, second):
        await until_last(service, game, "revealed")
        record = await client.get(f"/v1/games/{game}/record")
        verdict = verify(split_lines([record.content]))
        assert (verdict.fault, verdict.hands) == (None, 2)
        assert (await client.get(f"/v1/games/{game}/verification")).json()["ok"]
    assert await unrevealed(service.store.pool, T) == 0
    found = await counts(client)
    assert (found["revealed"], found["sealed"], found["unrevealed"], found["board_sets_closed"]) == (2, 0, 0, 0)
    assert await kept_master(service.store.pool, T) == MASTER


async def test_a_lifted_seal_shows_the_public_form_and_reveals_nothing(
    client: httpx.AsyncClient, service: Service
) -> None:
    """One master opens all boards: those that are still to be played would be known to everybody."""
    await commit_boards(service.store.pool, T, MASTER, 2)
    table = await table_of(service, client, T, 1, [await guest(client), await guest(client)])
    await table.play(3)
    await table.move({"type": "resign"}, 0)
    problem(await client.get(table.path + "/events"), "game_sealed")
    assert await service.seals.lift(table.id)
    events = (await until(lambda: shown_events(client, table))).json()["events"]
    assert [event["type"] for event in events[-2:]] == ["resigned", "game_ended"]
    assert all("deck" not in event and "salt" not in event for event in events)
    await asyncio.sleep(0.5)
    assert await last_is(service, table.id, "game_ended")
    for headers in ({}, table.seats[0]):
        refused = await client.get(f"{table.path}/record", headers=headers)
        assert problem(refused, "record_not_public")["params"] == {"status": "ended", "needed": "revealed"}
    found = await counts(client)
    assert (found["sealed"], found["unrevealed"]) == (1, 0)
    due = await service.store.pool.fetchval("select due_at from deadline where game = $1 and kind = 'seal'", table.id)
    assert due.year == 9999
    assert await service.boards.open(T)
    await until_last(service, table.id, "revealed")
    assert await service.store.pool.fetchval("select count(*) from deadline where game = $1", table.id) == 0


async def shown_events(client: httpx.AsyncClient, table: Table) -> httpx.Response | None:
    answer = await client.get(f"{table.path}/events?limit=1000")
    return answer if answer.is_success else None


async def test_a_game_that_ends_with_its_seal_lifted_waits_for_the_boards_as_well(
    client: httpx.AsyncClient, service: Service
) -> None:
    await commit_boards(service.store.pool, T, MASTER, 2)
    table = await table_of(service, client, T, 1, [await guest(client), await guest(client)])
    assert await service.seals.lift(table.id)
    await table.get()
    await table.move({"type": "resign"}, 0)
    await asyncio.sleep(0.3)
    assert await last_is(service, table.id, "game_ended")
    assert (await counts(client))["unrevealed"] == 0
    assert await service.boards.open(T)
    await until_last(service, table.id, "revealed")


async def test_boards_stay_closed_while_a_game_on_them_is_played(client: httpx.AsyncClient, service: Service) -> None:
    await commit_boards(service.store.pool, T, MASTER, 2)
    people = [await guest(client), await guest(client)]
    tables = [await table_of(service, client, T, number, people) for number in (1, 2)]
    await tables[0].move({"type": "resign"}, 0)
    assert not await service.boards.open(T)
    assert await service.boards.closed(T)
    await tables[1].move({"type": "resign"}, 1)
    assert await service.boards.open(T)
    assert await service.boards.open(T), "Whoever asks again is told the same."
    assert not await service.boards.closed(T)
    assert not await service.boards.open(tournament_id("another"))


# --- who sees what ---


async def seen_by(table: Table, headers: Headers) -> list[Any]:
    """Everything that a viewer gets of a game by any operation, and of it in lists."""
    found: list[Any] = []
    for operation in OF_A_GAME:
        answer = await ask(table, operation, headers)
        fields = {name: value for name, value in answer.headers.items() if name not in DRAWN}
        found.append((operation.id, answer.status_code, fields, normal(answer.text)))
        assert MASTER.hex() not in answer.text
    for query in ("limit=200", "limit=200&mine=true") if headers else ("limit=200",):
        listed = (await table.client.get(f"/v1/games?{query}", headers=headers)).json()["games"]
        found.append([normal(str(each)) for each in listed if each["id"] == table.id])
    return found


@pytest.mark.parametrize("who", ["stranger", "nobody", "link", "the other table"])
async def test_two_tables_of_a_board_look_the_same_to_whoever_has_no_seat_there(
    client: httpx.AsyncClient, service: Service, who: str
) -> None:
    """Two worlds: other moves, lengths, scores and winners, and not one byte that differs on any path.

    Above all to those who are to play the same board at a table of their own.
    """
    await commit_boards(service.store.pool, T, MASTER, 2)
    worlds = []
    for number, (requests, loser) in enumerate(((3, 0), (12, 1)), 1):
        people = [await guest(client, name) for name in ("Ada", "Ben")]
        worlds.append((await table_of(service, client, T, number, people), requests, loser))
    viewer: Headers = {} if who in ("nobody", "link") else await guest(client)
    if who == "the other table":
        own = await table_of(service, client, T, 3, [viewer, await guest(client)])
        await own.play(2)
    if who == "nobody":
        for table, *_ in worlds:
            table.code = "another-code"
    for table, requests, _ in worlds:
        await table.play(requests)
    one, other = [await seen_by(table, viewer) for table, *_ in worlds]
    assert one == other
    for table, _, loser in worlds:
        assert (await table.move({"type": "resign"}, loser)).status_code == 201
    views = [await table.view() for table, *_ in worlds]
    assert views[0]["winners"] != views[1]["winners"]
    assert views[0]["version"] != views[1]["version"]
    one, other = [await seen_by(table, viewer) for table, *_ in worlds]
    assert one == other


async def test_whoever_plays_a_board_gets_nothing_of_it_from_another_table(
    client: httpx.AsyncClient, service: Service
) -> None:
    await commit_boards(service.store.pool, T, MASTER, 2)
    people = [await guest(client) for _ in range(4)]
    other = await table_of(service, client, T, 1, people[:2])
    own = await table_of(service, client, T, 2, people[2:])
    await own.play(2)
    await other.move({"type": "resign"}, 0)
    for operation in OF_A_GAME:
        answer = await ask(other, operation, own.seats[0])
        assert heard(answer) in STRANGERS_HEAR.get(operation.id, {"game_sealed"}), (operation.id, answer.text)
        assert "etag" not in answer.headers
    # To their own table they have what they ever had.
    assert (await own.get("/legal_moves")).status_code == 200
    assert (await own.get("/events?limit=1000")).json()["events"][0]["fairness"]["boards"] == [1]
    asked = {each.id: await ask(own, each, own.seats[1]) for each in OF_A_GAME if each.id != "streamGame"}
    assert {name for name, answer in asked.items() if heard(answer) == "game_sealed"} == {
        "getRecord", "getVerification", "getStatistics", "forkGame",
    }  # fmt: skip


async def test_the_seats_see_how_their_boards_come_about(client: httpx.AsyncClient, service: Service) -> None:
    await commit_boards(service.store.pool, T, MASTER, 2)
    table = await table_of(service, client, T, 1, [await guest(client), await guest(client)], boards=(2, 1))
    shown = (await table.get()).json()["fairness"]
    assert (shown["algorithm"], shown["mode"], shown["tournament"]) == ("MELD-BOARD-1", None, T)
    assert (shown["boards"], shown["chosen_by"], shown["nonces"]) == ([2, 1], "server_only", [False, False])
    assert "the same for every table" in shown["meaning"]
    assert (await client.get(table.path)).json()["fairness"] is None


async def test_a_watcher_of_a_stream_gets_the_reveal_when_the_boards_are_opened(live: Any, settings: Settings) -> None:
    async with live.client() as client:
        service = live.server.service
        await commit_boards(service.store.pool, T, MASTER, 1)
        table = await table_of(service, client, T, 1, [await guest(client), await guest(client)])
        await table.play(2)
        version = (await table.move({"type": "resign"}, 0)).json()["version"]
        reader = Reader(client, f"{table.path}/stream", table.seats[1])
        await reader.until(version)
        assert not any(message.get("type") == "revealed" for message in reader.messages)
        assert await service.boards.open(T)
        end = await reader.end()
        assert (end["reason"], reader.messages[-2]["type"]) == ("game_over", "revealed")


# --- workers, kills and repeats ---


async def test_a_game_is_stored_once_however_often_it_is_asked_for(service: Service) -> None:
    await commit_boards(service.store.pool, T, MASTER, 2)
    seats = [Seating("pa"), Seating("pb")]
    one = await create(service, game_of(T, 1, seats))
    again = await create(service, game_of(T, 1, seats))
    assert (one.replayed, again.replayed) == (False, True)
    assert again.state.version == one.state.version == 6
    game = game_of(T, 1, seats).facts.id
    done = await asyncio.gather(*(create(service, game_of(T, 2, seats)) for _ in range(4)))
    assert sorted(each.replayed for each in done) == [False, True, True, True]
    rows = await service.store.pool.fetch("select * from tournament_game order by table_number")
    places = [tuple(row.values())[:7] for row in rows]
    assert (len(places), places[0]) == (2, (game, T, "m1", 1, 1, 1, True))
    sealed = await service.store.pool.fetchval(
        "select count(*) from game where sealed_until > now() + interval '1 year'"
    )
    assert sealed == 2
    assert await service.store.pool.fetchval("select count(*) from deadline where kind = 'unstarted'") == 0


async def test_nothing_is_dealt_from_boards_that_are_open_or_are_none(service: Service) -> None:
    seats = [Seating("pa"), Seating("pb")]
    with pytest.raises(BoardsNotClosed):
        await create(service, game_of(T, 1, seats))
    await commit_boards(service.store.pool, T, MASTER, 2)
    await create(service, game_of(T, 1, bots("random", "random"), options=ONE_HAND))
    await until_last(service, game_of(T, 1, seats).facts.id, "game_ended")
    assert await service.boards.open(T)
    with pytest.raises(BoardsNotClosed):
        await create(service, game_of(T, 2, seats))
    # One that is there is told as such.
    assert (await create(service, game_of(T, 1, bots("random", "random")))).replayed


async def test_another_worker_deals_the_next_board(settings: Settings) -> None:
    """The master of the boards is found again by whoever loads the game."""
    async with running(settings) as (app, client):
        service: Service = app.state.service
        await commit_boards(service.store.pool, T, MASTER, 9)
        people = [await guest(client), await guest(client)]
        table = await table_of(service, client, T, 1, people, boards=(9, 4), options={"hand_cap": 2})
    async with running(settings) as (app, client):
        table.client = client
        await table.play(2000)
        deals = await dealt(app.state.service, table.id)
        assert [deal.dealer for deal in deals] == [0, 1]
        assert await last_is(app.state.service, table.id, "game_ended")
        assert await app.state.service.boards.open(T)
        await until_last(app.state.service, table.id, "revealed")
        assert (await client.get(f"{table.path}/verification")).json()["ok"]


async def test_a_reveal_outlives_every_worker(settings: Settings) -> None:
    """Whoever opened the boards may be gone at once: the timers are there, and the next worker reveals every game."""
    async with running(settings) as (app, client):
        service: Service = app.state.service
        await commit_boards(service.store.pool, T, MASTER, 2)
        people = [await guest(client), await guest(client)]
        tables = [await table_of(service, client, T, number, people) for number in range(1, 6)]
        for table in tables:
            await table.move({"type": "resign"}, 0)
        await service.deadlines.close()
        assert await service.boards.open(T)
        assert await unrevealed(service.store.pool, T) == 5
    async with running(settings) as (app, client):
        again: Service = app.state.service
        await until(lambda: all_revealed(again))
        for table in tables:
            assert (await kinds(again, table.id)).count("revealed") == 1
            assert (await client.get(f"{table.path}/record")).status_code == 200


async def all_revealed(service: Service) -> bool:
    return await unrevealed(service.store.pool, T) == 0


async def test_boards_opened_by_one_worker_are_open_to_all(settings: Settings) -> None:
    """Both have the games in memory as closed ones; each is revealed once."""
    async with running(settings) as (app, client), running(settings) as (other_app, other):
        service: Service = app.state.service
        await commit_boards(service.store.pool, T, MASTER, 2)
        people = [await guest(client), await guest(client)]
        tables = [await table_of(service, client, T, number, people) for number in range(1, 5)]
        for table in tables:
            assert (await other.get(table.path, headers=people[0])).status_code == 200
            await table.move({"type": "resign"}, 0)
        elsewhere: Service = other_app.state.service
        held = elsewhere.games.held(tables[0].id)
        assert held is not None
        assert held.boards_closed
        assert await service.boards.open(T)
        await until(lambda: all_revealed(service))
        for table in tables:
            assert (await kinds(service, table.id)).count("revealed") == 1
            for asking in (client, other):
                assert (await asking.get(f"{table.path}/record")).status_code == 200


async def test_a_key_of_another_place_is_refused(service: Service) -> None:
    await commit_boards(service.store.pool, T, MASTER, 2)
    seats = [Seating("pa"), Seating("pb")]
    game = game_of(T, 1, seats)
    await create(service, game)
    with pytest.raises(KeyConflict):
        await create(service, replace(game, place=replace(game.place, match="m2")))
