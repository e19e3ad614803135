"""Danish rounds: first against second, third against fourth and so on.

Pure: whoever met before. Modified: not the opponent of the round before, or of any round before.
Cost of a pair: difference of ranks · (n³ + 1) + (difference of ranks)²; its first part alone leaves ties, 1-3 2-4 and
1-4 2-3 for one, which the second decides for the pairing that spreads the differences.
"""

from collections.abc import Sequence
from typing import Final

from domain.pairing.relaxing import Costs, Repeats, draw
from domain.pairing.shapes import Engine, Field, Pairing
from domain.pairing.swiss import pairing_of, ranking, scale

ENGINE: Final = Engine("meldhouse-danish", "1")
_BASES: Final[dict[Repeats, str]] = {
    "allowed": "Ranked by score, then seed; neighbours meet, rematches are allowed.",
    "not_last": "Ranked by score, then seed; neighbours meet, but not the opponent of the round before.",
    "never": "Ranked by score, then seed; neighbours meet, but no earlier opponent.",
}


def pair_danish(field: Field, repeats: Repeats = "allowed") -> Pairing:
    """Pair a Danish round, round 1 by seed (all scores are equal then).

    Raises NoPairing: too_few, field_invalid, dead_end, no_bye.
    """
    ranked = ranking(field)
    drawn = draw(ranked, field, lambda left: _by_rank(len(ranked), left), repeats)
    first, second = divmod(drawn.cost, scale(len(ranked)))
    sums = f"Differences of rank: {first} in all; squared: {second} in all; no permitted pairing has less."
    return pairing_of(ENGINE, drawn, first, (_BASES[repeats], sums))


def _by_rank(count: int, left: Sequence[int]) -> Costs:
    factor = scale(count)

    def of(v: int, w: int) -> int:
        distance = abs(left[v] - left[w])
        return distance * factor + distance * distance

    return Costs(of, count * factor, range(len(left)), rising=True)
