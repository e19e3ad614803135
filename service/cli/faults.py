"""How the commands tell what went wrong: one line on standard error, and an exit code that scripts can rely on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from service.cli.printable import printable

FOUND_WRONG: Final = 1
WRONG_USE: Final = 2


class _Told(click.ClickException):
    """What it says may quote a file or a service."""

    def format_message(self) -> str:
        return printable(self.message)


class WrongUse(_Told):
    """The command cannot be carried out as it was given."""

    exit_code = WRONG_USE


class FoundWrong(_Told):
    """The command was carried out, or should have been, and something is wrong."""

    exit_code = FOUND_WRONG


@contextmanager
def told_in_one_line() -> Iterator[None]:
    """Turns click's own complaints, which take several lines, into one line with the way to the help."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "meldhouse"
        message = " ".join(error.format_message().split())
        raise WrongUse(f"{message} (See `{path} --help`.)") from error
