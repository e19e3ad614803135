"""`meldhouse bench`."""

import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from math import floor, log10
from pathlib import Path
from typing import Any, Final, Protocol

import click
import msgspec

from service.cli.faults import WrongUse
from service.cli.settings import settings_from_environment
from service.logs import configure_logs

SOURCE: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = "tests.bench"
BENCHES: Final = ("engine", "store", "http", "replay", "audit")
"""Modules of the folder, each with a function `run` that gives its figures."""

OWN_PACKAGES: Final = ("domain", "service", "tests")

FIELDS: Final = ("name", "value", "unit", "goal", "met", "yardstick", "ratio")


class Figure(Protocol):
    """A figure of a bench; `ratio` is that to a yardstick measured in the same run."""

    name: str
    value: float
    unit: str
    goal: float | None
    met: bool | None
    yardstick: str | None
    ratio: float | None


@click.command("bench", short_help="Measure the speed.")
@click.argument("names", metavar=f"[{'|'.join(BENCHES)}]…", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as a list of objects.")
def command(names: tuple[str, ...], as_json: bool) -> None:
    """Measure the speed, beside well-known programs measured in the same run.

    Without a name everything is measured, which takes some minutes of an otherwise idle machine. The benches come with
    the source tree and its development packages. A missed goal is told, and is no error: machines differ.
    """
    strange = next((name for name in names if name not in BENCHES), None)
    if strange is not None:
        raise WrongUse(f"There is no bench {strange!r}; there are {', '.join(BENCHES)}.")
    # What the parts log is no figure: it goes to the standard error, as with the service.
    configure_logs(settings_from_environment())
    benches = [(name, _run_of(name)) for name in names or BENCHES]
    figures: list[Figure] = []
    for name, run in benches:
        click.echo(f"measuring {name} …", err=True)
        for figure in run():
            figures.append(figure)
            if not as_json:
                click.echo(_line(figure))
    if as_json:
        click.echo(msgspec.json.encode([_plain(figure) for figure in figures]))


def _run_of(name: str) -> Callable[[], Iterable[Figure]]:
    """The function that runs a bench. Raises `WrongUse` where the source tree or a package is missing."""
    if not SOURCE.joinpath(*FOLDER.split("."), f"{name}.py").is_file():
        raise WrongUse(f"The bench {name} is in the source tree ({FOLDER}), and this is an installed package.")
    if str(SOURCE) not in sys.path:
        sys.path.insert(0, str(SOURCE))
    try:
        run: Callable[[], Iterable[Figure]] = import_module(f"{FOLDER}.{name}").run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in OWN_PACKAGES:
            raise
        raise WrongUse(f"The bench {name} needs the development packages: {error.name} is missing.") from error
    return run


def _line(figure: Figure) -> str:
    goal = "" if figure.goal is None else f"   goal {figure.goal:,.10g}: {'met' if figure.met else 'MISSED'}"
    ratio = "" if figure.ratio is None else f"   {figure.ratio:.2f} × {figure.yardstick}"
    return f"{figure.name:<42} {_number(figure.value):>14} {figure.unit}{goal}{ratio}"


def _number(value: float) -> str:
    """Three digits that say something at least: fractions of an fsync are none at all otherwise."""
    decimals = 1 if value == 0 else max(1, 2 - floor(log10(abs(value))))
    return f"{value:,.{decimals}f}"


def _plain(figure: Figure) -> dict[str, Any]:
    return {field: getattr(figure, field) for field in FIELDS}
