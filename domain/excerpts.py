"""Excerpts: the few events of a game from which its state follows just as from all of them.

What is settled at the table stands in events of its own, which are kept. All else begins anew with every deal, but for
the sheet totals, which the end of the hand before tells. So the state costs one hand, however long the game is.
"""

from collections.abc import Sequence
from typing import Final

DEAL: Final = "dealt"
HAND_END: Final = "hand_ended"

HAND_TYPES: Final = (
    DEAL, HAND_END, "drew", "took_pile", "took_upcard", "melded", "laid_red_three", "asked", "answered", "discarded",
    "passed", "stood_in",
)  # fmt: skip
"""Events of which nothing is left after the next deal; of the last `hand_ended` the totals are."""


def excerpt(types: Sequence[str]) -> list[int]:
    """The places, from 0, of the events to be folded, in order, for a game whose events are of these types.

    They are all since the last deal, that deal included, the end of the hand before it, and whatever else is no matter
    of a hand.
    """
    deal = max((place for place, kind in enumerate(types) if kind == DEAL), default=0)
    ended = max((place for place, kind in enumerate(types[:deal]) if kind == HAND_END), default=-1)
    return [place for place, kind in enumerate(types) if place >= deal or place == ended or kind not in HAND_TYPES]
