"""The drand chains as the commands know them."""

from pathlib import Path
from typing import Any

import click

from service.cli.faults import WrongUse
from service.cli.inputs import EXISTING_FILE
from service.offline.beacons import Chains, ChainsFault, read_chains
from service.settings import variable


def _chains(_ctx: click.Context, _option: click.Parameter, path: Path | None) -> Chains:
    return chains_of(path)


def chains_of(path: Path | None) -> Chains:
    """The chains that are known and those of a file. Raises `WrongUse`."""
    try:
        return read_chains(path)
    except ChainsFault as fault:
        raise WrongUse(str(fault)) from fault


def chains_option(command: Any) -> Any:
    """The option `--chains`, which gives a command the chains that it knows."""
    return click.option(
        "--chains",
        type=EXISTING_FILE,
        callback=_chains,
        envvar=variable("beacon_chains"),
        help="File with further drand chains, a JSON list, instead of MELDHOUSE_BEACON_CHAINS.",
    )(command)
