"""Playing the operator who cheats, so that anybody can see that it is found (openapi/checking.md).

    python -m tests.service.checkpoints.rehearsal GAME

Works on the embedded database, while the service is stopped, or on that of DATABASE_URL. One event of the game gets
another time, every hash after it is made anew, every tree and every checkpoint too, and all is signed with the real
key. The game stays legal throughout: `meldhouse verify` and `meldhouse audit` find nothing wrong, until they are given
what was kept outside.
"""

import asyncio
import sys

import click

from service import embedded
from service.checkpoints.keys import key_directory
from service.cli.faults import FoundWrong
from service.cli.settings import settings_from_environment
from service.embedded import EmbeddedFault
from service.logs import configure_logs
from tests.service.checkpoints.cheating import another_time, rewrite


@click.command()
@click.argument("game")
def main(game: str) -> None:
    """Rewrite GAME, with everything that stands over it."""
    settings = settings_from_environment()
    configure_logs(settings)
    keys = key_directory(settings)
    if settings.database_url is not None:
        asyncio.run(rewrite(settings.database_url, keys, game, change=another_time))
    else:
        try:
            with embedded.start(settings) as servers:
                asyncio.run(rewrite(servers.database_url, keys, game, change=another_time))
        except EmbeddedFault as fault:
            raise FoundWrong(" ".join(str(fault).split())) from fault
    click.echo(f"The game {game} is another one now, and everything in the database says that it always was.")


if __name__ == "__main__":
    sys.exit(main())
