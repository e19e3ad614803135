"""`meldhouse serve`."""

import asyncio
import shutil
import socket
import sys
from pathlib import Path
from typing import Final

import click
from msgspec.structs import replace

from service import embedded
from service.cli.chains import chains_of
from service.cli.faults import FoundWrong
from service.cli.settings import settings_epilog, settings_from_environment
from service.embedded import EmbeddedFault, EmbeddedServers
from service.logs import configure_logs
from service.migrate import MigrationError, make_ready
from service.running import role_of
from service.server import ListenFault, StartFault, address, listen, run
from service.settings import Settings
from service.version import VERSION
from service.workers import run_workers

NAME: Final = "meldhouse"


@click.command("serve", short_help="Run the service.", epilog=settings_epilog())
@click.option("--host", help="Address to listen on, instead of MELDHOUSE_HOST.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port, instead of MELDHOUSE_PORT; 0 takes a free one.")
@click.option("--workers", type=click.IntRange(1, 64), help="Processes that answer, instead of MELDHOUSE_WORKERS.")
def command(host: str | None, port: int | None, workers: int | None) -> None:
    """Run the service until it is stopped (Ctrl-C or SIGTERM).

    Without DATABASE_URL and REDIS_URL it brings its own Postgres and Valkey, which need no installation and end with
    it; the games stay. The database is brought up to date first, where the login may do so.
    """
    given = {"host": host, "port": port, "workers": workers}
    settings = settings_from_environment({name: str(value) for name, value in given.items() if value is not None})
    configure_logs(settings)
    chains_of(settings.beacon_chains)
    try:
        listening = listen(settings)
        with listening, embedded.start(settings) as servers:
            _serve(settings, servers, listening)
    except (ListenFault, EmbeddedFault, MigrationError, StartFault) as fault:
        raise FoundWrong(" ".join(str(fault).split())) from fault


def _serve(settings: Settings, servers: EmbeddedServers, listening: socket.socket) -> None:
    asyncio.run(make_ready(servers.database_url, role=role_of(settings)))
    settings = replace(settings, database_url=servers.database_url, redis_url=servers.redis_url)
    serving = run if settings.workers == 1 else run_workers
    serving(
        settings,
        listening,
        ready=lambda: click.echo(welcome(address(listening), servers.games_directory, servers.notes)),
        tend=servers.tend,
    )


def own_command() -> str:
    """How this program is called from where it was started: it need not be on the search path."""
    installed = Path(sys.prefix) / "bin" / NAME
    if shutil.which(NAME) is not None or not installed.exists():
        return NAME
    here = Path.cwd()
    return str(installed.relative_to(here) if Path(sys.prefix).is_relative_to(here) else installed)


def welcome(url: str, directory: Path | None, notes: tuple[str, ...]) -> str:
    """What to open and what to try next."""
    kept = [] if directory is None else [f"  The games are kept in {directory}; Ctrl-C stops the service."]
    return "\n".join(
        [
            f"Meldhouse {VERSION} is ready at {url}",
            "",
            f"  Documentation   {url}/docs",
            f"  Description     {url}/v1/openapi.json",
            "",
            "  Try next, in another terminal:",
            f"    {own_command()} demo",
            "        four bots play a game through the API",
            f"    curl -s {url}/v1/players -H 'Content-Type: application/json' -d '{{\"name\": \"Ada\"}}'",
            "",
            *kept,
            *(f"  {note}" for note in notes),
        ]
    )
