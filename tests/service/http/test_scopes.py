"""What each token may ask for, on every operation of the catalogue (case O44)."""

import re
from collections.abc import Mapping
from typing import Final

import httpx
import pytest

from service.http.catalogue import OPERATIONS
from service.http.openapi import document
from service.http.operations import Operation
from service.http.tables import Game
from service.principals import SCOPES, Principal, Scope
from service.running import Service
from tests.service.http.tables import Headers, Table, guest, problem
from tests.service.http.tokens import TOURNAMENT, bearing, given_token, organise, player_of, token_of

GUARDED: Final = sorted(
    (operation for operation in OPERATIONS if operation.credential != "none"),
    key=lambda operation: operation.id == "eraseMe",
)
"""Every operation that looks at a credential; the one after which there is nobody left to ask stands last."""

OF_GAMES: Final = [operation for operation in GUARDED if "{game_id}" in operation.path]
FOR_EVERYBODY: Final = {"getMe", "getToken", "deleteToken"}
GRANTS: Final[Mapping[Scope, set[str]]] = {
    "play": {"play", "watch"},
    "watch": {"watch"},
    "bot": {"bot"},
    "tournament": {"tournament", "watch"},
    "account": {"account", "tournament", "watch"},
    "admin": {"admin"},
}
"""What a token with one scope is let into; written out here, not taken from the code."""

ELSEWHERE: Final = "g00000000000000000000000000000000"
BEYOND_EVERYTHING: Final = "after=2147483647"


async def ask(
    client: httpx.AsyncClient,
    operation: Operation,
    headers: Mapping[str, str],
    game: str = ELSEWHERE,
    tournament: str = "t00000000000000000000000000000000",
    body: object = None,
) -> httpx.Response:
    """Ask for an operation with a token and little else; what is asked of a game leads to no answer that never ends."""
    known = {"game_id": game, "tournament_id": tournament}
    path = re.sub(r"\{(\w+)\}", lambda found: known.get(found[1], "1"), operation.path)
    query = f"?{BEYOND_EVERYTHING}" if operation.id.startswith("stream") else ""
    return await client.request(operation.method, path + query, headers=headers, json=body)


def code_of(answer: httpx.Response) -> str:
    """The code of a problem; nothing for a success."""
    problematic = answer.headers.get("content-type") == "application/problem+json"
    return str(answer.json()["code"]) if problematic else ""


def let_in(answer: httpx.Response) -> bool:
    return code_of(answer) not in {"scope_missing", "outside_of_token", "credential_missing", "credential_invalid"}


def test_every_operation_that_takes_a_token_says_what_it_needs_of_it() -> None:
    assert {operation.id for operation in GUARDED if operation.scope is None} == set()
    assert {operation.id for operation in GUARDED if operation.scope == "any"} == FOR_EVERYBODY
    assert {operation.scope for operation in OPERATIONS if operation.credential == "none"} == {None}
    described = document()["paths"]
    for operation in OPERATIONS:
        told = described[operation.path][operation.method.lower()]
        if operation.credential == "none":
            assert told["security"] == []
            continue
        roles = [] if operation.scope == "any" else [operation.scope]
        assert {"bearer": roles} in told["security"]
        assert ("Any valid token" if operation.scope == "any" else f"`{operation.scope}`") in told["description"]
        if operation.scope != "any":
            assert {"scope_missing", "outside_of_token"} <= set(
                told["responses"]["403"]["content"]["application/problem+json"]["examples"]
            )


def test_what_makes_a_game_out_of_another_is_marked() -> None:
    beyond = {operation.id for operation in OPERATIONS if operation.beyond}
    assert "forkGame" in beyond
    for operation in OF_GAMES:
        made = [answer for answer in operation.answers if answer.kind is Game and "Location" in answer.headers]
        assert not made or operation.id in beyond, operation.id


@pytest.mark.parametrize("scope", SCOPES)
async def test_a_token_is_let_in_where_its_scope_says_and_nowhere_else(
    client: httpx.AsyncClient, service: Service, scope: Scope
) -> None:
    owner = await guest(client)
    player = await player_of(client, owner)
    if scope in ("bot", "admin"):
        headers = await given_token(service, player, scope)
    elif scope == "tournament":
        await organise(service, player)
        headers = await token_of(client, owner, "tournament", tournament=TOURNAMENT)
    else:
        headers = await token_of(client, owner, scope)
    for operation in GUARDED:
        answer = await ask(client, operation, headers, tournament=TOURNAMENT)
        if operation.scope != "any" and operation.scope not in GRANTS[scope]:
            assert problem(answer, "scope_missing")["params"]["needed"] == operation.scope
        elif operation.id in FOR_EVERYBODY - {"getMe"}:
            # The tokens that it asks about are others than the one that it uses.
            assert code_of(answer) == ("token_not_found" if scope == "account" else "scope_missing")
        elif scope == "tournament" and operation.scope != "any" and "{tournament_id}" not in operation.path:
            assert problem(answer, "outside_of_token")["params"] == {"tournament": TOURNAMENT}
        else:
            assert let_in(answer), (operation.id, answer.text)


async def test_a_persons_first_token_is_let_in_everywhere(client: httpx.AsyncClient) -> None:
    headers = await guest(client)
    for operation in GUARDED:
        answer = await ask(client, operation, headers)
        assert let_in(answer), (operation.id, answer.text)


async def test_a_bad_credential_is_refused_on_every_route(client: httpx.AsyncClient, service: Service) -> None:
    owner = await guest(client)
    revoked, expired = await token_of(client, owner, "play"), await token_of(client, owner, "play", name="expired")
    assert (await client.get("/v1/me", headers=revoked)).status_code == 200
    own = (await client.get("/v1/me", headers=revoked)).json()["token"]["id"]
    assert (await client.delete(f"/v1/tokens/{own}", headers=owner)).status_code == 204
    await service.store.pool.execute("update token set expires_at = now() where name = 'expired'")
    gone = await guest(client)
    of_the_gone = await token_of(client, gone, "play", "watch")
    assert (await client.delete("/v1/me", headers=gone)).status_code == 204
    bad = [revoked, expired, gone, of_the_gone, *map(bearing, ("", "nonsense", "x" * 43, "x" * 4000))]
    for operation in GUARDED:
        for headers in (*bad, {"Authorization": ""}, {"Authorization": "Basic YTpi"}):
            problem(await ask(client, operation, headers), "credential_invalid")


async def test_a_token_for_one_game_is_good_for_no_other(client: httpx.AsyncClient) -> None:
    tables = [await Table.of(client, players=2, visibility="public") for _ in range(2)]
    owner = tables[0].seats[0]
    narrowed: list[Headers] = [
        await token_of(client, owner, "play", "watch", game=tables[0].id),
        await token_of(client, owner, "play", game=tables[0].id, seat=0),
    ]
    for operation in OF_GAMES:
        for headers in narrowed:
            for other in (tables[1].id, ELSEWHERE):
                assert problem(await ask(client, operation, headers, other), "outside_of_token")["params"]["game"]
            answer = await ask(client, operation, headers, tables[0].id)
            assert let_in(answer) != operation.beyond, (operation.id, answer.text)


async def test_a_token_for_a_game_is_outside_where_the_address_names_none(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, players=2)
    headers = await token_of(client, table.seats[0], "play", "watch", game=table.id)
    for operation in GUARDED:
        answer = await ask(client, operation, headers, table.id)
        if operation.scope in ("account", "tournament"):
            problem(answer, "scope_missing")
        elif operation.scope != "any" and "{game_id}" not in operation.path:
            problem(answer, "outside_of_token")


async def test_a_token_for_a_seat_ends_with_the_seat(client: httpx.AsyncClient) -> None:
    """Case O7: the old token fails for view, moves, events and stream, also where strangers may watch."""
    table = await Table.of(client, players=2, visibility="public", watch={"who": "anyone"})
    seat = await token_of(client, table.seats[1], "play", game=table.id, seat=1)
    shown = (await client.get(table.path, headers=seat)).json()
    assert shown["seat"] == 1
    assert (await client.delete(f"{table.path}/seats/1", headers=seat)).status_code == 204
    for operation in OF_GAMES:
        answer = await ask(client, operation, seat, table.id, body=operation.body_example)
        assert problem(answer, "outside_of_token")["params"]["game"] == table.id, operation.id


async def test_a_token_for_one_seat_does_not_play_from_another(client: httpx.AsyncClient) -> None:
    terms = {"visibility": "public", "fairness": "server_only"}
    table = await Table.of(client, players=3, **terms, seats=[{"kind": "you"}, {"kind": "open"}, {"kind": "open"}])
    seat = await token_of(client, table.seats[0], "play", game=table.id, seat=0)
    leaving, free = table.seats[0], {"seat": 0}
    assert (await client.delete(f"{table.path}/seats/0", headers=leaving)).status_code == 204
    assert (await client.delete(f"{table.path}/seats/2", headers=table.seats[2])).status_code == 204
    for headers, taken in ((leaving, {"seat": 2}), (table.seats[2], free)):
        joined = await client.post(f"{table.path}/seats", json=taken | {"code": table.code}, headers=headers)
        assert joined.status_code == 201, joined.text
    assert (await client.post(f"{table.path}/start", headers=table.seats[1])).status_code == 201
    for query in ("", "?dry_run=true"):
        moved = await client.post(f"{table.path}/moves{query}", json={"type": "draw"}, headers=seat)
        problem(moved, "outside_of_token")


async def test_a_director_sees_no_hand_of_the_organiser(client: httpx.AsyncClient, service: Service) -> None:
    table = await Table.of(client, players=2)
    await table.start()
    await organise(service, await player_of(client, table.seats[0]))
    director = await token_of(client, table.seats[0], "tournament", "watch", tournament=TOURNAMENT)
    for path in ("", "/events", "/legal_moves", "/record"):
        problem(await client.get(table.path + path, headers=director), "outside_of_token")
    problem(await client.get("/v1/games?mine=true", headers=director), "outside_of_token")


def test_a_tournament_is_directed_by_its_own_tokens_and_by_its_organiser() -> None:
    director = Principal("t1", "p1", frozenset({"tournament", "watch"}), tournament="T")
    person = Principal("t2", "p1", frozenset({"play", "watch", "account", "tournament"}))
    watcher = Principal("t3", "p1", frozenset({"watch"}))
    for_a_game = Principal("t4", "p1", frozenset({"tournament", "watch"}), game="g")
    looking = Principal("t5", "p1", frozenset({"watch"}), tournament="T")
    assert [each.may_direct("T", "p1") for each in (director, person, watcher, for_a_game, looking)] == [
        True, True, False, False, False,
    ]  # fmt: skip
    assert [each.may_direct("T", "p2") for each in (director, person)] == [False, False]
    assert [each.may_direct("U", "p1") for each in (director, person)] == [False, True]
    assert [each.may_direct("T") for each in (director, person)] == [True, False]
