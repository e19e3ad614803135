"""Sealed games (formats, part 5): until the seal is over nobody but their own seats sees more than their status."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import msgspec
import pytest

from domain.records.lines import split_lines
from domain.records.verification import verify
from service.http.catalogue import OPERATIONS
from service.http.operations import Operation
from service.running import Service
from service.seals import UNTIL_LIFTED
from service.settings import Settings
from tests.service.http.conftest import LiveServer, running
from tests.service.http.patience import eventually
from tests.service.http.tables import Headers, Table, guest, problem
from tests.service.http.test_streams import Reader
from tests.service.http.test_worlds import normal

OPEN_TO_ALL: dict[str, Any] = {"visibility": "public", "watch": {"who": "anyone"}}
OF_A_GAME = [operation for operation in OPERATIONS if "{game_id}" in operation.path]
PLACES = {"{seat}": "0", "{n}": "1"}
DRAWN = {"x-request-id", "content-length"}
"""Headers that differ from request to request, since the number of the request is a part of the answer."""

WHOLE_STATUS = {
    "id", "status", "ruleset", "ruleset_hash", "players", "practice", "visibility", "created_at", "sealed_until",
    "seats", "seat", "share_url", "fairness", "version", "view",
}  # fmt: skip
"""All that a game is shown with; the last five are null for a stranger."""

STRANGERS_HEAR: dict[str, set[str]] = {
    "getGame": {""},
    "takeSeat": {"table_full", "game_over", "not_your_seat"},
    "leaveSeat": {"not_your_seat", "game_over"},
    "startGame": {"not_your_seat"},
    "sendNonce": {"not_your_seat"},
    "sendBeacon": {"not_your_seat"},
    "makeMoves": {"not_your_seat"},
    "listLegalMoves": {"not_your_seat"},
}
"""By operation what a stranger hears of a sealed game where not `game_sealed`: nothing that hangs on its cards."""

SEATS_ARE_REFUSED = {"getRecord", "getVerification", "getStatistics", "forkGame"}
"""Operations that not even the game's own seats may ask for while it is sealed."""


def in_seconds(seconds: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat()


async def sealed(client: httpx.AsyncClient, seconds: float = 3600, players: int = 2, **terms: Any) -> Table:
    """A sealed game under way that nothing but its seal keeps from being watched by anybody."""
    table = await Table.of(client, players=players, sealed_until=in_seconds(seconds), **(OPEN_TO_ALL | terms))
    await table.start()
    return table


def query_of(operation: Operation) -> dict[str, str]:
    """What the operation cannot do without."""
    needed = [] if operation.query is None else [f for f in msgspec.structs.fields(operation.query) if f.required]
    return {field.encode_name: "1" for field in needed}


async def ask(
    table: Table, operation: Operation, headers: Headers, client: httpx.AsyncClient | None = None
) -> httpx.Response:
    """Ask for an operation on the game, with the code of its link and what its description gives as an example."""
    path = operation.path.replace("{game_id}", table.id)
    for place, value in PLACES.items():
        path = path.replace(place, value)
    query = query_of(operation)
    known = () if operation.query is None else operation.query.__struct_fields__
    if "code" in known:
        query["code"] = table.code
    return await (client or table.client).request(
        operation.method, path, params=query, json=operation.body_example, headers=headers
    )


def heard(answer: httpx.Response) -> str:
    """The code of a problem, nothing for a success."""
    return "" if answer.is_success else str(answer.json()["code"])


async def revealed(table: Table, seconds: float = 60.0) -> list[dict[str, Any]]:
    """The game's events for seat 0 once its deals are revealed."""
    async with asyncio.timeout(seconds):
        while True:
            events: list[dict[str, Any]] = (await table.get("/events?limit=1000")).json()["events"]
            if events[-1]["type"] == "revealed":
                return events
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize("who", ["stranger", "nobody"])
async def test_a_stranger_gets_nothing_of_a_sealed_game_by_any_operation(
    client: httpx.AsyncClient, who: str, ended: bool
) -> None:
    """Every operation of the catalogue that names a game: a new one is tried too, and must refuse."""
    table = await sealed(client)
    await table.play(4)
    if ended:
        await table.move({"type": "resign"}, 0)
    headers = await guest(client) if who == "stranger" else {}
    for operation in OF_A_GAME:
        answer = await ask(table, operation, headers)
        needs = operation.credential == "needed" and not headers
        expected = {"credential_missing"} if needs else STRANGERS_HEAR.get(operation.id, {"game_sealed"})
        assert heard(answer) in expected, (operation.id, answer.text)
        assert "etag" not in answer.headers, operation.id
        if heard(answer) == "game_sealed":
            assert problem(answer, "game_sealed")["params"].keys() == {"sealed_until"}
            assert "game_sealed" in operation.problems, operation.id
    shown = (await client.get(table.path, headers=headers)).json()
    assert shown.keys() == WHOLE_STATUS
    assert shown["status"] == ("ended" if ended else "playing")
    assert [shown[name] for name in ("seat", "share_url", "fairness", "version", "view")] == [None] * 5


@pytest.mark.parametrize("who", ["stranger", "opener", "link", "left"])
async def test_two_sealed_games_look_the_same_to_whoever_has_no_seat(client: httpx.AsyncClient, who: str) -> None:
    """Two worlds: other moves, lengths, scores and winners, and not one byte that differs on any path."""
    worlds: list[tuple[Table, Headers, int, int]] = []
    until = in_seconds(3600)
    for requests, loser in ((3, 0), (12, 1)):
        owner, *seated = [await guest(client, name) for name in ("Owner", "Ada", "Ben", "Cid")]
        terms = {"players": 2, "seats": [{"kind": "open"}] * 2, "sealed_until": until}
        made = await client.post("/v1/games", json=OPEN_TO_ALL | terms, headers=owner)
        assert made.status_code == 201, made.text
        table = Table(client, seated[:2], made.json())
        for headers in (seated[2], seated[1]) if who == "left" else seated[1::-1]:
            await client.post(f"{table.path}/seats", json={"code": table.code}, headers=headers)
        if who == "left":
            await client.delete(f"{table.path}/seats/0", headers=seated[2])
            await client.post(f"{table.path}/seats", json={"code": table.code}, headers=seated[0])
        assert (await client.post(f"{table.path}/start", headers=owner)).status_code == 201
        table.seats = seated[:2] if who == "left" else seated[1::-1]
        viewers: dict[str, Headers] = {"stranger": await guest(client), "opener": owner, "link": {}, "left": seated[2]}
        worlds.append((table, viewers[who], requests, loser))

    async def compare() -> None:
        seen = []
        for table, headers, _, _ in worlds:
            found: list[Any] = []
            for operation in OF_A_GAME:
                if operation.id == "startGame" and who == "opener":
                    continue
                answer = await ask(table, operation, headers)
                fields = {name: value for name, value in answer.headers.items() if name not in DRAWN}
                found.append((operation.id, answer.status_code, fields, normal(answer.text)))
            listed = (await client.get("/v1/games?limit=200", headers=headers)).json()["games"]
            found.append([normal(str(each)) for each in listed if each["id"] == table.id])
            if who == "opener":
                own = (await client.get("/v1/games?mine=true", headers=headers)).json()["games"]
                found.append(normal(str(own)))
            seen.append(found)
        assert seen[0] == seen[1]

    for table, _, requests, _ in worlds:
        await table.play(requests)
    await compare()
    for table, _, _, loser in worlds:
        assert (await table.move({"type": "resign"}, loser)).status_code == 201
    views = [await table.view() for table, *_ in worlds]
    assert views[0]["winners"] != views[1]["winners"]
    assert views[0]["version"] != views[1]["version"]
    await compare()


async def test_the_seats_of_a_sealed_game_play_and_see_as_ever(live: LiveServer) -> None:
    async with live.client() as client:
        table = await sealed(client)
        reader = Reader(client, f"{table.path}/stream", table.seats[1])
        await table.play(6)
        assert (await table.get("/legal_moves")).status_code == 200
        version = (await table.move({"type": "resign"}, 0)).json()["version"]
        await reader.until(version)
        view = await table.view(1)
        assert (view["status"], view["revealed"], view["winners"]) == ("ended", False, [1])
        assert [holding["cards"] is None for holding in view["holdings"]] == [True, False]
        events = (await table.get("/events?limit=1000", seat=1)).json()["events"]
        assert [event["n"] for event in events] == reader.versions() == list(range(1, version + 1))
        assert events[-1]["type"] == "game_ended"
        assert all(event["hash"] and "salt" not in event for event in events)
        asked = {each.id: await ask(table, each, table.seats[1]) for each in OF_A_GAME if each.id != "streamGame"}
        assert {name for name, answer in asked.items() if heard(answer) == "game_sealed"} == SEATS_ARE_REFUSED
        assert asked["getReplay"].json()["view"]["seat"] == 1
        problem(await table.get("/replay/5?seat=0", seat=1), "game_sealed")
        problem(await table.get("/replay?all_hands=true", seat=1), "game_sealed")
        assert await live.server.service.seals.lift(table.id)
        end = await reader.end()
        assert (end["reason"], reader.messages[-2]["type"]) == ("game_over", "revealed")


async def test_the_deals_of_a_sealed_game_are_revealed_when_the_seal_ends(client: httpx.AsyncClient) -> None:
    begun = time.time()
    seconds = 4.0
    table = await sealed(client, seconds=seconds)
    await table.play(2)
    await table.move({"type": "resign"}, 0)
    events = (await table.get("/events")).json()["events"]
    assert events[-1]["type"] == "game_ended"
    events = await revealed(table)
    assert time.time() >= begun + seconds
    assert [event["type"] for event in events[-2:]] == ["game_ended", "revealed"]
    record = await client.get(f"{table.path}/record")
    verdict = verify(split_lines([record.content]))
    assert verdict.ok, verdict
    (listed,) = [each for each in (await client.get("/v1/games")).json()["games"] if each["id"] == table.id]
    assert listed["finished_at"] is not None


async def test_a_seal_that_ends_first_makes_no_difference_to_the_end(client: httpx.AsyncClient) -> None:
    begun = time.time()
    table = await sealed(client, seconds=2.5)
    problem(await client.get(f"{table.path}/events"), "game_sealed")
    # Counted from after that of the seal.
    await asyncio.sleep(max(0.0, begun + 3.0 - time.time()))
    await eventually(lambda: watched(client, table))
    assert (await client.get(table.path)).json()["view"]["version"] == (await table.view())["version"]
    await table.move({"type": "resign"}, 0)
    events = (await client.get(f"{table.path}/events")).json()["events"]
    assert [event["type"] for event in events[-2:]] == ["game_ended", "revealed"]
    assert (await client.get(f"{table.path}/record")).status_code == 200


async def watched(client: httpx.AsyncClient, table: Table) -> bool:
    """Whether strangers get the game's events."""
    return (await client.get(f"{table.path}/events")).is_success


async def test_a_seal_outlives_every_worker(settings: Settings) -> None:
    async with running(settings) as (_, client):
        table = await sealed(client, seconds=1.0)
        await table.move({"type": "resign"}, 0)
    await asyncio.sleep(1.0)
    async with running(settings) as (_, client):
        table.client = client
        await revealed(table)
        assert (await client.get(f"{table.path}/verification")).json()["ok"]


async def test_a_lifted_seal_is_lifted_on_every_worker(settings: Settings) -> None:
    """Here of a game under way, which says nothing of it in its events, and then of its end."""
    async with running(settings) as (app, client), running(settings) as (_, other):
        table = await sealed(client)
        problem(await other.get(f"{table.path}/events"), "game_sealed")
        service: Service = app.state.service
        assert await service.seals.lift(table.id)
        assert not await service.seals.lift(table.id)
        assert not await service.seals.lift(table.id, datetime.now(UTC) + timedelta(seconds=60))
        assert (await other.get(f"{table.path}/events")).status_code == 200
        # This worker has not looked at the seal again, and ends the game as a sealed one.
        held = service.games.held(table.id)
        assert held is not None
        assert held.sealed
        await table.move({"type": "resign"}, 0)
        await revealed(table)
        assert (await other.get(f"{table.path}/record")).status_code == 200


async def test_a_seal_without_an_end_stays_until_it_is_lifted(client: httpx.AsyncClient, service: Service) -> None:
    table = await sealed(client)
    await service.store.pool.execute("update game set sealed_until = $2 where id = $1", table.id, UNTIL_LIFTED)
    await client.get(table.path)
    await table.move({"type": "resign"}, 0)
    await asyncio.sleep(0.3)
    shown = problem(await table.get("/record"), "game_sealed")["params"]
    assert shown == {"sealed_until": "9999-12-31T00:00:00Z"}
    begun = time.time()
    assert await service.seals.lift(table.id, datetime.now(UTC) + timedelta(seconds=0.5))
    await revealed(table)
    assert time.time() >= begun + 0.5


async def test_a_list_does_not_tell_when_a_sealed_game_ended(client: httpx.AsyncClient, service: Service) -> None:
    table = await sealed(client)
    await table.move({"type": "resign"}, 0)

    async def listed(query: str = "", **headers: str) -> dict[str, Any]:
        games = (await client.get(f"/v1/games{query}", headers=headers)).json()["games"]
        (found,) = [each for each in games if each["id"] == table.id]
        return dict(found)

    shown = await listed()
    assert (shown["status"], shown["finished_at"]) == ("ended", None)
    assert shown["sealed_until"] is not None
    assert (await listed("?mine=true", **table.seats[0]))["finished_at"] is None
    await service.seals.lift(table.id)
    await revealed(table)
    assert (await listed())["finished_at"] is not None


async def test_a_newcomer_to_a_seat_of_a_sealed_game_sees_what_the_seat_sees(client: httpx.AsyncClient) -> None:
    table = await sealed(client, players=4)
    await client.delete(f"{table.path}/seats/3", headers=table.seats[3])
    problem(await client.get(f"{table.path}/events", headers=table.seats[3]), "game_sealed")
    assert (await client.get(table.path, headers=table.seats[3])).json()["view"] is None
    newcomer = await guest(client, "Newcomer")
    problem(await client.get(f"{table.path}/events", headers=newcomer), "game_sealed")
    came = await client.post(f"{table.path}/seats", json={"code": table.code}, headers=newcomer)
    assert came.json()["view"]["holdings"][3]["cards"] is not None


@pytest.mark.parametrize(
    "until",
    ["2016-11-30T12:00:00Z", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00", None],
)
async def test_a_seal_ends_in_the_future_and_within_the_limit(client: httpx.AsyncClient, until: str | None) -> None:
    terms = {"players": 2, "sealed_until": until or in_seconds(2_592_000 + 60)}
    answer = await client.post("/v1/games", json=terms, headers=await guest(client))
    assert problem(answer, "terms_invalid")["params"] == {
        "field": "sealed_until",
        "needed": "a time in the future, at most 2592000 seconds from now",
    }


async def test_a_seal_has_a_time_with_a_zone_and_no_practice_game_has_one(client: httpx.AsyncClient) -> None:
    headers = await guest(client)
    for until in ("2026-12-24T12:00:00", "tomorrow", 1700000000):
        answer = await client.post("/v1/games", json={"players": 2, "sealed_until": until}, headers=headers)
        problem(answer, "invalid_body")
    practice = {"players": 2, "sealed_until": in_seconds(60), "practice": {"kind": "seed", "seed": "ab"}}
    assert problem(await client.post("/v1/games", json=practice, headers=headers), "terms_invalid")["params"][
        "field"
    ] == ("sealed_until")
    elsewhere = (datetime.now(UTC) + timedelta(hours=1)).replace(microsecond=0)
    zoned = elsewhere.isoformat().replace("+00:00", "-05:30")
    made = await client.post("/v1/games", json={"players": 2, "sealed_until": zoned}, headers=headers)
    assert datetime.fromisoformat(made.json()["sealed_until"]) == elsewhere + timedelta(hours=5, minutes=30)
