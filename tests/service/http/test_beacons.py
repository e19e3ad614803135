"""Tables with a beacon: closing fixes a round, the start waits for it, and nobody need be trusted for it (fairness)."""

import asyncio
import gzip
import time
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

import httpx
import pytest
from litestar import Litestar
from msgspec.structs import replace

from domain.beacons import Beacon, BeaconShown
from domain.fairness import check_commitment, nonce_commitment
from domain.records.lines import split_lines
from domain.records.verification import verify
from service.beacons import Beacons
from service.before_start import BEACON_LATE
from service.offline.beacons import KNOWN, Chains
from service.relay import Relay, RelayFault
from service.running import Service
from service.settings import Settings
from service.turns import NONCE
from tests.domain import drand
from tests.service.http.conftest import running
from tests.service.http.patience import SECONDS_MAX, eventually, until
from tests.service.http.tables import Table, guest, problem
from tests.service.http.test_starting import NONCES, committed, reveal
from tests.service.http.waiting_tables import (
    Answer,
    bring,
    events_of,
    honest,
    let_be_due,
    relay,
    signature,
    until_status,
    with_chain,
)

RECORDED = 657413
RECORDED_SIGNATURE = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
CHAIN = drand.chain(int(time.time()) - 100_000)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """A service that knows a chain of the tests' own, and has no relay."""
    return with_chain(settings, CHAIN)


@pytest.fixture
async def waiting(client: httpx.AsyncClient) -> Table:
    """A closed table that waits for its beacon only."""
    table = await Table.of(client, beacon="tests")
    assert (await table.start())["status"] == "closed"
    return table


async def come(table: Table) -> dict[str, Any]:
    """The table's answer once the round that it waits for has come out."""
    shown: dict[str, Any] = (await table.get()).json()
    await asyncio.sleep(max(0.0, CHAIN.due(shown["fairness"]["beacon"]["round"]) - time.time()) + 0.01)
    return shown


async def test_closing_fixes_the_first_round_two_periods_ahead(waiting: Table) -> None:
    (closed,) = [event for event in await events_of(waiting) if event["type"] == "closed"]
    fixed = closed["beacon"]
    assert set(fixed) == {"chain", "round"}
    assert fixed["chain"] == CHAIN.chain
    at = _seconds(closed["at"])
    assert at + 2 * CHAIN.period_seconds <= CHAIN.due(fixed["round"]) < at + 3 * CHAIN.period_seconds + 0.001


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


async def test_who_waits_is_told_what_for_and_until_when(waiting: Table) -> None:
    shown = (await waiting.get()).json()
    fairness = shown["fairness"]
    beacon = fairness["beacon"]
    assert (beacon["chain"], beacon["name"]) == (CHAIN.chain, "tests")
    assert _seconds(beacon["due_at"]) == CHAIN.due(beacon["round"])
    assert _seconds(beacon["aborted_at"]) == CHAIN.due(beacon["round"]) + 3600
    assert (fairness["awaits_beacon"], fairness["awaited_nonces"]) == (True, [])
    assert (fairness["chosen_by"], "beacon" in fairness["meaning"]) == ("beacon", True)
    assert shown["view"]["beacon_due"] == {"chain": CHAIN.chain, "round": beacon["round"]}


async def test_a_round_that_a_player_brings_starts_the_game_and_is_in_its_deals(
    waiting: Table, service: Service
) -> None:
    shown = await come(waiting)
    number = shown["fairness"]["beacon"]["round"]
    answer = await bring(waiting, number, signature(shown), seat=2)
    assert (answer.status_code, answer.json()["status"]) == (201, "playing")
    started = next(event for event in await events_of(waiting) if event["type"] == "started")
    assert (started["beacon"]["chain"], started["beacon"]["round"]) == (CHAIN.chain, number)
    assert started["beacon"]["signature"] == signature(shown)
    await waiting.move({"type": "resign"}, 0)
    verdict = (await waiting.get("/verification")).json()
    assert verdict["fault"] is None
    assert (verdict["checks"]["fairness"], verdict["checks"]["beacon_signature"]) == ("passed", "passed")
    record = (await waiting.get("/record")).content
    assert verify(split_lines([record]), beacon=service.chains).ok


async def test_a_round_is_not_taken_before_it_is_due(waiting: Table) -> None:
    """Even if its signature is right: then the chain has shown it too early, and somebody may have known it."""
    shown = (await waiting.get()).json()
    number = shown["fairness"]["beacon"]["round"]
    document = problem(await bring(waiting, number, signature(shown)), "beacon_too_early")
    assert _seconds(document["params"]["due_at"]) == CHAIN.due(number)
    assert (await waiting.get()).json()["status"] == "closed"


async def test_what_is_not_the_round_is_refused(waiting: Table, client: httpx.AsyncClient) -> None:
    shown = await come(waiting)
    number = shown["fairness"]["beacon"]["round"]
    other = await bring(waiting, number - 1, drand.signature(number - 1))
    assert problem(other, "beacon_round_wrong")["params"] == {"needed": number}
    chain = await bring(waiting, number, signature(shown), chain=KNOWN[0].chain)
    assert problem(chain, "beacon_chain_wrong")["params"] == {"needed": CHAIN.chain}
    for signed in (drand.signature(number - 1), drand.signature(number, secret_key=5), "ab" * 48, "ab" * 96):
        problem(await bring(waiting, number, signed), "beacon_wrong")
    for signed in ("", "zz" * 48, "AB" * 48, "ab" * 97, signature(shown) + "\n"):
        problem(await bring(waiting, number, signed), "invalid_body")
    for impossible in (0, -1, 2**53):
        problem(await bring(waiting, impossible, signature(shown)), "invalid_body")
    body = {"round": number, "signature": signature(shown)}
    problem(await client.post(f"{waiting.path}/beacon", json=body, headers=await guest(client)), "game_not_found")
    assert (await waiting.get()).json()["status"] == "closed"


async def test_only_those_at_the_table_bring_its_round(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, beacon="tests", visibility="public")
    await table.start()
    shown = await come(table)
    body = {"round": shown["fairness"]["beacon"]["round"], "signature": signature(shown)}
    problem(await client.post(f"{table.path}/beacon", json=body, headers=await guest(client)), "not_your_seat")


async def test_a_second_round_is_told_to_be_known(waiting: Table) -> None:
    shown = await come(waiting)
    number = shown["fairness"]["beacon"]["round"]
    assert (await bring(waiting, number, signature(shown))).status_code == 201
    problem(await bring(waiting, number, signature(shown)), "beacon_already_shown")
    assert [event["type"] for event in await events_of(waiting)].count("started") == 1


async def test_many_who_bring_the_round_at_once_start_one_game(waiting: Table) -> None:
    shown = await come(waiting)
    number = shown["fairness"]["beacon"]["round"]
    answers = await asyncio.gather(*[bring(waiting, number, signature(shown), seat) for seat in (0, 1, 2, 3) * 2])
    assert {answer.status_code for answer in answers} <= {201, 409}
    assert [event["type"] for event in await events_of(waiting)].count("started") == 1


async def test_a_table_that_waits_for_no_beacon_takes_none(client: httpx.AsyncClient) -> None:
    plain = await Table.of(client)
    problem(await bring(plain, 1, "ab" * 48), "table_not_closed")
    await plain.start()
    problem(await bring(plain, 1, "ab" * 48), "beacon_not_used")
    wanting = await Table.of(client, beacon="tests")
    problem(await bring(wanting, 1, "ab" * 48), "table_not_closed")


@pytest.mark.parametrize("beacon", ["default", "nowhere", "", "00" * 32])
async def test_a_chain_that_is_not_offered_is_refused(client: httpx.AsyncClient, beacon: str) -> None:
    """`default` is known, but its rounds are signed together with the signature before."""
    answer = await client.post("/v1/games", json={"players": 4, "beacon": beacon}, headers=await guest(client))
    assert problem(answer, "terms_invalid")["params"]["field"] == "beacon"


async def test_a_practice_game_has_no_beacon(client: httpx.AsyncClient) -> None:
    body = {"players": 4, "beacon": True, "practice": {"kind": "seed", "seed": "00"}}
    problem(await client.post("/v1/games", json=body, headers=await guest(client)), "beacon_not_used")


@pytest.mark.parametrize("beacon", [True, "quicknet", KNOWN[0].chain])
async def test_the_usual_chain_is_quicknet(client: httpx.AsyncClient, beacon: object) -> None:
    table = await Table.of(client, beacon=beacon)
    shown = (await table.get()).json()["fairness"]["beacon"]
    assert (shown["chain"], shown["name"], shown["round"]) == (KNOWN[0].chain, "quicknet", None)
    fixed = (await table.start())["fairness"]["beacon"]
    (closed,) = [event for event in await events_of(table) if event["type"] == "closed"]
    assert 6 <= KNOWN[0].due(fixed["round"]) - _seconds(closed["at"]) < 9.001


# --- together with nonces ---


@pytest.mark.parametrize("last", ["nonce", "beacon"])
async def test_the_first_deal_waits_for_nonces_and_beacon_whichever_is_last(
    client: httpx.AsyncClient, last: str
) -> None:
    table = await committed(client, [0, 2], beacon="tests")
    assert (await table.start())["fairness"]["chosen_by"] == "players_and_beacon"
    await reveal(table, 0)
    shown = await come(table)
    number = shown["fairness"]["beacon"]["round"]
    if last == "nonce":
        # The timer has been claimed by now, and looks again in ten seconds only.
        await asyncio.sleep(0.3)
        brought = await bring(table, number, signature(shown))
        assert (brought.status_code, brought.json()["status"]) == (201, "closed")
        problem(await bring(table, number, signature(shown)), "beacon_already_shown")
        assert (await reveal(table, 2)).status_code == 201
    else:
        assert (await reveal(table, 2)).json()["status"] == "closed"
        assert (await bring(table, number, signature(shown))).json()["status"] == "playing"
    playing = await until_status(table, "playing", 6.0)
    assert playing["fairness"]["awaits_beacon"] is False
    await table.move({"type": "resign"}, 0)
    assert (await table.get("/verification")).json()["ok"]


async def test_the_servers_choice_is_stored_before_any_nonce_or_round(
    client: httpx.AsyncClient, service: Service
) -> None:
    """T6: the commitment stands in event 1, nonces only as commitments until closing, the round after both."""
    pool = service.store.pool
    owner = await guest(client)
    made = (await client.post("/v1/games", json={"players": 2, "beacon": "tests"}, headers=owner)).json()
    first = await pool.fetchrow("select type, at from event where stream = $1", made["id"])
    secret = await pool.fetchval("select master from secret where game = $1", made["id"])
    assert first["type"] == "created"
    assert check_commitment(made["fairness"]["commitment"], secret)
    assert await pool.fetchval("select count(*) from nonce") == 0
    assert await pool.fetchval("select count(*) from beacon_round") == 0
    table = Table(client, [owner, await guest(client)], made)
    for seat in (0, 1):
        body = {"code": table.code, "nonce_commitment": nonce_commitment(NONCES[seat])}
        assert (await client.post(f"{table.path}/seats", json=body, headers=table.seats[seat])).status_code == 201
    problem(await reveal(table, 0), "table_not_closed")
    await table.start()
    problem(await reveal(table, 0, b"\x55" * 32), "nonce_wrong")
    shown = (await table.get()).json()
    problem(await bring(table, shown["fairness"]["beacon"]["round"], signature(shown)), "beacon_too_early")
    await reveal(table, 0)
    await reveal(table, 1)
    await come(table)
    await bring(table, shown["fairness"]["beacon"]["round"], signature(shown))
    order = [event["type"] for event in await events_of(table)]
    assert order == [
        "created", "seated", "seated", "closed", "nonce_revealed", "nonce_revealed", "started", "dealt",
    ]  # fmt: skip
    times = await pool.fetch("select version, at from event where stream = $1 order by version", table.id)
    kept = await pool.fetchval("select count(*) from beacon_round")
    assert kept == 1
    assert [row["at"] for row in times] == sorted(row["at"] for row in times)


async def test_a_seat_that_is_freed_lets_the_round_lapse(settings: Settings) -> None:
    async with running(settings) as (app, client):
        table = await committed(client, [0, 2], beacon="tests")
        first = (await table.start())["fairness"]["beacon"]["round"]
        await reveal(table, 0)
        await let_be_due(app.state.service, table, NONCE)
        opened = await until_status(table, "open")
        assert opened["seats"][2]["kind"] == "open"
        beacon = opened["fairness"]["beacon"]
        assert (beacon["chain"], beacon["round"], beacon["due_at"]) == (CHAIN.chain, None, None)
        assert opened["fairness"]["nonces"] == [False] * 4
        again = await client.post(f"{table.path}/seats", json={"code": table.code}, headers=table.seats[2])
        assert again.status_code == 201
        await asyncio.sleep(1.0)
        closed = await table.start()
        assert closed["fairness"]["beacon"]["round"] > first
        await come(table)
        number = closed["fairness"]["beacon"]["round"]
        assert (await bring(table, number, drand.signature(number))).json()["status"] == "playing"
        await table.move({"type": "resign"}, 0)
        assert (await table.get("/verification")).json()["ok"]
        me = (await client.get("/v1/me", headers=table.seats[2])).json()
        assert me["nonces_unrevealed"] == 1


# --- late ---


async def test_a_round_that_never_comes_ends_the_game_which_is_revealed(settings: Settings) -> None:
    async with running(replace(settings, beacon_late_seconds=0.3, fairness_counters_seconds=0.01)) as (_, client):
        table = await Table.of(client, beacon="tests")
        await table.start()
        ended = await until_status(table, "ended")
        events = await events_of(table)
        assert [event["type"] for event in events[-4:]] == ["closed", "aborted", "game_ended", "revealed"]
        assert events[-3]["reason"] == "technical"
        assert events[-1]["context"]["beacon"] == events[-4]["beacon"]
        assert ended["view"]["winners"] == []
        verdict = (await table.get("/verification")).json()
        assert verdict["fault"] is None
        counts = (await client.get("/v1/fairness")).json()["counts"]
        assert (counts["beacons_late"], counts["aborted"], counts["aborted_after_deal"]) == (1, 1, 0)
        problem(await bring(table, events[-4]["beacon"]["round"], "ab" * 48), "game_over")


async def test_a_round_that_is_there_waits_for_nonces_however_late(settings: Settings) -> None:
    async with running(settings) as (app, client):
        table = await committed(client, [1], beacon="tests")
        await table.start()
        shown = await come(table)
        assert (await bring(table, shown["fairness"]["beacon"]["round"], signature(shown))).status_code == 201
        service: Service = app.state.service
        await let_be_due(service, table, BEACON_LATE)
        claimed = "select leased_until is not null from deadline where game = $1 and kind = $2"
        await eventually(lambda: service.store.pool.fetchval(claimed, table.id, BEACON_LATE))
        await asyncio.sleep(0.3)
        assert (await table.get()).json()["status"] == "closed"
        await reveal(table, 1)
        await until_status(table, "playing")


# --- from a relay ---


@pytest.fixture
async def relays(settings: Settings) -> AsyncIterator[tuple[Any, Settings]]:
    async with relay(honest) as serving:
        yield serving, replace(settings, beacon_url=f"{serving.url}/drand/", beacon_request_seconds=30.0)


async def test_the_service_gets_the_round_from_its_relay(relays: tuple[Any, Settings]) -> None:
    serving, settings = relays
    async with running(settings) as (_, client):
        tables = [await Table.of(client, beacon="tests") for _ in range(3)]
        numbers = [(await table.start())["fairness"]["beacon"]["round"] for table in tables]
        for table in tables:
            await until_status(table, "playing")
        assert {f"/drand/{CHAIN.chain}/public/{number}" for number in numbers} == set(serving.asked)
        await tables[0].move({"type": "resign"}, 0)
        assert (await tables[0].get("/verification")).json()["checks"]["beacon_signature"] == "passed"


def of_another_round(path: str) -> tuple[int, bytes]:
    return honest(f"/{number_in(path) - 1}")


def of_another_key(path: str) -> tuple[int, bytes]:
    number = number_in(path)
    return 200, b'{"round":%d,"signature":"%b"}' % (number, drand.signature(number, 5).encode())


def number_in(path: str) -> int:
    return int(path.rpartition("/")[2])


LIES: dict[str, Answer] = {
    "another round": of_another_round,
    "another key": of_another_key,
    "no JSON": lambda _: (200, b"<html>"),
    "no hex": lambda _: (200, b'{"round":1,"signature":"' + b"zz" * 48 + b'"}'),
    "a flood": lambda _: (200, b" " * 1_000_000),
    "not there": lambda _: (404, b"{}"),
    "an error": lambda _: (500, b"x"),
}


@pytest.mark.parametrize("lie", LIES)
async def test_a_relay_that_lies_starts_no_game_and_keeps_nobody_from_doing_so(settings: Settings, lie: str) -> None:
    async with relay(LIES[lie]) as serving, running(replace(settings, beacon_url=serving.url)) as (app, client):
        table = await Table.of(client, beacon="tests")
        await table.start()
        shown = await come(table)
        await until(lambda: serving.asked)
        await asyncio.sleep(0.1)
        service: Service = app.state.service
        assert (await table.get()).json()["status"] == "closed"
        assert await service.store.pool.fetchval("select count(*) from beacon_round") == 0
        number = shown["fairness"]["beacon"]["round"]
        assert (await bring(table, number, signature(shown))).json()["status"] == "playing"


async def test_a_relays_answer_is_never_unpacked() -> None:
    """A few bytes of gzip stand for any number of bytes: here for a round that is right."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        body = gzip.compress(b'{"round":7,"signature":"%b"}' % drand.signature(7).encode())
        head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
        writer.write(head % len(body) + body)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        relaying = Relay(url, Chains((CHAIN,)), SECONDS_MAX)
        with pytest.raises(RelayFault, match="no round") as caught:
            await relaying.round(Beacon(CHAIN.chain, 7))
        await relaying.close()
    assert caught.value.why == "wrong"
    assert b"accept-encoding: identity\r\n" in asked[0].lower()


async def test_a_relay_that_is_down_at_first_is_asked_again(settings: Settings) -> None:
    down = [True]

    def recovering(path: str) -> tuple[int, bytes]:
        return (503, b"") if down else honest(path)

    async with relay(recovering) as serving, running(replace(settings, beacon_url=serving.url)) as (_, client):
        table = await Table.of(client, beacon="tests")
        await table.start()
        await until(lambda: serving.asked)
        down.clear()
        await until_status(table, "playing")


async def test_a_relay_that_hangs_delays_no_other_timer(settings: Settings) -> None:
    async def hanging(_: str) -> tuple[int, bytes]:
        await asyncio.sleep(2 * SECONDS_MAX)
        return 200, b""

    async with (
        relay(hanging) as serving,
        running(replace(settings, beacon_url=serving.url, beacon_request_seconds=2 * SECONDS_MAX)) as (_, client),
    ):
        table = await Table.of(client, beacon="tests")
        await table.start()
        await until(lambda: serving.asked)
        other = await Table.of(client, clock={"kind": "per_move", "move_seconds": 1})
        await other.start()
        async with asyncio.timeout(SECONDS_MAX):
            while "stood_in" not in [event["type"] for event in await events_of(other)]:
                await asyncio.sleep(0.05)


async def test_two_workers_start_a_game_once(relays: tuple[Any, Settings]) -> None:
    _, settings = relays
    async with running(settings) as (_, client), running(settings):
        tables = [await Table.of(client, beacon="tests") for _ in range(4)]
        for table in tables:
            await table.start()
        for table in tables:
            await until_status(table, "playing")
            assert [event["type"] for event in await events_of(table)].count("started") == 1


async def test_another_worker_starts_the_game_of_one_that_is_gone(relays: tuple[Any, Settings]) -> None:
    _, settings = relays
    async with running(settings) as (_, client):
        table = await Table.of(client, beacon="tests")
        await table.start()
    await asyncio.sleep(0.2)
    async with running(settings) as (_, client):
        table.client = client
        await until_status(table, "playing")


async def test_a_round_that_was_kept_by_a_worker_that_died_starts_the_game(settings: Settings) -> None:
    """Kill -9 between keeping the round and the start: the timer of the game does it elsewhere."""
    async with running(settings) as (app, client):
        table = await Table.of(client, beacon="tests")
        await table.start()
        shown = (await table.get()).json()["fairness"]["beacon"]
        service: Service = app.state.service
        number = shown["round"]
        found = BeaconShown(CHAIN.chain, number, drand.signature(number), "00" * 32)
        assert await service.beacons.keep(found)
        assert not await service.beacons.keep(found)
    async with running(settings) as (_, client):
        table.client = client
        await until_status(table, "playing")


async def test_a_nonce_that_came_to_another_worker_meanwhile_delays_no_start(settings: Settings) -> None:
    """Whichever of the two is last starts the game, though neither worker has heard of the other's yet."""
    async with running(settings) as (app, client), running(settings) as (other_app, other):
        service: Service = app.state.service
        elsewhere: Service = other_app.state.service
        for each in (service, elsewhere):
            # Nor does the timer of the round start the game.
            await each.deadlines.close()
        table = await committed(client, [0], beacon="tests")
        number = (await table.start())["fairness"]["beacon"]["round"]
        live = await service.games.fresh(table.id)
        table.client = other
        assert (await reveal(table, 0)).json()["status"] == "closed"
        # That worker looks for the round, and finds none.
        await until(lambda: not elsewhere.beacons._tasks)
        assert await service.beacons.keep(BeaconShown(CHAIN.chain, number, drand.signature(number), "00" * 32))
        assert await service.beacons.start(live)


async def test_a_round_is_asked_for_no_earlier_than_it_is_due(relays: tuple[Any, Settings]) -> None:
    serving, settings = relays
    async with running(settings) as (app, client):
        table = await Table.of(client, beacon="tests")
        await table.start()
        beacons: Beacons = app.state.service.beacons
        live = await app.state.service.games.find(table.id)
        beacons.wake(live)
        await asyncio.sleep(0.3)
        assert serving.asked == []


async def test_known_rounds_are_public_facts_that_nobody_changes(app: Litestar, service: Service) -> None:
    assert await service.beacons.known(Beacon(CHAIN.chain, 1)) is None
    with pytest.raises(Exception, match="permission denied"):
        await service.store.pool.execute("delete from beacon_round")
