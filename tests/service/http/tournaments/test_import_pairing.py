"""Tournaments from files go on over HTTP as their files say, and the answer tells what they do not have of these."""

from hashlib import sha256
from typing import Any

import httpx
import pytest

from service.trf.reading import read_trf
from tests.service.http.tables import Headers
from tests.service.http.tournaments.event import Person
from tests.service.http.tournaments.test_imports import JSON, TRF, send_file
from tests.service.tournaments.next_rounds import NOBODY, Couples, by_the_file
from tests.service.tournaments.test_import_pairing import PUBLISHED
from tests.service.trf.files import written

RULES = "?ruleset=canasta-classic"


async def made_of(client: httpx.AsyncClient, who: Headers, content: bytes, kind: str = TRF) -> dict[str, Any]:
    """The answer to a file."""
    answer = await send_file(client, who, content, kind, RULES, key=sha256(content).hexdigest())
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def paired(client: httpx.AsyncClient, who: Headers, tournament: str) -> Couples:
    """The next round, as the act `pair` would have it; byes worth a win are the pairing's."""
    path = f"/v1/tournaments/{tournament}/acts"
    answer = await client.post(path, json={"act": "pair"}, params={"dry_run": "true"}, headers=who)
    assert answer.status_code == 200, answer.text
    (made,) = (each for each in answer.json()["events"] if each["type"] == "round_paired")
    return {(match["sides"][0][0], match["sides"][1][0]) for match in made["matches"]} | {
        (each, NOBODY) for each, bye in made["byes"].items() if bye == "bye"
    }


@pytest.mark.parametrize("name", PUBLISHED)
async def test_a_published_file_and_its_exports_go_on_as_on_the_command_line(
    client: httpx.AsyncClient, name: str
) -> None:
    person = await Person.new(client)
    tournament = (await made_of(client, person.headers, PUBLISHED[name]))["tournament"]["id"]
    expected = by_the_file(read_trf(PUBLISHED[name]))
    assert await paired(client, person.headers, tournament) == expected
    for kind, form in ((JSON, "json"), (TRF, "trf")):
        content = (await client.get(f"/v1/tournaments/{tournament}/export", params={"format": form})).content
        again = (await made_of(client, person.headers, content, kind))["tournament"]["id"]
        assert await paired(client, person.headers, again) == expected


async def test_who_stays_away_from_the_round_to_come_has_no_opponent_in_it(client: httpx.AsyncClient) -> None:
    person = await Person.new(client)
    made = await made_of(client, person.headers, PUBLISHED["dutch_2025_C5"])
    assert (made["rounds"], made["left_out"], made["dropped"]) == (2, 0, [])
    found = await paired(client, person.headers, made["tournament"]["id"])
    assert found == {("e1", "e5"), ("e3", "e2"), ("e6", NOBODY)}


async def test_what_a_tournament_has_not_of_its_file_is_told(client: httpx.AsyncClient) -> None:
    person = await Person.new(client)
    made = await made_of(client, person.headers, PUBLISHED["single downfloater"] + b"212 PTS,KS,BH/C2\n")
    assert [each["place"] for each in made["dropped"]] == ["202, 212", "142"]
    stage = made["tournament"]["terms"]["stages"][0]
    assert (stage["format"]["kind"], stage["format"]["method"], stage["tie_breaks"]) == (
        "swiss",
        "fide_dutch",
        ["koya"],
    )


async def test_three_points_for_a_win_are_taken_over(client: httpx.AsyncClient) -> None:
    person = await Person.new(client)
    data = written({1: ["2w1"], 2: ["1b0"]}, "142 1", "162  W 3.0    D 1.0    L 0.0").replace(b"   1.0", b"   3.0")
    tournament = (await made_of(client, person.headers, data))["tournament"]["id"]
    rows = (await client.get(f"/v1/tournaments/{tournament}/standings")).json()["rows"]
    assert [row["score"] for row in rows] == [300, 0]
