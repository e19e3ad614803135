"""Which program wrote an event."""

from importlib.metadata import version
from typing import Final

from domain.editions import engine_name

VERSION: Final = version("meldhouse")

ENGINE: Final = engine_name(f"meldhouse/{VERSION}")
"""`created.engine` (formats, part 5)."""
