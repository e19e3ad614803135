"""The life of the embedded servers, with the real programs."""

import asyncio
import os
import pwd
import signal
import subprocess
import threading
import time
from pathlib import Path

import asyncpg
import pytest
import redis.asyncio

from service.back_off import UNSERVED_DEATHS_MAX
from service.embedded import EmbeddedFault, start
from service.embedded.postgres import SERVER_OPTIONS
from service.embedded.process import command_line
from service.embedded.servers import NO_VALKEY
from tests.service.campaign import processes
from tests.service.embedded.hosts import (
    SECONDS_MAX,
    Host,
    Installation,
    eventually,
    execute,
    processes_about,
    settings,
)

AS_ROOT = os.geteuid() == 0
NOBODY = pwd.getpwnam("nobody").pw_uid


async def ping(url: str) -> bool:
    client = redis.asyncio.Redis.from_url(url)
    try:
        return bool(await client.ping())
    finally:
        await client.aclose()


async def answers(url: str) -> bool:
    try:
        return await ping(url)
    except redis.exceptions.ConnectionError:
        return False


def test_both_servers_answer_and_nothing_is_left_after_the_stop(place: Path) -> None:
    with start(settings(place / "state")) as servers:
        assert execute(servers.database_url, "SELECT 1 AS one")[0]["one"] == 1
        assert servers.redis_url is not None
        assert asyncio.run(ping(servers.redis_url))
        assert len(processes_about(place)) >= 2
    assert processes_about(place) == []


def test_what_was_written_is_there_after_a_stop_and_a_start(state: Path) -> None:
    with start(settings(state)) as servers:
        first = servers.database_url
        execute(first, "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (7)")
    with start(settings(state)) as servers:
        assert servers.database_url == first
        assert execute(servers.database_url, "SELECT n FROM kept")[0]["n"] == 7


async def test_a_stop_with_pages_to_write_waits_for_no_connection_that_is_open(state: Path) -> None:
    servers = start(settings(state))
    connection = await asyncpg.connect(servers.database_url)
    await connection.execute("CREATE TABLE kept AS SELECT n, repeat('x', 400) AS x FROM generate_series(1, 60000) n")
    begun = time.monotonic()
    servers.stop()
    # A second at most, and whatever a busy machine or a slow disk adds: who waits for a connection waits for ever.
    assert time.monotonic() - begun < 10
    connection.terminate()
    with start(settings(state)) as again:
        rows = await asyncio.to_thread(execute, again.database_url, "SELECT count(*) AS n FROM kept")
        assert rows[0]["n"] == 60000


def test_text_is_ordered_by_bytes_and_stored_as_unicode(state: Path) -> None:
    with start(settings(state)) as servers:
        rows = execute(
            servers.database_url,
            "SELECT current_setting('server_encoding') AS e, 'Z' < 'a' AS b, upper('é') AS u",
        )
    assert tuple(rows[0].values()) == ("UTF8", True, "É")


def test_the_servers_never_run_as_root(state: Path) -> None:
    with start(settings(state)):
        owners = {Path(f"/proc/{pid}").stat().st_uid for pid in processes_about(state)}
    assert owners == {NOBODY if AS_ROOT else os.geteuid()}


def test_only_the_owner_can_read_the_password_and_the_data(state: Path) -> None:
    with start(settings(state)) as servers:
        assert servers.directory is not None
        modes = {
            name: (servers.directory / name).stat().st_mode & 0o777
            for name in ("postgres.password", "pg18", "run", "log")
        }
    assert modes == {"postgres.password": 0o600, "pg18": 0o700, "run": 0o700, "log": 0o700}


def test_a_wrong_password_is_refused(state: Path) -> None:
    with start(settings(state)) as servers:
        password = servers.database_url.split(":")[2].split("@")[0]
        with pytest.raises(Exception, match="password authentication failed"):
            execute(servers.database_url.replace(password, "guess"), "SELECT 1")


def test_a_lost_password_is_replaced(state: Path) -> None:
    with start(settings(state)) as servers:
        first = servers.database_url
    (state / "postgres.password").unlink()
    with start(settings(state)) as servers:
        assert servers.database_url != first
        assert execute(servers.database_url, "SELECT 1 AS one")[0]["one"] == 1


def test_a_start_that_broke_off_while_making_the_data_is_begun_again(place: Path) -> None:
    (place / "state").mkdir(mode=0o711)
    half_made = place / "state" / "pg18.unfinished"
    half_made.mkdir()
    (half_made / "PG_VERSION").write_text("18\n")
    with start(settings(place / "state"), durable=False) as servers:
        assert execute(servers.database_url, "SELECT 1 AS one")[0]["one"] == 1
    assert not half_made.exists()


def test_a_killed_service_leaves_no_server_behind_and_loses_no_committed_row(state: Path) -> None:
    host = Host.run(state)
    execute(host.started.database_url, "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (1), (2), (3)")
    host.kill()
    assert eventually(lambda: processes_about(state) == [])
    with start(settings(state)) as servers:
        assert execute(servers.database_url, "SELECT count(*) AS n FROM kept")[0]["n"] == 3
    assert processes_about(state) == []


def test_an_ordinary_user_has_the_same_life_of_servers(place: Path, ordinary: Installation) -> None:
    state = place / "state"
    host = Host.run(state, ordinary)
    owners = {Path(f"/proc/{pid}").stat().st_uid for pid in host.started.pids}
    assert owners == {NOBODY if AS_ROOT else os.geteuid()}
    assert state.stat().st_mode & 0o777 == 0o700
    execute(host.started.database_url, "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (7)")
    host.kill()
    again = Host.run(state, ordinary)
    assert execute(again.started.database_url, "SELECT n FROM kept")[0]["n"] == 7
    again.stop()
    assert processes_about(state) == []


def test_a_service_can_start_at_once_after_it_was_killed(state: Path) -> None:
    host = Host.run(state)
    execute(host.started.database_url, "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (7)")
    host.kill()
    with start(settings(state)) as servers:
        assert execute(servers.database_url, "SELECT n FROM kept")[0]["n"] == 7
        assert servers.redis_url is not None
        assert asyncio.run(ping(servers.redis_url))
        assert not set(host.started.pids) & set(processes_about(state))


def test_servers_that_outlived_their_service_are_ended_by_the_next_start(state: Path) -> None:
    with start(settings(state)):
        pids = [pid for pid in processes_about(state) if str(state) in command_line(pid)]
        lines = [Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1] for pid in pids]
    postgres_line = next(line for line in lines if "-D" in line)
    # Not tied to anybody's life, as on systems where that cannot be done.
    user = NOBODY if AS_ROOT else None
    with subprocess.Popen(postgres_line, cwd=state, stderr=subprocess.DEVNULL, user=user, group=user) as untied:
        assert eventually((state / "pg18" / "postmaster.pid").exists)
        try:
            with start(settings(state, MELDHOUSE_EMBEDDED_START_SECONDS="60")) as servers:
                assert untied.wait(SECONDS_MAX) is not None
                assert execute(servers.database_url, "SELECT 1 AS one")[0]["one"] == 1
        finally:
            untied.kill()


def test_a_process_that_merely_has_the_number_of_an_old_server_is_left_alone(state: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as bystander:
        (state / "pg18" / "postmaster.pid").write_text(f"{bystander.pid}\n")
        (state / "run" / "valkey.pid").write_text(f"{bystander.pid}\n")
        try:
            with start(settings(state)) as servers:
                assert execute(servers.database_url, "SELECT 1 AS one")[0]["one"] == 1
            assert bystander.poll() is None
        finally:
            bystander.kill()


def test_a_second_start_is_told_who_holds_the_state_directory(place: Path, state: Path) -> None:
    host = Host.run(state)
    try:
        with pytest.raises(EmbeddedFault) as caught:
            start(settings(state))
        assert caught.value.code == "state_dir_in_use"
        assert f"process {host.process.pid}" in str(caught.value)
        assert "MELDHOUSE_STATE_DIR" in str(caught.value)
        assert execute(host.started.database_url, "SELECT 1 AS one")[0]["one"] == 1
        with start(settings(place / "other"), durable=False) as second:
            assert second.database_url != host.started.database_url
    finally:
        host.stop()


async def test_a_server_that_dies_is_started_again_with_its_rows(state: Path) -> None:
    with start(settings(state)) as servers:
        await asyncio.to_thread(
            execute, servers.database_url, "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (7)"
        )
        assert servers.redis_url is not None
        before = set(processes_about(state))
        tending = asyncio.create_task(servers.tend())
        for pid in before:
            os.kill(pid, signal.SIGKILL)

        async def back() -> bool:
            try:
                assert servers.redis_url is not None
                rows = await asyncio.to_thread(execute, servers.database_url, "SELECT n FROM kept")
                return bool(rows[0]["n"] == 7 and await ping(servers.redis_url))
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, redis.exceptions.ConnectionError):
                return False

        async with asyncio.timeout(SECONDS_MAX):
            while not await back():
                await asyncio.sleep(0.05)
        assert not before & set(processes_about(state))
        tending.cancel()


async def test_a_server_that_served_may_be_killed_any_number_of_times(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.back_off.PAUSE_SECONDS_MAX", 0.1)
    with start(settings(state)) as servers:
        assert servers.redis_url is not None
        tending = asyncio.create_task(servers.tend())
        killed: set[int] = set()
        async with asyncio.timeout(2 * SECONDS_MAX):
            while len(killed) < UNSERVED_DEATHS_MAX + 2:
                pid = processes.valkey(state)
                if pid is not None and pid not in killed and await answers(servers.redis_url):
                    killed.add(pid)
                    os.kill(pid, signal.SIGKILL)
                await asyncio.sleep(0.02)
            while not await answers(servers.redis_url):
                await asyncio.sleep(0.02)
        assert not tending.done()
        tending.cancel()


async def test_a_server_that_dies_again_and_again_before_it_answers_is_given_up(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.back_off.PAUSE_SECONDS_MAX", 0.1)
    monkeypatch.setattr("service.back_off.UNSERVED_DEATHS_MAX", 3)
    with start(settings(state)) as servers:
        monkeypatch.setitem(SERVER_OPTIONS, "max_connections", "none")
        tending = asyncio.create_task(servers.tend())
        for pid in processes_about(state / "pg18"):
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(EmbeddedFault) as caught:
            async with asyncio.timeout(SECONDS_MAX):
                await tending
        assert caught.value.code == "keeps_dying"


def test_servers_that_are_named_are_not_embedded(place: Path) -> None:
    state = place / "state"
    named = settings(state, DATABASE_URL="postgresql://db/x", REDIS_URL="redis://cache")
    with start(named) as servers:
        assert (servers.database_url, servers.redis_url) == ("postgresql://db/x", "redis://cache")
        assert servers.directory is None
    assert not state.exists()


def test_a_valkey_beside_a_named_postgres_needs_no_state_directory(place: Path) -> None:
    state = place / "state"
    named = settings(state, DATABASE_URL="postgresql://db/x")
    with start(named) as first, start(named) as second:
        assert first.redis_url is not None
        assert second.redis_url is not None
        assert first.redis_url != second.redis_url
        assert asyncio.run(ping(first.redis_url))
        directory = first.directory
        assert first.games_directory is None
    assert directory is not None
    assert not directory.exists()
    assert not state.exists()


def test_without_any_valkey_the_service_runs_on_and_says_so(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.embedded.binaries.importlib.util.find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(state))
    with start(settings(state, DATABASE_URL="postgresql://db/x")) as servers:
        assert servers.redis_url is None
        assert servers.notes == (NO_VALKEY,)


def test_only_the_main_thread_may_start_servers(state: Path) -> None:
    faults: list[EmbeddedFault] = []

    def try_it() -> None:
        with pytest.raises(EmbeddedFault) as caught:
            start(settings(state))
        faults.append(caught.value)

    thread = threading.Thread(target=try_it)
    thread.start()
    thread.join()
    assert [fault.code for fault in faults] == ["not_main_thread"]
    assert processes_about(state) == []


def test_a_server_that_ends_at_once_is_reported_with_the_end_of_its_log(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SERVER_OPTIONS, "max_connections", "none")
    with pytest.raises(EmbeddedFault, match="invalid value for parameter") as caught:
        start(settings(state))
    assert caught.value.code == "start_failed"
    assert processes_about(state) == []
