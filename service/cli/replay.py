"""`meldhouse replay`."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import click
import msgspec
from rich.console import Console

from domain.events import AnyEvent
from domain.highlights import highlights
from domain.records.faults import RecordInvalidError
from domain.records.lines import split_lines
from domain.records.reader import RecordReader
from domain.records.shapes import Header
from domain.records.verification import verify
from domain.statistics import statistics
from service.cli.chains import chains_option
from service.cli.client import Client, NotReached, Problem
from service.cli.course import Course
from service.cli.faults import FoundWrong, WrongUse
from service.cli.figures import figures
from service.cli.inputs import chunks
from service.cli.printable import printable
from service.cli.settings import PLAYERS_VARIABLE, settings_from_environment
from service.cli.stepper import Stepper
from service.cli.stepping import printed, step_through, viewers
from service.cli.story import story
from service.offline.beacons import Chains

GAME_ID_LENGTH_MAX = 64
PLOT_SUFFIXES = (".svg", ".png")


@click.command("replay", short_help="Step through a finished game.")
@click.argument("source", metavar="FILE|ID")
@click.option("--token", metavar="TOKEN", envvar=PLAYERS_VARIABLE, help="Yours, for a game that is not public.")
@click.option("--seat", metavar="N", type=click.IntRange(0), help="See what this seat saw (key: s).")
@click.option("--at", "n", metavar="N", type=click.IntRange(1), help="Begin at this event (key: the number, Enter).")
@click.option("--story", "only_story", is_flag=True, help="Print the story also on a terminal.")
@click.option("--statistics", "only_statistics", is_flag=True, help="Print the statistics of the game instead.")
@click.option("--json", "as_json", is_flag=True, help="With --statistics: as a JSON object.")
@click.option(
    "--plot",
    "plots",
    metavar="FILE",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the course of the game into this file, *.svg or *.png, instead; may be repeated.",
)
@chains_option
def command(
    source: str,
    token: str | None,
    seat: int | None,
    n: int | None,
    only_story: bool,
    only_statistics: bool,
    as_json: bool,
    plots: tuple[Path, ...],
    chains: Chains,
) -> None:
    """Step through a finished game in the terminal, from its record or by its id.

    The record of an id is fetched from the service at MELDHOUSE_HOST and MELDHOUSE_PORT, with the token in
    MELDHOUSE_TOKEN if the game is not public. The record is verified first. Where there is no terminal to step in,
    the game is told hand by hand, or with --at the table after one event is printed.

    \b
    Keys: left and right   event               c C   canasta, on and back
          up and down      end of a turn       g G   going out
          h H              hand, on and back   s     whose cards are seen
          t T              take of the pile    ?     all keys        q   quit
    """
    _check_use(n, seat, as_json, only_statistics, only_story, plots)
    path = Path(source)
    header, happened = _read(source, chunks(path) if path.exists() else [_fetched(source, token)], chains)
    names = _names(header)
    if plots:
        _draw(plots, happened, names, header)
    elif only_statistics and as_json:
        click.echo(msgspec.json.encode(statistics(happened)))
    elif only_statistics:
        console = Console()
        for table in figures(statistics(happened), names):
            console.print(table)
    else:
        _tell(happened, names, seat, n, only_story)


def _check_use(
    n: int | None, seat: int | None, as_json: bool, only_statistics: bool, only_story: bool, plots: tuple[Path, ...]
) -> None:
    """Options that mean nothing together are told before anything is read. Raises `WrongUse`."""
    if sum((bool(plots), only_statistics, only_story)) > 1:
        raise WrongUse("--story, --statistics and --plot are asked for one at a time.")
    if (plots or only_statistics or only_story) and not (n is None and seat is None):
        raise WrongUse("--at and --seat are for stepping through a game.")
    if as_json and not only_statistics:
        raise WrongUse("--json goes with --statistics.")
    for plot in plots:
        if plot.suffix.lower() not in PLOT_SUFFIXES:
            raise WrongUse(f"A plot is written into a file *.svg or *.png, and {plot} is neither.")


def _tell(happened: list[AnyEvent], names: list[str], seat: int | None, n: int | None, only_story: bool) -> None:
    """Step through the game where there is a terminal for it; elsewhere print what was asked for."""
    if n is not None and n > len(happened):
        raise WrongUse(f"There is no event {n}; there are {len(happened)}.")
    if seat is not None and seat >= len(names):
        raise WrongUse(f"There is no seat {seat}; the seats are 0 to {len(names) - 1}.")
    console = Console()
    terminal = sys.stdin.isatty() and console.is_terminal and not console.is_dumb_terminal
    if only_story or not (terminal or n is not None):
        if seat is not None:
            raise WrongUse("--seat needs a terminal to step in, or --at.")
        for line in story(happened, names):
            click.echo(printable(line))
        return
    course = Course(happened)
    show = step_through if terminal else printed
    show(course, names, console, Stepper(course, viewers(len(names), seat), n or 1))


def _draw(plots: tuple[Path, ...], happened: list[AnyEvent], names: list[str], header: Header) -> None:
    """Write the plots and say so. Raises `WrongUse` where one cannot be written."""
    # Drawing needs a large library that nothing else here does.
    from service.cli.plot import draw

    title = printable(f"{header.ruleset.name}, game {header.game}")
    counted, found = statistics(happened), highlights(happened)
    for plot in plots:
        form: Literal["svg", "png"] = "svg" if plot.suffix.lower() == ".svg" else "png"
        try:
            plot.write_bytes(draw(counted, found, names, title, form))
        except OSError as error:
            raise WrongUse(f"{plot} cannot be written: {error.strerror or error}.") from error
        click.echo(f"The course of the game is drawn in {plot}")


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


def _read(name: str, record: Iterable[bytes], chains: Chains) -> tuple[Header, list[AnyEvent]]:
    """A record's header and events; only a sound record can be told."""
    lines = list(split_lines(record))
    verdict = verify(lines, beacon=chains)
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
