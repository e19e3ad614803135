"""How much a listing of legal moves may search before it gives up."""

from typing import Final

from msgspec import Struct

SEARCH_NODES_MAX: Final = 64
"""How many combinations one listing of legal moves looks at in its searches."""


class Budget(Struct):
    """How many combinations may still be looked at."""

    nodes: int = SEARCH_NODES_MAX

    def spend(self) -> bool:
        """Whether one more may be looked at."""
        self.nodes -= 1
        return self.nodes >= 0
