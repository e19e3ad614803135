"""The command line `meldhouse`."""

from importlib import import_module
from importlib.metadata import version
from typing import Final

import click

from service.cli.faults import told_in_one_line

COMMANDS: Final = (
    "serve",
    "demo",
    "migrate",
    "unseal",
    "erase",
    "simulate",
    "replay",
    "verify",
    "audit",
    "ratings",
    "witness",
    "keys",
    "pair",
    "standings",
    "cases",
    "openapi",
    "bench",
)
"""The commands in the order of the help. Each is `command` in the module of its name."""


class Commands(click.Group):
    """The commands, each imported when it is asked for; wrong use is told in one line."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"service.cli.{cmd_name}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with told_in_one_line():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        with told_in_one_line():
            return super().invoke(ctx)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version("meldhouse"), prog_name="meldhouse")
def main() -> None:
    """Samba, Canasta and their relatives: the service and its tools.

    \b
    meldhouse serve                     run the service, with its own Postgres and Valkey
    meldhouse demo                      watch four bots play a game through the public API
    meldhouse verify GAME.meld.jsonl    check the record of a game, offline

    Settings are read from the environment (MELDHOUSE_PORT, DATABASE_URL and others; `meldhouse serve --help` lists
    them). The exit code is 0 where all is well, 1 where something wrong was found, 2 for wrong use.
    """
