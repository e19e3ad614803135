"""`meldhouse migrate`."""

import asyncio

import click

from service import embedded
from service.cli.faults import FoundWrong
from service.cli.settings import settings_from_environment
from service.embedded import EmbeddedFault
from service.logs import configure_logs
from service.migrate import MigrationError, migrate, renew_epoch
from service.running import role_of


@click.command("migrate", short_help="Bring the database up to date.")
@click.option("--new-epoch", is_flag=True, help="After a restore that lost events: tell the feed's readers so.")
def command(new_epoch: bool) -> None:
    """Bring the database of DATABASE_URL, or the embedded one, up to date.

    `meldhouse serve` does so by itself where its login may; this is for whoever wants to do it before.
    """
    settings = settings_from_environment()
    configure_logs(settings)
    try:
        if settings.database_url is not None:
            _bring_up_to_date(settings.database_url, role_of(settings), new_epoch)
        else:
            with embedded.start(settings) as servers:
                _bring_up_to_date(servers.database_url, role_of(settings), new_epoch)
    except (EmbeddedFault, MigrationError) as fault:
        raise FoundWrong(" ".join(str(fault).split())) from fault


def _bring_up_to_date(url: str, role: str | None, new_epoch: bool) -> None:
    done = asyncio.run(migrate(url, role=role))
    for name in done.applied:
        click.echo(f"applied {name}")
    if not done.applied:
        click.echo("The database is up to date.")
    if new_epoch:
        click.echo(f"The feed begins a new epoch: {asyncio.run(renew_epoch(url))}")
