"""`meldhouse serve` on databases in every state, with the logins that operators give it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from service.cli.serve import welcome
from service.migrate import APP_ROLE, migrate
from tests.conftest import run_statement
from tests.service.cli.running import refused
from tests.service.cli.serving import serving, stopped
from tests.service.store.conftest import DatabaseUrl


@contextmanager
def clerk(server: str, database: str) -> Iterator[str]:
    """The address for a login that is a member of the application's role and owns nothing."""
    asyncio.run(run_statement(server, f"create role clerk login password 'x' in role {APP_ROLE}"))
    try:
        yield DatabaseUrl(database).as_user("clerk", "x")
    finally:
        asyncio.run(run_statement(server, "drop role clerk"))


@pytest.fixture
def environment(redis_url: str, tmp_path: Path) -> dict[str, str]:
    return {"REDIS_URL": redis_url, "MELDHOUSE_STATE_DIR": str(tmp_path), "MELDHOUSE_PORT": "0"}


def test_a_login_that_may_not_migrate_serves_a_database_that_is_up_to_date(
    postgres_url: str, fresh_database: str, environment: dict[str, str]
) -> None:
    asyncio.run(migrate(fresh_database))
    with (
        clerk(postgres_url, fresh_database) as url,
        serving(**environment, DATABASE_URL=url) as service,
    ):
        assert httpx.post(f"{service.url}/v1/players", json={"name": "Ada"}, timeout=30).status_code == 201
        assert stopped(service) == 0


def test_a_login_that_may_not_migrate_says_who_must(
    postgres_url: str, fresh_database: str, environment: dict[str, str]
) -> None:
    asyncio.run(migrate(postgres_url))
    with clerk(postgres_url, fresh_database) as url:
        line = refused("serve", exit_code=1, **environment, DATABASE_URL=url)
    assert line == "Error: The database is not set up for this program: run `meldhouse migrate` with the owner's login."


def test_the_owner_serves_an_empty_database(fresh_database: str, environment: dict[str, str]) -> None:
    with serving(**environment, DATABASE_URL=fresh_database) as service:
        assert httpx.get(f"{service.url}/v1/health/ready", timeout=30).status_code == 200
        assert stopped(service) == 0


def test_an_option_is_checked_like_the_setting_that_it_stands_for(environment: dict[str, str]) -> None:
    options = ("--workers", "64", "--host", "192.0.2.1")
    line = refused("serve", *options, exit_code=2, **environment, DATABASE_URL="")
    assert line.startswith("Error: MELDHOUSE_WORKERS (64), each with MELDHOUSE_DATABASE_CONNECTIONS_MAX (8)")


def test_what_to_try_next_can_be_typed_as_it_stands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    installed = tmp_path / ".venv" / "bin" / "meldhouse"
    installed.parent.mkdir(parents=True)
    installed.touch(mode=0o700)
    monkeypatch.setattr("sys.prefix", str(tmp_path / ".venv"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.chdir(tmp_path)
    assert "    .venv/bin/meldhouse demo\n" in welcome("http://127.0.0.1:1", None, ())
    monkeypatch.chdir(installed.parent)
    assert f"    {installed} demo\n" in welcome("http://127.0.0.1:1", None, ())
    monkeypatch.setenv("PATH", str(installed.parent))
    assert "    meldhouse demo\n" in welcome("http://127.0.0.1:1", None, ())
