"""`meldhouse ratings`."""

import click

from service.cli.databases import on_database
from service.cli.faults import FoundWrong
from service.ratings import checking
from service.store.database import Pool, reached


@click.group("ratings", short_help="Check ratings against the results, or make them anew from there.")
def command() -> None:
    """Ratings are folded from the results that count, in the database of DATABASE_URL or in the embedded one."""


@command.command("check")
def check() -> None:
    """Fold every pool anew and compare it with the ratings that are stored: 1 where they differ."""

    async def compare(pool: Pool) -> list[str]:
        with reached():
            async with pool.acquire() as connection:
                found = [await checking.check(connection, name) for name in await checking.pools(connection)]
        for each in found:
            click.echo(f"{each.pool}: {each.results} results, {'differs' if each.differences else 'as it should be'}")
            for difference in each.differences:
                click.echo(f"  {difference}")
        return [each.pool for each in found if each.differences]

    wrong = on_database(compare)
    if wrong:
        raise FoundWrong(f"Ratings are not what follows from the results ({', '.join(wrong)}): run `ratings rebuild`.")


@command.command("rebuild")
def rebuild() -> None:
    """Make the ratings of every pool anew; a service that is running goes on meanwhile, and shows the old ones."""

    async def make(pool: Pool) -> None:
        with reached():
            async with pool.acquire() as connection:
                for name in await checking.pools(connection):
                    click.echo(f"{name}: {await checking.rebuild(connection, name)} results folded")

    on_database(make)
