"""Tournament files as arguments of commands."""

from pathlib import Path
from typing import Final

from service.cli.faults import FoundWrong
from service.cli.inputs import chunks
from service.trf.reading import BYTES_MAX, read_trf
from service.trf.shapes import Trf, TrfInvalid

TOLD: Final = 5
"""Faults that are told of a file, the first ones."""


def tournament_of(path: Path) -> Trf:
    """The tournament of a file. Raises `FoundWrong`."""
    data = bytearray()
    for chunk in chunks(path):
        data += chunk
        if len(data) > BYTES_MAX:
            break
    try:
        return read_trf(bytes(data))
    except TrfInvalid as invalid:
        told = "; ".join(f"line {each.line}: {each.code}: {each.message}" for each in invalid.faults[:TOLD])
        more = f" (and {len(invalid.faults) - TOLD} more)" if len(invalid.faults) > TOLD else ""
        raise FoundWrong(f"{path}: {told}{more}") from invalid
