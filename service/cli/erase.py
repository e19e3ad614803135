"""`meldhouse erase`."""

import click

from service.cli.databases import on_database
from service.cli.printable import printable
from service.players import Players
from service.principals import Principals
from service.store.database import Pool


@click.command("erase", short_help="Erase people by their player ids, as DELETE /v1/me does.")
@click.argument("players", nargs=-1, required=True)
def command(players: tuple[str, ...]) -> None:
    """Erase the people behind PLAYERS from the database of DATABASE_URL, or from the embedded one.

    For who asks by mail, and after a backup was restored for everybody who had been erased since then: the log has
    their ids (`player_erased`). Ids that are unknown, or erased already, are told and passed over. Unlike over HTTP it
    is no reason to refuse that somebody organises tournaments: those that nobody directs any more are told.
    """

    async def erase(pool: Pool) -> None:
        known = Players(pool, Principals(pool))
        for player in players:
            directed = await known.directs(player)
            erased = await known.erase(player)
            click.echo(f"{printable(player)}: {'erased' if erased else 'nobody to erase'}")
            if erased and directed:
                click.echo(f"  nobody directs any more: {', '.join(directed)}")

    on_database(erase)
