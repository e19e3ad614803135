"""`meldhouse keys`."""

import asyncio
from contextlib import suppress
from typing import Final

import click

from service.checkpoints.keys import KeyDirectory, KeyUnusable, key_directory
from service.checkpoints.rows import key_ring, take_lock
from service.checkpoints.sealing import rotate
from service.checkpoints.signed import Key, KeyRing, LineFault, Signed
from service.cli.databases import on_database
from service.cli.faults import FoundWrong
from service.cli.settings import settings_from_environment
from service.store.database import Pool

LOCK_SECONDS_MAX: Final = 10.0
LOOK_SECONDS: Final = 0.05


@click.group("keys", short_help="The keys that sign checkpoints: list them, or add a new one.")
def command() -> None:
    """The keys that sign the checkpoints of the log.

    The private ones are files in MELDHOUSE_KEYS_DIR, the public ones stand in the log itself, where each is vouched for
    by the one before. All this is about the database of DATABASE_URL, or about the embedded one, be it that of a
    service that is running.
    """


@command.command("list")
def list_keys() -> None:
    """List the keys in order; the last one signs."""
    directory = key_directory(settings_from_environment())
    ring = on_database(key_ring_of)
    here = set(directory.ids())
    for key, line in ring.statements.items():
        assert isinstance(line.body, Key)
        signs = "signs" if key == ring.newest else "signed"
        place = "here" if key in here else "not here"
        click.echo(f"{key}  added {line.body.at}  {signs:<6}  {place:<8}  {line.body.public_key}")
    if ring.newest is None:
        click.echo("The log has no key yet: the service makes one when it starts.")


@command.command("rotate")
def rotate_key() -> None:
    """Add a new key, vouched for by the present one. The running workers sign with it from their next checkpoint on.

    Keep the old file until every machine has the new one; after that it may go offline or be destroyed.
    """
    directory = key_directory(settings_from_environment())
    line = on_database(lambda pool: _rotate(pool, directory))
    if line is None:
        raise FoundWrong("The log has no key yet: the service makes one when it starts.")
    assert isinstance(line.body, Key)
    click.echo(f"The key {line.body.key} signs from now on; {line.body.by} has vouched for it.")
    click.echo(f"It is in {directory.path}: copy it to every other machine that seals.")


async def key_ring_of(pool: Pool) -> KeyRing:
    """The keys of a log. Raises `FoundWrong`."""
    try:
        return await key_ring(pool)
    except LineFault as fault:
        raise FoundWrong(f"The keys in the database cannot be trusted: {fault}") from fault


async def _rotate(pool: Pool, directory: KeyDirectory) -> Signed | None:
    """Raises `FoundWrong`."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LOCK_SECONDS_MAX):
            while True:
                async with pool.acquire() as connection, connection.transaction():
                    if await take_lock(connection):
                        try:
                            return await rotate(connection, directory)
                        except (KeyUnusable, LineFault) as trouble:
                            raise FoundWrong(str(trouble)) from trouble
                await asyncio.sleep(LOOK_SECONDS)
    raise FoundWrong("The log is being sealed all the time; try again.")
