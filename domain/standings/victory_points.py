"""Margins turned into victory points by the continuous scale of the World Bridge Federation.

With τ = (√5 − 1)/2, R = τ³ and the blitz margin X, the winner by d < X has 10 + 10·(1 − R^(d/X))/(1 − R), from X on 20;
the loser has the rest to 20. Rounded half up to a hundredth, by decimals. All results are in hundredths.
"""

from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from functools import lru_cache
from typing import Final

TOTAL: Final = 2000
"""What the two sides of a match share."""

MARGIN_UNIT: Final = 3000
"""The blitz margin of one hand, in points; that of H hands is √H times it."""

BYE: Final = 1200
"""What a bye is worth unless the organiser says otherwise: 60 % of a match."""

_EXACT: Final = Context(prec=40)
_CACHED: Final = 1 << 16


def blitz_margin(hands: int, unit: int = MARGIN_UNIT) -> Decimal:
    """The margin that gives 20 to 0 after so many hands: `unit` times √hands, in points.

    Raises `ValueError` if one of them is below 1.
    """
    if hands < 1 or unit < 1:
        raise ValueError(f"A blitz margin needs hands and a unit of 1 or more, not {hands} and {unit}.")
    with localcontext(_EXACT):
        return Decimal(hands).sqrt() * unit


def victory_points(margin: int, blitz: Decimal) -> tuple[int, int]:
    """Own and the other side's victory points for a margin, which is negative for a lost match.

    Raises `ValueError` if the blitz margin is not above 0.
    """
    if not blitz > 0:
        raise ValueError(f"A blitz margin is above 0, not {blitz}.")
    winner = _winner(abs(margin), blitz)
    return (winner, TOTAL - winner) if margin >= 0 else (TOTAL - winner, winner)


@lru_cache(_CACHED)
def match_points(margin: int, hands: int, unit: int = MARGIN_UNIT) -> tuple[int, int]:
    """Own and the other side's victory points of a match of so many hands."""
    return victory_points(margin, blitz_margin(hands, unit))


def forfeit_points(hands: int) -> tuple[int, int]:
    """What the present and the absent side have of a forfeited match: 14 and 6, or 12 and 8 from four hands on."""
    return (1400, 600) if hands < 4 else (1200, 800)


@lru_cache(_CACHED)
def _winner(margin: int, blitz: Decimal) -> int:
    with localcontext(_EXACT):
        if margin >= blitz:
            return TOTAL
        base = ((Decimal(5).sqrt() - 1) / 2) ** 3
        share = (1 - base ** (margin / blitz)) / (1 - base)
        return int((1000 + 1000 * share).to_integral_value(ROUND_HALF_UP))
