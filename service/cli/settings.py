"""The settings as the commands read them."""

import os

import click

from service.cli.faults import WrongUse
from service.cli.printable import printable
from service.settings import Settings, SettingsFault, misspelt, setting_rows


def settings_from_environment() -> Settings:
    """Settings from the environment, with a warning for misspelt names. Raises `WrongUse` with every fault."""
    for name, meant in misspelt(os.environ).items():
        click.echo(f"Warning: {printable(name)} is no setting; {meant} is one.", err=True)
    try:
        return Settings.from_env(os.environ)
    except SettingsFault as fault:
        raise WrongUse("; ".join(fault.faults)) from fault


def settings_epilog() -> str:
    """The list of settings for the end of a help text."""
    rows = [f"  {row.name} ({row.default})\n      {row.meaning}" for row in setting_rows()]
    return "\b\nSettings in the environment, with their defaults:\n" + "\n".join(rows)
