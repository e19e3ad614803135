import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from domain.records.lines import split_lines
from domain.records.verdicts import Verdict
from domain.records.verification import replay_record, verify
from domain.views import encode_view
from service.http import records
from service.settings import Settings
from tests.service.http.conftest import running
from tests.service.http.patience import until
from tests.service.http.tables import Table, guest, problem


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
    assert msgspec.json.decode(encode_view(state, "everyone", 0)) == await table.view()
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


async def test_a_game_is_judged_once_however_many_ask(
    game: Table, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[int] = []

    def counted(lines: Iterator[bytes], *, beacon: object) -> Verdict:
        judged.append(1)
        return verify(lines)

    monkeypatch.setattr(records, "verify", counted)
    await game.move({"type": "resign"}, 0)
    answers = await asyncio.gather(*(game.get("/verification") for _ in range(20)))
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, answers[0].content)}
    assert (await game.get("/verification")).content == answers[0].content
    assert len(judged) == 1


async def test_only_so_many_games_wait_to_be_verified(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()

    def slow(lines: Iterator[bytes], *, beacon: object) -> Verdict:
        go.wait(60)
        return verify(lines)

    monkeypatch.setattr(records, "verify", slow)
    async with running(replace(settings, verifications_max=2)) as (app, client):
        tables = [await Table.of(client, players=2) for _ in range(3)]
        for table in tables:
            await table.start()
            await table.move({"type": "resign"}, 0)
        waiting = [asyncio.create_task(table.get("/verification")) for table in tables[:2]]
        await until(lambda: len(app.state.service.verdicts._under_way) == 2)
        assert problem(await tables[2].get("/verification"), "busy")["params"] == {"limit": 2}
        go.set()
        for answer in await asyncio.gather(*waiting):
            assert answer.json()["ok"]
        assert (await tables[2].get("/verification")).json()["ok"]
