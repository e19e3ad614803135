"""The command line `meldhouse`."""

from importlib.metadata import version

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("meldhouse"), prog_name="meldhouse")
def main() -> None:
    """Samba, Canasta and their relatives: the service and its tools."""
