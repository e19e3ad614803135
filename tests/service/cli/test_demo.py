"""`meldhouse demo`, `serve` and `migrate` with real servers: what a newcomer runs first."""

import asyncio
import contextlib
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.cli.client import Client, Problem
from service.cli.own_service import HOST, OwnService, ServiceFault
from service.embedded.account import server_account
from service.embedded.state import temporary_directory
from tests.conftest import on_database, run_statement
from tests.service.cli.running import meldhouse

COMMAND = [sys.executable, "-m", "service.cli"]
SECONDS_MAX = 120


@pytest.fixture(scope="module")
def service() -> Iterator[OwnService]:
    with OwnService() as running:
        yield running


def test_a_demonstration_plays_replays_and_verifies_a_game() -> None:
    done = subprocess.run(
        [*COMMAND, "demo", "--hands", "1"], capture_output=True, text=True, timeout=SECONDS_MAX, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["For", "Hand", "The", "Played:", "Replayed:", "Verified:"]


def test_a_demonstration_on_a_terminal_shows_the_table_live() -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "50"}
    running = subprocess.Popen([*COMMAND, "demo", "--hands", "1"], stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):
        while chunk := os.read(ours, 1 << 16):
            shown += chunk
    os.close(ours)
    assert running.wait(SECONDS_MAX) == 0
    assert b"samba-official" in shown
    assert "♠".encode() in shown
    assert b"Verified:" in shown


def test_a_service_that_cannot_start_fails_the_demonstration_with_its_last_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MELDHOUSE_BODY_BYTES_MAX", "1")
    result = meldhouse("demo")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert "did not start" in line
    assert "MELDHOUSE_BODY_BYTES_MAX" in line


def test_the_record_of_a_game_is_replayed_by_its_id(service: OwnService) -> None:
    with service.client() as client:
        tokens = [client.post("/v1/players", {"name": name}).json()["token"] for name in ("Ada", "Ben")]
    with service.client(tokens[0]) as ada, service.client(tokens[1]) as ben:
        opened = ada.post("/v1/games", {"players": 2, "seats": [{"kind": "you"}, {"kind": "open"}]}).json()
        game = opened["id"]
        ben.post(f"/v1/games/{game}/seats", {"code": opened["share_url"].split("code=")[1]})
        ada.post(f"/v1/games/{game}/start")
        ada.post(f"/v1/games/{game}/moves", {"type": "resign"})
    stranger = meldhouse("replay", game, MELDHOUSE_PORT=str(service.port))
    assert stranger.exit_code == 2
    replayed = meldhouse("replay", game, "--token", tokens[1], MELDHOUSE_PORT=str(service.port))
    assert (replayed.exit_code, replayed.stderr) == (0, "")
    assert "The game ends (resigned): side 1 wins" in replayed.stdout


def test_an_id_that_is_no_game_is_wrong_use(service: OwnService) -> None:
    result = meldhouse("replay", "nosuchgame", MELDHOUSE_PORT=str(service.port))
    assert result.exit_code == 2
    assert "404" in result.stderr


def test_what_a_service_says_no_to_is_raised_with_its_words(service: OwnService) -> None:
    with service.client() as client, pytest.raises(Problem) as refused:
        client.get("/v1/me")
    assert refused.value.status == 401


def test_a_service_of_ones_own_leaves_nothing_behind() -> None:
    with OwnService() as running:
        directory = running.directory
        assert directory is not None
        assert directory.is_dir()
        pid = running.pid
    assert not directory.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.fixture
def state_directory() -> Iterator[Path]:
    directory = temporary_directory(server_account(), in_memory=True)
    yield directory
    subprocess.run(["rm", "-rf", str(directory)], check=True)


def started(directory: Path, *options: str) -> tuple[subprocess.Popen[str], str]:
    """`meldhouse serve` and what it said until it was ready."""
    environment = {**os.environ, "MELDHOUSE_STATE_DIR": str(directory), "PYTHONUNBUFFERED": "1"}
    running = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    assert running.stdout is not None
    said = ""
    while "Ctrl-C" not in said:
        line = running.stdout.readline()
        assert line, said
        said += line
    return running, said


@pytest.mark.parametrize("workers", ["1", "2"])
def test_serve_says_what_to_open_and_stops_when_asked(state_directory: Path, workers: str) -> None:
    running, said = started(state_directory, "--workers", workers)
    url = said.split("ready at ")[1].split()[0]
    assert f"{url}/docs" in said
    assert "meldhouse demo" in said
    assert "curl " in said
    with Client(HOST, int(url.rsplit(":", 1)[1])) as client:
        assert client.get("/v1/health/ready").status == 200
    began = time.monotonic()
    running.send_signal(signal.SIGTERM)
    assert running.wait(SECONDS_MAX) == 0
    assert time.monotonic() - began < SECONDS_MAX / 4
    assert running.stdout is not None
    running.stdout.close()


def test_a_port_in_use_is_told_in_one_line(service: OwnService) -> None:
    result = meldhouse("serve", "--port", str(service.port))
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert f"port {service.port}" in line


def test_migrate_brings_a_database_up_to_date_once(postgres_url: str, database: str) -> None:
    assert meldhouse("migrate", DATABASE_URL=database).stdout == "The database is up to date.\n"
    asyncio.run(run_statement(postgres_url, "create database to_migrate"))
    applied = meldhouse("migrate", DATABASE_URL=on_database(postgres_url, "to_migrate"))
    asyncio.run(run_statement(postgres_url, "drop database to_migrate"))
    assert applied.exit_code == 0
    assert applied.stdout.splitlines()[0].startswith("applied ")


def test_a_database_that_is_not_there_is_told_in_one_line() -> None:
    result = meldhouse("migrate", DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert "cannot be reached" in line


def test_a_service_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cli.own_service.START_SECONDS_MAX", 0.0)
    with pytest.raises(ServiceFault, match="did not start"), OwnService():
        pass
