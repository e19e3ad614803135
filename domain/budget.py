"""How much a listing of legal moves may search before it gives up."""

from typing import Final

from msgspec import Struct

SEARCH_NODES_MAX: Final = 100
"""How many combinations one listing of legal moves looks at in its searches, those of a long holding counted more."""

_CARDS_PER_NODE: Final = 10


class Budget(Struct):
    """How many combinations may still be looked at."""

    nodes: int = SEARCH_NODES_MAX

    def spend(self, cards: int) -> bool:
        """Whether one more combination of so many cards may be looked at."""
        self.nodes -= 1 + cards // _CARDS_PER_NODE
        return self.nodes >= 0
