"""The description is current, sound, and true: schemathesis tries it on the real application."""

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import httpx
import pytest
from openapi_spec_validator import validate

from domain.refusals import Code
from domain.tournaments.acts import Act
from domain.tournaments.formats import Format
from domain.tournaments.matches import Score
from domain.tournaments.refusals import TournamentCode
from service.http.catalogue import OPERATIONS
from service.http.openapi import document, document_bytes, problem_codes
from service.http.problems import KINDS, kind_of
from service.settings import Settings
from tests.conftest import on_database, run_statement
from tests.service.http.tables import Headers, Table
from tests.service.http.test_stopping import Process
from tests.service.http.tournaments.event import Event, Person, stage_of, terms_of

COMMITTED = Path(__file__).parents[3] / "openapi" / "openapi.json"


def test_the_committed_description_is_current() -> None:
    assert COMMITTED.read_bytes() == document_bytes(), "run: meldhouse openapi > openapi/openapi.json"


def test_the_description_is_sound() -> None:
    validate(document())


def test_every_operation_has_a_name_of_its_own() -> None:
    names = [operation.id for operation in OPERATIONS]
    assert len(set(names)) == len(names)
    assert {f"/v1{path}" for path in ("/players", "/me", "/games", "/games/{game_id}/moves")} <= set(
        document()["paths"]
    )


def test_every_problem_is_somebodys() -> None:
    told = {code for operation in OPERATIONS for code in problem_codes(operation)}
    # The router's own: an operation that has this address has this method.
    assert set(KINDS) - told == {"method_not_allowed"}


def test_what_the_server_sends_by_itself_stands_at_every_operation() -> None:
    for path, methods in document()["paths"].items():
        for method, described in methods.items():
            answers = described["responses"]
            for status, code in (
                ("400", "malformed_request"), ("408", "request_too_slow"), ("431", "headers_too_large"),
                ("503", "stopping"), ("503", "busy"), ("503", "store_unavailable"),
            ):  # fmt: skip
                assert code in answers[status]["content"]["application/problem+json"]["examples"], (method, path, code)


def test_the_table_for_those_who_write_clients_has_every_status_and_no_code_that_is_none() -> None:
    text = COMMITTED.with_name("README.md").read_text(encoding="utf-8")
    table = text.partition("| status | codes |")[2].partition("\n\n")[0]
    rows = [row.strip("|").split(" | ") for row in table.splitlines()[2:]]
    listed = {code: statuses for statuses, codes, _ in rows for code in re.findall("`([a-z0-9_]+)`", codes)}
    for code, statuses in listed.items():
        assert str(kind_of(code).status) in statuses, code
        assert code in KINDS or code in map(str, Code), code
    told = {status for statuses, *_ in rows for status in re.findall("[0-9]{3}", statuses)}
    assert told == {str(kind.status) for kind in KINDS.values()}
    alone = {code for code, kind in KINDS.items() if kind.status not in (409, 422)}
    assert alone <= set(listed), alone - set(listed)


def test_every_object_that_is_read_is_closed() -> None:
    schemas = document()["components"]["schemas"]
    read = ("NewGame", "NewGuest", "SeatTaken", "MoveList", "Draw", "Ask", "BotSeat", "WatchWanted")
    for name in (*read, "NewTournament", "StageWanted", "Swiss", "NewEntrant", "LineupChange", "Rule", "Adjustment"):
        assert schemas[name]["additionalProperties"] is False, name


def test_unions_have_a_discriminator_and_a_name() -> None:
    schemas = document()["components"]["schemas"]
    assert schemas["Move"]["discriminator"]["mapping"]["draw"] == "#/components/schemas/Draw"
    assert schemas["Option"]["properties"]["move"] == {"$ref": "#/components/schemas/Move"}
    assert schemas["EventPage"]["properties"]["events"]["items"] == {"$ref": "#/components/schemas/Event"}
    stage = schemas["StageWanted"]["properties"]
    assert stage["format"] == {"$ref": "#/components/schemas/Format"}
    assert stage["score"]["$ref"] == "#/components/schemas/ScoreWanted"
    page = schemas["TournamentEventPage"]["properties"]["events"]
    assert page["items"] == {"$ref": "#/components/schemas/TournamentEvent"}
    acting = document()["paths"]["/v1/tournaments/{tournament_id}/acts"]["post"]["requestBody"]
    assert acting["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Act"}


@pytest.mark.parametrize(
    ("union", "key", "members"),
    [("Act", "act", get_args(Act)), ("Format", "kind", get_args(Format)), ("Score", "kind", get_args(Score))],
)
def test_each_member_of_a_union_is_told_by_its_tag(union: str, key: str, members: tuple[type, ...]) -> None:
    schemas = document()["components"]["schemas"]
    told = schemas[union]["discriminator"]
    assert told["propertyName"] == key
    tags = {kind.__struct_config__.tag: f"#/components/schemas/{kind.__name__}" for kind in members}  # type: ignore[attr-defined]
    assert told["mapping"] == tags
    for tag, reference in tags.items():
        member = schemas[reference.rpartition("/")[2]]
        assert member["properties"][key] == {"enum": [tag]}
        assert key in member["required"]


def test_no_two_types_share_a_name_and_no_parameter_of_a_path_is_left_out() -> None:
    """Where two did, both would be called by the modules that they stand in."""
    described = document()
    assert [name for name in described["components"]["schemas"] if not name.isidentifier() or "_" in name] == []
    for path, methods in described["paths"].items():
        for method, told in methods.items():
            named = {each["name"] for each in told["parameters"] if each["in"] == "path"}
            assert named == set(re.findall(r"{(\w+)}", path)), (method, path)


def test_an_announced_tournament_leads_to_everything_that_can_be_done_with_it() -> None:
    links = document()["paths"]["/v1/tournaments"]["post"]["responses"]["201"]["links"]
    assert {"getTournament", "enterTournament", "actOnTournament"} <= set(links)
    assert {tuple(each["parameters"].items()) for each in links.values()} == {
        (("tournament_id", "$response.body#/id"),)
    }


def test_every_refusal_of_a_tournament_has_a_kind_and_is_told_at_the_acts() -> None:
    told = next(operation.problems for operation in OPERATIONS if operation.id == "actOnTournament")
    for code in TournamentCode:
        assert kind_of(code.value).title != f"Refused: {code.value.replace('_', ' ')}"
        assert code.value in KINDS
        assert code.value in told


CONFIGURATION = """
[auth.openapi.bearer]
bearer = "{token}"

[checks.positive_data_acceptance]
# What is sound may still come too late, be refused by the rules, or be more than a body may hold.
expected-statuses = ["2xx", "304", "403", "404", "409", "410", "412", "413", "422"]

[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429", "5xx"]

[parameters]
{parameters}
"""


class Served:
    """The service as a process, a guest of it, a game under way where that guest sits, and a tournament of theirs."""

    def __init__(self, url: str, token: str, game: str, tournament: str) -> None:
        self.url = url
        self.token = token
        self.game = game
        self.tournament = tournament

    def try_out(self, directory: Path, parameters: str, *more: str) -> str:
        """What schemathesis says; it must find nothing."""
        configuration = directory / "schemathesis.toml"
        configuration.write_text(CONFIGURATION.format(token=self.token, parameters=parameters))
        command = [
            str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(configuration), "run",
            # Two never end, the last takes the token along.
            f"{self.url}/v1/openapi.json", "--exclude-operation-id", "streamGame",
            "--exclude-operation-id", "streamTournament", "--exclude-operation-id", "eraseMe",
            "--max-examples", "25", "--seed", "1", "--continue-on-failure", "--no-color", "--generation-database",
            # How long data takes to be made is no matter of the service.
            "none", "--suppress-health-check", "too_slow", *more,
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, cwd=directory, timeout=900, check=False)
        assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2000:]
        return done.stdout


@pytest.fixture(scope="module")
def served(
    postgres_url: str, migrated_template: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    name = "test_openapi"
    asyncio.run(run_statement(postgres_url, f"CREATE DATABASE {name} TEMPLATE {migrated_template}"))
    directory = tmp_path_factory.mktemp("openapi")
    settings = Settings(state_dir=directory, database_url=on_database(postgres_url, name), redis_url=redis_url)
    process = Process(settings, directory, 1)
    try:
        yield asyncio.run(_prepared(process.url))
    finally:
        process.end(signal.SIGTERM)
        asyncio.run(run_statement(postgres_url, f"DROP DATABASE {name} WITH (FORCE)"))


async def _prepared(url: str) -> Served:
    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        table = await Table.of(client, visibility="public")
        await table.start()
        owner = table.seats[0]
        tournament = await _tournament(client, owner)
        return Served(url, owner["Authorization"].partition(" ")[2], table.id, tournament)


async def _tournament(client: httpx.AsyncClient, director: Headers) -> str:
    """A tournament under way: eight bots, a round that is played, and the next one to be paired by hand."""
    terms = terms_of(
        stage_of({"kind": "danish", "rounds": 50}), stand_in_level="random", registration={"late_rounds": 50}
    )
    answer = await client.post("/v1/tournaments", json=terms, headers=director)
    event = Event(client, Person("", director), answer.json()["id"])
    await event.until(lambda shown: shown["status"] == "registration")
    for _ in range(8):
        await event.act("enter", bots=["random"])
    await event.act("start")
    await event.act("pair")
    await event.act("start_round", round=1)
    return event.id


def test_every_operation_keeps_its_word(served: Served, tmp_path: Path) -> None:
    served.try_out(tmp_path, "")


def test_every_operation_on_a_game_keeps_its_word(served: Served, tmp_path: Path) -> None:
    parameters = f'"path.game_id" = "{served.game}"'
    served.try_out(tmp_path, parameters, "--include-path-regex", "game_id", "--mode", "positive")


def test_every_operation_on_a_tournament_keeps_its_word(served: Served, tmp_path: Path) -> None:
    parameters = f'"path.tournament_id" = "{served.tournament}"'
    served.try_out(tmp_path, parameters, "--include-path-regex", "tournament_id", "--mode", "positive")
