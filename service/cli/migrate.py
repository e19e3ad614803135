"""`meldhouse migrate`."""

import asyncio

import click

from service import embedded
from service.cli.faults import FoundWrong
from service.cli.settings import settings_from_environment
from service.embedded import EmbeddedFault
from service.migrate import MigrationError, migrate
from service.running import role_of


@click.command("migrate", short_help="Bring the database up to date.")
def command() -> None:
    """Bring the database of DATABASE_URL, or the embedded one, up to date.

    `meldhouse serve` does so by itself; this is for whoever wants to do it before.
    """
    settings = settings_from_environment()
    role = role_of(settings)
    try:
        if settings.database_url is not None:
            done = asyncio.run(migrate(settings.database_url, role=role))
        else:
            with embedded.start(settings) as servers:
                done = asyncio.run(migrate(servers.database_url, role=role))
    except (EmbeddedFault, MigrationError) as fault:
        raise FoundWrong(" ".join(str(fault).split())) from fault
    if not done.applied:
        click.echo("The database is up to date.")
    for name in done.applied:
        click.echo(f"applied {name}")
