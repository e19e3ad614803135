"""Forks: a practice game from any event of a finished one (cases O29; records verify)."""

import asyncio
from typing import Any

import httpx
import msgspec
import pytest

from domain.events import AnyEvent, Created, Dealt, Discarded, GameEnded, HandEnded, Placed, Revealed, decode
from domain.evolve import replay
from domain.placing import write_position
from domain.records.verification import verify
from service.running import Service
from tests.service.http.tables import Headers, Table, guest, problem
from tests.service.http.test_replays import asked, finished, recorded

BOTS = [{"kind": "bot", "level": "greedy"}] * 3
SEATS = [{"kind": "you"}, *BOTS]


async def forked(table: Table, headers: Headers, **asked_for: Any) -> httpx.Response:
    key = asked_for.pop("key", None)
    body = {"code": table.code, "seats": SEATS} | asked_for
    sent = headers if key is None else headers | {"Idempotency-Key": key}
    return await table.client.post(f"{table.path}/forks", json=body, headers=sent)


async def own_events(client: httpx.AsyncClient, game: str, headers: Headers) -> list[Any]:
    found: list[Any] = (await client.get(f"/v1/games/{game}/events?limit=1000", headers=headers)).json()["events"]
    return found


async def ended(client: httpx.AsyncClient, game: str, headers: Headers) -> list[AnyEvent]:
    """Give a fork up; its record as events. It must be sound."""
    assert (await client.post(f"/v1/games/{game}/start", headers=headers)).status_code == 201
    async with asyncio.timeout(60):
        while True:
            given_up = await client.post(f"/v1/games/{game}/moves", json={"type": "resign"}, headers=headers)
            if given_up.status_code == 201:
                break
            await asyncio.sleep(0.05)
    verdict = (await client.get(f"/v1/games/{game}/verification", headers=headers)).json()
    assert verdict["ok"], verdict
    record = (await client.get(f"/v1/games/{game}/record", headers=headers)).content
    assert verify(record.splitlines(keepends=True)).ok
    return [decode(line) for line in record.splitlines()[1:-1]]


async def test_a_fork_is_a_game_of_its_own_with_a_pointer_to_its_origin(client: httpx.AsyncClient) -> None:
    table = await finished(client, 20)
    happened = await recorded(table)
    player = await guest(client, "Eve")
    n = next(event.n for event in happened if isinstance(event, Discarded)) + 6
    answer = await forked(table, player, n=n)
    assert answer.status_code == 201, answer.text
    game = answer.json()
    assert (game["practice"], game["seat"], game["visibility"], game["ruleset"]) == (
        True, 0, "unlisted", table.ruleset,
    )  # fmt: skip
    assert game["view"]["origin"] == {"kind": "fork", "game": table.id, "n": n}
    assert answer.headers["location"] == f"/v1/games/{game['id']}"
    events = await own_events(client, game["id"], player)
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    assert {event["type"] for event in events} == {"created", "seated"}
    assert events[0]["origin"]["hash"] == happened[n - 1].hash
    assert {"position", "decks", "seed"}.isdisjoint(events[0]["origin"])
    record = await ended(client, game["id"], player)
    created = record[0]
    assert isinstance(created, Created)
    assert created.origin is not None
    state = replay(happened[:n])
    position = msgspec.json.decode(msgspec.json.encode(write_position(state)))
    assert created.origin["position"] == position
    placed = next(event for event in record if isinstance(event, Placed))
    assert placed.position == position
    # The finished game is as it was.
    assert await recorded(table) == happened


@pytest.mark.parametrize("deck", ["original", "fresh"])
async def test_a_game_is_left_at_every_kind_of_event(client: httpx.AsyncClient, deck: str) -> None:
    table = await Table.of(client, players=2, visibility="public", fairness="server_only", ruleset="canasta-standard")
    await table.start()
    await table.play(150)
    await table.move({"type": "resign"}, 1)
    happened = await recorded(table)
    player = await guest(client, "Eve")
    seats = [{"kind": "you"}, BOTS[0]]
    kinds = {type(event): event.n for event in reversed(happened) if not isinstance(event, GameEnded | Revealed)}
    for kind, n in kinds.items():
        answer = await forked(table, player, n=n, deck=deck, seats=seats)
        assert answer.status_code == 201, (kind, answer.text)
        record = await ended(client, answer.json()["id"], player)
        decks = [event.deck for event in record if isinstance(event, Dealt)]
        original = [event.deck for event in happened if isinstance(event, Dealt) and event.n > n]
        for one, other in zip(decks, original, strict=False):
            assert (one == other) == (deck == "original")


async def test_the_hands_that_follow_have_their_original_decks_too(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, players=2, visibility="public", ruleset="canasta-standard")
    await table.start()
    while (await table.play(10))["hand"] < 2:
        pass
    await table.move({"type": "resign"}, 0)
    happened = await recorded(table)
    ends = [event for event in happened if isinstance(event, HandEnded)]
    player = await guest(client, "Eve")
    answer = await forked(table, player, n=ends[0].n, seats=[{"kind": "you"}, BOTS[0]])
    record = await ended(client, answer.json()["id"], player)
    dealt = [event for event in record if isinstance(event, Dealt)]
    assert dealt[0].deck == next(event for event in happened if isinstance(event, Dealt) and event.hand == 2).deck
    assert dealt[0].hand == 2


async def test_a_seed_that_is_given_makes_the_same_fresh_cards(client: httpx.AsyncClient) -> None:
    table = await finished(client, 20)
    player = await guest(client)
    stocks = []
    for seed in ("5e", "5e", "5f"):
        game = (await forked(table, player, n=20, deck="fresh", seed=seed)).json()["id"]
        created = (await ended(client, game, player))[0]
        assert isinstance(created, Created)
        assert created.origin is not None
        stocks.append(created.origin["position"]["stock"]["next"])
    assert stocks[0] == stocks[1] != stocks[2]


async def test_what_cannot_be_left_is_told(client: httpx.AsyncClient, game: Table) -> None:
    player = game.seats[0]
    document = problem(await forked(game, player, n=5), "record_not_public")
    assert document["params"] == {"status": "playing", "needed": "ended"}
    problem(await forked(game, await guest(client), n=5, code=""), "game_not_found")
    table = await finished(client, 8)
    last = (await table.view())["version"]
    assert problem(await forked(table, player, n=last + 1), "event_not_found")["params"] == {
        "n": last + 1, "last": last,
    }  # fmt: skip
    end = next(event.n for event in await recorded(table) if isinstance(event, GameEnded))
    for n in (end, last):
        document = problem(await forked(table, player, n=n), "fork_impossible")
        assert document["params"] == {"n": n, "last": end - 1}
    assert (await forked(table, player, n=end - 1)).status_code == 201
    problem(await forked(table, player, n=5, seats=[{"kind": "you"}] * 3), "terms_invalid")
    problem(await forked(table, player, n=5, seats=[{"kind": "you"}] * 4), "already_seated")
    problem(await forked(table, player, n=5, deck="marked"), "invalid_body")
    problem(await forked(table, player, n=0), "invalid_body")
    problem(await forked(table, player, n=5, seed="xy"), "invalid_body")
    problem(await client.post(f"{table.path}/forks", json={"n": 5}), "credential_missing")


async def test_a_fork_asked_for_twice_is_one(client: httpx.AsyncClient) -> None:
    table = await finished(client, 8)
    player = await guest(client)
    answers = [await forked(table, player, n=9, key="again") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json()["id"] == answers[1].json()["id"]
    problem(await forked(table, player, n=10, key="again"), "idempotency_key_reused")
    other = await finished(client, 8)
    body = {"code": "", "seats": SEATS, "n": 9}
    one = await client.post(f"{other.path}/forks", json=body, headers=player | {"Idempotency-Key": "both"})
    two = await client.post(f"{table.path}/forks", json=body, headers=player | {"Idempotency-Key": "both"})
    assert one.status_code == 201
    problem(two, "idempotency_key_reused")


async def test_a_game_that_few_know_of_is_not_shown_to_all_by_its_forks(client: httpx.AsyncClient) -> None:
    table = await finished(client, 8, visibility="unlisted", watch={"who": "link"})
    player, stranger = await guest(client), await guest(client)
    problem(await forked(table, stranger, n=9, code=""), "game_not_found")
    problem(await forked(table, stranger, n=9, code="wrong"), "game_not_found")
    document = problem(await forked(table, player, n=9, visibility="public"), "terms_invalid")
    assert document["params"]["field"] == "visibility"
    fork = (await forked(table, player, n=9)).json()
    problem(await client.get(f"/v1/games/{fork['id']}", headers=stranger), "game_not_found")
    problem(await client.get(table.path, headers=stranger), "game_not_found")
    listed = (await client.get(f"/v1/games?origin={table.id}")).json()["games"]
    assert listed == []
    mine = (await client.get(f"/v1/games?origin={table.id}&mine=true", headers=player)).json()["games"]
    assert [each["id"] for each in mine] == [fork["id"]]


async def test_the_forks_of_a_game_are_listed(client: httpx.AsyncClient) -> None:
    table, other = await finished(client, 8), await finished(client, 8)
    player = await guest(client)
    forks = [(await forked(table, player, n=n, visibility="public")).json()["id"] for n in (9, 10, 11)]
    await forked(other, player, n=9, visibility="public")
    found: list[str] = []
    cursor = ""
    while True:
        page = (await client.get(f"/v1/games?origin={table.id}&limit=2&cursor={cursor}")).json()
        found += [each["id"] for each in page["games"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert found == forks[::-1]
    assert (await client.get("/v1/games?origin=gnone")).json()["games"] == []


async def test_a_fork_while_it_plays_hides_what_it_was_made_from(client: httpx.AsyncClient) -> None:
    table = await finished(client, 20)
    player, friend = await guest(client), await guest(client)
    seats = [{"kind": "you"}, {"kind": "open"}, *BOTS[:2]]
    game = (await forked(table, player, n=20, seats=seats, watch={"who": "anyone"}, visibility="public")).json()
    path = f"/v1/games/{game['id']}"
    assert (await client.post(f"{path}/seats", json={}, headers=friend)).status_code == 201
    assert (await client.post(f"{path}/start", headers=player)).status_code == 201
    for headers, seat in ((player, 0), (friend, 1), ({}, None)):
        events = await own_events(client, game["id"], headers)
        assert set(events[0]["origin"]) == {"kind", "game", "n", "hash", "carried"}
        placed = next(event for event in events if event["type"] == "placed")
        assert set(placed["position"]["stock"]) == {"count"}
        held = [isinstance(each, list) for each in placed["position"]["holdings"]]
        assert held == [each == seat for each in range(4)]
        moment = (await client.get(f"{path}/replay/{placed['n']}", headers=headers)).json()
        assert [each["cards"] is not None for each in moment["view"]["holdings"]] == held
    problem(await client.get(f"{path}/replay/1?all_hands=true", headers=player), "record_not_public")


async def test_another_worker_and_a_restart_know_a_fork_as_it_was_made(
    client: httpx.AsyncClient, service: Service
) -> None:
    table = await finished(client, 20)
    player = await guest(client)
    game = (await forked(table, player, n=20)).json()
    await client.post(f"/v1/games/{game['id']}/start", headers=player)
    held = await service.games.fresh(game["id"])
    while True:
        service.games._live.forget(game["id"])
        read = await service.games.find(game["id"])
        if read.state.version == held.state.version:
            break
        held = read
    assert read is not held
    assert read.state == held.state
    assert (await asked(table, "/replay/20?all_hands=true")).status_code == 200
