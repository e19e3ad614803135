from typing import Any

import httpx
import pytest

from tests.service.http.tables import Table, guest, problem


@pytest.mark.parametrize(
    "query",
    [
        "limit=0", "limit=201", "limit=1.0", "limit=1e1", "limit=+1", "limit=01", "limit=null", "limit=", "limit=x",
        "limit=%D9%A3", "limit=1&limit=2", "nonsense=1", "status=gone", "practice=yes", "mine=1", "mine=TRUE",
        "status=%FF", "limit=99999999999999999999", "cursor=" + "x" * 201, "a=" + "b" * 5000,
    ],
)  # fmt: skip
async def test_a_query_is_read_strictly(client: httpx.AsyncClient, query: str) -> None:
    answer = await client.get(f"/v1/games?{query}", headers=await guest(client))
    assert problem(answer, "invalid_parameter")["params"]["expected"]


@pytest.mark.parametrize("path", ["/v1/me", "/v1/rulesets", "/v1/health/live", "/metrics"])
async def test_an_address_without_parameters_takes_none(client: httpx.AsyncClient, path: str) -> None:
    problem(await client.get(f"{path}?x=1", headers=await guest(client)), "invalid_parameter")


@pytest.mark.parametrize("value", ["041", 'W/"1"', "*", '"-1"', '"x"', "", '"01"', '"1", "2"', '"99999999999"'])
async def test_if_match_is_one_version(game: Table, value: str) -> None:
    answer = await game.move({"type": "draw"}, If_Match=value)
    assert problem(answer, "invalid_parameter")["params"]["name"] == "If-Match"


@pytest.mark.parametrize("value", ["", "a b", "x" * 256, "\x7f"])
async def test_an_idempotency_key_is_printable(game: Table, value: str) -> None:
    answer = await game.move({"type": "draw"}, Idempotency_Key=value)
    assert problem(answer, "invalid_parameter")["params"]["name"] == "Idempotency-Key"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/players", ["POST"]),
        ("DELETE", "/v1/games", ["GET", "HEAD", "POST"]),
        ("GET", "/v1/games/gx/moves", ["POST"]),
        ("PUT", "/v1/me", ["DELETE", "GET", "HEAD", "PATCH"]),
    ],
)
async def test_another_method_is_told_those_that_are(
    client: httpx.AsyncClient, method: str, path: str, allowed: list[str]
) -> None:
    answer = await client.request(method, path)
    document = problem(answer, "method_not_allowed")
    told = {name.strip() for name in answer.headers["allow"].split(",")} - {"OPTIONS"}
    assert told == set(allowed)
    assert set(document["params"]["allowed"]) - {"OPTIONS"} == set(allowed)


@pytest.mark.parametrize("path", ["/", "/v1", "/v1/nothing", "/v2/games", "/v1/games/a/b/c", "/v1/players/x"])
async def test_there_is_nothing_elsewhere(client: httpx.AsyncClient, path: str) -> None:
    problem(await client.get(path), "route_not_found")


@pytest.mark.parametrize(
    "game_id", ["g00", "%00", "..%2f", "x" * 65, "x" * 3000, "%F0%9F%83%8F", "a b", "g'--", "G%0A"]
)
async def test_there_is_no_game_of_a_made_up_id(client: httpx.AsyncClient, game_id: str) -> None:
    headers = await guest(client)
    codes = set()
    for path in ("", "/legal_moves", "/events", "/stream"):
        answer: Any = await client.get(f"/v1/games/{game_id}{path}", headers=headers)
        codes.add(problem(answer, answer.json()["code"])["code"])
    answer = await client.post(f"/v1/games/{game_id}/moves", json={"type": "draw"}, headers=headers)
    codes.add(problem(answer, answer.json()["code"])["code"])
    assert codes <= {"game_not_found", "route_not_found"}


@pytest.mark.parametrize("host", ["a b", "a/b", '"-1"'])
async def test_a_host_that_is_none_is_no_fault_of_ours(client: httpx.AsyncClient, host: str) -> None:
    problem(await client.get("/v1/health/live", headers={"Host": host}), "malformed_request")


@pytest.mark.parametrize("name", ["Authorization", "If-Match", "Idempotency-Key", "Content-Type"])
async def test_a_header_that_can_mean_one_thing_is_given_once(game: Table, name: str) -> None:
    given = {
        "Authorization": game.seats[0]["Authorization"], "If-Match": '"1"', "Idempotency-Key": "a",
        "Content-Type": "application/json",
    }  # fmt: skip
    twice = [*given.items(), (name, given[name])]
    answer = await game.client.post(f"{game.path}/moves", content=b'{"type":"draw"}', headers=twice)
    assert problem(answer, "invalid_parameter")["params"] == {"name": name, "expected": "given once"}


@pytest.mark.parametrize("query", ["", "?dry_run=true"])
async def test_of_two_versions_that_differ_one_is_stale(game: Table, query: str) -> None:
    version = (await game.view())["version"]
    asked = {"moves": [{"type": "draw"}], "expected_version": version - 1}
    answer = await game.move(asked, query=query, If_Match=f'"{version}"')
    assert problem(answer, "stale_version")["params"] == {"current_version": version}
    assert (await game.view())["version"] == version
