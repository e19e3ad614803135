"""Files that the commands are given, read in chunks."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from service.cli.faults import WrongUse

CHUNK_BYTES: Final = 1 << 16

EXISTING_FILE: Final = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)


def chunks(path: Path) -> Iterator[bytes]:
    """The bytes of a file. Raises `WrongUse` where it cannot be read."""
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk
    except OSError as error:
        raise WrongUse(f"{path} cannot be read: {error.strerror or error}.") from error
