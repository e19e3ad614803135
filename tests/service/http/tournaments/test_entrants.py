"""Entering a tournament, and what entrants do themselves."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from tests.service.http.tables import guest, problem
from tests.service.http.tournaments.event import BY_HAND, Event, Person, Team, stage_of, terms_of

PAIRS: dict[str, Any] = {"ruleset": "samba-official", "players": 4}


async def asked(event: Event, team: Team, method: str, path: str, body: Any = None) -> httpx.Response:
    return await event.ask(method, f"/entrants/{team.id}{path}", team.headers, body)


async def entry(event: Event, headers: dict[str, str], **body: Any) -> httpx.Response:
    return await event.ask("POST", "/entrants", headers, body)


async def test_one_enters_alone_and_is_told_where(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    person = await Person.new(client, "Ada")
    answer = await entry(event, person.headers, name="The Black Threes", avoid=["club-7"])
    assert answer.status_code == 201
    assert answer.headers["location"] == f"{event.path}/entrants/e1"
    shown = answer.json()
    assert (shown["id"], shown["name"], shown["status"], shown["agreed"]) == ("e1", "The Black Threes", "entered", True)
    assert shown["avoid"] == ["club-7"]
    assert shown["members"] == [{"player": person.id, "name": "Ada", "level": None, "agreed": True}]
    assert await event.shown("/entrants/e1") == shown
    assert (await event.shown("/entrants"))["entrants"] == [shown]
    assert (await event.shown(who=person.headers))["entrant"] == "e1"


async def test_a_partner_agrees_for_themselves_before_the_pair_plays(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, **PAIRS)
    ada, bob = [await Person.new(client, name) for name in ("Ada", "Bob")]
    shown = (await entry(event, ada.headers, players=[ada.id, bob.id])).json()
    assert (shown["name"], shown["agreed"]) == ("Ada & Bob", False)
    assert [each["agreed"] for each in shown["members"]] == [True, False]
    stranger = await guest(client)
    problem(await event.ask("POST", "/entrants/e1/consent", stranger), "not_your_entrant")
    shown = await event.done("POST", "/entrants/e1/consent", bob.headers)
    assert shown["agreed"]
    problem(await event.ask("POST", "/entrants/e1/consent", bob.headers), "nothing_to_change")


async def test_one_key_enters_once(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, stand_in_level="greedy", **PAIRS)
    person = await Person.new(client)
    answers = [
        await event.ask("POST", "/entrants", person.headers, {"bots": ["greedy"]}, Idempotency_Key="once")
        for _ in range(3)
    ]
    assert {answer.status_code for answer in answers} == {201}
    assert {answer.headers["location"] for answer in answers} == {f"{event.path}/entrants/e1"}
    assert len({answer.content for answer in answers}) == 1
    assert len((await event.shown("/entrants"))["entrants"]) == 1
    other = await event.ask(
        "POST", "/entrants", person.headers, {"bots": ["greedy"], "name": "B"}, Idempotency_Key="once"
    )
    problem(other, "idempotency_key_reused")


async def test_who_comes_when_all_places_are_taken_waits_for_one(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, registration={"capacity": 2})
    teams = [await event.enter() for _ in range(3)]
    assert (await event.shown())["waiting"] == 1
    assert (await event.shown(f"/entrants/{teams[2].id}"))["status"] == "waiting"
    await event.done("DELETE", f"/entrants/{teams[0].id}", teams[0].headers)
    statuses = [each["status"] for each in (await event.shown("/entrants"))["entrants"]]
    assert statuses == ["withdrawn", "entered", "entered"]
    problem(await asked(event, teams[0], "POST", "/return"), "tournament_full")


async def test_without_a_waiting_list_a_full_tournament_refuses(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, registration={"capacity": 2, "waiting_list": False})
    for _ in range(2):
        await event.enter()
    problem(await entry(event, await guest(client)), "tournament_full")
    conditions = await event.shown("/conditions", await guest(client))
    assert not conditions["ok"]
    assert [each["condition"] for each in conditions["verdicts"] if not each["ok"]] == ["capacity"]


async def test_every_condition_has_its_verdict(client: httpx.AsyncClient) -> None:
    listed = await Person.new(client)
    event = await Event.open(
        client,
        registration={
            "code": "12345678",
            "conditions": [
                {"kind": "rating_at_least", "value": 1200},
                {"kind": "rating_at_most", "value": 1200},
                {"kind": "rated_games_at_least", "value": 1},
                {"kind": "account_days_at_least", "value": 0},
                {"kind": "account_days_at_least", "value": 1},
                {"kind": "persons_only"},
                {"kind": "listed", "players": [listed.id]},
            ],
        },
    )
    conditions = await event.shown("/conditions", listed.headers)
    assert [(each["condition"], each["ok"]) for each in conditions["verdicts"]] == [
        ("registration", True), ("capacity", True), ("one_entrant", True), ("code", False), ("rating_at_least", False),
        ("rating_at_most", True), ("rated_games_at_least", False), ("account_days_at_least", True),
        ("account_days_at_least", False), ("persons_only", True), ("listed", True),
    ]  # fmt: skip
    assert all(each["reason"] for each in conditions["verdicts"])
    stranger = await event.shown("/conditions", await guest(client), code="12345678")
    verdicts = {each["condition"]: each["ok"] for each in stranger["verdicts"]}
    assert (verdicts["code"], verdicts["listed"]) == (True, False)
    refused = problem(await entry(event, listed.headers, code="12345678"), "entry_conditions_not_met")
    told = [(each["condition"], each["ok"]) for each in refused["params"]["verdicts"]]
    assert ("rating_at_least", False) in told
    assert ("listed", True) in told


async def test_who_meets_the_conditions_enters(client: httpx.AsyncClient) -> None:
    conditions = [{"kind": "account_days_at_least", "value": 0}, {"kind": "rating_at_most", "value": 3000}]
    event = await Event.open(client, registration={"conditions": conditions})
    assert (await event.shown("/conditions", await guest(client)))["ok"]
    await event.enter()


async def test_an_entry_code_is_too_long_to_be_guessed(client: httpx.AsyncClient) -> None:
    organiser = await Person.new(client)
    terms = terms_of(registration={"code": "1234567"})
    answer = await client.post("/v1/tournaments", json=terms, headers=organiser.headers)
    assert problem(answer, "invalid_body")["params"]["at"] == ".registration.code"


async def test_the_entry_code_opens_and_no_other(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, registration={"code": "Zwölfzwei!"})
    headers = await guest(client)
    for body in ({}, {"code": "zwölfzwei!"}, {"code": "Zwölfzwei"}, {"code": "x" * 100}):
        problem(await entry(event, headers, **body), "entry_code_wrong")
    stored = (await event.shown())["terms"]["registration"]["code_hash"]
    problem(await entry(event, headers, code=stored), "entry_code_wrong")
    assert (await entry(event, headers, code="Zwölfzwei!")).status_code == 201


async def test_entries_are_taken_within_their_time(client: httpx.AsyncClient) -> None:
    event = await Event.announce(client, registration={"opens_at": "2999-01-01T00:00:00Z"})
    verdict = (await event.shown("/conditions", await guest(client)))["verdicts"][0]
    assert (verdict["condition"], verdict["ok"], verdict["needed"]) == (
        "registration", False, "from 2999-01-01T00:00:00Z on",
    )  # fmt: skip
    problem(await entry(event, await guest(client)), "registration_not_open")
    await event.act("open_registration")
    await event.enter()
    await event.act("close_registration")
    problem(await entry(event, await guest(client)), "registration_not_open")
    await event.act("open_registration")
    await event.enter()


async def test_registration_opens_and_closes_of_itself(client: httpx.AsyncClient) -> None:
    now = datetime.now(UTC)
    opens, closes = (now + timedelta(seconds=each) for each in (1.5, 4.5))
    event = await Event.announce(client, registration={"opens_at": opens.isoformat(), "closes_at": closes.isoformat()})
    problem(await entry(event, await guest(client)), "registration_not_open")
    assert (await event.shown())["next_at"] is not None
    await event.until(lambda shown: shown["status"] == "registration")
    for _ in range(2):
        await event.enter()
    await event.until(lambda shown: shown["status"] == "closed")


async def test_who_withdrew_may_come_back_and_nobody_else_speaks_for_them(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    team, other = [await event.enter() for _ in range(2)]
    problem(await event.ask("DELETE", f"/entrants/{team.id}", other.headers), "not_your_entrant")
    problem(await event.ask("DELETE", f"/entrants/{team.id}", event.director), "not_your_entrant")
    assert (await event.done("DELETE", f"/entrants/{team.id}", team.headers))["status"] == "withdrawn"
    problem(await asked(event, team, "DELETE", ""), "entrant_wrong_status")
    assert (await event.done("POST", f"/entrants/{team.id}/return", team.headers))["status"] == "entered"
    problem(await asked(event, team, "POST", "/return"), "entrant_wrong_status")


async def test_the_entrant_of_a_player_is_the_one_that_takes_part(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    team = await event.enter()
    await event.done("DELETE", f"/entrants/{team.id}", team.headers)
    assert (await event.shown(who=team.headers))["entrant"] == "e1"
    assert (await event.done("POST", "/entrants", team.headers, {}))["id"] == "e2"
    assert (await event.shown(who=team.headers))["entrant"] == "e2"
    await event.done("DELETE", "/entrants/e2", team.headers)
    await event.done("POST", "/entrants/e1/return", team.headers)
    assert (await event.shown(who=team.headers))["entrant"] == "e1"


async def test_check_in_is_open_from_some_minutes_before_the_start(client: httpx.AsyncClient) -> None:
    starts = datetime.now(UTC) + timedelta(minutes=30)
    pace = BY_HAND | {"starts_at": starts.isoformat()}
    event = await Event.open(client, registration={"check_in_minutes": 10}, pace=pace)
    team = await event.enter()
    assert "opens_at" in problem(await asked(event, team, "POST", "/check_in"), "check_in_not_open")["params"]
    event = await Event.open(client, registration={"check_in_minutes": 60}, pace=pace)
    team = await event.enter()
    assert (await event.done("POST", f"/entrants/{team.id}/check_in", team.headers))["checked_in"]
    problem(await asked(event, team, "POST", "/check_in"), "nothing_to_change")
    event_without = await Event.open(client)
    team = await event_without.enter()
    problem(await asked(event_without, team, "POST", "/check_in"), "check_in_not_open")


async def test_who_has_not_checked_in_is_not_paired(client: httpx.AsyncClient) -> None:
    pace = BY_HAND | {"starts_at": (datetime.now(UTC) + timedelta(minutes=5)).isoformat()}
    event = await Event.open(
        client, stage_of({"kind": "danish", "rounds": 2}), registration={"check_in_minutes": 30}, pace=pace
    )
    teams = [await event.enter() for _ in range(5)]
    for team in teams[:4]:
        await event.done("POST", f"/entrants/{team.id}/check_in", team.headers)
    await event.act("start")
    await event.act("pair")
    first = await event.round(1)
    assert {each for match in first["matches"] for side in match["sides"] for each in side} == {"e1", "e2", "e3", "e4"}
    assert first["byes"] == {"e5": "zero_bye"}


async def test_rounds_may_be_sat_out_before_they_are_paired(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, stage_of({"kind": "danish", "rounds": 3}))
    teams = [await event.enter() for _ in range(5)]
    asked_for = {"rounds": [1], "bye": "half_bye"}
    shown = await event.done("POST", f"/entrants/{teams[4].id}/byes", teams[4].headers, asked_for)
    assert shown["byes_asked"] == {"1": "half_bye"}
    problem(await asked(event, teams[4], "POST", "/byes", asked_for), "nothing_to_change")
    problem(await asked(event, teams[4], "POST", "/byes", {"rounds": [2]}), "byes_used_up")
    problem(await asked(event, teams[4], "POST", "/byes", {"rounds": [4], "bye": "zero_bye"}), "round_wrong_status")
    taken_back = {"rounds": [1], "bye": None}
    shown = await event.done("POST", f"/entrants/{teams[4].id}/byes", teams[4].headers, taken_back)
    assert shown["byes_asked"] == {}
    await event.done("POST", f"/entrants/{teams[4].id}/byes", teams[4].headers, asked_for)
    await event.act("start")
    await event.act("pair")
    assert (await event.round(1))["byes"] == {"e5": "half_bye"}
    problem(await asked(event, teams[0], "POST", "/byes", {"rounds": [1]}), "round_wrong_status")


async def test_late_entrants_come_in_as_long_as_the_terms_say(client: httpx.AsyncClient) -> None:
    event = await Event.begun(
        client, 4, stage_of({"kind": "danish", "rounds": 4}), registration={"late_rounds": 1, "late_score": 40}
    )
    await event.begin_round(1)
    late = await event.enter()
    assert (await event.shown(f"/entrants/{late.id}"))["late_round"] == 2
    for match in (await event.round(1))["matches"]:
        await event.resign(match, 1)
    await event.decided(1)
    await event.act("close_round", round=1)
    problem(await entry(event, await guest(client)), "registration_not_open")


async def test_an_entrant_that_there_is_not_is_not_found(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    headers = await guest(client)
    for method, path, body in (
        ("GET", "", None), ("PATCH", "", {"outgoing": "p1", "incoming": "p2"}), ("DELETE", "", None),
        ("POST", "/consent", None), ("POST", "/check_in", None), ("POST", "/return", None),
        ("POST", "/byes", {"rounds": [1]}),
    ):  # fmt: skip
        for entrant in ("e1", "e99999999999", "x", "e-1", "%00", "%F0%9F%98%80", "e" * 3000):
            answer = await event.ask(method, f"/entrants/{entrant}{path}", headers, body)
            problem(answer, "entrant_not_found")
    # Who there is not is told first, whatever version is named.
    problem(await event.ask("DELETE", "/entrants/e1", headers, If_Match='"0"'), "entrant_not_found")
