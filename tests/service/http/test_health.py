import json
import tempfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import httpx
import pytest
from msgspec.structs import replace

from service.logs import configure_logs
from service.running import Service
from service.settings import Settings
from service.version import VERSION
from tests.service.http.conftest import running
from tests.service.http.tables import Table, guest, problem


async def test_a_worker_says_that_it_is_alive_and_ready(client: httpx.AsyncClient) -> None:
    for path, status in (("live", "live"), ("ready", "ready")):
        answer = await client.get(f"/v1/health/{path}")
        assert answer.json() == {"status": status, "version": VERSION}


async def test_a_worker_that_is_to_stop_is_not_ready(client: httpx.AsyncClient, service: Service) -> None:
    await service.stop_streams()
    assert problem(await client.get("/v1/health/ready"), "stopping")["status"] == 503
    assert (await client.get("/v1/health/live")).status_code == 200


def socket_directory(database: str) -> Path:
    return Path(parse_qs(urlsplit(database).query)["host"][0])


async def test_without_a_database_every_answer_is_a_problem_and_it_recovers(settings: Settings, database: str) -> None:
    """R8, R9: what needs the database says so, and goes on once it is back."""
    door = Path(tempfile.mkdtemp()) / "run"
    door.symlink_to(socket_directory(database))
    url = database.replace(str(socket_directory(database)), str(door))
    async with running(replace(settings, database_url=url)) as (_, client):
        table = await Table.of(client)
        door.unlink()
        await end_connections(database)
        for path in ("/v1/health/ready", f"/v1/games/{table.id}", "/v1/games"):
            answer = await client.get(path, headers=table.seats[0])
            problem(answer, "store_unavailable")
            assert answer.headers["retry-after"] == "1"
        problem(await client.post("/v1/players", json={"name": "Ada"}), "store_unavailable")
        door.symlink_to(socket_directory(database))
        assert (await table.start())["status"] == "playing"
    door.unlink()
    door.parent.rmdir()


async def end_connections(database: str) -> None:
    """Cut every connection to the database but this one."""
    connection = await asyncpg.connect(database)
    await connection.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity "
        "where datname = current_database() and pid <> pg_backend_pid()"
    )
    await connection.close()


async def test_what_nobody_expected_is_a_problem_and_changes_nothing(
    table: Table, service: Service, client: httpx.AsyncClient, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    configure_logs(Settings(state_dir=tmp_path, log_level="error", log_format="json"))
    before = (await table.get()).content

    def broken(*_: object) -> None:
        secret = table.seats[0]["Authorization"]
        raise ZeroDivisionError(len(secret) // 0)

    whole, service.store.append = service.store.append, broken  # type: ignore[assignment, method-assign]
    answer = await client.post(f"{table.path}/start", headers=table.seats[0])
    service.store.append = whole  # type: ignore[method-assign]
    document = problem(answer, "internal_error")
    logged = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert document["instance"] == f"urn:meldhouse:request:{logged['request']}"
    assert "ZeroDivisionError" in logged["exception"]
    assert table.seats[0]["Authorization"].partition(" ")[2] not in json.dumps(logged)
    assert (await table.get()).content == before
    assert (await table.start())["status"] == "playing"


async def test_logs_hold_no_card_and_no_token(
    client: httpx.AsyncClient, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """O5, N3: a whole evening at the most talkative level."""
    configure_logs(Settings(state_dir=tmp_path, log_level="debug", log_format="json"))
    table = await Table.of(client)
    await table.start()
    await table.play(20)
    await table.move({"type": "discard", "cards": ["JK"]}, 0)
    await client.get("/v1/me", headers={"Authorization": "Bearer not-a-token"})
    await client.get(f"{table.path}?code={table.code}", headers=await guest(client))
    told = capsys.readouterr().err
    for headers in table.seats:
        assert headers["Authorization"].partition(" ")[2] not in told
    assert table.code not in told
    assert "not-a-token" not in told
    assert '"JK"' not in told


async def test_metrics_name_nobody(game: Table, client: httpx.AsyncClient) -> None:
    await game.play(2)
    text = (await client.get("/metrics")).text
    assert 'meldhouse_requests_total{operation="makeMoves",status="201"} 2.0' in text
    assert game.id not in text


PROMETHEUS = {"Authorization": "Bearer the-token-of-prometheus"}


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
async def test_without_a_token_the_metrics_are_for_the_machine_itself(settings: Settings, host: str) -> None:
    async with running(replace(settings, host=host)) as (_, client):
        assert (await client.get("/metrics")).status_code == 200
        for header in ("Forwarded", "X-Forwarded-For", "Via"):
            problem(await client.get("/metrics", headers={header: "x"}), "metrics_closed")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "cards.example", "::ffff:192.0.2.1"])
async def test_without_a_token_nobody_reads_metrics_of_a_service_that_others_reach(
    settings: Settings, host: str
) -> None:
    async with running(replace(settings, host=host)) as (_, client):
        closed = await client.get("/metrics", headers=PROMETHEUS)
        assert problem(closed, "metrics_closed")["status"] == 403
        assert (await client.head("/metrics")).status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
async def test_with_a_token_everybody_needs_it_for_the_metrics(settings: Settings, host: str) -> None:
    async with running(replace(settings, host=host, metrics_token="the-token-of-prometheus")) as (_, client):
        missing = await client.get("/metrics")
        problem(missing, "credential_missing")
        assert missing.headers["www-authenticate"].startswith("Bearer")
        player = await guest(client)
        for wrong in (
            player,
            {"Authorization": "Bearer "},
            {"Authorization": "Bearer the-token-of-prometheuS"},
            {"Authorization": "Basic the-token-of-prometheus"},
            {b"Authorization": b"Bearer \xff\xfe"},
        ):
            problem(await client.get("/metrics", headers=wrong), "credential_invalid")
        for sent in (PROMETHEUS, {"Authorization": "bearer the-token-of-prometheus"}):
            answer = await client.get("/metrics", headers=sent | {"X-Forwarded-For": "192.0.2.1"})
            assert answer.status_code == 200
            assert "meldhouse_events_total" in answer.text
        problem(await client.get("/v1/me", headers=PROMETHEUS), "credential_invalid")
