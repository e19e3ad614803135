"""Lists and files sent in: all of it or nothing, once only, and every fault told."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import asyncpg
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.running import Service
from service.settings import Settings
from service.tournaments.commands import TournamentCommand
from service.tournaments.entrant_lists import ListInvalid, from_csv, from_json, from_trf
from service.tournaments.tournaments import Tournaments
from tests.service.http.conftest import running
from tests.service.http.tables import Headers, problem
from tests.service.http.tournaments.event import Event, Person, stage_of
from tests.service.trf.files import DATA, by_chance, written

CSV = "text/csv"
TRF = "text/plain"
JSON = "application/json"
SECONDS_MAX = 30.0


class Died(BaseException):
    """The worker is gone."""


async def send_list(
    event: Event, content: str | bytes, kind: str = CSV, query: str = "", who: Headers | None = None, **headers: str
) -> httpx.Response:
    sent = (who or event.director) | {"Content-Type": kind} | {n.replace("_", "-"): v for n, v in headers.items()}
    return await event.client.post(f"{event.path}/entrants/import{query}", content=content, headers=sent)


async def send_file(
    client: httpx.AsyncClient, who: Headers, content: bytes, kind: str = JSON, query: str = "", key: str = "k"
) -> httpx.Response:
    headers = who | {"Content-Type": kind} | ({"Idempotency-Key": key} if key else {})
    return await client.post(f"/v1/tournaments/import{query}", content=content, headers=headers)


async def entrants(event: Event) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await event.shown("/entrants"))["entrants"]
    return found


# --- lists of entrants ---


async def test_a_club_runs_its_evening_from_a_list(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, stage_of(), players=4)
    listed = (
        "name,players,rating,avoid\r\nThe Aces,Ada & Bob,1850,north\r\n,Cy & Dora,1720.5,\r\nEve & Finn,,,north\r\n"
    )
    answer = await send_list(event, listed)
    assert answer.status_code == 200, answer.text
    assert [each["name"] for each in answer.json()["entrants"]] == ["The Aces", "Cy & Dora", "Eve & Finn"]
    found = await entrants(event)
    assert [(each["name"], each["rating"], each["agreed"]) for each in found] == [
        ("The Aces", 185000, True),
        ("Cy & Dora", 172050, True),
        ("Eve & Finn", None, True),
    ]
    await event.act("start")
    await event.act("pair")
    assert len((await event.round(1))["matches"]) == 1


async def test_who_has_an_account_is_named_by_id_and_agrees_for_themselves(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    person = await Person.new(client, "Grace")
    answer = await send_list(event, f"players\n{person.id}\nHeidi\n")
    assert [each["guests"] == each["players"] for each in answer.json()["entrants"]] == [False, True]
    assert [(each["name"], each["agreed"]) for each in await entrants(event)] == [("Grace", False), ("Heidi", True)]
    known = json.dumps([{"players": [(await Person.new(client, "Ivan")).id]}, {"name": "Judy", "rating": 150000}])
    assert (await send_list(event, known, JSON)).status_code == 200
    assert (await send_list(event, (DATA / "dutch_2025_C5.trf").read_bytes(), TRF)).status_code == 200
    assert len(await entrants(event)) == 10


async def test_a_list_sent_again_with_its_key_makes_nobody_twice(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    answers = [await send_list(event, "name\nAda\nBob\n", Idempotency_Key="list") for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert len(await entrants(event)) == 2
    problem(await send_list(event, "name\nCy\n", Idempotency_Key="list"), "idempotency_key_reused")
    assert len(await entrants(event)) == 2


async def test_a_dry_run_tells_what_would_be_and_does_nothing(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    answer = (await send_list(event, "name\nAda\nBob\n", query="?dry_run=true")).json()
    assert (answer["dry_run"], [each["entrant"] for each in answer["entrants"]]) == (True, ["e1", "e2"])
    assert await entrants(event) == []
    guest = answer["entrants"][0]["guests"][0]
    assert not await exists(client, guest)


async def test_a_list_for_another_version_enters_nobody_and_makes_nobody(
    client: httpx.AsyncClient, database: str
) -> None:
    event = await Event.open(client)
    connection = await asyncpg.connect(database)
    before = await connection.fetchval("select count(*) from player")
    for query in ("?dry_run=true", ""):
        problem(await send_list(event, "name\nAda\n", query=query, If_Match='"1"'), "stale_version")
    assert await connection.fetchval("select count(*) from player") == before
    await connection.close()
    version = (await event.shown())["version"]
    for query in ("?dry_run=true", ""):
        assert (await send_list(event, "name\nAda\n", query=query, If_Match=f'"{version}"')).status_code == 200


async def exists(client: httpx.AsyncClient, player: str) -> bool:
    """Whether there is a player of this id: somebody else may be invited to a tournament under it."""
    event = await Event.open(client)
    return (await send_list(event, f"players\n{player}\n", query="?dry_run=true")).status_code == 200


async def test_nothing_is_entered_of_a_list_with_a_fault_and_each_has_its_line(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, players=4)
    listed = "name,players,rating\nA,Ada & Bob,1\nB,Cy,1\n,Dora & Eve,high\n,,\nC," + "x" * 41 + " & y,2\n"
    told = problem(await send_list(event, listed), "import_invalid")
    assert [(each["line"], each["code"]) for each in told["faults"]] == [
        (3, "lineup_invalid"), (4, "rating_invalid"), (6, "name_too_long"),
    ]  # fmt: skip
    told = problem(await send_list(event, "name,players\nA,Ada & Bob\nB,Cy\nC,Dora\n"), "import_invalid")
    assert [(each["line"], each["code"]) for each in told["faults"]] == [(3, "lineup_invalid"), (4, "lineup_invalid")]
    assert {each["message"] for each in told["faults"]} == {
        "The line-up is not one of this tournament (needed 2 players, least 2, most 2, found 1)."
    }
    unknown = "p" + "0" * 20
    told = problem(await send_list(event, f"players\n{unknown} {event.organiser.id}\n"), "import_invalid")
    assert told["faults"][0]["code"] == "player_unknown"
    listed = f"name,players,rating\n,Ada & Bob & Cy,\n,Dora & Eve,high\n,{unknown} {event.organiser.id},\n"
    told = problem(await send_list(event, listed), "import_invalid")
    assert [(each["line"], each["code"]) for each in told["faults"]] == [
        (2, "lineup_invalid"), (3, "rating_invalid"), (4, "player_unknown"),
    ]  # fmt: skip
    assert await entrants(event) == []


async def test_who_is_entered_already_is_refused_and_no_guest_is_made(
    client: httpx.AsyncClient, service: Service
) -> None:
    event = await Event.open(client)
    team = await event.enter()
    count = "select count(*) from player"
    before = await service.store.pool.fetchval(count)
    told = problem(await send_list(event, f"players\nAda\n{team.persons[0].id}\n"), "import_invalid")
    assert [(each["line"], each["code"]) for each in told["faults"]] == [(3, "player_entered_already")]
    assert len(await entrants(event)) == 1
    assert await service.store.pool.fetchval(count) == before


async def test_only_a_director_sends_lists_and_only_before_the_start(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4)
    problem(await send_list(event, "name\nAda\n", who=event.teams["e1"].headers), "not_your_tournament")
    refused = problem(await send_list(event, "name\nAda\n"), "tournament_wrong_status")
    assert refused["detail"].endswith("(status running, needed announced or registration or closed).")
    problem(await send_list(event, "name\nAda\n", "application/xml"), "unsupported_media_type")


async def test_a_list_has_as_many_entrants_as_one_append_takes(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    lines = [f"Person {number}" for number in range(501)]
    problem(await send_list(event, "\n".join(["name", *lines])), "import_too_large")
    answer = await send_list(event, "\n".join(["name", *lines[:500]]))
    assert len(answer.json()["entrants"]) == 500


async def test_ten_megabytes_are_refused_before_anything(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    problem(await send_list(event, b"name\n" + b"x" * 10_000_000), "body_too_large")
    problem(await send_file(client, event.director, b"[" * 10_000_000), "body_too_large")
    problem(await send_list(event, b"x" * 10_000_000, JSON), "body_too_large")
    assert await entrants(event) == []


JUNK = [
    b"", b"\xff\xfe\x00", b"name\n\0", b"\x00" * 100, b'"', b'name\n"unclosed', b"name,name\nx,y\n", b"[", b"{}",
    b"null",
]  # fmt: skip


async def test_junk_is_refused_as_what_it_is(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    for content in (*JUNK, b"x" * 60_000, b"name\n" + b"," * 60_000, b"[" * 60_000):
        for kind in (CSV, JSON, TRF):
            answer = await send_list(event, content, kind)
            assert 400 <= answer.status_code < 500, (content[:40], kind, answer.text)
            answer = await send_file(client, event.director, content, kind)
            assert 400 <= answer.status_code < 500, (content[:40], kind, answer.text)
    assert await entrants(event) == []


TABLES = st.text(max_size=200).map(lambda text: b"name\n" + text.encode(errors="replace"))


@given(data=st.binary(max_size=200) | TABLES)
def test_whatever_is_sent_as_a_table_is_read_or_refused(data: bytes) -> None:
    for read in (from_csv, from_trf):
        try:
            found = read(data)
        except ListInvalid:
            continue
        assert all(each.members and all(each.members) for each in found)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda each: st.lists(each, max_size=4) | st.dictionaries(st.sampled_from(["name", "players", "x"]), each),
    max_leaves=10,
)


@given(value=JSON_VALUES)
def test_whatever_is_sent_as_a_list_is_read_or_refused(value: Any) -> None:
    try:
        found = from_json(value)
    except ListInvalid:
        return
    assert all(each.members and all(each.members) for each in found)


# --- whole tournaments ---


async def told(client: httpx.AsyncClient, tournament: str) -> set[tuple[Any, ...]]:
    """Everybody's score and tie-breaks without margins and lots, which a report file has not."""
    return {(row["name"], row["score"], *row["values"][:4]) for row in await standings_of(client, tournament)}


@pytest.fixture
async def event(client: httpx.AsyncClient) -> Event:
    """A Swiss of seven that was played to its end, with a ruling, a penalty and a withdrawal."""
    event = await Event.begun(client, 7, stage_of({"kind": "swiss", "rounds": 3}))
    await event.play_round(1)
    await event.act("rule", match="r1m1", adjustment={"kind": "points", "points": [100, 700]}, reason="scoring_error")
    await event.act("close_round", round=1)
    await event.act("withdraw", entrant="e7")
    await event.act("penalty", entrant="e2", score=150, reason="late")
    for number in (2, 3):
        await event.play_round(number)
        await event.act("close_round", round=number)
    await event.act("finish")
    return event


def rows(shown: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of standings without what has the same meaning in another tournament only."""
    return [{name: value for name, value in row.items() if name != "entrant"} for row in shown["rows"]]


async def standings_of(client: httpx.AsyncClient, tournament: str) -> list[dict[str, Any]]:
    return rows((await client.get(f"/v1/tournaments/{tournament}/standings")).json())


async def test_a_tournament_is_exported_and_imported_with_the_same_standings(
    client: httpx.AsyncClient, event: Event
) -> None:
    other = await Person.new(client, "Another")
    content = (await event.get("/export")).content
    answer = await send_file(client, other.headers, content)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    found = made["tournament"]
    assert (made["rounds"], made["left_out"], found["status"], found["organiser"]) == (3, 0, "finished", other.id)
    assert (found["terms"]["rated"], found["terms"]["shown"]) == (False, "unlisted")
    assert await standings_of(client, found["id"]) == rows(await event.shown("/standings"))
    again = await send_file(client, other.headers, content)
    assert (again.status_code, again.json()["tournament"]["id"]) == (201, found["id"])
    listed = (await client.get("/v1/tournaments")).json()["tournaments"]
    assert found["id"] not in {each["id"] for each in listed}
    second = (await client.get(f"/v1/tournaments/{found['id']}/export")).content
    third = await send_file(client, other.headers, second, key="again")
    assert await standings_of(client, third.json()["tournament"]["id"]) == rows(await event.shown("/standings"))


async def test_no_game_is_dealt_for_what_was_played_elsewhere(client: httpx.AsyncClient, event: Event) -> None:
    answer = await send_file(client, event.director, (await event.get("/export")).content)
    tournament = answer.json()["tournament"]["id"]
    await asyncio.sleep(0.3)
    for number in (1, 2, 3):
        found = (await client.get(f"/v1/tournaments/{tournament}/rounds/{number}")).json()
        assert [game for match in found["matches"] for table in match["tables"] for game in table["games"]] == []


async def test_a_report_file_becomes_a_tournament(client: httpx.AsyncClient) -> None:
    person = await Person.new(client)
    rounds = by_chance(4, players=9, rounds=4)
    answer = await send_file(client, person.headers, written(rounds, "XXR 4", name="Club evening"), TRF)
    assert answer.status_code == 201, answer.text
    found = answer.json()["tournament"]
    assert (found["title"], found["status"], found["entered"]) == ("Club evening", "finished", 9)
    exported = (await client.get(f"/v1/tournaments/{found['id']}/export", params={"format": "trf"})).content
    again = await send_file(client, person.headers, exported, TRF, key="again")
    assert await told(client, again.json()["tournament"]["id"]) == await told(client, found["id"])
    problem(await send_file(client, person.headers, written(rounds), TRF, "?ruleset=whist", key="x"), "ruleset_invalid")


async def test_a_key_is_needed_and_stands_for_one_file(client: httpx.AsyncClient, event: Event) -> None:
    content = (await event.get("/export")).content
    problem(await send_file(client, event.director, content, key=""), "invalid_parameter")
    assert (await send_file(client, event.director, content)).status_code == 201
    problem(await send_file(client, event.director, content + b" "), "idempotency_key_reused")


async def test_a_file_that_contradicts_itself_makes_nothing(client: httpx.AsyncClient, event: Event) -> None:
    content = (await event.get("/export")).content
    changes: tuple[tuple[str, Callable[[Any], object]], ...] = (
        ("standings[0].rows[0]", lambda file: file["standings"][0]["rows"][0].update(score=1)),
        ("rounds[1]", lambda file: file["rounds"][1]["matches"][0].update(sides=[["e1"], ["e1"]])),
        ("stages[0]", lambda file: file["entrants"].pop()),
        ("entrants[0].id", lambda file: file["entrants"][0].update(id="e5")),
    )
    for place, change in changes:
        file = json.loads(content)
        change(file)
        told = problem(await send_file(client, event.director, json.dumps(file).encode()), "import_invalid")
        assert told["faults"][0]["place"] == place
    problem(await send_file(client, event.director, b'{"format":"other"}'), "invalid_body")
    file = json.loads(content)
    file["terms"]["ruleset"]["draw_count"] = {}
    problem(await send_file(client, event.director, json.dumps(file).encode()), "ruleset_invalid")
    mine = (await client.get("/v1/tournaments", params={"mine": "true"}, headers=event.director)).json()
    assert [each["id"] for each in mine["tournaments"]] == [event.id]


@pytest.mark.parametrize("after", [0, 1, 3])
async def test_an_import_that_was_cut_off_is_finished_by_its_key(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """A worker dies after so many appends; another one gets the same request."""
    rounds = written(by_chance(7, players=200, rounds=6), "XXR 6")
    perform = Tournaments.perform
    done: list[Any] = []

    async with running(settings) as (_, client):
        person = await Person.new(client)

        async def dying(self: Tournaments, live: Any, command: TournamentCommand) -> Any:
            if command.actor == person.id:
                if len(done) >= after:
                    raise Died
                done.append(command)
            return await perform(self, live, command)

        monkeypatch.setattr(Tournaments, "perform", dying)
        with pytest.raises(Died):
            await send_file(client, person.headers, rounds, TRF)
        monkeypatch.setattr(Tournaments, "perform", perform)
    async with running(settings) as (_, client):
        answer = await send_file(client, person.headers, rounds, TRF)
        assert answer.status_code == 201, answer.text
        found = answer.json()["tournament"]
        whole = (await send_file(client, person.headers, rounds, TRF, key="whole")).json()["tournament"]
        assert (found["status"], found["version"]) == (whole["status"], whole["version"])
        assert await told(client, found["id"]) == await told(client, whole["id"])
