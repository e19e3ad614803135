"""Tournaments are announced, changed and shown."""

from typing import Any

import httpx
import pytest
from msgspec import json

from domain.tournaments.acts import Act
from service.running import Service
from service.tournaments.entry_codes import code_hash
from tests.service.http.tables import guest, problem
from tests.service.http.tournaments.event import BY_HAND, Event, stage_of, terms_of

FORMATS: list[dict[str, Any]] = [
    {"kind": "swiss", "rounds": 5, "first_round": "drawn"},
    {"kind": "swiss", "rounds": 3, "method": "fide_dutch"},
    {"kind": "danish", "rounds": 4, "rematches": "none"},
    {"kind": "round_robin", "cycles": 2},
    {"kind": "elimination", "double": True},
    {"kind": "elimination", "third_place": True, "tie": "extra_hand"},
    {"kind": "arena", "minutes": 90},
    {"kind": "ladder", "days": 30, "reach": 3},
    {"kind": "mitchell", "rounds": 4, "arrow_switched_rounds": 1},
    {"kind": "howell"},
]


async def announced(client: httpx.AsyncClient, **terms: Any) -> httpx.Response:
    return await client.post("/v1/tournaments", json=terms_of(**terms), headers=await guest(client))


def faults_of(answer: httpx.Response, code: str = "tournament_terms_invalid") -> dict[str, str]:
    return {fault["field"]: fault["needed"] for fault in problem(answer, code)["faults"]}


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: str(form["kind"]))
async def test_every_format_can_be_announced(client: httpx.AsyncClient, form: dict[str, Any]) -> None:
    answer = await announced(client, stages=[stage_of(form)])
    assert answer.status_code == 201, answer.text
    shown = answer.json()
    told = shown["terms"]["stages"][0]["format"]
    assert {name: told[name] for name in form} == form
    assert answer.headers["location"] == f"/v1/tournaments/{shown['id']}"
    assert answer.headers["etag"] == '"2"'
    assert (shown["status"], shown["version"], shown["director"]) == ("registration", 2, True)


async def test_registration_is_open_when_a_tournament_is_there_unless_it_opens_later(client: httpx.AsyncClient) -> None:
    later = {"opens_at": "2031-07-01T19:30:00Z", "closes_at": "2031-07-02T19:30:00Z"}
    answer = await announced(client, registration=later, pace={"starts_at": "2031-07-03T19:30:00Z"})
    assert (answer.json()["status"], answer.json()["version"]) == ("announced", 1)
    player = await guest(client)
    event = (await announced(client)).json()
    entered = await client.post(f"/v1/tournaments/{event['id']}/entrants", json={}, headers=player)
    assert entered.status_code == 201, entered.text


async def test_persons_whose_partners_change_play_a_whist_movement_or_by_standing(client: httpx.AsyncClient) -> None:
    for form in ({"kind": "individual"}, {"kind": "individual", "rounds": 5, "movement": "swiss"}):
        answer = await announced(
            client, ruleset="samba-official", players=4, entrants="individuals", stages=[stage_of(form)]
        )
        assert answer.status_code == 201, answer.text


async def test_teams_sit_at_two_tables(client: httpx.AsyncClient) -> None:
    stage = stage_of({"kind": "swiss", "rounds": 3}, score={"kind": "imp_match"})
    answer = await announced(
        client, ruleset="samba-official", players=4, entrants="teams", stages=[stage], boards={"stock": "common"}
    )
    assert answer.status_code == 201, answer.text
    shown = answer.json()["boards"]
    assert (shown["boards"], shown["beacon"], shown["revealed"]) == (0, None, False)


@pytest.mark.parametrize(("preset", "hands", "minutes"), [("2x25", 2, 25), ("3x40", 3, 40), ("4x50", 4, 50)])
async def test_a_preset_says_hands_and_minutes(
    client: httpx.AsyncClient, preset: str, hands: int, minutes: int
) -> None:
    answer = await announced(client, stages=[{"format": {"kind": "swiss", "rounds": 2}, "match": preset}])
    match = answer.json()["terms"]["stages"][0]["match"]
    assert (match["length"], match["minutes"]) == ({"kind": "hands", "hands": hands}, minutes)


@pytest.mark.parametrize(("name", "first", "last"), [("burraco_3", 50, 1500), ("burraco_4", 100, 2000)])
async def test_the_tables_of_burraco_have_a_name(client: httpx.AsyncClient, name: str, first: int, last: int) -> None:
    answer = await announced(client, stages=[stage_of(score={"kind": "victory_points", "scale": name})])
    assert answer.status_code == 201, answer.text
    scale = answer.json()["terms"]["stages"][0]["score"]["scale"]
    assert (scale["kind"], scale["margins"][0], scale["margins"][-1]) == ("steps", first, last)


async def test_every_fault_of_the_terms_is_told_at_once(client: httpx.AsyncClient) -> None:
    answer = await announced(
        client,
        stages=[
            stage_of({"kind": "mitchell"}, score={"kind": "matchpoints"}),
            stage_of(match={"length": {"kind": "hands", "hands": 2}, "minutes": 5, "hands_to_count": 3}),
        ],
        registration={"late_rounds": 1, "conditions": [{"kind": "rating_at_least"}, {"kind": "listed", "value": 3}]},
        pace={"starts_at": "2020-01-01T10:00:00Z"},
    )
    faults = problem(answer, "tournament_terms_invalid")["faults"]
    told = {(fault["field"], fault["needed"]) for fault in faults}
    assert {
        ("stages[0].score", "score_needs_boards"),
        ("stages[0].format", "format_takes_nobody_late"),
        ("stages[1].match.hands_to_count", "hands_to_count_beyond_the_match"),
        ("stages[1].match.last_hand_minutes", "fewer than minutes"),
        ("registration.conditions[0].value", "a number"),
        ("registration.conditions[1].players", "at least one player"),
        ("pace.starts_at", "a time to come"),
    } <= told


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"time_zone": "Europe/Atlantis"}, "time_zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
        ({"time_zone": ""}, "time_zone"),
        ({"pace": {"starts_at": "0001-01-01T00:00:00"}}, "pace.starts_at"),
        ({"pace": {"starts_at": "9999-12-31T23:59:59", "repeat": {"rounds": 5}}}, "pace.starts_at"),
        ({"pace": {"starts_at": "8999-12-31T23:59:59", "repeat": {"rounds": 200, "days": 366}}}, "pace.repeat"),
        ({"pace": {"repeat": {"rounds": 3}}}, "pace.repeat"),
        ({"pace": {"starts_at": "2031-07-01T19:30:00", "round_ends": ["2031-07-08"]}}, "pace.round_ends[0]"),
        ({"pace": {"starts_at": "2031-07-01T19:30:00", "round_ends": ["2031-07-01T19:00:00"]}}, "pace.round_ends[0]"),
        (
            {"pace": {"starts_at": "2031-07-01T19:30:00", "repeat": {"rounds": 2, "ends_at": "later"}}},
            "pace.repeat.ends_at",
        ),
        (
            {
                "pace": {
                    "starts_at": "2031-07-01T19:30:00",
                    "round_ends": ["2031-07-02T19:30:00"],
                    "repeat": {"rounds": 2, "ends_at": "2031-07-02T19:30:00"},
                }
            },
            "pace.repeat",
        ),
        ({"registration": {"opens_at": "2999-01-02T10:00:00", "closes_at": "2999-01-01T10:00:00"}},
         "registration.closes_at"),
        ({"pace": {"round_times": ["2999-01-01T10:00:00"]}}, "pace.starts_at"),
        ({"players": 5}, "players"),
        ({"entrants": "teams"}, "players"),
    ],
)  # fmt: skip
async def test_what_cannot_be_meant_is_refused_and_named(
    client: httpx.AsyncClient, terms: dict[str, Any], field: str
) -> None:
    assert field in faults_of(await announced(client, **terms))


async def test_times_that_cannot_be_read_are_told_with_everything_else(client: httpx.AsyncClient) -> None:
    answer = await announced(
        client,
        stages=[stage_of(score={"kind": "matchpoints"})],
        time_zone="Nowhere",
        registration={"opens_at": "tomorrow", "closes_at": "2031-02-30T10:00:00"},
        pace={"starts_at": "2031-01-01T24:30:00", "round_times": ["2031-01-02T10:00:00", "later"]},
    )
    assert {*faults_of(answer)} == {
        "time_zone", "registration.opens_at", "registration.closes_at", "pace.starts_at", "pace.round_times[1]",
        "stages[0].score",
    }  # fmt: skip


async def test_a_rule_set_that_there_is_not_is_refused(client: httpx.AsyncClient) -> None:
    problem(await announced(client, ruleset="samba-unheard-of"), "ruleset_invalid")
    problem(await announced(client, options={"jokers": -1}), "ruleset_invalid")


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2031-07-01T19:30:00", "2031-07-01T17:30:00Z"),
        ("2031-12-01T19:30:00", "2031-12-01T18:30:00Z"),
        # Put forward at two o'clock: there is no half past two, it is what half past two would have been.
        ("2031-03-30T02:30:00", "2031-03-30T01:30:00Z"),
        # Put back at three: half past two comes twice, the first is meant.
        ("2031-10-26T02:30:00", "2031-10-26T00:30:00Z"),
        ("2031-07-01T19:30:00+05:30", "2031-07-01T14:00:00Z"),
        ("2031-07-01T19:30:00Z", "2031-07-01T19:30:00Z"),
    ],
)
async def test_a_time_of_day_is_one_at_the_place(client: httpx.AsyncClient, written: str, moment: str) -> None:
    answer = await announced(client, time_zone="Europe/Rome", pace=BY_HAND | {"starts_at": written})
    assert answer.json()["terms"]["pace"]["starts_at"] == moment


async def test_weekly_rounds_keep_their_time_of_day_over_a_change_of_the_clocks(client: httpx.AsyncClient) -> None:
    answer = await announced(
        client,
        stages=[stage_of({"kind": "danish", "rounds": 4})],
        time_zone="Europe/Rome",
        pace={"starts_at": "2031-10-17T20:00:00", "repeat": {"rounds": 4, "days": 7}},
    )
    pace = answer.json()["terms"]["pace"]
    assert [pace["starts_at"], *pace["round_times"]] == [
        "2031-10-17T18:00:00Z", "2031-10-24T18:00:00Z", "2031-10-31T19:00:00Z", "2031-11-07T19:00:00Z",
    ]  # fmt: skip


LEAGUE: dict[str, Any] = {"rounds": 3, "days": 7, "ends_at": "2031-10-24T20:00:00"}


@pytest.mark.parametrize(
    ("pace", "ends"),
    [
        # Each until the next one begins, over the night in which the clocks are put back.
        ({"repeat": LEAGUE}, ["2031-10-24T18:00:00Z", "2031-10-31T19:00:00Z", "2031-11-07T19:00:00Z"]),
        # Half past two comes twice then, and the first one is meant.
        (
            {"repeat": LEAGUE | {"ends_at": "2031-10-19T02:30:00"}},
            ["2031-10-19T00:30:00Z", "2031-10-26T00:30:00Z", "2031-11-02T01:30:00Z"],
        ),
        ({"repeat": LEAGUE | {"rounds": 2, "ends_at": "2031-10-24T16:00:00Z"}}, [
            "2031-10-24T16:00:00Z", "2031-10-31T16:00:00Z",
        ]),
        ({"round_ends": ["2031-10-26T02:30:00", "2031-12-01T19:30:00", "2031-12-05T19:30:00+05:30"]}, [
            "2031-10-26T00:30:00Z", "2031-12-01T18:30:00Z", "2031-12-05T14:00:00Z",
        ]),
        # There is no half past two when they are put forward: it is what that would have been.
        ({"round_ends": ["2032-03-28T02:30:00"]}, ["2032-03-28T01:30:00Z"]),
    ],
)  # fmt: skip
async def test_rounds_end_at_a_time_of_day_at_the_place(
    client: httpx.AsyncClient, pace: dict[str, Any], ends: list[str]
) -> None:
    pace = BY_HAND | {"starts_at": "2031-10-17T20:00:00"} | pace
    stages = [stage_of({"kind": "danish", "rounds": 4})]
    answer = await announced(client, stages=stages, time_zone="Europe/Rome", pace=pace)
    assert answer.status_code == 201, answer.text
    assert answer.json()["terms"]["pace"]["round_ends"] == ends


async def test_the_clock_and_the_calendar_end_a_round_at_its_planned_time(client: httpx.AsyncClient) -> None:
    pace = BY_HAND | {"round_ends": ["2061-03-20T19:30:00"], "no_show_minutes": None}
    event = await Event.begun(client, 4, stage_of(match="2x25"), pace=pace, time_zone="Europe/Rome")
    await event.begin_round(1)
    shown = await event.shown()
    assert shown["round"]["due_at"] == shown["next_at"] == "2061-03-20T18:30:00Z"
    calendar = (await event.get("/calendar.ics")).text
    assert "DTEND;TZID=Europe/Rome:20610320T193000" in calendar
    assert "round_ends" not in (await announced(client)).json()["terms"]["pace"]


async def test_one_key_announces_one_tournament(client: httpx.AsyncClient) -> None:
    headers = await guest(client) | {"Idempotency-Key": "once"}
    answers = [await client.post("/v1/tournaments", json=terms_of(), headers=headers) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    listed = await client.get("/v1/tournaments?mine=true", headers=headers)
    assert len(listed.json()["tournaments"]) == 1
    problem(
        await client.post("/v1/tournaments", json=terms_of(title="Other"), headers=headers), "idempotency_key_reused"
    )


async def test_a_key_that_was_refused_is_free(client: httpx.AsyncClient) -> None:
    headers = await guest(client) | {"Idempotency-Key": "once"}
    problem(
        await client.post("/v1/tournaments", json=terms_of(time_zone="Nowhere"), headers=headers),
        "tournament_terms_invalid",
    )
    assert (
        await client.post("/v1/tournaments", json=terms_of(time_zone="Nowhere"), headers=headers)
    ).status_code == 422


async def test_what_is_public_of_an_entry_code_does_not_let_it_be_guessed(
    client: httpx.AsyncClient, service: Service
) -> None:
    """The same code has another hash in each tournament, and none that could be worked out from the code alone."""
    events = [await Event.announce(client, registration={"code": "12345678"}) for _ in range(2)]
    hashes = []
    for event in events:
        told = (await event.get()).text + (await event.get("/events")).text
        assert '12345678"' not in told.replace(event.id, "")
        hashes.append((await event.shown())["terms"]["registration"]["code_hash"])
        master = (await service.tournaments.find(event.id)).master
        assert hashes[-1] == code_hash(master, "12345678")
        assert master.hex() not in told
    assert hashes[0] != hashes[1]
    assert not set(hashes) & {code_hash(b"", "12345678"), code_hash(bytes(32), "12345678")}


async def test_title_and_terms_change_in_one_append_until_the_start(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    before = await event.shown()
    wanted = terms_of(registration={"capacity": 8}) | {"title": None}
    del wanted["title"]
    shown = await event.done("PATCH", "", event.director, {"title": "The bowl", "terms": wanted})
    assert (shown["title"], shown["terms"]["registration"]["capacity"]) == ("The bowl", 8)
    assert shown["version"] == before["version"] + 2
    problem(await event.ask("PATCH", "", event.director, {}), "nothing_to_change")
    problem(await event.ask("PATCH", "", event.director, {"terms": wanted}), "nothing_to_change")
    problem(await event.ask("PATCH", "", await guest(client), {"title": "Mine"}), "not_your_tournament")
    problem(await event.ask("PATCH", "", event.director, {"title": "Late"}, If_Match='"2"'), "stale_version")
    for _ in range(4):
        await event.enter()
    await event.act("start")
    problem(await event.ask("PATCH", "", event.director, {"terms": terms_of_stages(3)}), "tournament_wrong_status")
    assert (await event.done("PATCH", "", event.director, {"title": "The vase"}))["title"] == "The vase"


def terms_of_stages(rounds: int) -> dict[str, Any]:
    wanted = terms_of(stage_of({"kind": "danish", "rounds": rounds}))
    del wanted["title"]
    return wanted


async def test_more_places_go_to_the_waiting_list(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, registration={"capacity": 2})
    teams = [await event.enter() for _ in range(4)]
    listed = await event.shown("/entrants")
    assert [each["status"] for each in listed["entrants"]] == ["entered", "entered", "waiting", "waiting"]
    wanted = terms_of(registration={"capacity": 3})
    del wanted["title"]
    await event.done("PATCH", "", event.director, {"terms": wanted})
    listed = await event.shown("/entrants")
    assert [each["status"] for each in listed["entrants"]] == ["entered", "entered", "entered", "waiting"]
    assert [each["id"] for each in listed["entrants"]] == [team.id for team in teams]


async def test_rounds_that_cannot_be_played_are_told_before_the_start_and_stop_it(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, stage_of({"kind": "swiss", "rounds": 7}))
    for _ in range(4):
        await event.enter()
    (fault,) = (await event.refused("rounds_impossible", "start"))["faults"]
    assert fault["code"] == "rounds_impossible"
    assert (fault["params"]["rounds"], fault["params"]["most"]) == (7, 2)
    await event.act("close_registration")
    obstacle = (await event.shown())["obstacle"]
    assert obstacle["code"] == "rounds_impossible"
    assert obstacle["params"]["faults"] == [fault]


async def test_a_tournament_stands_as_of_each_of_its_events(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4)
    await event.play_round(1)
    now = await event.shown()
    statuses = []
    for version in range(1, now["version"] + 1):
        shown = await event.shown(at=version)
        assert (shown["version"], shown["next_at"] if version < now["version"] else None) == (version, None)
        statuses.append(shown["status"])
        entrants = await event.shown("/entrants", at=version)
        assert len(entrants["entrants"]) == shown["entered"]
        assert len((await event.shown("/rounds", at=version))["rounds"]) == (0 if shown["round"] is None else 1)
    assert [*dict.fromkeys(statuses)] == ["announced", "registration", "closed", "running"]
    assert (await event.shown(at=now["version"])) == now
    assert problem(await event.get(f"?at={now['version'] + 1}"), "event_not_found")["params"] == {
        "current_version": now["version"]
    }
    for at in ("-1", "x", "1.5", "99999999999999999999"):
        problem(await event.get(f"?at={at}"), "invalid_parameter")


async def test_who_has_a_version_is_not_sent_it_again(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    answer = await event.get()
    again = await event.get(headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_acts_of_the_interface_are_those_of_the_rules() -> None:
    shown = json.decode(json.encode({"act": "start"}), type=Act)
    assert type(shown).__name__ == "Start"
