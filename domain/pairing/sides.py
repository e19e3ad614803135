"""Who of two sits North-South."""

from typing import Final

from domain.pairing.shapes import Compass, Contender, Pair

_TURN: Final[dict[Compass | None, int]] = {"EW": 0, None: 1, "NS": 2}


def seat(higher: Contender, lower: Contender) -> Pair:
    """Who has sat N-S less often does so; else who did not in the last round; else the higher ranked."""
    first, second = sorted((higher, lower), key=lambda contender: (contender.ns, _TURN[contender.last]))
    return Pair(first.entrant, second.entrant)
