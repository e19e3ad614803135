from typing import Any

import httpx
import pytest

from domain.presets import PRESETS
from domain.rulesets import resolve
from tests.service.http.tables import guest, problem


async def test_every_preset_is_there_whole(client: httpx.AsyncClient) -> None:
    answer = (await client.get("/v1/rulesets")).json()
    assert [preset["name"] for preset in answer["presets"]] == list(PRESETS)
    for preset in answer["presets"]:
        assert preset["ruleset"] == dict(PRESETS[preset["name"]])
        assert preset["hash"] == resolve(preset["name"]).sha256()
        assert (await client.get(f"/v1/rulesets/{preset['name']}")).json() == preset


async def test_an_unknown_preset_is_told_those_that_are(client: httpx.AsyncClient) -> None:
    document = problem(await client.get("/v1/rulesets/whist"), "ruleset_not_found")
    assert document["params"]["presets"] == list(PRESETS)


async def test_a_verdict_lists_every_fault(client: httpx.AsyncClient) -> None:
    options = {"packs": 0, "jokers": "many", "nonsense": 1}
    answer = await client.post("/v1/rulesets/validate", json={"ruleset": "bolivia", "options": options})
    verdict = answer.json()
    assert not verdict["valid"]
    assert verdict["resolved"] is None
    assert {fault["key"] for fault in verdict["faults"]} == {"packs", "jokers", "nonsense"}


async def test_a_sound_rule_set_is_resolved(client: httpx.AsyncClient) -> None:
    asked = {"ruleset": "samba-official", "options": {"draw_count": 1}}
    verdict = (await client.post("/v1/rulesets/validate", json=asked)).json()
    assert verdict["valid"]
    assert verdict["resolved"]["ruleset"]["draw_count"] == 1
    assert verdict["resolved"]["hash"] == resolve("samba-official", {"draw_count": 1}).sha256()


@pytest.mark.parametrize(
    ("ruleset", "options"),
    [
        ("no-such", None),
        ({"name": "x"}, None),
        ("samba-official", {"packs": 10**30}),
        ("samba-official", {"packs": 1e300}),
        ("samba-official", {"name": "mine"}),
    ],
)
async def test_a_game_is_not_made_with_an_unsound_rule_set(
    client: httpx.AsyncClient, ruleset: Any, options: Any
) -> None:
    body = {"players": 4, "ruleset": ruleset, "options": options}
    document = problem(await client.post("/v1/games", json=body, headers=await guest(client)), "ruleset_invalid")
    assert document["faults"]
