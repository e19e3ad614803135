"""Files with numbers that no tournament has here: refused, not stored as something that nobody can read again."""

import httpx
import pytest
from msgspec.structs import replace

from domain.rulesets import resolve
from domain.tournaments.formats import Swiss
from service.settings import Settings
from service.tournaments.importing import StepFailed, within_bounds
from service.tournaments.trf_import import tournament_of
from service.trf.reading import read_trf
from tests.service.http.conftest import running
from tests.service.http.tables import problem
from tests.service.http.tournaments.event import Person
from tests.service.http.tournaments.test_imports import TRF, send_file
from tests.service.trf.files import by_chance, written


@pytest.mark.parametrize("record", ["XXR 201", "XXR 99999", "142 99999"])
async def test_numbers_beyond_all_terms_are_refused(client: httpx.AsyncClient, record: str) -> None:
    person = await Person.new(client)
    answer = await send_file(client, person.headers, written({1: ["2w1"], 2: ["1b0"]}, record), TRF)
    (fault,) = problem(answer, "import_invalid")["faults"]
    assert fault["code"] == "too_many_rounds"
    mine = await client.get("/v1/tournaments?mine=true", headers=person.headers)
    assert mine.json()["tournaments"] == []


def test_whatever_else_no_tournament_could_have_is_refused_before_it_is_stored() -> None:
    made = tournament_of(read_trf(written({1: ["2w1"], 2: ["1b0"]})), resolve("samba-official"))
    assert within_bounds(made) == made
    stage = replace(made.terms.stages[0], format=Swiss(rounds=99_999))
    with pytest.raises(StepFailed) as failed:
        within_bounds(replace(made, terms=replace(made.terms, stages=(stage,))))
    assert failed.value.code == "out_of_range"


async def test_what_was_imported_can_be_read_by_a_worker_that_knows_nothing_of_it(
    client: httpx.AsyncClient, settings: Settings
) -> None:
    person = await Person.new(client)
    answer = await send_file(client, person.headers, written(by_chance(3, players=6, rounds=2), "XXR 200"), TRF)
    assert answer.status_code == 201, answer.text
    path = f"/v1/tournaments/{answer.json()['tournament']['id']}"
    async with running(settings) as (_, other):
        assert (await other.get(path)).json()["status"] == "running"
