"""Which program wrote an event."""

from importlib.metadata import version
from typing import Final

VERSION: Final = version("meldhouse")

ENGINE: Final = f"meldhouse/{VERSION}"
"""`created.engine` (formats, part 5)."""
