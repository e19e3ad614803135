"""The embedded Postgres of a service that is running is found by who knows its state directory."""

from pathlib import Path

import asyncpg

from service.embedded import EmbeddedServers
from service.embedded.running import url_of_running
from service.settings import Settings


async def test_the_address_is_that_of_the_running_servers(embedded_servers: EmbeddedServers) -> None:
    assert embedded_servers.directory is not None
    url = url_of_running(Settings(state_dir=embedded_servers.directory))
    assert url == embedded_servers.database_url
    connection = await asyncpg.connect(url)
    assert await connection.fetchval("select 1") == 1
    await connection.close()


def test_where_no_service_runs_there_is_none(tmp_path: Path) -> None:
    assert url_of_running(Settings(state_dir=tmp_path)) is None
    assert url_of_running(Settings(state_dir=tmp_path / "nothing")) is None
    (tmp_path / "lock").write_text("123\n")
    assert url_of_running(Settings(state_dir=tmp_path)) is None
