"""Files that the commands are given, read in chunks."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from service.cli.faults import WrongUse

CHUNK_BYTES: Final = 1 << 16

STANDARD_INPUT: Final = Path("-")

EXISTING_FILE: Final = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)


READABLE: Final = click.Path(exists=True, dir_okay=False, readable=True, allow_dash=True, path_type=Path)
"""A file, or `-` for what comes on standard input."""


def chunks(path: Path) -> Iterator[bytes]:
    """The bytes of a file, or of standard input. Raises `WrongUse` where it cannot be read."""
    if path == STANDARD_INPUT:
        while chunk := sys.stdin.buffer.read(CHUNK_BYTES):
            yield chunk
        return
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk
    except OSError as error:
        raise WrongUse(f"{path} cannot be read: {error.strerror or error}.") from error
