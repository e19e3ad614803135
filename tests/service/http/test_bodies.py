"""What stands between a request and a decoder."""

import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from service.http import bodies
from service.http.problems import Problem
from tests.service.http.tables import guest, problem

JSON = {"Content-Type": "application/json"}


async def send(client: httpx.AsyncClient, content: bytes, **headers: str) -> httpx.Response:
    return await client.post("/v1/players", content=content, headers=JSON | headers)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"nonsense", b"{'name': 1}", b'{"name": "a",}', b"\xef\xbb\xbf{}", b"NaN", b'{"name": Infinity}',
        b'{"name": "\\ud800"}', b'{"name": "\\udc00 x"}', b'{"name": "\xff"}', b'{"name": "\xc0\x80"}',
        b'{"name": "\xed\xa0\x80"}', b'{"name": 1e400}', b'{"name": ' + b"9" * 5000 + b"}", b'{"name": "a\x01"}',
        b'{"name": "a"} x', b'{"name"\x0b: "a"}',
    ],
)  # fmt: skip
async def test_what_is_no_json_is_malformed(client: httpx.AsyncClient, content: bytes) -> None:
    problem(await send(client, content), "malformed_json")


@pytest.mark.parametrize(
    "content",
    [b'{"name": "a", "name": "b"}', b'{"name": "a", "na\\u006de": "b"}', b'{"x": [{"y": 1, "y": 1}]}'],
)
async def test_a_key_stands_once_in_an_object(client: httpx.AsyncClient, content: bytes) -> None:
    problem(await send(client, content), "duplicate_key")


@pytest.mark.parametrize(
    ("content", "at"),
    [
        (b"[]", "(the body)"),
        (b"null", "(the body)"),
        (b"{}", "(the body)"),
        (b'{"name": 5}', ".name"),
        (b'{"name": "a", "more": 1}', "(the body)"),
        (b'{"name": -0}', ".name"),
        (b'{"name": 123456789012345678901234567890}', ".name"),
    ],
)
async def test_the_place_of_a_wrong_shape_is_told(client: httpx.AsyncClient, content: bytes, at: str) -> None:
    assert problem(await send(client, content), "invalid_body")["params"]["at"] == at


async def test_a_body_is_nested_32_deep_at_most(client: httpx.AsyncClient) -> None:
    headers = await guest(client)

    async def options(depth: int) -> httpx.Response:
        nested: Any = 1
        for _ in range(depth - 2):
            nested = [nested]
        body = {"ruleset": "bolivia", "options": {"packs": nested}}
        return await client.post("/v1/rulesets/validate", json=body, headers=headers)

    assert (await options(32)).status_code == 200
    assert problem(await options(33), "nesting_too_deep")["params"] == {"limit": 32}
    deep = b'{"ruleset": ' + b"[" * 30_000 + b"]" * 30_000 + b"}"
    problem(await client.post("/v1/rulesets/validate", content=deep, headers=headers | JSON), "nesting_too_deep")


async def test_brackets_inside_text_do_not_nest(client: httpx.AsyncClient) -> None:
    assert (await send(client, json.dumps({"name": '[{"' * 13}).encode())).status_code == 201


async def test_a_body_has_64_kib_at_most(client: httpx.AsyncClient) -> None:
    padding = b" " * (65_536 - len(b'{"name": "a"}'))
    assert (await send(client, b'{"name": "a"}' + padding)).status_code == 201
    assert problem(await send(client, b'{"name": "a"}' + padding + b" "), "body_too_large")["params"] == {
        "limit": 65_536
    }


async def test_a_body_of_unknown_length_is_refused_once_it_is_too_long(client: httpx.AsyncClient) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 1
            yield b" " * 16_384

    problem(await client.post("/v1/players", content=endless(), headers=JSON), "body_too_large")
    assert sent <= 6


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/yaml", "", "application/json; charset=latin-1", "application/jsonx"]
)
async def test_a_body_is_json(client: httpx.AsyncClient, content_type: str) -> None:
    answer = await client.post("/v1/players", content=b'{"name": "a"}', headers={"Content-Type": content_type})
    problem(answer, "unsupported_media_type")


@pytest.mark.parametrize("content_type", ["application/json", "APPLICATION/JSON", 'application/json;charset="UTF-8"'])
async def test_json_may_be_named_in_several_ways(client: httpx.AsyncClient, content_type: str) -> None:
    answer = await client.post("/v1/players", content=b'{"name": "a"}', headers={"Content-Type": content_type})
    assert answer.status_code == 201


def test_the_length_announced_is_enough_to_refuse() -> None:
    async def never() -> Any:
        raise AssertionError

    coroutine = bodies.receive_body(never, {b"content-length": b"99999999999"}, 100)
    with pytest.raises(Problem) as refused:
        coroutine.send(None)
    assert refused.value.code == "body_too_large"


@pytest.mark.parametrize(
    "content",
    [b'"' + b'\\"' * 32_000, b'"\\' * 21_000, b"\\" * 64_000 + b'"', b'["' * 32_000],
    ids=["1", "2", "3", "4"],
)
async def test_no_body_takes_longer_than_its_size(client: httpx.AsyncClient, content: bytes) -> None:
    begun = time.process_time()
    assert (await send(client, content)).status_code == 400
    # Some milliseconds; what grows with the square of the size takes half a minute.
    assert time.process_time() - begun < 2
