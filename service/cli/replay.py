"""`meldhouse replay`."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

import click
from rich.console import Console

from domain.events import AnyEvent
from domain.records.faults import RecordInvalidError
from domain.records.lines import split_lines
from domain.records.reader import RecordReader
from domain.records.shapes import Header
from domain.records.verification import verify
from service.cli.client import Client, NotReached, Problem
from service.cli.faults import FoundWrong, WrongUse
from service.cli.inputs import chunks
from service.cli.printable import printable
from service.cli.settings import PLAYERS_VARIABLE, settings_from_environment
from service.cli.stepping import step_through
from service.cli.story import story

GAME_ID_LENGTH_MAX = 64


@click.command("replay", short_help="Step through a finished game.")
@click.argument("source", metavar="FILE|ID")
@click.option("--token", metavar="TOKEN", envvar=PLAYERS_VARIABLE, help="Yours, for a game that is not public.")
@click.option("--story", "only_story", is_flag=True, help="Print the story also on a terminal.")
def command(source: str, token: str | None, only_story: bool) -> None:
    """Step through a finished game in the terminal, from its record or by its id.

    The record of an id is fetched from the service at MELDHOUSE_HOST and MELDHOUSE_PORT, with the token in
    MELDHOUSE_TOKEN if the game is not public. Where there is no terminal to step in, the game is told hand by hand.
    """
    path = Path(source)
    record = chunks(path) if path.exists() else [_fetched(source, token)]
    header, happened = _read(source, record)
    names = _names(header)
    if only_story or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for line in story(happened, names):
            click.echo(printable(line))
    else:
        step_through(happened, names, Console())


def _fetched(game: str, token: str | None) -> bytes:
    """The record of a game from the running service."""
    if os.sep in game or len(game) > GAME_ID_LENGTH_MAX or not game.isascii():
        raise WrongUse(f"There is no file {game!r}.")
    settings = settings_from_environment()
    try:
        with Client(settings.host, settings.port, token) as client:
            return client.get(f"/v1/games/{quote(game, safe='')}/record").body
    except NotReached as error:
        raise WrongUse(f"There is no file {game!r}. {error}") from error
    except Problem as error:
        raise WrongUse(f"There is no file {game!r}, and the service says of such a game: {error}") from error


def _read(name: str, record: Iterable[bytes]) -> tuple[Header, list[AnyEvent]]:
    """A record's header and events; only a sound record can be told."""
    lines = list(split_lines(record))
    verdict = verify(lines)
    if verdict.fault is not None:
        raise FoundWrong(f"{name}:{verdict.fault.line}: {verdict.fault.message}")
    try:
        reader = RecordReader(lines)
        return reader.header, list(reader)
    except RecordInvalidError as invalid:
        raise FoundWrong(f"{name}: {invalid}") from invalid


def _names(header: Header) -> list[str]:
    """What to call the seats; a name may hold anything."""
    names = [f"Seat {seat}" for side in header.sides for seat in side]
    for player in header.players:
        names[player.seat] = printable(player.name).strip() or f"Seat {player.seat}"
    return names
