"""`meldhouse unseal`."""

from datetime import UTC, datetime

import click

from service.cli.databases import on_database
from service.cli.faults import FoundWrong
from service.seals import Seals
from service.store.database import Pool


@click.command("unseal", short_help="Lift the seal of a game, or move its end to an earlier time.")
@click.argument("game")
@click.option("--at", type=click.DateTime(["%Y-%m-%dT%H:%M:%SZ"]), help="When the seal ends (UTC); now if left out.")
def command(game: str, at: datetime | None) -> None:
    """Lift the seal of GAME in the database of DATABASE_URL, or in the embedded one.

    If the game has ended the running service reveals its deals a moment after that time.
    """
    until = datetime.now(UTC) if at is None else at.replace(tzinfo=UTC)

    async def lift(pool: Pool) -> bool:
        return await Seals(pool).lift(game, until)

    if not on_database(lift):
        raise FoundWrong(f"There is no game {game} that is sealed for longer than that.")
    click.echo(f"The seal of {game} ends at {until.isoformat(timespec='seconds')}.")
