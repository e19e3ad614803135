"""Terms as they are shown can be sent back, and changed so."""

from typing import Any

import httpx
import pytest

from service.running import Service
from service.tournaments.entry_codes import code_hash
from tests.service.http.tables import problem
from tests.service.http.tournaments.event import Event, stage_of

CODE = {"code": "12345678"}
EVERYTHING: list[dict[str, Any]] = [
    {},
    {"registration": CODE | {"capacity": 12, "conditions": [{"kind": "persons_only"}], "late_rounds": 1}},
    {"stages": [stage_of({"kind": "danish", "rounds": 2}, score={"kind": "victory_points", "scale": "burraco_3"})]},
    {"stages": [stage_of(match="3x40"), stage_of({"kind": "round_robin"}, qualifiers=4, carry={"what": "score"})]},
    {
        "ruleset": "samba-official",
        "players": 4,
        "options": {"target_choices": [10_000, 15_000], "target": 15_000},
        "boards": {"stock": "striped"},
    },
    {"pace": {"starts_at": "2041-07-01T19:30:00", "repeat": {"rounds": 2}}, "time_zone": "Europe/Rome"},
    {
        "pace": {"starts_at": "2041-07-01T19:30:00", "repeat": {"rounds": 2, "ends_at": "2041-07-08T19:30:00"}},
        "stages": [stage_of({"kind": "ladder", "days": 3, "answer_minutes": 60})],
    },
]


async def terms_shown(event: Event) -> Any:
    return (await event.shown())["terms"]


def needed(answer: httpx.Response) -> dict[str, str]:
    return {fault["field"]: fault["needed"] for fault in problem(answer, "tournament_terms_invalid")["faults"]}


@pytest.mark.parametrize("terms", EVERYTHING)
async def test_terms_that_are_sent_back_as_they_are_shown_change_nothing(
    client: httpx.AsyncClient, terms: dict[str, Any]
) -> None:
    event = await Event.announce(client, **terms)
    shown = await event.shown()
    problem(await event.ask("PATCH", "", event.director, {"terms": shown["terms"]}), "nothing_to_change")
    assert (await event.shown())["version"] == shown["version"]
    assert (
        await client.post(
            "/v1/tournaments", json={"title": "Again"} | without_code(shown["terms"]), headers=event.director
        )
    ).status_code == 201


def without_code(terms: dict[str, Any]) -> dict[str, Any]:
    return terms | {"registration": terms["registration"] | {"code_hash": None}}


async def test_one_thing_is_changed_of_terms_that_are_shown_and_the_code_stays(
    client: httpx.AsyncClient, service: Service
) -> None:
    event = await Event.announce(client, registration=CODE)
    before = await terms_shown(event)
    registration = before["registration"] | {"capacity": 8}
    await event.done("PATCH", "", event.director, {"terms": before | {"registration": registration}})
    after = await terms_shown(event)
    assert after == before | {"registration": registration}
    master = (await service.tournaments.find(event.id)).master
    assert after["registration"]["code_hash"] == code_hash(master, CODE["code"])


async def test_a_new_title_is_taken_beside_terms_that_are_as_they_were(client: httpx.AsyncClient) -> None:
    event = await Event.announce(client)
    terms = await terms_shown(event)
    changed = await event.done("PATCH", "", event.director, {"title": "The other cup", "terms": terms})
    assert (changed["title"], changed["terms"]) == ("The other cup", terms)


async def test_a_time_that_cannot_be_read_is_told_once(client: httpx.AsyncClient) -> None:
    event = await Event.announce(client)
    wrong = await terms_shown(event) | {"pace": {"starts_at": "at nine", "repeat": {"rounds": 2}}}
    told = problem(await event.ask("PATCH", "", event.director, {"terms": wrong}), "tournament_terms_invalid")
    assert [fault["field"] for fault in told["faults"]] == ["pace.starts_at"]


async def test_an_entry_code_stays_when_it_is_left_out_and_goes_by_null(client: httpx.AsyncClient) -> None:
    event = await Event.announce(client, registration=CODE)
    terms = await terms_shown(event)
    kept = terms["registration"].pop("code_hash")
    await event.done("PATCH", "", event.director, {"terms": terms | {"watch": "nobody"}})
    assert (await terms_shown(event))["registration"]["code_hash"] == kept
    without = terms | {"registration": terms["registration"] | {"code": None}}
    await event.done("PATCH", "", event.director, {"terms": without})
    assert (await terms_shown(event))["registration"]["code_hash"] is None
    anew = terms | {"registration": terms["registration"] | CODE}
    await event.done("PATCH", "", event.director, {"terms": anew})
    assert (await terms_shown(event))["registration"]["code_hash"] == kept


async def test_a_hash_that_is_another_one_is_refused_with_everything_else(client: httpx.AsyncClient) -> None:
    event = await Event.announce(client, registration=CODE)
    terms = await terms_shown(event)
    wrong = terms | {
        "ruleset_hash": "0" * 64,
        "registration": terms["registration"] | {"code_hash": "1" * 64},
        "time_zone": "Nowhere",
    }
    told = needed(await event.ask("PATCH", "", event.director, {"terms": wrong}))
    assert told["ruleset_hash"] == "the hash of this rule set, or nothing"
    assert told["registration.code_hash"] == "the hash of the present code, or nothing; a code of your own in `code`"
    assert "time_zone" in told
    copied = await client.post("/v1/tournaments", json={"title": "Again"} | terms, headers=event.director)
    assert [*needed(copied)] == ["registration.code_hash"]
