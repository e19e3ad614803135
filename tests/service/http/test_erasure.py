"""Erasing a person (DELETE /v1/me): nothing personal is left anywhere, and every game still verifies."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from litestar import Litestar
from msgspec.structs import replace
from redis.asyncio import Redis

from domain.records.lines import split_lines
from domain.records.verification import verify
from service.bell.redis import CHANNEL
from service.http.catalogue import OPERATIONS
from service.logs import configure_logs
from service.players import ERASED_NAME
from service.running import Service
from service.settings import Settings
from service.turns import NONCE
from tests.service.http.conftest import LiveServer, running
from tests.service.http.patience import eventually
from tests.service.http.tables import Headers, Table, guest, problem
from tests.service.http.test_seals import ask
from tests.service.http.test_streams import Reader
from tests.service.http.waiting_tables import let_be_due

CANARY = "Kanarienvogel7f3a"
NOBODY_LEAVES = "select not exists (select from player where leaving)"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, erasure_poll_seconds=0.1)


def service_of(app: Litestar) -> Service:
    found: Service = app.state.service
    return found


async def erase(client: httpx.AsyncClient, headers: Headers) -> None:
    answer = await client.delete("/v1/me", headers=headers)
    assert (answer.status_code, answer.content) == (204, b"")


async def seats_of(client: httpx.AsyncClient, table: Table) -> list[tuple[str, str | None]]:
    shown = (await client.get(f"{table.path}?code={table.code}")).json()["seats"]
    return [(seat["kind"], seat["name"]) for seat in shown]


async def until_seated(client: httpx.AsyncClient, table: Table, seat: int, kind: str) -> None:
    async def seated() -> bool:
        return (await seats_of(client, table))[seat][0] == kind

    await eventually(seated)


async def until_forgotten(client: httpx.AsyncClient, headers: Headers) -> None:
    """Wait until a worker takes the token of an erased player no more, be it only from its memory."""

    async def forgotten() -> bool:
        return (await client.get("/v1/games", headers=headers)).status_code == 401

    await eventually(forgotten)


async def open_table(client: httpx.AsyncClient, owner: Headers, *seats: dict[str, Any], **terms: Any) -> Table:
    made = await client.post("/v1/games", json={"players": len(seats), "seats": seats} | terms, headers=owner)
    assert made.status_code == 201, made.text
    return Table(client, [owner] * len(seats), made.json())


def hex_of(text: str) -> str:
    return text.encode().hex()


async def rows_of(url: str, like: str = "%") -> str:
    """Every row of every table of such a name as text; bytes are in hex."""
    connection = await asyncpg.connect(url)
    try:
        tables = await connection.fetch(
            "select tablename from pg_tables where schemaname = 'public' and tablename like $1", like
        )
        assert tables
        dumps = [await connection.fetch(f'select t::text from "{row["tablename"]}" t') for row in tables]
        return "\n".join(row["t"] for rows in dumps for row in rows)
    finally:
        await connection.close()


class Overheard:
    """Everything that passes over the bell's channel, and in the end every key that is left."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(url)
        self._heard: list[str] = []

    async def __aenter__(self) -> "Overheard":
        self._subscription = self._redis.pubsub()
        await self._subscription.subscribe(CHANNEL)
        self._task = asyncio.create_task(self._listen())
        return self

    async def _listen(self) -> None:
        async for message in self._subscription.listen():
            self._heard.append(str(message["data"]))

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._subscription.aclose()  # type: ignore[no-untyped-call]
        await self._redis.aclose()

    async def text(self) -> str:
        keys = [key async for key in self._redis.scan_iter()]
        values = [await self._redis.dump(key) for key in keys]
        return "\n".join([*self._heard, *map(str, keys), *map(str, values)])


async def every_answer(client: httpx.AsyncClient, tables: list[Table], viewers: list[Headers]) -> str:
    """All that the interface tells: every operation that reads, for every game, as every viewer."""
    told = []
    for headers in viewers:
        for operation in OPERATIONS:
            if operation.method != "GET" or operation.path.endswith("/stream"):
                continue
            for table in tables if "{game_id}" in operation.path else tables[:1]:
                answer = await ask(table, operation, headers, client)
                told += [answer.text, str(answer.headers)]
        told.append((await client.get("/v1/games?mine=true", headers=headers)).text if headers else "")
    return "\n".join(told)


@pytest.fixture
async def overheard(redis_url: str) -> AsyncIterator[Overheard]:
    async with Overheard(redis_url) as listening:
        yield listening


async def test_nothing_personal_is_left_of_who_is_erased(
    live: LiveServer, database: str, overheard: Overheard, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A name that stands nowhere else is told to every part of the service that takes one, and then looked for."""
    configure_logs(Settings(state_dir=tmp_path, log_level="debug", log_format="json"))
    async with live.client() as client:
        born = {"Idempotency-Key": f"{CANARY}-birth-0123456789"}
        answer = await client.post("/v1/players", json={"name": CANARY}, headers=born)
        token, player = answer.json()["token"], answer.json()["player"]["id"]
        canary: Headers = {"Authorization": f"Bearer {token}"}
        keyed = canary | {"Idempotency-Key": f"{CANARY}-key"}
        other = await guest(client, "Ben")
        you, free, kept = {"kind": "you"}, {"kind": "open"}, {"kind": "invited", "player": player}

        opened = {"players": 2, "seats": [you, free], "visibility": "public", "watch": {"who": "anyone"}}
        made = await client.post("/v1/games", json=opened, headers=keyed)
        finished = Table(client, [canary, other], made.json())
        joined = await client.post(f"{finished.path}/seats", json={"code": finished.code}, headers=other)
        assert joined.status_code == 201
        await finished.start()
        reader = Reader(client, f"{finished.path}/stream", other)
        await finished.play(3)
        assert (await finished.move({"type": "resign"}, 0, Idempotency_Key=f"{CANARY}-move")).status_code == 201
        await reader.end()
        assert CANARY not in str(reader.messages)
        playing = await open_table(client, other, you, free)
        code = {"code": playing.code}
        assert (await client.post(f"{playing.path}/seats", json=code, headers=keyed)).status_code == 201
        await playing.start()
        waiting = await open_table(client, other, you, free)
        assert (await client.post(f"{waiting.path}/seats", json={"code": waiting.code}, headers=canary)).is_success
        keeping = await open_table(client, other, you, kept)
        own = await open_table(client, canary, free, {"kind": "invited", "player": player}, visibility="public")
        await client.delete(f"{own.path}/seats/1", headers=keyed)
        tables = [finished, playing, waiting, keeping, own]

        async def everywhere() -> dict[str, str]:
            return {
                "answers": await every_answer(client, tables, [other, {}]),
                "rows": await rows_of(database),
                "valkey": await overheard.text(),
                "logs": "".join(capfd.readouterr()),
            }

        problem(await client.post(f"{playing.path}/moves", json={"type": CANARY}, headers=keyed), "malformed_move")
        before = await everywhere()
        record = await client.get(f"{finished.path}/record")
        assert CANARY in before["answers"]
        assert CANARY in record.text
        assert CANARY in before["rows"]
        assert finished.id in before["valkey"]
        assert verify(split_lines([record.content])).ok
        assert player in await rows_of(database, "claim")

        await erase(client, canary)
        problem(await client.get("/v1/me", headers=canary), "credential_invalid")
        problem(await client.delete("/v1/me", headers=canary), "credential_invalid")
        await until_seated(client, playing, 1, "bot")
        await until_seated(client, waiting, 1, "open")
        after = await everywhere()
        again = await client.get(f"{finished.path}/record")
        after["record"] = again.text
        digest = sha256(token.encode()).hexdigest()
        for place, text in after.items():
            for trace in (CANARY, hex_of(CANARY), token, hex_of(token), digest):
                assert trace.lower() not in text.lower(), (place, trace)
        # What made the token and the digest of a request with the name in it are gone with the claims.
        assert player not in await rows_of(database, "claim")
        assert "player_erased" in after["logs"]
        assert CANARY.lower() not in before["logs"].lower()
        assert token not in before["logs"]

        assert verify(split_lines([again.content])).ok
        assert again.content.splitlines()[1:] == record.content.splitlines()[1:]
        header = json.loads(again.content.splitlines()[0])
        assert [each["name"] for each in header["players"]] == [ERASED_NAME, "Ben"]
        assert (await client.get(f"{finished.path}/verification")).json()["ok"]
        assert await seats_of(client, finished) == [("human", None), ("human", "Ben")]
        assert await seats_of(client, keeping) == [("human", "Ben"), ("open", None)]
        # Links that they passed on are good for others as before.
        newcomer = await client.post(f"{own.path}/seats", json={"code": own.code}, headers=await guest(client, "Cid"))
        assert newcomer.status_code == 201
        assert live.server.service.principals.known(token.encode()) is None


async def test_another_worker_forgets_name_and_token_within_its_poll(settings: Settings) -> None:
    async with running(settings) as (_, client), running(settings) as (app, other):
        table = await Table.of(client, players=2, visibility="public")
        erased = table.seats[1]
        assert (await other.get("/v1/me", headers=erased)).status_code == 200
        assert (await seats_of(other, table))[1] == ("human", "Player 1")
        await table.start()
        await table.move({"type": "resign"}, 0)
        await erase(client, erased)
        problem(await client.get("/v1/me", headers=erased), "credential_invalid")
        assert (await seats_of(client, table))[1] == ("human", None)
        await until_forgotten(other, erased)
        problem(await other.get("/v1/me", headers=erased), "credential_invalid")
        assert (await seats_of(other, table))[1] == ("human", None)
        assert "Player 1" not in str(service_of(app).players._names)


async def test_a_worker_that_could_not_look_for_a_while_forgets_what_it_missed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may look seldom, or the database may have been out of its reach."""
    monkeypatch.setattr("service.erasure.LOOK_BACK_SECONDS", 0.0)
    slow = replace(settings, erasure_poll_seconds=1.0)
    async with running(settings) as (_, client), running(slow) as (app, other):
        table = await Table.of(client, players=2, visibility="public")
        erased = table.seats[1]
        assert (await other.get("/v1/me", headers=erased)).status_code == 200
        assert (await seats_of(other, table))[1] == ("human", "Player 1")
        await erase(client, erased)
        await until_forgotten(other, erased)
        problem(await other.get("/v1/me", headers=erased), "credential_invalid")
        assert "Player 1" not in str(service_of(app).players._names)


async def test_a_table_that_is_closed_is_left_once_it_has_opened_again(settings: Settings) -> None:
    async with running(settings) as (app, client):
        table = await Table.of(client, players=2)
        commit = {"type": "commit", "commitment": sha256(bytes(32)).hexdigest()}
        assert (await client.post(f"{table.path}/nonce", json=commit, headers=table.seats[0])).status_code == 200
        assert (await table.start())["status"] == "closed"
        await erase(client, table.seats[1])
        await asyncio.sleep(0.2)
        assert [kind for kind, _ in await seats_of(client, table)] == ["human", "human"]
        await let_be_due(service_of(app), table, NONCE)
        await until_seated(client, table, 1, "open")


async def test_seats_are_left_though_the_worker_that_erased_died(settings: Settings) -> None:
    async with running(settings) as (app, client):
        table = await Table.of(client, players=2)
        await table.start()
        service = service_of(app)
        await service.erasures.close()
        player = (await client.get("/v1/me", headers=table.seats[1])).json()["id"]
        kept = await open_table(client, table.seats[0], {"kind": "you"}, {"kind": "invited", "player": player})
        assert await service.players.erase(player)
        assert await service.invitations.reserved(kept.id) == {}
        assert not await service.players.erase(player)
        assert not await service.players.erase("p0")
        assert [kind for kind, _ in await seats_of(client, table)] == ["human", "human"]
    async with running(settings) as (_, client):
        await until_seated(client, table, 1, "bot")


async def test_a_seat_taken_with_a_token_that_a_worker_still_knew_is_left_again(settings: Settings) -> None:
    slow = replace(settings, erasure_poll_seconds=30.0)
    async with running(settings) as (_, client), running(slow) as (_, other):
        owner, erased = await guest(client), await guest(client, "Late")
        table = await open_table(client, owner, {"kind": "you"}, {"kind": "open"})
        assert (await other.get("/v1/me", headers=erased)).status_code == 200
        await erase(client, erased)
        late = await other.post(f"{table.path}/seats", json={"code": table.code}, headers=erased)
        assert late.status_code == 201
        await until_seated(client, table, 1, "open")


async def test_the_erased_are_done_with_after_a_while(
    client: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await Table.of(client, players=2)
    monkeypatch.setattr("service.erasure.LEAVING_SECONDS", 0.3)
    await erase(client, table.seats[1])
    await eventually(lambda: service.store.pool.fetchval(NOBODY_LEAVES))
    assert [kind for kind, _ in await seats_of(client, table)] == ["human", "open"]


async def test_a_table_asked_for_with_a_token_that_a_worker_still_knew_is_not_opened(settings: Settings) -> None:
    slow = replace(settings, erasure_poll_seconds=30.0)
    async with running(settings) as (app, client), running(slow) as (_, other):
        erased = await guest(client, "Late")
        player = (await other.get("/v1/me", headers=erased)).json()["id"]
        await erase(client, erased)
        body = {"players": 2, "seats": [{"kind": "you"}, {"kind": "open"}]}
        late = await other.post("/v1/games", json=body, headers=erased | {"Idempotency-Key": "late"})
        problem(late, "credential_invalid")
        pool = service_of(app).store.pool
        assert await pool.fetchval("select count(*) from claim where actor = $1", player) == 0
        assert await pool.fetchval("select count(*) from game where created_by = $1", player) == 0


async def test_what_was_claimed_in_passing_goes_before_the_erased_are_done_with(
    client: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, pool = await guest(client, "Late"), service.store.pool
    player = (await client.get("/v1/me", headers=late)).json()["id"]
    await erase(client, late)
    passing = (
        "insert into claim (scope, actor, command_key, command_digest, value) values ('freeSeat', $1, 'k', '', '')"
    )
    await pool.execute(passing, player)
    monkeypatch.setattr("service.erasure.LEAVING_SECONDS", 0.5)
    await eventually(lambda: pool.fetchval(NOBODY_LEAVES))
    assert await pool.fetchval("select count(*) from claim where actor = $1", player) == 0


async def test_a_key_of_the_erased_makes_another_person(client: httpx.AsyncClient) -> None:
    key = {"Idempotency-Key": "0123456789abcdef-birth"}
    first, again = [(await client.post("/v1/players", json={"name": "Ada"}, headers=key)).json() for _ in range(2)]
    assert first == again
    await erase(client, {"Authorization": f"Bearer {first['token']}"})
    other = (await client.post("/v1/players", json={"name": "Ada"}, headers=key)).json()
    assert other["player"]["id"] != first["player"]["id"]
    assert other["token"] != first["token"]


async def test_who_shows_no_token_erases_nobody(client: httpx.AsyncClient) -> None:
    problem(await client.delete("/v1/me"), "credential_missing")
    problem(await client.delete("/v1/me", headers={"Authorization": "Bearer x"}), "credential_invalid")


async def test_what_was_written_in_a_key_is_kept_nowhere(client: httpx.AsyncClient, database: str) -> None:
    ada, ben = await guest(client), await guest(client)
    body = {"players": 2, "seats": [{"kind": "you"}, {"kind": "open"}]}
    key = {"Idempotency-Key": CANARY}
    first, again, third = [
        (await client.post("/v1/games", json=body, headers=who | key)).json()["id"] for who in (ada, ada, ben)
    ]
    assert first == again != third
    assert re.search(CANARY, await rows_of(database), re.IGNORECASE) is None


async def test_a_player_takes_another_name(settings: Settings) -> None:
    async with running(settings) as (_, client), running(settings) as (_, other):
        table = await Table.of(client, players=2)
        assert (await seats_of(other, table))[0] == ("human", "Player 0")
        answer = await client.patch("/v1/me", json={"name": "Zoë"}, headers=table.seats[0])
        assert (answer.status_code, answer.json()["name"]) == (200, "Zoë")
        assert (await seats_of(client, table))[0] == ("human", "Zoë")

        async def renamed() -> bool:
            return (await seats_of(other, table))[0] == ("human", "Zoë")

        await eventually(renamed)
        for name in ("", " Zoë", "Z" * 41, "Z\u200b"):
            problem(await client.patch("/v1/me", json={"name": name}, headers=table.seats[0]), "invalid_body")
        problem(await client.patch("/v1/me", json={}, headers=table.seats[0]), "invalid_body")
        problem(await client.patch("/v1/me", json={"name": "Eve"}), "credential_missing")
