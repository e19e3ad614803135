"""How much a listing of legal moves may search before it gives up."""

from typing import Final

from msgspec import Struct

SEARCH_NODES_MAX: Final = 200
"""How many combinations the searches of one listing of legal moves look at together.

A quick look counts once, a thorough one more often, by the cards that it is about.
"""


class Budget(Struct):
    """How many combinations may still be looked at."""

    nodes: int = SEARCH_NODES_MAX

    def spend(self, nodes: int) -> bool:
        """Whether so many more may be looked at."""
        self.nodes -= nodes
        return self.nodes >= 0
