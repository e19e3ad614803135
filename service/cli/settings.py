"""The settings as the commands read them."""

import os
from collections.abc import Mapping
from typing import Final

import click

from service.cli.faults import WrongUse
from service.cli.printable import printable
from service.settings import Settings, SettingsFault, misspelt, setting_rows, variable

PLAYERS_VARIABLE: Final = "MELDHOUSE_TOKEN"
"""A player's, for those commands that ask a running service. It is no setting of one."""


def settings_from_environment(given: Mapping[str, str] | None = None) -> Settings:
    """Settings from the environment and what was `given` in place of it, by field, with a warning for misspelt names.

    Raises `WrongUse` with every fault.
    """
    for name, meant in misspelt({name: text for name, text in os.environ.items() if name != PLAYERS_VARIABLE}).items():
        click.echo(f"Warning: {printable(name)} is no setting; {meant} is one.", err=True)
    try:
        return Settings.from_env(os.environ | {variable(name): text for name, text in (given or {}).items()})
    except SettingsFault as fault:
        raise WrongUse("; ".join(fault.faults)) from fault


def settings_epilog() -> str:
    """The list of settings for the end of a help text."""
    rows = [f"  {row.name} ({row.default})\n      {row.meaning}" for row in setting_rows()]
    return "\b\nSettings in the environment, with their defaults:\n" + "\n".join(rows)
