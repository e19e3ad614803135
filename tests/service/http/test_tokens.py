"""Further tokens: made, shown, limited, revoked."""

import asyncio
import json
from base64 import b64decode
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from service.running import Service
from service.settings import Settings
from service.tokens import secret_of
from tests.service.http.conftest import LiveServer, running
from tests.service.http.patience import eventually
from tests.service.http.tables import Headers, Table, guest, problem
from tests.service.http.test_streams import Reader
from tests.service.http.tokens import TOURNAMENT, bearing, given_token, make_token, organise, player_of, token_of

KEY = {"Idempotency-Key": "key-of-this-request"}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, erasure_poll_seconds=0.1, bell_poll_seconds=0.2, tokens_per_player_max=4)


@pytest.fixture
async def owner(client: httpx.AsyncClient) -> Headers:
    return await guest(client)


async def good(client: httpx.AsyncClient, headers: Headers) -> bool:
    """Whether a token is taken; where it is not, that must be said of the token."""
    answer = await client.get("/v1/me", headers=headers)
    if answer.status_code != 200:
        problem(answer, "credential_invalid")
    return answer.status_code == 200


async def refused(client: httpx.AsyncClient, maker: Headers, code: str, **body: Any) -> dict[str, Any]:
    answer = await client.post("/v1/tokens", json=body, headers=maker)
    found: dict[str, Any] = problem(answer, code)["params"]
    return found


async def test_a_token_speaks_for_the_same_player_and_may_do_what_it_was_made_for(
    client: httpx.AsyncClient, owner: Headers
) -> None:
    made = await make_token(client, owner, "watch", "play", name="My telephone")
    assert (made["scopes"], made["name"], made["current"]) == (["play", "watch"], "My telephone", False)
    assert [made[narrowing] for narrowing in ("game", "seat", "tournament")] == [None] * 3
    me = (await client.get("/v1/me", headers=bearing(made["token"]))).json()
    assert me["id"] == await player_of(client, owner)
    assert me["token"] == {name: value for name, value in made.items() if name != "token"} | {"current": True}
    opened = await client.post("/v1/games", json={"players": 2}, headers=bearing(made["token"]))
    assert opened.status_code == 201
    problem(await client.patch("/v1/me", json={"name": "Eve"}, headers=bearing(made["token"])), "scope_missing")
    problem(await client.delete("/v1/me", headers=bearing(made["token"])), "scope_missing")


async def test_the_first_token_of_a_person_says_what_it_may_do(client: httpx.AsyncClient, owner: Headers) -> None:
    token = (await client.get("/v1/me", headers=owner)).json()["token"]
    assert (token["scopes"], token["expires_at"], token["current"]) == (["play", "watch", "account"], None, True)


async def test_a_token_is_told_once_and_kept_nowhere(
    client: httpx.AsyncClient, owner: Headers, service: Service
) -> None:
    made = await make_token(client, owner, "play")
    for path in ("/v1/tokens", f"/v1/tokens/{made['id']}", "/v1/me"):
        assert made["token"] not in (await client.get(path, headers=owner)).text
    answer = await client.post("/v1/tokens", json={"scopes": ["play"]}, headers=owner | KEY)
    for table in ("token", "claim"):
        rows = str(await service.store.pool.fetch(f"select t::text, t from {table} t"))
        for secret in (
            made["token"],
            answer.json()["token"],
            owner["Authorization"].partition(" ")[2],
            KEY["Idempotency-Key"],
        ):
            assert secret not in rows, table
    # What is kept does not make the token either, not even together with the key.
    claim = await service.store.pool.fetchrow("select command_key, value from claim")
    salt = b64decode(json.loads(claim["value"])["salt"])
    for own in ("", KEY["Idempotency-Key"], claim["command_key"], "\n" + KEY["Idempotency-Key"]):
        assert secret_of(salt, own.encode()) != answer.json()["token"]


async def test_a_token_is_made_once_for_a_key(client: httpx.AsyncClient, owner: Headers, service: Service) -> None:
    body = {"scopes": ["play"], "lifetime_seconds": 60}
    answers = await asyncio.gather(*(client.post("/v1/tokens", json=body, headers=owner | KEY) for _ in range(5)))
    assert {(answer.status_code, answer.content) for answer in answers} == {(201, answers[0].content)}
    assert await service.store.pool.fetchval("select count(*) from token where maker is not null") == 1
    problem(await client.post("/v1/tokens", json={"scopes": ["watch"]}, headers=owner | KEY), "idempotency_key_reused")
    made = answers[0].json()
    assert await good(client, bearing(made["token"]))
    assert (await client.delete(f"/v1/tokens/{made['id']}", headers=owner)).status_code == 204
    again = await client.post("/v1/tokens", json=body, headers=owner | KEY)
    assert again.content == answers[0].content
    assert not await good(client, bearing(made["token"]))


async def test_a_key_gives_the_token_again_only_to_who_had_it_made(client: httpx.AsyncClient, owner: Headers) -> None:
    second = await token_of(client, owner, "play", "account")
    body = {"scopes": ["play"]}
    made = [(await client.post("/v1/tokens", json=body, headers=maker | KEY)).json() for maker in (owner, second)]
    assert made[0]["id"] != made[1]["id"]
    assert made[0]["token"] != made[1]["token"]


async def test_a_refusal_leaves_the_key_free(client: httpx.AsyncClient, owner: Headers) -> None:
    for body in ({"scopes": ["tournament"]}, {"scopes": ["play"], "lifetime_seconds": 10**10}, {"scopes": ["bot"]}):
        assert (await client.post("/v1/tokens", json=body, headers=owner | KEY)).status_code in (403, 422)
    assert (await client.post("/v1/tokens", json={"scopes": ["play"]}, headers=owner | KEY)).status_code == 201


async def test_no_token_is_wider_than_the_one_it_is_made_with(
    client: httpx.AsyncClient, owner: Headers, service: Service
) -> None:
    await organise(service, await player_of(client, owner))
    account = await token_of(client, owner, "account")
    for scope in ("bot", "admin"):
        assert (await refused(client, owner, "scope_missing", scopes=[scope]))["needed"] == scope
    assert (await refused(client, account, "scope_missing", scopes=["play"]))["needed"] == "play"
    director = await token_of(client, account, "tournament", tournament=TOURNAMENT)
    for maker in (await token_of(client, owner, "play", "watch"), director):
        for scopes in (["watch"], ["tournament"], ["account"]):
            params = await refused(client, maker, "scope_missing", scopes=scopes, tournament=TOURNAMENT)
            assert params["needed"] == "account"


async def test_a_new_token_of_a_person_can_take_the_place_of_the_first(
    client: httpx.AsyncClient, owner: Headers
) -> None:
    first = (await client.get("/v1/me", headers=owner)).json()["token"]["id"]
    second = await token_of(client, owner, "play", "account")
    assert (await client.delete(f"/v1/tokens/{first}", headers=second)).status_code == 204
    assert not await good(client, owner)
    assert (await client.patch("/v1/me", json={"name": "Eve"}, headers=second)).status_code == 200


@pytest.mark.parametrize(
    ("field", "body"),
    [
        ("seat", {"scopes": ["play"], "seat": 1}),
        ("tournament", {"scopes": ["tournament"]}),
        ("tournament", {"scopes": ["play"], "tournament": TOURNAMENT}),
        ("tournament", {"scopes": ["tournament"], "tournament": TOURNAMENT, "game": "g1"}),
        ("scopes", {"scopes": ["tournament", "play"], "tournament": TOURNAMENT}),
        ("scopes", {"scopes": ["tournament", "account"], "tournament": TOURNAMENT}),
        ("scopes", {"scopes": ["account"], "game": "g1"}),
        ("lifetime_seconds", {"scopes": ["play"], "lifetime_seconds": 60, "expires_at": "2027-01-01T00:00:00Z"}),
        ("expires_at", {"scopes": ["play"], "expires_at": "2020-01-01T00:00:00Z"}),
        ("expires_at", {"scopes": ["play"], "expires_at": "0001-01-01T00:00:00+14:00"}),
        ("expires_at", {"scopes": ["play"], "expires_at": "9999-12-31T23:59:59-14:00"}),
        ("expires_at", {"scopes": ["play"], "lifetime_seconds": 31_536_001}),
    ],
)
async def test_terms_that_do_not_go_together_are_refused(
    client: httpx.AsyncClient, owner: Headers, field: str, body: dict[str, Any]
) -> None:
    params = await refused(client, owner, "token_terms_invalid", **body)
    assert params["field"] == field
    assert params["needed"]


@pytest.mark.parametrize(
    ("at", "body"),
    [
        (".scopes", {"scopes": []}),
        (".scopes[0]", {"scopes": ["everything"]}),
        (".expires_at", {"scopes": ["play"], "expires_at": "2027-01-01T00:00:00"}),
        (".lifetime_seconds", {"scopes": ["play"], "lifetime_seconds": 0}),
        (".name", {"scopes": ["play"], "name": "a\nb"}),
        (".seat", {"scopes": ["play"], "game": "g1", "seat": 6}),
    ],
)
async def test_a_body_of_another_form_is_refused(
    client: httpx.AsyncClient, owner: Headers, at: str, body: dict[str, Any]
) -> None:
    assert (await refused(client, owner, "invalid_body", **body))["at"] == at


async def test_only_the_organiser_lets_others_direct(
    client: httpx.AsyncClient, owner: Headers, service: Service
) -> None:
    other = await guest(client)
    await organise(service, await player_of(client, other))
    wanted = {"scopes": ["tournament"], "tournament": TOURNAMENT}
    await refused(client, owner, "tournament_not_found", **wanted)
    await refused(client, other, "tournament_not_found", **(wanted | {"tournament": "t0"}))
    made = await make_token(client, other, "tournament", tournament=TOURNAMENT, name="Assistant")
    assert (made["scopes"], made["tournament"]) == (["tournament"], TOURNAMENT)


async def test_a_game_and_a_seat_must_be_the_players_to_narrow_a_token_to(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, players=2)
    stranger = await guest(client)
    await refused(client, stranger, "game_not_found", scopes=["play"], game=table.id)
    await refused(client, stranger, "game_not_found", scopes=["play"], game="g00")
    await refused(client, table.seats[0], "not_your_seat", scopes=["play"], game=table.id, seat=1)
    made = await make_token(client, table.seats[0], "play", game=table.id, seat=0)
    assert (made["game"], made["seat"]) == (table.id, 0)


async def test_a_token_ends_when_it_says(client: httpx.AsyncClient, owner: Headers) -> None:
    made = await make_token(client, owner, "play", lifetime_seconds=3)
    short = bearing(made["token"])
    assert await good(client, short)
    left = datetime.fromisoformat(made["expires_at"]) - datetime.now(UTC)
    await asyncio.sleep(max(0.0, left.total_seconds()) + 0.1)
    # Also where nothing but the memory of the worker is asked.
    problem(await client.get("/v1/games", headers=short), "credential_invalid")
    assert not await good(client, short)
    shown = (await client.get("/v1/tokens", headers=owner)).json()["tokens"]
    assert [token["current"] for token in shown] == [True]


async def test_a_token_lasts_no_longer_than_it_may_nor_than_its_maker(
    client: httpx.AsyncClient, owner: Headers, service: Service
) -> None:
    longest = timedelta(seconds=service.settings.token_seconds_max)
    made = await make_token(client, owner, "play")
    assert datetime.fromisoformat(made["expires_at"]) - datetime.fromisoformat(made["created_at"]) == longest
    at = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
    maker = await make_token(client, owner, "play", "account", expires_at=at.isoformat())
    assert datetime.fromisoformat(maker["expires_at"]) == at
    child = await make_token(client, bearing(maker["token"]), "play")
    assert child["expires_at"] == maker["expires_at"]
    params = await refused(
        client, bearing(maker["token"]), "token_terms_invalid", scopes=["play"], lifetime_seconds=3700
    )
    assert datetime.fromisoformat(params["latest"]) == at


async def test_a_player_has_so_many_tokens_and_no_more(
    client: httpx.AsyncClient, owner: Headers, service: Service
) -> None:
    answers = await asyncio.gather(
        *(client.post("/v1/tokens", json={"scopes": ["play"]}, headers=owner) for _ in range(9))
    )
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [409] * 6
    assert (await refused(client, owner, "too_many_tokens", scopes=["play"]))["limit"] == 4
    made = next(answer for answer in answers if answer.status_code == 201).json()
    assert (await client.delete(f"/v1/tokens/{made['id']}", headers=owner)).status_code == 204
    await make_token(client, owner, "play")
    # Neither the tokens of others nor those that have ended count.
    await service.store.pool.execute("update token set expires_at = now() where maker is not null")
    await make_token(client, owner, "play")
    await make_token(client, await guest(client), "play")


async def test_a_list_has_every_good_token_once(client: httpx.AsyncClient, owner: Headers) -> None:
    made = [(await make_token(client, owner, "watch", name=f"Token {number}"))["id"] for number in range(3)]
    await make_token(client, await guest(client), "play")
    assert (await client.delete(f"/v1/tokens/{made[1]}", headers=owner)).status_code == 204
    found: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None and len(found) < 10:
        page = (await client.get(f"/v1/tokens?limit=1&cursor={cursor}", headers=owner)).json()
        found += page["tokens"]
        cursor = page["next"]
    assert [token["id"] for token in found[:-1]] == [made[2], made[0]]
    assert [token["current"] for token in found] == [False, False, True]
    for bad in ("nonsense", "MjAyNi0wMS0wMQ"):
        problem(await client.get(f"/v1/tokens?cursor={bad}", headers=owner), "cursor_invalid")


async def test_tokens_of_others_are_unknown_and_others_of_ones_own_need_the_account(
    client: httpx.AsyncClient, owner: Headers
) -> None:
    foreign = (await make_token(client, await guest(client), "play"))["id"]
    made = await make_token(client, owner, "play")
    small = bearing(made["token"])
    first = (await client.get("/v1/me", headers=owner)).json()["token"]["id"]
    for method in ("GET", "DELETE"):
        for unknown in (foreign, "t0", "nonsense"):
            problem(await client.request(method, f"/v1/tokens/{unknown}", headers=owner), "token_not_found")
        problem(await client.request(method, f"/v1/tokens/{first}", headers=small), "scope_missing")
    assert (await client.get(f"/v1/tokens/{made['id']}", headers=small)).json()["current"] is True
    assert (await client.delete(f"/v1/tokens/{made['id']}", headers=small)).status_code == 204
    assert not await good(client, small)
    assert (await client.delete(f"/v1/tokens/{made['id']}", headers=owner)).status_code == 204
    problem(await client.get(f"/v1/tokens/{made['id']}", headers=owner), "token_revoked")


async def test_a_revoked_token_is_refused_here_at_once_and_elsewhere_within_the_poll(settings: Settings) -> None:
    async with running(settings) as (_, client), running(settings) as (_, other):
        owner = await guest(client)
        made = await make_token(client, owner, "play", "account")
        revoked = bearing(made["token"])
        assert await good(client, revoked)
        assert await good(other, revoked)
        assert (await client.delete(f"/v1/tokens/{made['id']}", headers=owner)).status_code == 204
        assert not await good(client, revoked)
        # Whoever has stolen it makes no other with it, also where it is still known.
        await refused(other, revoked, "credential_invalid", scopes=["play"])

        async def refused_there() -> bool:
            # A list needs nothing but the memory of the worker.
            return (await other.get("/v1/games", headers=revoked)).status_code == 401

        await eventually(refused_there)
        assert not await good(other, revoked)
        problem(await other.get("/v1/games", headers=revoked), "credential_invalid")
        assert await good(other, owner)


async def ended(reader: Reader) -> str:
    """Why a stream ended."""
    end = await reader.end()
    assert end["type"] == "end"
    return str(end["reason"])


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_the_stream_of_a_revoked_token_is_cut_and_those_of_others_go_on(
    settings: Settings, elsewhere: bool
) -> None:
    async with LiveServer(settings) as one, LiveServer(settings) as two, one.client() as client, two.client() as other:
        table = await Table.of(client, players=2)
        made = await make_token(client, table.seats[0], "watch")
        reading = other if elsewhere else client
        revoked = Reader(reading, f"{table.path}/stream", bearing(made["token"]))
        going_on = Reader(reading, f"{table.path}/stream", table.seats[0])
        await revoked.until(3)
        await going_on.until(3)
        assert (await client.delete(f"/v1/tokens/{made['id']}", headers=table.seats[0])).status_code == 204
        assert await ended(revoked) == "access_changed"
        await table.start()
        await going_on.until(4)
        assert max(revoked.versions()) == 3
        going_on.task.cancel()


async def test_nothing_is_told_to_a_revoked_token_after_its_end(settings: Settings) -> None:
    """The news comes before the next look at what is silent."""
    async with LiveServer(replace(settings, bell_poll_seconds=60.0)) as live, live.client() as client:
        table = await Table.of(client, players=2)
        made = await make_token(client, table.seats[0], "watch")
        reader = Reader(client, f"{table.path}/stream", bearing(made["token"]))
        await reader.until(3)
        assert (await client.delete(f"/v1/tokens/{made['id']}", headers=table.seats[0])).status_code == 204
        await table.start()
        assert await ended(reader) == "access_changed"
        assert max(reader.versions()) == 3


async def test_a_stream_ends_with_the_life_of_its_token(live: LiveServer) -> None:
    async with live.client() as client:
        table = await Table.of(client, players=2)
        short = await token_of(client, table.seats[0], "watch", lifetime_seconds=3)
        reader = Reader(client, f"{table.path}/stream", short)
        await reader.until(3)
        assert await ended(reader) == "access_changed"


async def test_the_stream_of_a_seats_token_is_cut_when_the_seat_is_left(live: LiveServer) -> None:
    """Case O7, at a table where everybody may watch."""
    async with live.client() as client:
        table = await Table.of(client, players=2, visibility="public", watch={"who": "anyone"})
        seat = await token_of(client, table.seats[1], "watch", game=table.id, seat=1)
        reader = Reader(client, f"{table.path}/stream", seat)
        await reader.until(3)
        assert (await client.delete(f"{table.path}/seats/1", headers=table.seats[1])).status_code == 204
        assert await ended(reader) == "access_changed"
        assert max(reader.versions()) == 3
        problem(await client.get(f"{table.path}/stream", headers=seat), "outside_of_token")


async def test_tokens_and_their_names_go_with_the_person(
    client: httpx.AsyncClient, owner: Headers, service: Service
) -> None:
    made = await client.post("/v1/tokens", json={"scopes": ["play"], "name": "Canary"}, headers=owner | KEY)
    given = await given_token(service, await player_of(client, owner), "admin")
    assert (await client.delete("/v1/me", headers=owner)).status_code == 204
    for headers in (bearing(made.json()["token"]), given):
        assert not await good(client, headers)
    for table in ("token", "claim"):
        assert await service.store.pool.fetchval(f"select count(*) from {table}") == 0
