from typing import Any

import httpx
import msgspec

from domain.records.lines import split_lines
from domain.records.verification import replay_record, verify
from domain.views import encode_view
from tests.service.http.tables import Table, guest


async def finished(client: httpx.AsyncClient, **terms: Any) -> Table:
    table = await Table.of(client, **terms)
    await table.start()
    await table.play(12)
    assert (await table.move({"type": "resign"}, 1)).status_code == 201
    return table


async def test_the_record_of_a_finished_game_verifies_offline(client: httpx.AsyncClient) -> None:
    table = await finished(client)
    answer = await table.get("/record")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert f"{table.id}.meld.jsonl" in answer.headers["content-disposition"]
    lines = list(split_lines([answer.content]))
    verdict = verify(lines)
    assert verdict.fault is None
    assert verdict.game == table.id
    assert verdict.reason == "resigned"
    header = msgspec.json.decode(lines[0])
    assert [player["name"] for player in header["players"]] == [f"Player {seat}" for seat in range(4)]
    state = replay_record(lines)
    assert msgspec.json.decode(encode_view(state, "everyone")) == await table.view()
    assert (await table.get("/verification")).content == msgspec.json.encode(verdict)


async def test_a_finished_games_record_is_for_whoever_may_see_the_game(client: httpx.AsyncClient) -> None:
    table = await finished(client, watch={"who": "nobody"})
    coded = await client.get(f"{table.path}/record?code={table.code}")
    assert coded.content == (await table.get("/record")).content
    assert (await client.get(f"{table.path}/record", headers=await guest(client))).status_code == 404
    watched = (await client.get(f"{table.path}?code={table.code}")).json()["view"]
    assert all(holding["cards"] is not None for holding in watched["holdings"])


async def test_a_record_with_a_seat_that_changed_hands_verifies(client: httpx.AsyncClient) -> None:
    table = await Table.of(client)
    await table.start()
    await table.play(4)
    await client.delete(f"{table.path}/seats/2", headers=table.seats[2])
    newcomer = await guest(client, "Newcomer")
    assert (await client.post(f"{table.path}/seats", json={"code": table.code}, headers=newcomer)).status_code == 201
    table.seats[2] = newcomer
    await table.play(4)
    await table.move({"type": "resign"}, 0)
    verdict = (await table.get("/verification")).json()
    assert verdict["ok"], verdict
